import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

const ORDERS = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388'

/** Rows of the source: sorted, filtered, copied, queried. */
describe.skipIf(noBrowser())('data of a table', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  /** What the last copy would have put on the clipboard, which a headless browser does not have. */
  const recordCopies = 'navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve() }'

  test('the source sorts and filters; a cell, a row and the table are copied as CSV', async () => {
    const page = await app.page()
    await page.goto(`/r/${ORDERS}?tab=preview`)
    await page.getByText(/^First 50 rows/).waitFor()
    await page.evaluate(recordCopies)
    await page.getByRole('button', { name: 'order_id' }).click()
    await page.getByRole('columnheader', { name: 'order_id' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    const first = page.getByRole('row').nth(1).getByRole('gridcell').first()
    const lowest = await first.innerText()
    await page.getByRole('button', { name: 'order_id' }).click()
    await page.getByRole('columnheader', { name: 'order_id' }).and(page.locator('[aria-sort=descending]')).waitFor()
    await expect.poll(async () => Number(await first.innerText())).toBeGreaterThan(Number(lowest))
    await page.getByRole('button', { name: 'Newest first' }).click()
    await page.getByRole('button', { name: 'Newest first', pressed: true }).waitFor()

    const filter = page.getByRole('form', { name: 'Filter rows' })
    await filter.getByLabel('Column').selectOption('order_id')
    await filter.getByLabel('Value').fill('many')
    await filter.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByText('Enter a number, e.g. 12.5.').waitFor()
    await filter.getByLabel('Value').fill(lowest)
    await filter.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByText(/^1 row ·/).waitFor()
    await first.click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Control+c')
    const number = await page.getByRole('gridcell', { selected: true }).innerText()
    await expect.poll(() => page.evaluate('window.copied')).toBe(number)
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy row as CSV' }).click()
    const copiedLines = async () => String(await page.evaluate('window.copied')).split('\r\n')
    const beginnings = async () => (await copiedLines()).map((line) => line.split(',').slice(0, 2).join())
    await expect.poll(beginnings).toEqual(['order_id,order_number', `${lowest},${number}`])
    await filter.getByLabel('Operator').selectOption('is empty')
    await filter.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByText('No rows match the filter').waitFor()
    await filter.getByRole('button', { name: 'Remove filter' }).click()
    await page.getByText(/^First 50 rows/).waitFor()
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy table as CSV' }).click()
    await expect.poll(copiedLines).toHaveLength(51)
    await saveScreenshot(page, 'preview-sorted')
  })

  test('an editor runs a query and sees what is not allowed; a viewer has no query box', async () => {
    const page = await app.page({ role: 'editor' })
    await page.goto(`/r/${ORDERS}?tab=preview`)
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    const editor = page.getByRole('textbox', { name: 'Query' })
    await editor.getByText('orders').waitFor()
    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByRole('grid', { name: 'Result' }).waitFor()
    await page.getByText(/^100 rows ·/).waitFor()
    await editor.fill('select count(*) as how_many from orders')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'how_many' }).waitFor()
    await saveScreenshot(page, 'query')
    await editor.fill('select * from pg_roles')
    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByRole('alert').getByText('must not read pg_roles').waitFor()
    const viewer = await app.page({ role: 'viewer' })
    await viewer.goto(`/r/${ORDERS}?tab=preview`)
    await viewer.getByText(/^First 50 rows/).waitFor()
    expect(await viewer.getByRole('button', { name: 'Query', exact: true }).count()).toBe(0)
  })
})
