import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

/** Lineage in the browser: drawing, expanding, tracing, searching, adding links and exporting. */
const STG_ORDERS = 'f0cfc140-32ca-5e4e-b971-bc73ea9b7dbb' // the same in every demo shop
const ORDERS = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388'

describe.skipIf(noBrowser())('lineage', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())

  const box = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
  const pick = (page: Page, name: string) => page.locator('[data-pick]', { has: page.getByText(name, { exact: true }) })
  const urlParams = (page: Page) => new URL(page.url()).searchParams
  const drawn = (page: Page, n: number) => page.getByText(new RegExp(`^${n.toLocaleString('en-US')} resources · `)).waitFor()
  const opened = async (address: string, options = {}) => {
    const page = await app.page({ width: 1440, ...options })
    await page.goto(address)
    return page
  }

  test('opens one level deep, expands neighbors in place, and keeps the state in the URL', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}`)
    await drawn(page, 7)
    await page.getByRole('heading', { level: 1, name: 'Lineage of stg_orders' }).waitFor()
    const dates = box(page, 'dim_date')
    const before = (await dates.boundingBox())!
    await page.getByRole('button', { name: /^Show \d+ more downstream of dim_date$/ }).click()
    await box(page, 'daily_revenue').waitFor()
    await eventually(async () => {
      const after = (await dates.boundingBox())!
      expect(Math.abs(after.x - before.x)).toBeLessThan(2)
      expect(Math.abs(after.y - before.y)).toBeLessThan(2)
    })
    expect(urlParams(page).get('x')).toMatch(/\.d$/)
    await page.reload()
    await page.getByRole('button', { name: 'Collapse downstream of dim_date' }).click()
    await drawn(page, 7)
    expect(urlParams(page).get('x')).toBeNull()
    const steps = page.getByLabel('Depth')
    await steps.selectOption('2')
    await eventually(() => expect(urlParams(page).get('depth')).toBe('2'))
    await page.reload()
    await eventually(async () => expect(await steps.inputValue()).toBe('2'))
    expect(app.problems.splice(0)).toEqual([])
  })

  test('expands columns and traces one through the tables', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}`)
    await page.getByRole('button', { name: 'Columns of stg_orders' }).click()
    await page.getByRole('button', { name: 'Trace customer_id' }).click()
    await page.getByText(/on this path/).waitFor()
    await eventually(async () => expect(await box(page, 'orders').textContent()).toContain('customer_id'))
    expect(urlParams(page).get('col')).toMatch(/^[0-9a-f-]{36}$/)
    await saveScreenshot(page, 'lineage-trace')
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByText(/^\d+ on this path/).waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText(/on this path/).waitFor({ state: 'detached' })
    expect(app.problems.splice(0)).toEqual([])
  })

  test('links columns to columns at column level', async () => {
    const page = await opened(`/lineage/${ORDERS}`)
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByText('2 resources · 14 links').waitFor()
    await page
      .getByRole('button', { name: /^Trace grand_total$/ })
      .first()
      .click()
    await eventually(async () => expect(await page.locator('[data-row].text-accent').count()).toBe(3))
    expect(urlParams(page).get('level')).toBe('column')
  })

  test('finds a box in the graph and groups by schema', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}?depth=50`)
    await box(page, 'stg_orders').waitFor()
    await page.keyboard.press('f')
    await page.keyboard.type('cohort_ret')
    await page.getByText('1 found').waitFor()
    await page.keyboard.press('Enter')
    await box(page, 'cohort_retention').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1 found').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Group by schema' }).click()
    const fold = page.getByRole('button', { name: /\.demo_marts \d+ resources/ })
    await page.getByRole('button', { name: 'Fit everything' }).click()
    await fold.click()
    await eventually(() => expect(urlParams(page).get('open')).toMatch(/\.demo_marts$/))
    await fold.waitFor({ state: 'detached' })
  })

  test('lists the downstream impact with owners and exports it as CSV', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}`)
    await box(page, 'stg_orders').waitFor()
    await page.keyboard.press('l')
    const table = page.getByRole('table', { name: 'Downstream impact' })
    await table
      .getByRole('row', { name: /fct_orders/ })
      .first()
      .waitFor()
    await page.getByText(/resources depend on this/).waitFor()
    await table.getByText('Grace Lindqvist').first().waitFor()
    const link = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
    const file = await (await page.request.get(link!)).text()
    expect(file.split('\n').length).toBeGreaterThan(20)
    await page.getByRole('button', { name: 'Upstream' }).click()
    await page
      .getByRole('table', { name: 'Upstream resources' })
      .getByRole('row', { name: /exchange_rates/ })
      .waitFor()
    const upstream = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    expect(await readFile(await (await upstream).path(), 'utf8')).toContain('.demo_finance.exchange_rates,table,1')
  })

  test('adds a link by drag and by name, and removes both', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}`)
    await drawn(page, 7)
    await box(page, 'exchange_rates').hover()
    const port = (await box(page, 'exchange_rates').locator('[data-port]').boundingBox())!
    const onto = (await box(page, 'dim_date').boundingBox())!
    await page.mouse.move(port.x + 6, port.y + 6)
    await page.mouse.down()
    await page.mouse.move(onto.x - 60, onto.y + 20, { steps: 4 })
    await page.mouse.move(onto.x + 100, onto.y + 20, { steps: 4 })
    await page.mouse.up()
    await page.getByText('Link added').waitFor()
    await page.getByText('7 resources · 8 links').waitFor()
    await page.getByText('Added manually').waitFor()

    await pick(page, 'exchange_rates').click()
    const about = page.getByRole('complementary', { name: 'Resource details' })
    await about.getByRole('button', { name: 'Link to…' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('fct_orders')
    await page
      .getByRole('option', { name: /^fct_orders/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('7 resources · 9 links').waitFor()
    await about.getByRole('button', { name: 'Remove link to dim_date' }).click()
    await about.getByRole('button', { name: 'Remove link to fct_orders' }).click()
    await page.getByText('7 resources · 7 links').waitFor()
    expect(app.problems.splice(0)).toEqual([])
  })

  test('shows the queries behind a link', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}?sel=${ORDERS}~${STG_ORDERS}`)
    const about = page.getByRole('complementary', { name: 'Link details' })
    await about.getByText('1 query').waitFor()
    await about
      .getByText(/select/i)
      .first()
      .waitFor()
  })

  test('works by keyboard: move along links, select, expand, clear', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}`)
    await drawn(page, 7)
    await pick(page, 'stg_orders').focus()
    const focused = () => page.locator(':focus').textContent()
    await page.keyboard.press('ArrowRight')
    await eventually(async () => expect(await focused()).toMatch(/^(stg_refunds|fct_order_items|dim_date)/))
    await page.keyboard.press('ArrowLeft')
    await eventually(async () => expect(await focused()).toMatch(/^stg_orders/))
    await page.keyboard.press('ArrowLeft')
    await eventually(async () => expect(await focused()).toMatch(/^(orders|exchange_rates)/))
    await page.keyboard.press('Enter')
    await page.getByRole('complementary').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    await page.keyboard.press('o')
    await page.getByRole('button', { name: 'Trace order_id' }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'Add link' }).waitFor()
  })

  test('exports the graph as PNG, SVG and CSV', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}`)
    await drawn(page, 7)
    const file = async (item: string) => {
      const coming = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name: item }).click()
      const download = await coming
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
    }
    const png = await file('PNG image')
    expect(png.name).toBe('lineage-stg_orders.png')
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
    const svg = (await file('SVG image')).bytes.toString()
    expect(svg.match(/<path /g)).toHaveLength(7)
    expect(svg).toContain('>fct_orders<')
    const csv = (await file('Links as CSV')).bytes.toString()
    expect(csv).toMatch(/\.demo_raw\.orders,\w+\.demo_staging\.stg_orders,/)
    expect(csv.trim().split('\r\n')).toHaveLength(8)
    expect(app.problems.splice(0)).toEqual([])
  })

  test('hides link editing from viewers and shows the graph on the resource page, also on a phone', async () => {
    const page = await opened(`/r/${ORDERS}?tab=lineage&depth=3`, { role: 'viewer' })
    await page.getByRole('group', { name: 'No access' }).first().waitFor()
    await pick(page, 'orders').click()
    await page.getByRole('complementary', { name: 'Resource details' }).waitFor()
    expect(await page.getByRole('button', { name: 'Link to…' }).count()).toBe(0)
    expect(await page.locator('[data-port]').count()).toBe(0)
    await page.getByRole('link', { name: 'Open full page' }).click()
    await eventually(() => expect(new URL(page.url()).pathname).toBe(`/lineage/${ORDERS}`))
    expect(urlParams(page).get('sel')).toBe(ORDERS)
    const phone = await opened(`/lineage/${STG_ORDERS}`, { width: 375 })
    await box(phone, 'stg_orders').waitFor()
    await pick(phone, 'stg_orders').click()
    await phone.getByRole('complementary').waitFor()
    await saveScreenshot(phone, 'lineage-phone-chosen')
    expect(app.problems.splice(0)).toEqual([])
  })

  test('simulates dropped and renamed columns, a new query and a dbt project, with owners, Markdown and CSV', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await box(page, 'stg_orders').waitFor()
    await page.keyboard.press('w')
    await page.getByText('Simulate a change').waitFor()
    await page.getByRole('button', { name: 'Select columns' }).press('Enter')
    await page.getByRole('combobox', { name: 'Columns' }).fill('customer_id')
    await eventually(async () => expect(await page.getByRole('option').count()).toBe(1))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove customer_id' }).waitFor()
    await page.keyboard.press('Escape')
    const breaks = page.getByRole('table', { name: 'Affected resources' })
    await breaks
      .getByRole('row', { name: /fct_orders.*Its rows are filtered by .*stg_orders\.customer_id, which would be dropped/ })
      .waitFor()
    await page.getByText(/^\d+ downstream resources would break: \d+ columns/).waitFor()
    await breaks.getByText('Grace Lindqvist').first().waitFor()
    await page.reload()
    await breaks.waitFor()
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^### \d+ downstream resources would break\n.*\| Breaks \|/s)
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    expect(await readFile(await (await coming).path(), 'utf8')).toMatch(/^id,title,.*Its rows are filtered by /s)

    await page.getByRole('button', { name: 'Rename column' }).click()
    await page.getByLabel('Column', { exact: true }).selectOption({ label: 'status' })
    await page.getByLabel('New name').fill('state')
    await page.keyboard.press('Enter')
    await page.getByText(/stg_orders\.status would be renamed to state$/).waitFor()
    expect(urlParams(page).get('to')).toBe('state')
    await saveScreenshot(page, 'lineage-what-if')

    await page.getByRole('button', { name: 'Change query' }).click()
    await page.getByLabel('New query').click()
    await page.keyboard.type('selected order_id')
    await page.keyboard.press('Control+Enter')
    await eventually(async () => expect(await page.getByRole('alert').textContent()).toMatch(/^Line 1, column 1: /))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('select order_id from demo_raw.orders')
    await page.keyboard.press('Control+Enter')
    await page.getByText('is no longer returned by the changed query').first().waitFor()
    await eventually(() => expect(urlParams(page).get('sql')).toBe('select order_id from demo_raw.orders'))

    // A dbt manifest is uploaded as is, whatever its size; anything else is rejected with a readable error.
    await page.getByRole('button', { name: 'Change dbt project' }).click()
    const send = (content: string) =>
      page.getByLabel('Choose').setInputFiles({ name: 'manifest.json', mimeType: 'application/json', buffer: Buffer.from(content) })
    await send('{"metadata":{}}')
    await eventually(async () => expect(await page.getByRole('alert').textContent()).toMatch(/^metadata\.dbt_schema_version must be/))
    const { body: stg } = await app.call('GET', `/resource/all/${STG_ORDERS}`)
    const [database, schema] = stg.title_full.split('.')
    const model = { resource_type: 'model', name: 'stg_orders', database, schema, compiled_code: 'select order_id from demo_raw.orders' }
    const metadata = { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json', adapter_type: 'postgres' }
    await send(JSON.stringify({ metadata, nodes: { 'model.shop.stg_orders': model }, docs: 'x'.repeat(2_000_000) }))
    await page.getByText(/^manifest\.json, [\d.]+ MB/).waitFor()
    await breaks
      .getByRole('row', { name: /fct_orders/ })
      .first()
      .waitFor()
    await breaks.getByText('Grace Lindqvist').first().waitFor()
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await eventually(async () =>
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/no longer returned by the changed query/),
    )
    await saveScreenshot(page, 'lineage-what-if-dbt')

    const viewer = await opened(`/r/${ORDERS}?tab=lineage&view=what-if&change=gone`, { role: 'viewer' })
    await viewer
      .getByRole('region', { name: 'Impact' })
      .getByText(/orders would be dropped/)
      .first()
      .waitFor()
    expect(app.problems.splice(0)).toEqual([])
  })

  test('previews lineage from SQL, saves it and replaces existing lineage', async () => {
    const sql =
      'insert into demo_marts.cohort_retention (cohort_month) select o.placed_at from demo_raw.orders o join nowhere using (order_id)'
    const page = await opened('/lineage')
    await page.getByRole('link', { name: 'From SQL' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('from sql')
    await page.getByRole('option', { name: 'Lineage from SQL…' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lineage from SQL' }).waitFor()
    await page.getByText('Paste a query').waitFor()
    await page.getByLabel('Source').selectOption({ label: 'Shop warehouse (demo)' })
    await page.getByLabel('SQL', { exact: true }).click()
    await page.keyboard.type(sql)
    await page.keyboard.press('Control+Enter')
    const result = page.getByRole('region', { name: 'Parsed lineage' })
    await result.getByRole('row', { name: 'orders.placed_at cohort_retention.cohort_month direct copy' }).waitFor()
    await result.getByText('nowhere (table): not in the catalog').waitFor()
    await saveScreenshot(page, 'lineage-from-sql')
    const into = async () => {
      const target = await result.getByRole('link', { name: 'cohort_retention', exact: true }).getAttribute('href')
      const query = new URLSearchParams({ resource_id: target!.split('/').at(-1)!, direction: 'UPSTREAM', depth: '1' })
      const { body } = await app.call('GET', `/lineage/graph?${query}`)
      return (body as { nodes: { title: string; distance: number }[] }).nodes
        .flatMap(({ title, distance }) => (distance > 0 ? title : []))
        .sort()
    }
    expect(await into()).toEqual(['fct_orders'])
    await page.getByRole('button', { name: 'Save lineage' }).click()
    await page.getByText('Lineage saved', { exact: true }).waitFor()
    expect(await into()).toEqual(['fct_orders', 'orders'])
    await page.getByRole('button', { name: 'Replace…' }).click()
    await page.getByRole('dialog').getByText('Manually added links').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Lineage replaced').waitFor()
    expect(await into()).toEqual(['orders'])
    await page.getByRole('link', { name: 'View lineage' }).click()
    await box(page, 'cohort_retention').waitFor()

    const viewer = await opened(`/lineage/sql?${new URLSearchParams({ sql: 'select placed_at from demo_raw.orders' })}`, { role: 'viewer' })
    await viewer.getByText('1 source table, 1 column link').waitFor()
    expect(await viewer.getByRole('button', { name: 'Save lineage' }).count()).toBe(0)
    expect(app.problems.splice(0)).toEqual([])
  })
})
