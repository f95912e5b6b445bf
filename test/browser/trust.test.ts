import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'

/** Jobs and their runs, usage and profiles over time, message texts. */
const ORDERS = '60cd12ca-70e8-5a88-bb18-06d4cbfc2388'
const FCT_ORDERS = '408240dd-3987-558d-9644-7e6034b36de5'
const DAILY_REVENUE = '65467954-c670-5efc-839d-ca93e4a62e83'
const JOB = 'f26e7d68-08a2-5e23-a8a5-e83bc8a16d5f' // builds fct_orders
const LOOKS = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
] as const

describe.skipIf(noBrowser())('trust', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())
  afterEach(() => expect(app.problems.splice(0)).toEqual([]))

  test('a viewer sees runs of a job, jobs in the graph, and usage over time', async () => {
    for (const look of process.env.SHOTS ? LOOKS : LOOKS.slice(0, 1)) {
      const page = await app.page({ role: 'viewer', ...look })
      const shoot = (name: string) => saveScreenshot(page, `trust ${name} viewer ${look.theme} ${look.width}`)
      await page.goto(`/r/${JOB}?tab=runs`)
      await page.getByText('Completed').first().waitFor()
      expect(await page.getByRole('tabpanel').or(page.getByRole('main')).first().getByRole('listitem').count()).toBeGreaterThan(5)
      await page.getByRole('link', { name: 'fct_orders', exact: true }).first().waitFor()
      await shoot('runs')
      await page.goto(`/lineage/${FCT_ORDERS}?jobs=1`)
      await page.getByRole('group', { name: 'revenue_by_country' }).nth(1).waitFor() // the table and its job
      await shoot('graph')
      await page
        .getByRole('button', { name: 'Show jobs' })
        .or(page.getByRole('button', { name: 'fct_orders' }))
        .first()
        .waitFor()
      await page.goto(`/r/${ORDERS}?tab=usage`)
      await page.getByRole('img', { name: 'Uses in the source' }).waitFor()
      await shoot('usage')
      await page.goto(`/r/${ORDERS}?tab=profile`)
      await page.getByRole('img', { name: 'Rows' }).waitFor()
      expect(await page.getByRole('combobox', { name: 'Profile automatically' }).count()).toBe(0)
      await shoot('profile')
    }
  })

  test('the overview says who verified a table, and lists its newest questions', async () => {
    const page = await app.page({ role: 'viewer' })
    await page.goto(`/r/${DAILY_REVENUE}`)
    await page
      .getByRole('region', { name: 'Trust' })
      .getByText(/Katsu Mori · 12 days ago/)
      .waitFor()
    const questions = page.getByRole('region', { name: 'Questions' })
    await questions.getByText('Answered').waitFor()
    await questions.getByRole('link', { name: /Why did last week’s revenue fall/ }).click()
    await page.getByText('Refunds are booked on the day of the order').waitFor()
  })

  test('the overview shows the first twelve columns', async () => {
    const page = await app.page({ role: 'viewer' })
    await page.goto(`/r/${ORDERS}`)
    const columns = page.getByRole('region', { name: 'Columns' })
    await columns.getByRole('link', { name: 'order_id', exact: true }).waitFor()
    expect(await columns.getByRole('listitem').count()).toBe(12)
    await columns.getByRole('link', { name: 'customers' }).waitFor() // a foreign key
  })

  test('an incident leads to the lineage graph of its table, downstream of it', async () => {
    const { results } = (await app.call('GET', `/monitor/incidents?resource_id=${FCT_ORDERS}&status=open`)).body as {
      results: { id: string }[]
    }
    const page = await app.page({ role: 'viewer' })
    await page.goto(`/incidents/${results[0]!.id}`)
    await page.getByRole('complementary', { name: 'About this incident' }).getByRole('link', { name: 'Open graph' }).click()
    await page.waitForURL((url) => url.pathname === `/lineage/${FCT_ORDERS}`)
    await page.getByRole('group', { name: 'revenue_by_country' }).first().waitFor()
    await page.getByRole('complementary', { name: 'Resource details' }).getByText('fct_orders').first().waitFor()
    expect(await page.getByRole('group', { name: 'stg_orders' }).count()).toBe(0) // upstream
  })

  test('the preview of a new monitor is never that of another metric', async () => {
    const page = await app.page({ role: 'editor' })
    await page.goto(`/monitors/new?table=${ORDERS}`)
    await page.getByText(/^Over the last/).waitFor()
    await page.getByText('Schema changes', { exact: true }).click()
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    expect(await page.getByText(/^Over the last/).count()).toBe(0)
    await page.getByText('Now', { exact: true }).waitFor()
  })

  test('an admin writes the text of a message and sees it with a real incident', async () => {
    for (const look of process.env.SHOTS ? LOOKS : LOOKS.slice(0, 1)) {
      const page = await app.page(look)
      const shoot = (name: string) => saveScreenshot(page, `trust ${name} admin ${look.theme} ${look.width}`)
      await page.goto('/settings/routing')
      const section = page.getByRole('region', { name: 'Message texts' })
      const title = section.getByLabel('Title')
      await title.fill('{{severity}}: {{nope}}')
      await section.getByText('Unknown placeholder').waitFor()
      await title.fill('Attention: {{resource}}')
      await section
        .getByRole('region', { name: 'Preview' })
        .getByText(/^Attention: \w/)
        .waitFor()
      await section.scrollIntoViewIfNeeded()
      await shoot('texts')
      await section.getByRole('button', { name: 'Save' }).click()
      await section.getByText('Changed', { exact: true }).waitFor()
      await section.getByRole('button', { name: 'Reset to default' }).click()
      await section.getByText('Default', { exact: true }).waitFor()
      await page.goto(`/r/${ORDERS}?tab=profile`)
      await page.getByRole('img', { name: 'Rows' }).waitFor()
      await shoot('profile')
      await page.goto(`/lineage/${FCT_ORDERS}?jobs=1&sel=${JOB}`)
      await page.getByRole('complementary', { name: 'Resource details' }).getByText('Last runs').waitFor()
      await shoot('graph')
    }
  })
})
