// `npm run reliability soak -- --minutes 480 --rate 50`: a mixed load at a constant rate. Memory and the 99th percentile must not grow.
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestServer } from '../faults/server.ts'
import { listenForInterrupt } from './interrupt.ts'
import { formatMs, noteOf, printReport, quantile, type Row, readNumbers } from './report.ts'

const interrupt = listenForInterrupt()
const { minutes, rate } = readNumbers({ minutes: 10, rate: 20 })
/** Minutes in a row of the table, which has at most 20. */
const INTERVAL = minutes <= 10 ? 1 : 5 * Math.ceil(minutes / 100)
const folder = await mkdtemp(join(tmpdir(), 'tablinum-soak-'))
await chmod(folder, 0o755) // otherwise Postgres's account cannot enter it, and the database would be elsewhere and stay
const server = await startTestServer({ TABLINUM_DATA: folder, TABLINUM_SECRET_KEY: 'a key for the soak' }, '--demo')
const { body: all } = await server.call('GET', '/resource/catalog?page_size=200')
const ids: string[] = all.results.map(({ id }: { id: string }) => id)
const pick = (): string => ids[Math.floor(Math.random() * ids.length)]!
const WORDS = ['orders', 'customer', 'revenue', 'stock', 'shop', 'daily', 'paymnet', 'email']
const word = () => WORDS[Math.floor(Math.random() * WORDS.length)]

/** What people and programs do, by how often. */
const REQUESTS: readonly (readonly [share: number, method: string, path: () => string, body?: () => unknown])[] = [
  [30, 'GET', () => `/resource/all/${pick()}`],
  [20, 'GET', () => `/search?q=${word()}&page_size=20`],
  [15, 'GET', () => `/resource/catalog?page_size=50&title=${word()}`],
  [10, 'GET', () => `/lineage/graph?resource_id=${pick()}`],
  [5, 'GET', () => '/monitor/incidents?page_size=20'],
  [5, 'GET', () => `/activity_log/resource_logs/?resource_id=${pick()}`],
  [10, 'PATCH', () => `/resource/all/${pick()}`, () => ({ description: `Checked at ${Date.now()}` })],
  [5, 'POST', () => '/resource/catalog', () => ({ title: `soak_${Date.now()}`, entity_type: 'table' })],
]
const DECK = REQUESTS.flatMap((request) => Array<typeof request>(request[0]).fill(request))
const choose = () => DECK[Math.floor(Math.random() * DECK.length)]!
const countFailure = (what: string) => failures.set(what, (failures.get(what) ?? 0) + 1)
const countAllFailures = () => [...failures.values()].reduce((sum, n) => sum + n, 0)

const readMemoryMb = async (): Promise<number> => {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

const rows: Row[] = []
const failures = new Map<string, number>()
const began = performance.now()
for (let minute = 0; minute < minutes && !interrupt.aborted; ) {
  const lasting = Math.min(INTERVAL, minutes - minute)
  const times: number[] = []
  const running = new Set<Promise<void>>()
  let [sent, skipped] = [0, 0]
  for (const from = performance.now(); performance.now() - from < lasting * 60_000 && !interrupt.aborted; sent += 1) {
    await sleep(Math.max(0, from + (sent * 1000) / rate - performance.now()))
    if (running.size >= 100) {
      skipped += 1
      continue
    }
    const [, method, path, body] = choose()
    const url = path()
    const sentAt = performance.now()
    const request = server.call(method, url, body?.()).then(
      ({ status }) => {
        times.push(performance.now() - sentAt)
        if (status >= 400 && !interrupt.aborted) countFailure(`${status} ${method} ${url.split('?')[0]!.replaceAll(/[0-9a-f-]{36}/g, '…')}`)
      },
      (error: Error) => void (interrupt.aborted || countFailure(error.message)), // Ctrl-C stops the server, too
    )
    running.add(request)
    void request.finally(() => running.delete(request))
  }
  await Promise.all(running)
  minute = interrupt.aborted ? Math.round((performance.now() - began) / 60_000) : minute + lasting
  const sorted = times.sort((a, b) => a - b)
  rows.push({
    'until minute': minute,
    requests: sorted.length,
    skipped,
    'failed so far': countAllFailures(),
    p50: formatMs(quantile(sorted, 0.5)),
    p99: formatMs(quantile(sorted, 0.99)),
    longest: formatMs(sorted.at(-1) ?? 0),
    'memory of the server': `${await readMemoryMb()} MB`,
  })
  console.error(JSON.stringify(rows.at(-1))) // a run that is interrupted has these at least
}
const lasted = Math.round((performance.now() - began) / 60_000)
await server[Symbol.asyncDispose]()
await rm(folder, { recursive: true, force: true, maxRetries: 5 })
const failed = countAllFailures()
printReport(`Soak: ${lasted} minutes at ${rate} requests a second, ${failed} failed${noteOf(interrupt)}`, rows)
for (const [what, n] of failures) console.log(`${n} × ${what}`)
process.exit(failed > 0 ? 1 : 0)
