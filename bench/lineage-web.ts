import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser, skipWithoutBrowser } from '../test/browser/chromium.ts'
import { createLargeGraph } from '../test/browser/lineage.ts'
import { LIMITS, measureLineage, measurePan, measureReference, median, p95, REFERENCE_MS } from './page-cpu.ts'
import { startBenchServer } from './server.ts'
import { table } from './table.ts'

/** The lineage page with 1,000 and 5,000 boxes: CPU milliseconds of the browser's main thread and their limits, median of several runs. */
const TOKEN = 'tbl_lineage_web_bench'
const TIMES = 5

export const benchLineageWeb = async (): Promise<string> => {
  const missing = skipWithoutBrowser()
  if (missing) return `### The lineage page\n\nNot measured: ${missing}.\n`
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-lineage-'))
  try {
    await using undo = new AsyncDisposableStack()
    const env = { DATABASE_URL: '', TABLINUM_DATA: folder, TABLINUM_RATE_LIMIT: '0', TABLINUM_ADMIN_TOKEN: TOKEN }
    const { port } = undo.use(await startBenchServer('src/server.ts', env))
    const address = `http://127.0.0.1:${port}`
    const browser = await launchBrowser()
    undo.defer(() => browser.close())
    const context = await browser.newContext({ baseURL: address, viewport: { width: 1440, height: 860 }, locale: 'en-US' })
    await context.request.post('/api/v1/auth/sign_in/token', { data: { token: TOKEN }, headers: { 'x-requested-with': 'tablinum' } })
    const page = await context.newPage()
    const rows: (string | number)[][] = []
    for (const size of [1000, 5000] as const) {
      const start = await createLargeGraph({ address, token: TOKEN }, size)
      const found: Awaited<ReturnType<typeof measureLineage>>[] = []
      for (let i = 0; i < TIMES; i++) found.push(await measureLineage(page, start, size))
      for (const [name, label] of [
        ['painted', 'requested and painted'],
        ['columns', 'columns of a box opened'],
        ['traced', 'a box chosen, its path highlighted'],
      ] as const)
        rows.push([
          `${size.toLocaleString('en')} boxes: ${label}`,
          median(found.map((each) => each[name])),
          (LIMITS[size] as Partial<Record<typeof name, number>>)[name] ?? Number.NaN,
        ])
      const panned = p95(await measurePan(page))
      rows.push([`${size.toLocaleString('en')} boxes: a frame of panning, p95`, panned, size === 5000 ? LIMITS[5000].pan : Number.NaN])
    }
    const reference: number[] = []
    for (let i = 0; i < TIMES; i++) reference.push(await measureReference(page))
    rows.push(["reference: a fixed sample of a page's work", median(reference), REFERENCE_MS])
    return table('The lineage page, ms CPU of the main thread', ['what', 'measured', 'limit'], rows)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) console.log(await benchLineageWeb())
