import { sql } from 'kysely'
import { tableName, toStableUuid } from './corpus.ts'
import { NAME, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { ids } from './list.ts'
import { type LoadRequest, type LoadResult, runLoad } from './load-generator.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { formatPercent, table } from './table.ts'

/** Several instances on one Postgres, each with a part of the connections of the clients. They share the cores of one machine. */
const INSTANCES = [1, 2, 4]
const CONNECTIONS = 20

const CASES: readonly (readonly [string, (i: number) => LoadRequest])[] = [
  ['a page of 20 resources', (i) => ({ path: `/api/v1/resource/catalog?page_size=20&page=${1 + (i % 50)}` })],
  ['a resource by its ID', (i) => ({ path: `/api/v1/resource/all/${ids[(i * 7) % ids.length]}` })],
  ['search, words that repeat', (i) => ({ path: `/api/v1/search?page_size=20&q=${tableName(i % 50).replaceAll('_', '+')}` })],
  [
    'edits of owners',
    (i) => ({
      method: 'PATCH',
      path: `/api/v1/resource/all/${ids[(i * 7) % ids.length]}`,
      body: JSON.stringify({ owners: [toStableUuid('user', i), toStableUuid('user', process.pid)] }),
    }),
  ],
]

export const benchInstances = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const rows: (string | number)[][] = CASES.map(([what]) => [what])
  const connections: (string | number)[] = ['connections of Postgres in use']
  for (const count of INSTANCES) {
    await using stack = new AsyncDisposableStack()
    const servers: BenchServer[] = []
    for (let i = 0; i < count; i += 1)
      servers.push(stack.use(await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })))
    for (const [i, [, next]] of CASES.entries()) {
      await measure(servers, next, 0.5, 8)
      const { perSecond, p95 } = await measure(servers, next, 6, 0)
      rows[i]!.push(perSecond, p95)
    }
    const used = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity where datname = ${NAME}`.execute(
      environment.database.db,
    )
    connections.push(used.rows[0]!.n, '')
  }
  for (const row of rows) row.push(formatPercent(row.at(-2) as number, row[1] as number))
  return table(
    `${INSTANCES.join(', ')} instances on one Postgres and the same cores, ${SIZE.toLocaleString('en')} resources, ${CONNECTIONS} connections`,
    ['', ...INSTANCES.flatMap((n) => [`${n}: req/s`, 'p95 ms']), `${INSTANCES.at(-1)} compared with 1`],
    [...rows, [...connections, '']],
  )
}

/** The sum of all instances, and the highest 95th percentile of one. */
const measure = async (
  servers: readonly BenchServer[],
  next: (i: number) => LoadRequest,
  seconds: number,
  warmUpSeconds: number,
): Promise<Pick<LoadResult, 'perSecond' | 'p95'>> => {
  const loads = await Promise.all(
    servers.map(({ port }, k) =>
      runLoad({
        ...{ port, token: TOKEN, seconds, warmUpSeconds, connections: CONNECTIONS / servers.length },
        next: (i) => next(i * servers.length + k),
      }),
    ),
  )
  const failures = loads.reduce((sum, load) => sum + load.failures, 0)
  if (failures > 0) throw new Error(`${failures} requests failed`)
  return { perSecond: loads.reduce((sum, load) => sum + load.perSecond, 0), p95: Math.max(...loads.map(({ p95 }) => p95)) }
}

if (import.meta.main) console.log(await benchInstances())
