import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserApp, noBrowser, openBrowserApp } from './browser.ts'

/** Deleting a resource in the web app, and bringing it back. */
describe.skipIf(noBrowser())('trash', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  test('a deletion can be undone, or restored from the trash', async () => {
    const make = async (body: object) => (await app.call('POST', '/resource/catalog', body)).body.id
    const schema = await make({ entity_type: 'schema', title: 'old_reports' })
    const table = await make({ entity_type: 'table', title: 'monthly', parent: schema })
    const page = await app.page()
    const remove = async () => {
      await page.goto(`/r/${schema}`)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByText('You can restore it from the trash for 90 days.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('old_reports deleted').waitFor()
    }
    await remove()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'old_reports' }).waitFor()
    expect((await app.call('GET', `/resource/all/${table}`)).status).toBe(200)

    await remove()
    await page.getByRole('link', { name: 'Trash' }).first().click()
    await page.getByRole('listitem').filter({ hasText: 'old_reports' }).getByText('1 resource inside', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Restore old_reports' }).click()
    await page.getByRole('heading', { name: 'old_reports' }).waitFor()
    expect((await app.call('GET', `/resource/all/${table}`)).status).toBe(200)

    await page.clock.install()
    await remove()
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.focus()
    await page.clock.runFor(60_000)
    expect(await undo.count()).toBe(1) // stays as long as it has the focus
    await page.getByRole('link', { name: 'Trash' }).first().focus()
    await page.clock.runFor(30_000)
    await undo.waitFor({ state: 'detached' })

    const viewer = await app.page({ role: 'viewer' })
    await viewer.goto('/')
    await viewer.getByRole('heading', { level: 1 }).waitFor()
    expect(await viewer.getByRole('link', { name: 'Trash' }).count()).toBe(0)
  })
})
