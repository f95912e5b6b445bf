import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { axe, type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

/** Columns edited together, reactions, snoozed incidents, and templates and the order of documents. */
const TABLE = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388' // orders of the demo

describe.skipIf(noBrowser())('organizing', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  const shoot = async (path: string, name: string, there: (page: Page) => Locator) => {
    if (!process.env.SHOTS) return
    for (const [suffix, options] of [
      ['', {}],
      [' dark', { theme: 'dark' }],
      [' phone', { width: 390 }],
    ] as const) {
      const page = await app.page(options)
      await page.goto(path)
      await there(page).first().waitFor()
      await saveScreenshot(page, `${name}${suffix}`)
      await page.close()
    }
  }

  test('columns are selected with the mouse and the keyboard and tagged together', async () => {
    const { body: table } = await app.call('POST', '/resource/catalog', { title: 'chosen', entity_type: 'table', published: true })
    for (const [i, title] of ['one', 'two', 'three', 'four', 'five'].entries())
      await app.call('POST', '/table/columns', { title, parent: table.id, type: 'text', sort_order: i })
    const page = await app.page()
    await page.goto(`/r/${table.id}?tab=columns`)
    const box = (title: string) => page.getByRole('checkbox', { name: `Select ${title}`, exact: true })
    await box('two').click()
    await box('four').click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: 'Bulk edit' })
    await bar.getByText('3 selected').waitFor()
    expect(await axe(page)).toEqual([])
    await saveScreenshot(page, 'columns selected')
    await bar.getByRole('button', { name: 'Tags' }).click()
    await page.getByPlaceholder('Tags').fill('chosen together')
    await page.getByRole('option', { name: 'Create “chosen together”' }).click()
    await page.getByText('Tags changed: 3 resources').hover() // a message stays under the pointer
    const tagged = async () => {
      const { body } = await app.call('GET', `/table/columns?parent_id=${table.id}`)
      return body.results.filter(({ tags }: { tags: string[] }) => tags.length > 0).map(({ title }: { title: string }) => title)
    }
    await eventually(async () => expect(await tagged()).toEqual(['two', 'three', 'four']))
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => expect(await tagged()).toEqual([]))
    await page.keyboard.press('Escape')

    // With the keyboard: one box is reached with Tab, arrows move, Shift selects on the way.
    await bar.getByRole('button', { name: 'Clear selection' }).click()
    await bar.waitFor({ state: 'detached' })
    await box('four').focus()
    await page.keyboard.press('ArrowUp')
    await eventually(async () => expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Select three'))
    await page.keyboard.press('Shift+ArrowUp')
    await bar.getByText('2 selected').waitFor()
    await page.keyboard.press('Control+a')
    await bar.getByText('5 selected').waitFor()
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select all columns' }).click()
    await bar.getByText('5 selected').waitFor()

    const viewer = await app.page({ role: 'viewer' })
    await viewer.goto(`/r/${table.id}?tab=columns`)
    await viewer.getByRole('table', { name: 'Columns' }).waitFor()
    expect(await viewer.getByRole('checkbox').count()).toBe(0)
    await shoot(`/r/${TABLE}?tab=columns`, 'columns', (page) => page.getByRole('checkbox', { name: 'Select all columns' }))
  })

  test('people react to comments and see who did', async () => {
    const page = await app.page({ role: 'viewer' })
    await page.goto(`/r/${TABLE}?tab=discussion`)
    const reply = page.locator('div', { hasText: /^They stay\./ }).last()
    await reply.waitFor()
    const thread = page.getByRole('article', { name: 'Discussion' }).filter({ hasText: 'Are cancelled orders deleted' })
    const thumbs = thread.getByRole('button', { name: /^Thumbs up: 2, from .*Katsu Mori/ })
    await thumbs.click()
    await thread.getByRole('button', { name: /^Thumbs up: 3/, pressed: true }).waitFor()
    await thread.getByRole('button', { name: 'Add a reaction' }).last().click()
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Celebrate' }).click()
    await thread.getByRole('button', { name: /^Celebrate: 1/, pressed: true }).click()
    await thread.getByRole('button', { name: /^Celebrate/ }).waitFor({ state: 'detached' })
    await shoot(`/r/${TABLE}?tab=discussion`, 'reactions', (page) => page.getByRole('button', { name: /^Thumbs up/ }))
  })

  test('an incident is snoozed, found by the filter and woken; incidents are grouped by table', async () => {
    const page = await app.page()
    await page.goto('/incidents')
    const orders = page.getByRole('link', { name: /^Orders loaded each night/ })
    await orders.click()
    await page.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: '4 hours' }).click()
    await page
      .getByText(/^Snoozed until/)
      .first()
      .waitFor()
    await page.getByText(/snoozed the incident until/).waitFor()
    expect(await axe(page)).toEqual([])
    await saveScreenshot(page, 'incident snoozed')
    await page.goto('/incidents')
    await page.getByLabel('Status').selectOption('snoozed')
    await page.getByText('2 incidents', { exact: true }).waitFor()
    await page.getByLabel('Status').selectOption('')
    await page.getByLabel('Hide snoozed').check()
    await page.getByText('No matching incidents').waitFor()
    await page.getByLabel('Hide snoozed').uncheck()
    await page.getByLabel('Group by table').check()
    await page
      .getByRole('region', { name: /fct_orders/ })
      .getByText('1 snoozed')
      .waitFor()
    await eventually(() => expect(page.url()).toContain('group=table'))
    await orders.click()
    await page.getByRole('button', { name: 'End snooze' }).click()
    await page.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: 'Choose a time…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Snooze incident' })
    await dialog.getByLabel('Until').fill('2020-01-01T09:00')
    await dialog.getByText('Choose a time in the future.').waitFor()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await shoot('/incidents?status=all&group=table', 'incidents by table', (page) => page.getByText('Payments that failed'))
    await shoot('/incidents', 'incidents', (page) => page.getByText(/Snoozed until/))
  })

  test('documents are created from templates, and ordered by dragging, menu and keyboard', async () => {
    const { body: book } = await app.call('POST', '/document', { title: 'Order book', published: true })
    for (const title of ['alpha', 'beta', 'gamma']) await app.call('POST', '/document', { title, parent: book.id, published: true })
    const page = await app.page()
    await page.goto(`/documents/${book.id}`)
    const tree = page.getByRole('navigation', { name: 'Documents' })
    await tree.getByRole('button', { name: 'Documents in Order book' }).click()
    const link = (title: string) => tree.getByRole('link', { name: title, exact: true })
    await link('gamma').waitFor()
    const order = async () => (await tree.getByRole('link', { name: /^(alpha|beta|gamma)$/ }).allTextContents()).join(' ')

    // Dragged above the first one; the upper edge of a row is the place before it.
    await link('gamma').dragTo(link('alpha'), { targetPosition: { x: 40, y: 3 } })
    await page.getByRole('button', { name: 'Undo' }).hover() // a message stays under the pointer
    await eventually(async () => expect(await order()).toBe('gamma alpha beta'))
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => expect(await order()).toBe('alpha beta gamma'))
    await link('alpha').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await eventually(async () => expect(await order()).toBe('beta alpha gamma'))
    await eventually(async () => expect(await page.evaluate('document.activeElement.textContent')).toContain('alpha'))
    await link('gamma').hover()
    await tree.getByRole('button', { name: 'Move gamma' }).click()
    expect(await axe(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Move into alpha' }).click()
    await tree.getByRole('button', { name: 'Documents in alpha' }).waitFor()
    await link('gamma').hover()
    await tree.getByRole('button', { name: 'Move gamma' }).click()
    await page.getByRole('menuitem', { name: 'Move out one level' }).click()
    await tree.getByRole('button', { name: 'Documents in alpha' }).waitFor({ state: 'hidden' })
    await eventually(async () => expect(await order()).toBe('beta alpha gamma'))
    await saveScreenshot(page, 'documents ordered')

    // A built-in template, then a document as a template.
    await tree.getByRole('button', { name: 'New document', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'New document' })
    await dialog.getByLabel('Template').selectOption({ label: 'Runbook' })
    await eventually(async () => expect(await dialog.getByLabel('Title').inputValue()).toBe('Runbook'))
    await dialog.getByText('What to do when something goes wrong.').waitFor()
    expect(await axe(page)).toEqual([])
    await saveScreenshot(page, 'new document from a template')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'When to use it' }).waitFor()
    await page.goto(`/documents/${book.id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Use as template' }).click()
    await page.getByRole('article').getByText('Template', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New document from this template' }).click()
    await dialog.getByLabel('Title').fill('Second book')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Second book' }).waitFor()

    // It is deleted where it is read, and undoing that leads back.
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { level: 1, name: 'Second book' }).waitFor()

    const viewer = await app.page({ role: 'viewer' })
    await viewer.goto(`/documents/${book.id}`)
    await viewer.getByRole('heading', { name: 'Order book' }).waitFor()
    expect(await viewer.getByRole('button', { name: /^Move / }).count()).toBe(0)
    await shoot(`/documents/${book.id}`, 'document template', (page) => page.getByRole('heading', { name: 'Order book' }))
  })
})
