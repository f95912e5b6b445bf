import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, anApp, eventually, noBrowser, shot } from './browser.ts'
import { aLargeGraph, cpuMeter } from './lineage.ts'

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

  test('a thousand boxes: drawn, opened and traced inside of their budget, with few parts of the page', async () => {
    const start = await aLargeGraph(app, 1000)
    const page = await opened(`/lineage/${start}`)
    await box(page, 'Box 0').waitFor()
    const { cpu } = await cpuMeter(page)
    // Three times the budget of bench/lineage-web.ts: CPU time differs by the machine, not by its load.
    const painted = await cpu(async () => {
      await page.getByLabel('Steps from the start').selectOption('50')
      await page.getByRole('button', { name: 'Draw up to 5,000' }).click()
      await drawn(page, 1000)
    })
    await page.goto(`/lineage/${start}?depth=50&limit=5000`)
    await drawn(page, 1000)
    const traced = await cpu(async () => {
      await page.keyboard.press('Tab')
      await page.locator('[data-pick]').first().press('Enter')
      await page.getByText(/on the way/).waitFor()
    })
    const columns = await cpu(async () => {
      await page.keyboard.press('o')
      await page.getByRole('button', { name: /^Trace one/ }).waitFor()
    })
    expect(await page.locator('[data-box]').count()).toBeLessThan(200)
    expect({ painted: painted < 900, traced: traced < 300, columns: columns < 360, said: `${painted} ${traced} ${columns}` }).toMatchObject(
      {
        painted: true,
        traced: true,
        columns: true,
      },
    )
    await page.getByRole('button', { name: 'Fit everything' }).click()
    await shot(page, 'lineage-1000')
    expect(app.problems.splice(0)).toEqual([])
  }, 120_000)
})
