import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { INTEGRATIONS } from '../../src/operations/demo/id.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

const WAREHOUSE = INTEGRATIONS.warehouse.id

/** Undoing an import in the web app: the list, the preview, and the job. */
describe.skipIf(noBrowser())('undo of an import', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  test('shows what will be restored and kept, undoes it, and needs no mouse', async () => {
    const [fares, routes] = await Promise.all(
      ['fares', 'routes'].map(
        async (title) =>
          (await app.call('POST', '/resource/catalog', { entity_type: 'table', title, integration: WAREHOUSE, description: 'Before.' }))
            .body.id,
      ),
    )
    const page = await app.page()
    await page.goto('/import')
    await page.getByRole('combobox', { name: 'Source' }).selectOption(WAREHOUSE)
    const buffer = Buffer.from(`id,description\n${fares},After.\n${routes},After.\n`)
    await page.locator('input[type=file]').setInputFiles({ name: 'tram.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'tram.csv' })
    await row.getByText('2 updated').waitFor()
    await row.getByText('by Admin').waitFor()
    await app.call('PATCH', `/resource/all/${routes}`, { description: 'A person wrote this.' })

    await row.getByRole('button', { name: 'Undo import of tram.csv' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Undo import of tram.csv' })
    await dialog.getByText('1 resource will be restored.').waitFor()
    await dialog.getByRole('row', { name: 'fares description After. Before.' }).waitFor()
    await dialog.getByRole('region', { name: 'Will be kept' }).getByText('has been changed since').waitFor()
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      expect(await axe(page, theme)).toEqual([])
      await saveScreenshot(page, `import-undo-${theme}`)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await saveScreenshot(page, 'import-undo-phone')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await dialog.getByRole('button', { name: 'Undo import' }).press('Enter')
    await row.getByText('Undone').waitFor()
    await row.getByRole('button', { name: '1 change was kept' }).press('Enter')
    const kept = page.getByRole('dialog', { name: 'Kept by the undo of tram.csv' })
    await kept
      .getByRole('listitem')
      .filter({ hasText: /routes.*has been changed since/ })
      .waitFor()
    expect(await kept.getByRole('link', { name: 'routes' }).getAttribute('href')).toBe(`/r/${routes}`)
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    const read = async (id: string) => (await app.call('GET', `/resource/all/${id}`)).body.description
    expect([await read(fares), await read(routes)]).toEqual(['Before.', 'A person wrote this.'])
  })
})
