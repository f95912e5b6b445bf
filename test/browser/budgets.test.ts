import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type BrowserApp, noBrowser, openBrowserApp, saveScreenshot } from './browser.ts'
import { createLargeGraph, createTables } from './lineage.ts'

/** Budgets of the web app that do not depend on the machine: bytes, requests, elements. Its CPU time is measured by `bench/web.ts`. */
const DIST = join(import.meta.dirname, '../../web/dist')
const sizeOf = (path: string): number => statSync(join(DIST, path), { throwIfNoEntry: false })?.size ?? 0 // files too small to compress
const weigh = (paths: readonly string[]) => paths.reduce((sum, path) => sum + sizeOf(`${path}.gz`), 0)

describe.skipIf(noBrowser())('budgets of the web app', () => {
  let app: BrowserApp
  beforeAll(async () => {
    app = await openBrowserApp()
  })
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
    const files = readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.js.gz'))
    // The library for diagrams is loaded with the first diagram only.
    const [diagrams, all] = [files.filter((name) => name.startsWith('mermaid.')), files.filter((name) => !name.startsWith('mermaid.'))]
    expect(diagrams.map((name) => sizeOf(`assets/${name}`) < 800 * 1024)).toEqual([true])
    expect(scripts.filter((path) => path.includes('mermaid'))).toEqual([])
    const sizes = (names: readonly string[]) => names.map((name) => sizeOf(`assets/${name}`))
    // A user loads at most one of the languages.
    const languages = all.filter((name) => /^(de|es|fr)-/.test(name))
    expect(Math.max(...sizes(all))).toBeLessThan(136 * 1024)
    expect(languages.length).toBe(3)
    expect(Math.max(...sizes(languages))).toBeLessThan(72 * 1024)
    const others = sizes(all.filter((name) => !languages.includes(name)))
    expect(others.reduce((sum, size) => sum + size, 0)).toBeLessThan(640 * 1024)
    expect(app.problems.splice(0)).toEqual([])
  })

  test('panning paints the same pixels as a full repaint', async () => {
    const start = await createLargeGraph(app, 1000)
    const page = await app.page({ width: 1440 })
    await page.goto(`/lineage/${start}?depth=50&limit=5000`)
    await page.locator('[data-drawn="1000"]').waitFor()
    const graph = page.locator('[data-drawn]')
    await graph.hover({ position: { x: 600, y: 500 } })
    // Each is awaited: on a slow machine the last ones would move the graph after the screenshot.
    await page.evaluate(`window.wheels = 0; addEventListener('wheel', () => { window.wheels++ }, { capture: true, passive: true })`)
    for (let i = 1; i <= 30; i++) {
      await page.mouse.wheel(30, 30)
      await eventually(async () => expect(await page.evaluate('new Promise(requestAnimationFrame).then(() => window.wheels)')).toBe(i))
    }
    /** A screenshot without a hovered box, once the picture is stable. */
    const takeStableScreenshot = async () => {
      await page.mouse.move(5, 5)
      await page.locator('[data-lit]').waitFor({ state: 'detached' })
      const shots = ['', 'another']
      while (shots.at(-1) !== shots.at(-2)) shots.push((await graph.screenshot()).toString('base64'))
      return shots.at(-1)
    }
    const panned = await takeStableScreenshot()
    // Hovering over a box highlights its path and leaving it repaints everything.
    const [x, y] = (await page.evaluate(`(() => {
      const { left, top, right, bottom } = document.querySelector('[data-drawn]').getBoundingClientRect()
      const boxes = [...document.querySelectorAll('[data-box]')].map((box) => box.getBoundingClientRect())
      const seen = boxes.find((box) => box.left > left && box.top > top && box.right < right && box.bottom < bottom)
      return [seen.left + 60, seen.top + 20]
    })()`)) as [number, number]
    await page.mouse.move(x, y)
    await page.locator('[data-lit]').waitFor()
    expect((await takeStableScreenshot()) === panned).toBe(true)
  })

  test('of 5,000 boxes only those in sight are elements', async () => {
    const start = await createLargeGraph(app, 5000)
    const page = await app.page({ width: 1440 })
    await page.goto(`/lineage/${start}?depth=50&limit=5000`)
    await page.locator('[data-drawn="5000"]').waitFor()
    const inSight = await page.locator('[data-box]').count()
    expect(inSight).toBeGreaterThan(0)
    expect(inSight).toBeLessThan(200)
    await page.getByRole('button', { name: 'Fit everything' }).click()
    await saveScreenshot(page, 'lineage-5000')
    expect(app.problems.splice(0)).toEqual([])
  })

  test('no row is blank while 10,000 are scrolled', async () => {
    const filter = JSON.stringify({ operator: 'exact', field: 'entity_type', value: 'table' })
    const { body } = await app.call('GET', `/resource/catalog?${new URLSearchParams({ filter, page_size: '1' })}`)
    await createTables(app, 10_000 - body.count) // in addition to those of the graphs
    const page = await app.page({ width: 1440 })
    const rows = () => page.evaluate(`Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount'))`) as Promise<number>
    await page.goto('/search?entity_type=table')
    await page.getByRole('grid').getByRole('link').first().waitFor()
    expect(await countBlankFrames(page, '[role=row]')).toBe(0) // while loading, a row may be a placeholder

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
    expect(await countBlankFrames(page, '[role=row]:has(a)')).toBe(0)
    expect(app.problems.splice(0)).toEqual([])
  })
})

/** Scrolls by 100 pixels a frame; counts the frames that show no row in the middle. */
const countBlankFrames = async (page: Page, row: string): Promise<number> =>
  (await page.evaluate(`(async () => {
    const box = document.querySelector('[role=grid]').parentElement
    const { left, top, height } = box.getBoundingClientRect()
    let blank = 0
    for (let i = 0; i < 120; i++) {
      box.scrollTop += 100
      await new Promise(requestAnimationFrame)
      if (!document.elementFromPoint(left + 60, top + height / 2)?.closest('${row}')) blank++
    }
    return blank
  })()`)) as number
