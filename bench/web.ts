import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { launchBrowser, skipWithoutBrowser } from '../test/browser/chromium.ts'
import { openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { startBenchServer } from './server.ts'
import { table } from './table.ts'

/** The web app on a full catalog: its size, and the CPU time of the browser's main thread with its limits. */
const DIST = 'web/dist/assets'
const WORDS = ['order', 'customer', 'invoice', 'payment', 'session']
const FRAMES = 200
const PIXELS_A_FRAME = 100

export const benchWeb = async (): Promise<string> => {
  const missing = skipWithoutBrowser()
  if (missing) return `### The web app\n\nNot measured: ${missing}.\n`
  await using environment = await openBenchEnvironment()
  await using tablinum = await startBenchServer('src/server.ts', {
    DATABASE_URL: environment.url,
    TABLINUM_RATE_LIMIT: '0',
    TABLINUM_ADMIN_TOKEN: TOKEN,
  })
  await using undo = new AsyncDisposableStack()
  const browser = await launchBrowser()
  undo.defer(() => browser.close())
  const context = await browser.newContext({
    baseURL: `http://127.0.0.1:${tablinum.port}`,
    viewport: { width: 1440, height: 860 },
    locale: 'en-US',
  })
  await context.request.post('/api/v1/auth/sign_in/token', { data: { token: TOKEN }, headers: { 'x-requested-with': 'tablinum' } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })

  const scripts = new Set<string>()
  page.on('request', (request) => request.url().endsWith('.js') && scripts.add(new URL(request.url()).pathname.split('/').at(-1)!))
  await page.goto('/search')
  await page.getByRole('grid').getByRole('link').first().waitFor()
  const first = await cpuMs(devtools)
  const weight = [...scripts].reduce((sum, name) => sum + sizeOf(name), 0) / 1024
  const typed = await typing(page)
  const scroll = await scrolling(page, devtools)
  const all = readdirSync(DIST).reduce((sum, name) => sum + (name.endsWith('.js.gz') ? statSync(join(DIST, name)).size : 0), 0) / 1024
  return table(
    `The web app, ${SIZE.toLocaleString('en')} resources`,
    ['what', 'measured', 'limit'],
    [
      ['JavaScript before the first results, KB gzip', weight, 150],
      ['all JavaScript, KB gzip', all, 600],
      ['main thread to the first results, ms CPU', first, 400],
      ['keystroke to painted results, median, ms', typed.median, 150],
      ['keystroke to painted results, p95, ms', typed.p95, 150],
      [`scrolling, ms CPU a frame of ${PIXELS_A_FRAME} pixels`, scroll.cpu, 12],
      [`blank frames of ${FRAMES}`, scroll.blank, 0],
    ],
  )
}

const sizeOf = (name: string): number => statSync(join(DIST, `${name}.gz`), { throwIfNoEntry: false })?.size ?? 0

/** CPU time of the page's main thread since it was opened. Unlike wall time, it excludes other programs. */
const cpuMs = async (devtools: CDPSession): Promise<number> => {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

/** Types words letter by letter, and waits each time until the list changes or an identical result was painted. */
const typing = async (page: Page): Promise<{ median: number; p95: number }> => {
  const times: number[] = []
  for (const word of WORDS) {
    await page.getByRole('combobox', { name: 'Search the catalog' }).fill('')
    await page.waitForTimeout(800)
    for (const letter of word) times.push((await page.evaluate(`(${typeOne})(${JSON.stringify(letter)})`)) as number)
  }
  times.sort((a, b) => a - b)
  return { median: times[times.length >> 1]!, p95: times[Math.floor(times.length * 0.95)]! }
}

/** Runs in the page. */
const typeOne = `async (letter) => {
  const box = document.querySelector('input[role=combobox]')
  const shown = () => document.querySelector('[role=grid]')?.textContent + document.querySelector('p[aria-live]')?.textContent
  const frame = () => new Promise(requestAnimationFrame)
  const answered = () => performance.getEntriesByType('resource').some(({ name }) => new URL(name).searchParams.get('q') === box.value)
  performance.clearResourceTimings()
  const before = shown()
  const begun = performance.now()
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, box.value + letter)
  box.dispatchEvent(new Event('input', { bubbles: true }))
  while (shown() === before && !answered() && performance.now() - begun < 3000) await frame()
  for (let i = 0; i < 2 && shown() === before; i++) await frame()
  const took = performance.now() - begun
  await new Promise((done) => setTimeout(done, 150))
  return took
}`

const scrolling = async (page: Page, devtools: CDPSession): Promise<{ cpu: number; blank: number }> => {
  await page.getByRole('combobox', { name: 'Search the catalog' }).fill('')
  await page.waitForTimeout(1500)
  const before = await cpuMs(devtools)
  const blank = (await page.evaluate(`(async () => {
    const box = document.querySelector('[role=grid]').parentElement
    let blank = 0
    for (let i = 0; i < ${FRAMES}; i++) {
      box.scrollTop += ${PIXELS_A_FRAME}
      await new Promise(requestAnimationFrame)
      const { left, top, height } = box.getBoundingClientRect()
      if (!document.elementFromPoint(left + 60, top + height / 2)?.closest('[role=row]')) blank++
    }
    return blank
  })()`)) as number
  return { cpu: ((await cpuMs(devtools)) - before) / FRAMES, blank }
}

if (import.meta.main) console.log(await benchWeb())
