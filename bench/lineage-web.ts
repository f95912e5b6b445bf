import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launch } from '../test/browser/chromium.ts'
import { aLargeGraph, cpuMeter } from '../test/browser/lineage.ts'
import { serve } from './server.ts'
import { table } from './table.ts'

/** The lineage page with 1,000 and 5,000 boxes: CPU milliseconds of the browser's main thread beside their limit, the middle of several. */
const TOKEN = 'tbl_lineage_web_bench'
const TIMES = 5
const STEPS = 40
const LIMITS = {
  1000: { painted: 100, columns: 120, traced: 100, frame: 20 },
  5000: { painted: 300, columns: Number.NaN, traced: Number.NaN, frame: 20 },
} as const

const middle = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)]!

const measure = async (page: Page, start: string, size: number) => {
  const { cpu } = await cpuMeter(page)
  const painted: number[] = []
  const traced: number[] = []
  const columns: number[] = []
  const shown = page.getByText(`${size.toLocaleString('en-US')} resources · `)
  for (let i = 0; i < TIMES; i++) {
    await page.goto(`/lineage/${start}?limit=5000`)
    await page.locator('[data-box]').first().waitFor()
    painted.push(
      await cpu(async () => {
        await page.getByLabel('Steps from the start').selectOption('50')
        await shown.waitFor()
      }),
    )
    traced.push(
      await cpu(async () => {
        await page.locator('[data-pick]').first().press('Enter')
        await page.getByText(/on the way/).waitFor()
      }),
    )
    columns.push(
      await cpu(async () => {
        await page.keyboard.press('o')
        await page.locator('[data-row]').first().waitFor()
      }),
    )
  }
  await page.keyboard.press('Escape')
  const frames = await cpu(() =>
    page.evaluate(`(async () => {
      const around = document.querySelector('[data-box]').parentElement.parentElement
      for (let i = 0; i < ${STEPS}; i++) {
        around.dispatchEvent(new WheelEvent('wheel', { deltaX: 20, deltaY: 20, bubbles: true, cancelable: true }))
        await new Promise(requestAnimationFrame)
      }
    })()`),
  )
  return { painted: middle(painted), columns: middle(columns), traced: middle(traced), frame: frames / STEPS }
}

const folder = await mkdtemp(join(tmpdir(), 'tablinum-lineage-'))
try {
  await using undo = new AsyncDisposableStack()
  const env = { DATABASE_URL: '', TABLINUM_DATA: folder, TABLINUM_RATE_LIMIT: '0', TABLINUM_ADMIN_TOKEN: TOKEN }
  const { port } = undo.use(await serve('src/server.ts', env))
  const address = `http://127.0.0.1:${port}`
  const browser = await launch()
  undo.defer(() => browser.close())
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1440, height: 860 }, locale: 'en-US' })
  await context.request.post('/api/v1/auth/sign_in/token', { data: { token: TOKEN }, headers: { 'x-requested-with': 'tablinum' } })
  const page = await context.newPage()
  const rows: (string | number)[][] = []
  for (const size of [1000, 5000] as const) {
    const start = await aLargeGraph({ address, token: TOKEN }, size)
    const found = await measure(page, start, size)
    for (const [name, label] of [
      ['painted', 'asked to painted'],
      ['columns', 'columns of a box opened'],
      ['traced', 'a box chosen, its way lit'],
      ['frame', 'one frame of panning'],
    ] as const)
      rows.push([`${size.toLocaleString('en')} boxes: ${label}`, found[name], LIMITS[size][name]])
  }
  console.log(table('The lineage page, ms CPU of the main thread', ['what', 'measured', 'limit'], rows))
} finally {
  await rm(folder, { recursive: true, force: true })
}
