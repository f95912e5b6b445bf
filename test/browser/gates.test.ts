import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserApp, eventually, noBrowser, openBrowserApp, START_TIMEOUT_MS, saveScreenshot } from './browser.ts'
import { cpuMeter, findExceeded, LIMITS, measureLineage, measurePan, measureScroll, p95 } from './gates.ts'
import { createLargeGraph, createTables } from './lineage.ts'

/**
 * Budgets of the web app in bytes, requests and CPU time; never wall time, which depends on the machine. Other gates: axe in `axe.test.ts`,
 * Markdown byte for byte in `resource.test.ts`.
 */
const DIST = join(import.meta.dirname, '../../web/dist')
const sizeOf = (path: string): number => statSync(join(DIST, path), { throwIfNoEntry: false })?.size ?? 0 // files too small to compress
const weigh = (paths: readonly string[]) => paths.reduce((sum, path) => sum + sizeOf(`${path}.gz`), 0)

describe.skipIf(noBrowser())('gates', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  }, START_TIMEOUT_MS)
  afterAll(() => app?.[Symbol.asyncDispose]())

  test('the first results stay within the budget of JavaScript, styles and requests', async () => {
    const page = await app.page()
    // The palette is preloaded after 1.5 s: on a slow machine that would be before the first results.
    await page.addInitScript(
      'const later = setTimeout; window.setTimeout = (work, ms, ...more) => (ms >= 1000 ? 0 : later(work, ms, ...more))',
    )
    const urls = new Set<string>() // refetches after a change use the same URL and do not count
    page.on('request', (request) => urls.add(request.url()))
    await page.goto('/search?q=orders')
    await page.getByRole('grid').getByText('Grace Lindqvist').first().waitFor() // names are fetched last
    const requestedPaths = [...urls].map((url) => new URL(url).pathname)
    const apis = requestedPaths.filter((path) => path.startsWith('/api/'))
    // User, rows, facets, names, open incidents and the event stream: each once.
    const once = ['ui/bootstrap', 'search', 'search', 'ui/names', 'ui/health', 'ui/stream'].map((path) => `/api/v1/${path}`)
    expect(apis.toSorted()).toEqual(once.toSorted())
    // Including the page, styles, icon and scripts.
    expect(requestedPaths.length, requestedPaths.join('\n')).toBeLessThanOrEqual(21)
    const scripts = requestedPaths.filter((path) => path.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(2)
    expect(weigh(scripts)).toBeLessThan(150 * 1024)
    expect(weigh(requestedPaths.filter((path) => path.endsWith('.css')))).toBeLessThan(12 * 1024)
    const all = readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.js.gz'))
    const sizes = all.map((name) => sizeOf(`assets/${name}`))
    expect(Math.max(...sizes)).toBeLessThan(136 * 1024)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(600 * 1024)
    expect(app.problems.splice(0)).toEqual([])
  })

  test('lineage graph with 1,000 boxes: paint, expand, trace', async () => {
    const start = await createLargeGraph(app, 1000)
    const page = await app.page({ width: 1440 })
    expect(await findExceeded(page, LIMITS[1000], () => measureLineage(page, start, 1000))).toEqual([])
    expect(app.problems.splice(0)).toEqual([])
  }, 300_000)

  test('panning paints the same pixels as a full repaint', async () => {
    const start = await createLargeGraph(app, 1000)
    const page = await app.page({ width: 1440 })
    await page.goto(`/lineage/${start}?depth=50&limit=5000`)
    await page.locator('[data-drawn="1000"]').waitFor()
    const graph = page.locator('[data-drawn]')
    await graph.hover({ position: { x: 600, y: 500 } })
    for (let i = 0; i < 30; i++) {
      await page.mouse.wheel(30, 30)
      await page.evaluate('new Promise(requestAnimationFrame)')
    }
    /** A screenshot without a hovered box, once the picture is stable. */
    const looks = async () => {
      await page.mouse.move(5, 5)
      await page.locator('[data-lit]').waitFor({ state: 'detached' })
      const shots = ['', 'another']
      while (shots.at(-1) !== shots.at(-2)) shots.push((await graph.screenshot()).toString('base64'))
      return shots.at(-1)
    }
    const panned = await looks()
    // Hovering over a box highlights its path and leaving it repaints everything.
    const [x, y] = (await page.evaluate(`(() => {
      const { left, top, right, bottom } = document.querySelector('[data-drawn]').getBoundingClientRect()
      const boxes = [...document.querySelectorAll('[data-box]')].map((box) => box.getBoundingClientRect())
      const seen = boxes.find((box) => box.left > left && box.top > top && box.right < right && box.bottom < bottom)
      return [seen.left + 60, seen.top + 20]
    })()`)) as [number, number]
    await page.mouse.move(x, y)
    await page.locator('[data-lit]').waitFor()
    expect((await looks()) === panned).toBe(true)
  }, 120_000)

  test('lineage graph with 5,000 boxes: paint and pan', async () => {
    const start = await createLargeGraph(app, 5000)
    const page = await app.page({ width: 1440 })
    const measured = async () => {
      const { painted } = await measureLineage(page, start, 5000)
      return { painted, pan: p95(await measurePan(page)) }
    }
    expect(await findExceeded(page, LIMITS[5000], measured)).toEqual([])
    expect(await page.locator('[data-box]').count()).toBeLessThan(200)
    await page.getByRole('button', { name: 'Fit everything' }).click()
    await saveScreenshot(page, 'lineage-5000')
    expect(app.problems.splice(0)).toEqual([])
  }, 300_000)

  test('typing a letter until results and facets are painted', async () => {
    const page = await app.page({ width: 1440 })
    await page.goto('/search')
    await page.getByRole('grid').getByRole('link').first().waitFor()
    await page.getByRole('combobox', { name: 'Search the catalog' }).focus()
    const { cpu } = await cpuMeter(page)
    const words = ['customer', 'invoice', 'payment']
    const letters = words.reduce((sum, word) => sum + word.length, 0)
    const filtersFor = (q: string) => (response: { url(): string }) => {
      const { pathname, searchParams } = new URL(response.url())
      return pathname === '/api/v1/search' && searchParams.get('q') === q && searchParams.get('facets') === null
    }
    const typed = async () => {
      const found: number[] = []
      const before = await serverCpu(app)
      for (const word of words) {
        await page.getByRole('combobox', { name: 'Search the catalog' }).fill('')
        for (const [i, letter] of [...word].entries()) {
          const answered = page.waitForResponse(filtersFor(word.slice(0, i + 1)))
          found.push(
            await cpu(async () => {
              await page.keyboard.type(letter)
              await answered
            }),
          )
        }
      }
      return { letter: p95(found) + ((await serverCpu(app)) - before) / letters }
    }
    expect(await findExceeded(page, { letter: LIMITS.letter }, typed)).toEqual([])
    expect(app.problems.splice(0)).toEqual([])
  }, 300_000)

  test('scrolling 10,000 rows, while loading and when loaded', async () => {
    const filter = JSON.stringify({ operator: 'exact', field: 'entity_type', value: 'table' })
    const { body } = await app.call('GET', `/resource/catalog?${new URLSearchParams({ filter, page_size: '1' })}`)
    await createTables(app, 10_000 - body.count) // in addition to those of the graphs
    const page = await app.page({ width: 1440 })
    const rows = () => page.evaluate(`Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount'))`) as Promise<number>
    const blanks: number[] = []
    const measured = (row: string) => async () => {
      const { frame, blank } = await measureScroll(page, 120, row)
      blanks.push(blank)
      return { scroll: frame }
    }
    const fetching = async () => {
      await page.goto('/search?entity_type=table')
      await page.getByRole('grid').getByRole('link').first().waitFor()
      return measured('[role=row]')()
    }
    expect(await findExceeded(page, { scroll: LIMITS.scroll }, fetching)).toEqual([])

    // Larger pages, to load them quickly.
    await page.route('**/api/v1/resource/catalog?*', (route) =>
      route.continue({ url: route.request().url().replace('page_size=50', 'page_size=1000') }),
    )
    await page.goto('/search?entity_type=table')
    await page.getByRole('grid').getByRole('link').first().waitFor()
    await eventually(async () => {
      await page.evaluate(`(() => { const box = document.querySelector('[role=grid]').parentElement; box.scrollTop = box.scrollHeight })()`)
      expect(await rows()).toBeGreaterThan(10_000)
    })
    await page.evaluate(`document.querySelector('[role=grid]').parentElement.scrollTop = 200_000`)
    await page.locator('[aria-rowindex="4090"]').waitFor()
    expect(await findExceeded(page, { scroll: LIMITS.scroll }, measured('[role=row]:has(a)'))).toEqual([])
    expect(blanks.filter((blank) => blank > 0)).toEqual([])
    expect(app.problems.splice(0)).toEqual([])
  }, 300_000)
})

/** CPU milliseconds of the server since it started. */
const serverCpu = async ({ address, token }: BrowserApp): Promise<number> => {
  const response = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  return Number(/^tablinum_process_cpu_seconds_total (\S+)$/m.exec(await response.text())![1]) * 1000
}
