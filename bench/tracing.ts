import { pathToFileURL } from 'node:url'
import { toStableUuid } from './corpus.ts'
import { openBenchEnvironment, SIZE } from './environment.ts'
import { ids, measureLoad } from './list.ts'
import type { LoadRequest } from './load-generator.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { table } from './table.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)

/** Without background work, which one of the two would do for both. */
const WEB = ['--role', 'web']

const CASES: readonly (readonly [string, (i: number) => LoadRequest])[] = [
  ['read by id', (i) => ({ path: `/api/v1/resource/all/${ids[(i * 7) % ids.length]}` })],
  [
    'edit owners, with history and tasks',
    (i) => ({
      method: 'PATCH',
      path: `/api/v1/resource/all/${ids[(i * 7) % ids.length]}`,
      body: JSON.stringify({ owners: [toStableUuid('user', i), toStableUuid('user', process.pid)] }),
    }),
  ],
]

/** What tracing costs while it is off: a server without a collector, compared with one whose functions for traces are empty, in turns. */
export const benchTracing = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const env = { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' }
  const withoutTracing = { ...env, NODE_OPTIONS: `--import=${pathToFileURL('bench/without-tracing.ts')}` }
  await using off = await startBenchServer('src/server.ts', env, WEB)
  await using removed = await startBenchServer('src/server.ts', withoutTracing, WEB)
  const rows: (string | number)[][] = []
  for (const [what, next] of CASES) {
    const results = { off: [] as Measured[], removed: [] as Measured[] }
    for (let i = 0; i < ROUNDS; i += 1) {
      const measureOff = async () => void results.off.push(await measure(off, next))
      const measureRemoved = async () => void results.removed.push(await measure(removed, next))
      for (const each of i % 2 ? [measureRemoved, measureOff] : [measureOff, measureRemoved]) await each()
    }
    const [a, b] = [median(results.off), median(results.removed)]
    rows.push([what, a.perSecond, b.perSecond, a.nodeUs, b.nodeUs, `${(100 * (a.nodeUs / b.nodeUs - 1)).toFixed(1)} %`])
  }
  return table(
    `Tracing that is off, at ${SIZE.toLocaleString('en')} resources, medians of ${ROUNDS}`,
    ['20 connections', 'off: req/s', 'removed: req/s', 'off: Node µs/req', 'removed: Node µs/req', 'cost of being off'],
    rows,
  )
}

type Measured = Pick<Awaited<ReturnType<typeof measureLoad>>, 'perSecond' | 'nodeUs'>

const measure = (server: BenchServer, next: (i: number) => LoadRequest): Promise<Measured> => measureLoad(server, next)

const median = (results: readonly Measured[]): Measured => {
  const middle = (name: keyof Measured) => results.map((each) => each[name]).sort((a, b) => a - b)[results.length >> 1]!
  return { perSecond: middle('perSecond'), nodeUs: middle('nodeUs') }
}

if (import.meta.main) console.log(await benchTracing())
