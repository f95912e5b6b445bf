import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, anApp, eventually, noBrowser, shot } from './browser.ts'

/** Lineage as people see it: drawn, opened step by step, traced, searched, linked by hand and taken away as a file. */
const STG_ORDERS = 'f0cfc140-32ca-5e4e-b971-bc73ea9b7dbb' // the same in every demo shop
const ORDERS = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388'

describe.skipIf(noBrowser())('lineage', () => {
  let app: App
  beforeAll(async () => {
    app = await anApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())

  const box = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
  const pick = (page: Page, name: string) => page.locator('[data-pick]', { has: page.getByText(name, { exact: true }) })
  const said = (page: Page) => new URL(page.url()).searchParams
  const drawn = (page: Page, n: number) => page.getByText(new RegExp(`^${n.toLocaleString('en-US')} resources · `)).waitFor()
  const opened = async (address: string, options = {}) => {
    const page = await app.page({ width: 1440, ...options })
    await page.goto(address)
    return page
  }

  test('it opens one step far and says what is hidden; a step shows it, the box stays still, and the address remembers', async () => {
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
    expect(said(page).get('x')).toMatch(/\.d$/)
    await page.reload()
    await page.getByRole('button', { name: 'Hide what was opened downstream of dim_date' }).click()
    await drawn(page, 7)
    expect(said(page).get('x')).toBeNull()
    const steps = page.getByLabel('Steps from the start')
    await steps.selectOption('2')
    await eventually(() => expect(said(page).get('depth')).toBe('2'))
    await page.reload()
    await eventually(async () => expect(await steps.inputValue()).toBe('2'))
    expect(app.problems.splice(0)).toEqual([])
  })

  test('columns open where they stand, and one of them is traced through the tables', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}`)
    await page.getByRole('button', { name: 'Columns of stg_orders' }).click()
    await page.getByRole('button', { name: 'Trace customer_id' }).click()
    await page.getByText(/on the way/).waitFor()
    await eventually(async () => expect(await box(page, 'orders').textContent()).toContain('customer_id'))
    expect(said(page).get('col')).toMatch(/^[0-9a-f-]{36}$/)
    await shot(page, 'lineage-trace')
    await page.getByRole('button', { name: 'Draw all' }).click()
    await page.getByText(/^\d+ on the way/).waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText(/on the way/).waitFor({ state: 'detached' })
    expect(app.problems.splice(0)).toEqual([])
  })

  test('at the level of columns every link joins two of them', async () => {
    const page = await opened(`/lineage/${ORDERS}`)
    await page.getByRole('button', { name: 'Columns', exact: true }).click()
    await page.getByText('2 resources · 14 links').waitFor()
    await page
      .getByRole('button', { name: /^Trace grand_total$/ })
      .first()
      .click()
    await eventually(async () => expect(await page.locator('[data-row].text-accent').count()).toBe(3))
    expect(said(page).get('level')).toBe('column')
  })

  test('something is found in a drawing, and schemas are folded and opened', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}?depth=50`)
    await box(page, 'stg_orders').waitFor()
    await page.keyboard.press('f')
    await page.keyboard.type('cohort_ret')
    await page.getByText('1 found').waitFor()
    await page.keyboard.press('Enter')
    await box(page, 'cohort_retention').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1 found').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Fold schemas' }).click()
    const fold = page.getByRole('button', { name: /\.demo_marts \d+ resources/ })
    await page.getByRole('button', { name: 'Fit everything' }).click()
    await fold.click()
    await eventually(() => expect(said(page).get('open')).toMatch(/\.demo_marts$/))
    await fold.waitFor({ state: 'detached' })
  })

  test('the list says what breaks and whom to tell, and is a file too', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}`)
    await box(page, 'stg_orders').waitFor()
    await page.keyboard.press('l')
    const table = page.getByRole('table', { name: 'What breaks if this changes' })
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
      .getByRole('table', { name: 'What this is made of' })
      .getByRole('row', { name: /exchange_rates/ })
      .waitFor()
    const upstream = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    expect(await readFile(await (await upstream).path(), 'utf8')).toContain('.demo_finance.exchange_rates,table,1')
  })

  test('a link is drawn by hand, and by name, and removed again', async () => {
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
    await page.getByText('Linked.').waitFor()
    await page.getByText('7 resources · 8 links').waitFor()
    await page.getByText('stated by people').waitFor()

    await pick(page, 'exchange_rates').click()
    const about = page.getByRole('complementary', { name: 'About the chosen resource' })
    await about.getByRole('button', { name: 'Link to…' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('fct_orders')
    await page
      .getByRole('option', { name: /^fct_orders/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('7 resources · 9 links').waitFor()
    await about.getByRole('button', { name: 'Remove the link with dim_date' }).click()
    await about.getByRole('button', { name: 'Remove the link with fct_orders' }).click()
    await page.getByText('7 resources · 7 links').waitFor()
    expect(app.problems.splice(0)).toEqual([])
  })

  test('a link says what it is made of', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}?sel=${ORDERS}~${STG_ORDERS}`)
    const about = page.getByRole('complementary', { name: 'About the chosen link' })
    await about.getByText('1 query').waitFor()
    await about
      .getByText(/select/i)
      .first()
      .waitFor()
  })

  test('everything by keyboard: walk along the links, choose, open, clear', async () => {
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
    await page.getByRole('dialog', { name: 'Add a link' }).waitFor()
  })

  test('the drawing is taken away as PNG, SVG and CSV', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}`)
    await drawn(page, 7)
    const file = async (item: string) => {
      const coming = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name: item }).click()
      const download = await coming
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
    }
    const png = await file('Picture (PNG)')
    expect(png.name).toBe('lineage-stg_orders.png')
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
    const svg = (await file('Drawing (SVG)')).bytes.toString()
    expect(svg.match(/<path /g)).toHaveLength(7)
    expect(svg).toContain('>fct_orders<')
    const csv = (await file('Links (CSV)')).bytes.toString()
    expect(csv).toMatch(/\.demo_raw\.orders,\w+\.demo_staging\.stg_orders,/)
    expect(csv.trim().split('\r\n')).toHaveLength(8)
    expect(app.problems.splice(0)).toEqual([])
  })

  test('a viewer draws no links; the resource page has the same drawing, also on a phone', async () => {
    const page = await opened(`/r/${ORDERS}?tab=lineage&depth=3`, { role: 'viewer' })
    await page.getByRole('group', { name: 'Not yours to see' }).first().waitFor()
    await pick(page, 'orders').click()
    await page.getByRole('complementary', { name: 'About the chosen resource' }).waitFor()
    expect(await page.getByRole('button', { name: 'Link to…' }).count()).toBe(0)
    expect(await page.locator('[data-port]').count()).toBe(0)
    await page.getByRole('link', { name: 'Whole page' }).click()
    await eventually(() => expect(new URL(page.url()).pathname).toBe(`/lineage/${ORDERS}`))
    expect(said(page).get('sel')).toBe(ORDERS)
    const phone = await opened(`/lineage/${STG_ORDERS}`, { width: 375 })
    await box(phone, 'stg_orders').waitFor()
    await pick(phone, 'stg_orders').click()
    await phone.getByRole('complementary').waitFor()
    await shot(phone, 'lineage-phone-chosen')
    expect(app.problems.splice(0)).toEqual([])
  })

  test('what breaks if columns go, one is renamed or the query changes: by keys, with owners, in the address, as Markdown and CSV', async () => {
    const page = await opened(`/lineage/${STG_ORDERS}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await box(page, 'stg_orders').waitFor()
    await page.keyboard.press('w')
    await page.getByText('Nothing is changed by asking').waitFor()
    await page.getByRole('button', { name: 'Choose columns' }).press('Enter')
    await page.getByRole('combobox', { name: 'Columns' }).fill('customer_id')
    await eventually(async () => expect(await page.getByRole('option').count()).toBe(1))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Keep customer_id' }).waitFor()
    await page.keyboard.press('Escape')
    const breaks = page.getByRole('table', { name: 'What would break' })
    await breaks
      .getByRole('row', { name: /fct_orders.*Its rows are filtered by .*stg_orders\.customer_id, which would be dropped/ })
      .waitFor()
    await page.getByText(/^\d+ things downstream would break: \d+ columns/).waitFor()
    await breaks.getByText('Grace Lindqvist').first().waitFor()
    await page.reload()
    await breaks.waitFor()
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByText('Copied.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^### \d+ downstream resources would break\n.*\| Breaks \|/s)
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    expect(await readFile(await (await coming).path(), 'utf8')).toMatch(/^id,title,.*Its rows are filtered by /s)

    await page.getByRole('button', { name: 'a column is renamed' }).click()
    await page.getByLabel('Column', { exact: true }).selectOption({ label: 'status' })
    await page.getByLabel('Its new name').fill('state')
    await page.keyboard.press('Enter')
    await page.getByText(/stg_orders\.status would be renamed to state$/).waitFor()
    expect(said(page).get('to')).toBe('state')
    await shot(page, 'lineage-what-if')

    await page.getByRole('button', { name: 'its query changes' }).click()
    await page.getByLabel('The changed query').click()
    await page.keyboard.type('selected order_id')
    await page.keyboard.press('Control+Enter')
    await eventually(async () => expect(await page.getByRole('alert').textContent()).toMatch(/^Line 1, column 1: /))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('select order_id from demo_raw.orders')
    await page.keyboard.press('Control+Enter')
    await page.getByText('is no longer returned by the changed query').first().waitFor()
    await eventually(() => expect(said(page).get('sql')).toBe('select order_id from demo_raw.orders'))

    // A dbt project, as the file that dbt writes: it is sent as it is, however large, and what is no manifest is refused in words.
    await page.getByRole('button', { name: 'a dbt project changes' }).click()
    const send = (content: string) =>
      page.getByLabel('Choose').setInputFiles({ name: 'manifest.json', mimeType: 'application/json', buffer: Buffer.from(content) })
    await send('{"metadata":{}}')
    await eventually(async () => expect(await page.getByRole('alert').textContent()).toMatch(/^metadata\.dbt_schema_version must name/))
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
    await shot(page, 'lineage-what-if-dbt')

    const viewer = await opened(`/r/${ORDERS}?tab=lineage&view=what-if&change=gone`, { role: 'viewer' })
    await viewer
      .getByRole('region', { name: 'What breaks' })
      .getByText(/orders would be dropped/)
      .first()
      .waitFor()
    expect(app.problems.splice(0)).toEqual([])
  })

  test('SQL says what flows where before anything is kept; it is kept, or takes the place of what was there', async () => {
    const sql =
      'insert into demo_marts.cohort_retention (cohort_month) select o.placed_at from demo_raw.orders o join nowhere using (order_id)'
    const page = await opened('/lineage')
    await page.getByRole('link', { name: 'From SQL' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('from sql')
    await page.getByRole('option', { name: 'Lineage from SQL…' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lineage from SQL' }).waitFor()
    await page.getByText('Paste a query').waitFor()
    await page.getByLabel('Where it runs').selectOption({ label: 'Shop warehouse (demo)' })
    await page.getByLabel('SQL', { exact: true }).click()
    await page.keyboard.type(sql)
    await page.keyboard.press('Control+Enter')
    const says = page.getByRole('region', { name: 'What it says' })
    await says.getByRole('row', { name: 'orders.placed_at cohort_retention.cohort_month identity' }).waitFor()
    await says.getByText('nowhere (table): not in the catalog').waitFor()
    await shot(page, 'lineage-from-sql')
    const into = async () => {
      const target = await says.getByRole('link', { name: 'cohort_retention', exact: true }).getAttribute('href')
      const query = new URLSearchParams({ resource_id: target!.split('/').at(-1)!, direction: 'UPSTREAM', depth: '1' })
      const { body } = await app.call('GET', `/lineage/graph?${query}`)
      return (body as { nodes: { title: string; distance: number }[] }).nodes
        .flatMap(({ title, distance }) => (distance > 0 ? title : []))
        .sort()
    }
    expect(await into()).toEqual(['fct_orders'])
    await page.getByRole('button', { name: 'Keep this lineage' }).click()
    await page.getByText('Kept.', { exact: true }).waitFor()
    expect(await into()).toEqual(['fct_orders', 'orders'])
    await page.getByRole('button', { name: 'Replace…' }).click()
    await page.getByRole('dialog').getByText('What people stated stays').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Kept, in place of what other queries said.').waitFor()
    expect(await into()).toEqual(['orders'])
    await page.getByRole('link', { name: 'Show it' }).click()
    await box(page, 'cohort_retention').waitFor()

    const viewer = await opened(`/lineage/sql?${new URLSearchParams({ sql: 'select placed_at from demo_raw.orders' })}`, { role: 'viewer' })
    await viewer.getByText('1 table read, 1 link between columns').waitFor()
    expect(await viewer.getByRole('button', { name: 'Keep this lineage' }).count()).toBe(0)
    expect(app.problems.splice(0)).toEqual([])
  })
})
