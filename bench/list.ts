import { availableParallelism } from 'node:os'
import { tableName, toStableUuid } from './corpus.ts'
import { measureDatabaseCpu, measureFamilyCpu } from './cpu.ts'
import { NAME, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { type LoadRequest, type LoadResult, runLoad } from './load-generator.ts'
import { pgbench } from './pgbench.ts'
import { startBenchServer } from './server.ts'
import { formatPercent, table } from './table.ts'

/** Lists and reads at a million resources, each with its exact count, compared with bare SQL and a bare HTTP server. */
const TABLES = Math.round((60_000 * SIZE) / 1_000_000)
const catalog = (query: Record<string, string | number | object>): string =>
  `/api/v1/resource/catalog?${new URLSearchParams(Object.entries({ page_size: 20, ...query }).map(([name, value]): [string, string] => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]))}`
const exact = (field: string, value: string) => ({ operator: 'exact', field, value })
const contains = (value: string) => ({ operator: 'contains', field: 'title', value })
const TERMS = ['order', 'invoice', 'customer_id', 'daily_', 'sensor_event', 'session', 'patient', 'updated_at']
export const ids = Array.from({ length: 500 }, (_, i) => toStableUuid('table', (i * 37) % TABLES))
const TYPES = ['column', 'table', 'schema']
const INTEGRATIONS = Array.from({ length: 20 }, (_, i) => toStableUuid('integration', i))
/** Those with a one in the mask. */
const oneOf = (field: string, values: readonly string[], mask: number) => ({
  operator: 'in',
  field,
  value: values.filter((_, i) => (mask >> i) & 1),
})
/** Another mask for each of a million numbers, also of another run. */
const newMask = (i: number) => Math.imul(i + Math.floor(performance.now() * 1_000), 0x9e3779b1) & 0xfffff
const ALL = 'select * from resources'
const BY_USAGE = 'order by external_usage desc, id limit 20'

interface Case {
  readonly what: string
  readonly next: (i: number) => LoadRequest
  /** The bare SQL for the page, and for the count that our response also contains. */
  readonly page: string | readonly string[]
  readonly count?: string
  /** Number of server processes; 1 by default. */
  readonly processes?: number
}

export const LIST_CASES: readonly Case[] = [
  { what: 'first page', next: () => ({ path: catalog({}) }), page: `${ALL} ${BY_USAGE};`, count: 'select count(*) from resources;' },
  {
    what: 'one filter (type = table)',
    next: () => ({ path: catalog({ filter: exact('type', 'table') }) }),
    page: `${ALL} where entity_type = 'table' ${BY_USAGE};`,
    count: "select count(*) from resources where entity_type = 'table';",
  },
  {
    what: 'contains on title (8 terms)',
    next: (i) => ({ path: catalog({ filter: contains(TERMS[i % TERMS.length]!) }) }),
    page: TERMS.map((term) => `${ALL} where title ilike '%${term.replace('_', '\\_')}%' ${BY_USAGE};`),
    count: "select count(*) from resources where title ilike '%order%';",
  },
  {
    what: 'random pages 1..500',
    next: (i) => ({ path: catalog({ page: 1 + ((i * 131) % 500) }) }),
    page: `\\set skip random(0, 499) * 20\n${ALL} ${BY_USAGE} offset :skip;`,
    count: 'select count(*) from resources;',
  },
  {
    what: 'page 200',
    next: () => ({ path: catalog({ page: 200 }) }),
    page: `${ALL} ${BY_USAGE} offset 3980;`,
    count: 'select count(*) from resources;',
  },
  {
    what: 'read by id (500 ids)',
    next: (i) => ({ path: `/api/v1/resource/all/${ids[(i * 7) % ids.length]}` }),
    page: `\\set i random(1, ${ids.length})\n${ALL} where id = ('{${ids.join(',')}}'::uuid[])[:i];`,
  },
  {
    what: 'a filter that nobody used before (types and integrations)',
    next: (i) => ({
      path: catalog({
        filter: { operator: 'and', operands: [oneOf('type', TYPES, 0b101), oneOf('integration', INTEGRATIONS, newMask(i))] },
      }),
    }),
    page: `${ALL} where entity_type = any('{column,schema}') and integration = any('{${INTEGRATIONS.slice(0, 10).join(',')}}') ${BY_USAGE};`,
    count: `select count(*) from resources where entity_type = any('{column,schema}') and integration = any('{${INTEGRATIONS.slice(0, 10).join(',')}}');`,
  },
]
const CORES = availableParallelism()
/** One server process uses one core, Postgres uses all: measured again with a process for each core. */
const WITH_ALL_CORES = LIST_CASES.filter(({ what }) => /^(first page|read by id)/.test(what)).map((each) => ({
  ...each,
  what: `${each.what}, ${CORES} processes`,
  processes: CORES,
}))

export const benchList = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const hello = await helloRate()
  const rows: (string | number)[][] = []
  for (const { what, next, page, count, processes = 1 } of [...LIST_CASES, ...WITH_ALL_CORES]) {
    // A new server for each, so that none starts with the caches of another.
    const env = { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0', TABLINUM_PROCESSES: String(processes) }
    await using tablinum = await startBenchServer('src/server.ts', env)
    const ours = await measureLoad(tablinum, next)
    const bare = await pgbench(environment.url, page)
    const counted = count
      ? await pgbench(
          environment.url,
          [page].flat().map((page) => page + count),
          { seconds: 4 },
        )
      : Number.NaN
    rows.push([what, ours.perSecond, ours.p50, ours.p99, bare, formatPercent(ours.perSecond, bare), counted, ours.nodeUs, ours.pgUs])
  }
  for (const { what, next } of LIST_CASES.slice(0, 4)) rows.push(await measureUnderWrites(environment.url, what, next))
  const head = [
    '20 connections, 20 records',
    'req/s',
    'p50 ms',
    'p99 ms',
    'bare page, pgbench',
    'of it',
    'bare page + count(*)',
    'Node µs/req',
    'Postgres µs/req',
  ]
  return table(
    `Lists and reads at ${SIZE.toLocaleString('en')} resources (a bare Fastify hello: ${Math.round(hello).toLocaleString('en')} req/s)`,
    head,
    rows,
  )
}

const measureLoad = async (
  { port, pid }: { port: number; pid: number },
  next: (i: number) => LoadRequest,
  more: { connections?: number } = {},
) => {
  const each = (i: number) => {
    requests += 1
    return next(i)
  }
  // A server needs about ten thousand requests until its code is fully compiled.
  await runLoad({ port, token: TOKEN, seconds: 0.5, warmUpSeconds: 8, next, ...more })
  let requests = 0
  const [node, pg] = [measureFamilyCpu(pid), measureDatabaseCpu(NAME)]
  const load = await runLoad({ port, token: TOKEN, warmUpSeconds: 0, next: each, ...more })
  if (load.failures > 0) throw new Error(`${load.failures} requests failed`)
  return { ...load, nodeUs: ((measureFamilyCpu(pid) - node) * 1e6) / requests, pgUs: ((measureDatabaseCpu(NAME) - pg) * 1e6) / requests }
}

const helloRate = async (): Promise<number> => {
  await using hello = await startBenchServer('bench/hello.ts', {})
  return (await runLoad({ port: hello.port, next: () => ({ path: '/' }) })).perSecond
}

/** The duration of `measured`, including warm-up. */
const WRITING_SECONDS = 15

/** A list while resources are edited: its rows and its count must reflect every write. */
const measureUnderWrites = async (url: string, what: string, next: Case['next']): Promise<(string | number)[]> => {
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: url, TABLINUM_RATE_LIMIT: '0' })
  const { port } = tablinum
  const writing = startEdits(port, WRITING_SECONDS)
  const ours = await measureLoad(tablinum, next)
  const { perSecond } = await writing
  return [
    `${what}, while ${Math.round(perSecond)} edits/s are made`,
    ours.perSecond,
    ours.p50,
    ours.p99,
    '',
    '',
    '',
    ours.nodeUs,
    ours.pgUs,
  ]
}

/** Edits descriptions of tables, one after the other. */
export const startEdits = (port: number, seconds: number): Promise<LoadResult> =>
  runLoad({
    ...{ port, token: TOKEN, seconds, connections: 1, warmUpSeconds: 0 },
    next: (i) => ({
      method: 'PATCH',
      path: `/api/v1/resource/all/${ids[i % ids.length]}`,
      body: JSON.stringify({ description: `${tableName(i)} ${Date.now()}` }),
    }),
  })

if (import.meta.main) console.log(await benchList())
