import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, skipWithoutBrowser } from './chromium.ts'
import { createPagePool } from './page-pool.ts'

/** A used page is as good as a new one. */
describe.skipIf(skipWithoutBrowser())('pages that tests share', () => {
  const site = createServer((request, response) => {
    const type = request.url === '/favicon.svg' ? 'image/svg+xml' : 'text/html'
    const body = request.url === '/favicon.svg' ? '<svg xmlns="http://www.w3.org/2000/svg"/>' : '<p>plain</p>'
    response.setHeader('content-type', type).end(body)
  })
  let browser: Browser
  beforeAll(async () => {
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    site.close()
  })

  const state = `({
    stored: [document.cookie, localStorage.length, sessionStorage.length, history.length],
    looks: [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('print').matches],
    online: navigator.onLine,
    more: 'added' in window,
  })`
  const createPool = () => {
    const problems: string[] = []
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    return { problems, pool: createPagePool(browser, address, (problem) => problems.push(problem)) }
  }

  test('keep nothing of the test before', async () => {
    const { pool, problems } = createPool()
    const page = await pool.acquire({ theme: 'dark', width: 400 })
    let requests = 0
    page.on('request', () => requests++)
    await page.route('**/routed', (route) => route.fulfill({ body: 'routed' }))
    await page.context().route('**/routed', (route) => route.fulfill({ body: 'routed' }))
    await page.goto('/before')
    await page.goto('/routed')
    expect(await page.textContent('body')).toBe('routed')
    await page.goto('/more')
    await page.evaluate(`document.cookie = 'a=b'; localStorage.a = sessionStorage.a = 'b'; console.error('seen')
      addEventListener('pagehide', () => console.error('not seen'))`)
    await page.emulateMedia({ media: 'print' })
    await page.context().setOffline(true)
    await expect.poll(() => problems.splice(0)).toEqual(['seen'])
    await pool.release(page, { reuse: true })

    const before = requests
    const again = await pool.acquire({ theme: 'light', width: 1280 })
    expect(again).toBe(page)
    await again.goto('/routed')
    expect(await again.textContent('body')).toBe('plain')
    expect(await again.evaluate(state)).toEqual({ stored: ['', 0, 0, 2], looks: [1280, false, false], online: true, more: false })
    expect([requests, problems]).toEqual([before, []])
    await pool.release(again, { reuse: false })
    expect(again.isClosed()).toBe(true)
  })

  test('are closed after what cannot be undone', async () => {
    const { pool } = createPool()
    const page = await pool.acquire({ theme: 'light', width: 1280 })
    await page.addInitScript('window.added = true')
    await pool.release(page, { reuse: true })
    const second = await pool.acquire({ theme: 'light', width: 1280 })
    await second.goto('/')
    expect(await second.evaluate(state)).toMatchObject({ more: false })
    await second.clock.install()
    await pool.release(second, { reuse: true })
    const third = await pool.acquire({ theme: 'light', width: 1280 })
    await third.evaluate('void open("/")')
    await expect.poll(() => third.context().pages().length).toBe(2)
    await pool.release(third, { reuse: true })
    expect([page, second, third].map((each) => each.isClosed())).toEqual([true, true, true])
  })

  test('two at a time are two', async () => {
    const { pool } = createPool()
    const [one, two] = [await pool.acquire({ theme: 'light', width: 1280 }), await pool.acquire({ theme: 'light', width: 1280 })]
    expect(one.context()).not.toBe(two.context())
    for (const page of [one, two]) await pool.release(page, { reuse: false })
  })
})
