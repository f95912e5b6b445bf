import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GROUPINGS } from '../../web/insights/search-params.ts'
import { type BrowserApp, noBrowser, openBrowserApp } from './browser.ts'

/** Every number of the page leads to a list of as many. */
describe.skipIf(noBrowser())('insights', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
  afterAll(() => app?.[Symbol.asyncDispose]())

  const count = async (href: string): Promise<number> => {
    const url = new URL(href, app.address)
    const [path, parameters] =
      url.pathname === '/incidents'
        ? ['/monitor/incidents', url.searchParams]
        : ['/resource/catalog', new URLSearchParams({ filter: url.searchParams.get('filter')! })]
    if (parameters.get('status') === 'all') parameters.delete('status')
    else if (path === '/monitor/incidents') parameters.set('status', 'open')
    const { status, body } = await app.call('GET', `${path}?page_size=1&${parameters}`)
    expect([href, status]).toEqual([href, 200])
    return body.count
  }

  test('the numbers of the cards', async () => {
    const page = await app.page()
    await page.goto('/insights')
    const cards = page.locator('dl')
    await cards.first().waitFor()
    const numbers = cards.locator('dd:not([aria-hidden])')
    await expect.poll(() => numbers.count()).toBeGreaterThan(18)
    for (const number of await numbers.all()) {
      const link = number.getByRole('link')
      const text = (await link.textContent())!
      const found = await count((await link.getAttribute('href'))!)
      if (/Queries in|Page views|Median/.test(text)) continue // sums, and a median: of what the list shows
      expect([text, found]).toEqual([text, Number(text.match(/^[\d,]+/)![0].replaceAll(',', ''))])
    }
    await page.getByRole('link', { name: /Queries in 24 h/ }).click()
    await page.getByRole('grid').getByText('fct_orders').first().waitFor()
    expect(app.problems.splice(0)).toEqual([])
  })

  test('the numbers of the comparison', async () => {
    const page = await app.page()
    for (const by of GROUPINGS) {
      await page.goto(`/insights?by=${by}`)
      const { results } = (await app.call('GET', `/insights/groups?by=${by}`)).body
      const rows = page.getByRole('table').locator('tbody tr')
      await rows
        .nth(results.length - 1)
        .getByRole('link')
        .nth(1)
        .waitFor()
      for (const [i, { numbers }] of results.slice(0, 4).entries()) {
        const links = await rows.nth(i).locator('td').getByRole('link').all()
        const expected = [
          ...[numbers.tables, numbers.tables_described, ...(numbers.columns === undefined ? [] : [numbers.columns_described])],
          ...[numbers.tables_owned, numbers.tables_incident, numbers.tables_unused, numbers.tables_unused],
        ]
        const found = await Promise.all(links.map(async (link) => count((await link.getAttribute('href'))!)))
        expect([by, found]).toEqual([by, expected])
      }
    }
    expect(app.problems.splice(0)).toEqual([])
  })
})
