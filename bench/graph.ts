import { type RawBuilder, sql } from 'kysely'
import { type BenchEnvironment, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { type LoadResult, runLoad } from './load-generator.ts'
import { startBenchServer } from './server.ts'
import { table } from './table.ts'

/**
 * Traverses as many edges as there are resources, compared with a bare recursive statement that finds the same IDs without names, counts of
 * further neighbours, edges between the nodes, owners or paths.
 */
const SECONDS = 4

export const benchGraph = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const edges = await createEdges(environment)
  const { hub, far, named } = await findLandmarks(environment)
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
  const measureRequest = async (path: string, body?: (i: number) => object): Promise<LoadResult> => {
    const load = await runLoad({
      port: tablinum.port,
      token: TOKEN,
      connections: 1,
      seconds: SECONDS,
      warmUpSeconds: 1,
      next: (i) =>
        body ? { method: 'PATCH', path: `/api/v1/lineage/${path}`, body: JSON.stringify(body(i)) } : { path: `/api/v1/lineage/${path}` },
    })
    if (load.failures > 0) throw new Error(`${path}: ${load.failures} requests failed`)
    return load
  }
  const reachable = await countReachable(environment, hub)
  const rows: (string | number)[][] = []
  const row = (what: string, { p50, p95 }: LoadResult, bare: Bare, limit: string) => rows.push([what, p50, p95, bare.p50, bare.p95, limit])
  for (const limit of [300, 3_000])
    row(
      `graph of a hub, depth 5, ${limit.toLocaleString('en')} nodes`,
      await measureRequest(`graph?resource_id=${hub}&direction=DOWNSTREAM&depth=5&limit=${limit}`),
      await bare(environment, traversalSql(hub, 5, limit)),
      limit === 300 ? '≤ 50' : '–',
    )
  row(
    'the same, columns, 300 nodes',
    await measureRequest(`graph?resource_id=${hub}&direction=DOWNSTREAM&depth=5&level=column&limit=300`),
    NO_BASELINE,
    '–',
  )
  row(
    `impact of it, ${reachable.toLocaleString('en')} reachable edges`,
    await measureRequest(`impact?resource_id=${hub}`),
    await bare(environment, traversalSql(hub, 1_000, 1_000_000)),
    '≤ 1,000 for 40,000',
  )
  row('path from it to a far table', await measureRequest(`path?from=${hub}&to=${far}`), NO_BASELINE, '–')
  const [target, one, other] = named
  row(
    'replace the upstream of a table',
    await measureRequest('lineage_from_query', (i) => ({ sql: `insert into ${target} select * from ${i % 2 === 0 ? one : other}` })),
    NO_BASELINE,
    '≤ 20',
  )
  return table(
    `Lineage on ${edges.toLocaleString('en')} edges between ${SIZE.toLocaleString('en')} resources, one connection, ms`,
    ['what', 'p50', 'p95', 'bare recursive statement, p50', 'p95', 'limit for p95'],
    rows,
  )
}

const MARK = 'bench graph 2'
const COLUMNS = 7 // of each table that feed the next: together with the table edges about one edge for each resource

/**
 * Every table reads its parent in a tree and a calendar table; every fourth reads a sibling of its parent instead of the calendar; every
 * thirtieth also reads the hub. Columns feed columns. With a million resources about 40,000 table edges are reachable from the hub, which is
 * the target size for impact. Written once.
 */
export const createEdges = async ({ database: { db } }: BenchEnvironment): Promise<number> => {
  const { rows } = await sql`select from lineage_queries where engine_version = ${MARK} limit 1`.execute(db)
  if (rows.length === 0) {
    await db.transaction().execute(async (db) => {
      // Deletes the edges of an earlier version of this benchmark.
      await sql`delete from lineage_edges e using lineage_queries q where q.id = e.query and q.engine_version like 'bench graph%'`.execute(
        db,
      )
      await sql`delete from lineage_queries where engine_version like 'bench graph%'`.execute(db)
      await sql`
        create temp table woven on commit drop as
        select n, up, q.id as query from (
          with numbers as (select row_number() over (order by id) - 1 as n from resources where entity_type = 'table')
          select n, (n - 1) / 4 as up from numbers where n > 0
          union select n, case when n % 4 = 0 then (n - 1) / 4 + 1 else 0 end from numbers where n > 1
          union select n, 1 from numbers where n % 30 = 0 and n > 1
        ) pairs cross join lateral (select n + (select coalesce(max(id), 0) + 1 from lineage_queries) as id) q where n <> up`.execute(db)
      await sql`
        insert into lineage_queries (id, hash, sql, dialect, engine_version, statements, created_at) overriding system value
        select distinct query, sha256(${MARK}::bytea || query::text::bytea), 'bench', 'postgres', ${MARK}::text, '[]'::jsonb, now() from woven`.execute(
        db,
      )
      await sql`
        create temp table ends on commit drop as
        select id, row_number() over (order by id) - 1 as n from resources where entity_type = 'table'`.execute(db)
      await sql`
        create temp table fields on commit drop as select * from (
          select c.id, t.n, row_number() over (partition by t.n order by c.id) as k from resources c join ends t on t.id = c.parent
          where c.entity_type = 'column'
        ) c where k <= ${COLUMNS}::int`.execute(db)
      for (const table of ['woven', 'ends', 'fields']) await sql`analyze ${sql.table(table)}`.execute(db) // otherwise the planner joins all columns with all others
      const edge = (from: RawBuilder<unknown>, kind: string) => sql`
        insert into lineage_edges (id, upstream, downstream, query, kind, statement, span_start, span_end, created_at, updated_at)
        select gen_random_uuid(), u.id, d.id, w.query, ${kind}::text, 0, 0, 0, now(), now()
        from woven w join ${from} u on u.n = w.up join ${from} d on d.n = w.n ${kind === 'table' ? sql`` : sql`where u.k = d.k`}`
      await edge(sql`ends`, 'table').execute(db)
      await edge(sql`fields`, 'identity').execute(db)
      await sql`select setval(pg_get_serial_sequence('lineage_queries', 'id'), (select max(id) from lineage_queries))`.execute(db)
    })
    await sql`vacuum analyze lineage_edges`.execute(db)
  }
  const { rows: counted } = await sql<{ n: number }>`select count(*) as n from lineage_edges`.execute(db)
  return counted[0]!.n
}

/** The hub, a table far from it, and three tables by their full names. */
const findLandmarks = async ({ database: { db } }: BenchEnvironment) => {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, title_full as name from resources where entity_type = 'table' order by id
  `.execute(db)
  const named = rows.slice(-3).map(({ name }) =>
    name
      .split('.')
      .map((part) => `"${part}"`)
      .join('.'),
  )
  return { hub: rows[1]!.id, far: rows.at(-1)!.id, named: named as [string, string, string] }
}

const traversalSql = (from: string, depth: number, limit: number) => sql`
  with recursive w(id, depth) as (
    select ${from}::uuid, 0
    union
    select e.downstream, ${depth > 100 ? sql`0` : sql`w.depth + 1`} from w join lineage_edges e on e.upstream = w.id and e.kind = 'table'
    where w.depth < ${depth}::int
  )
  select distinct id from w limit ${limit}`

const countReachable = async ({ database: { db } }: BenchEnvironment, from: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    with w as (${traversalSql(from, 1_000, 1_000_000_000)}) select count(*) as n from w join lineage_edges e on e.upstream = w.id and e.kind = 'table'
  `.execute(db)
  return rows[0]!.n
}

interface Bare {
  readonly p50: number
  readonly p95: number
}
const NO_BASELINE: Bare = { p50: Number.NaN, p95: Number.NaN }

const bare = async ({ database: { db } }: BenchEnvironment, statement: RawBuilder<unknown>): Promise<Bare> => {
  const times: number[] = []
  for (const end = performance.now() + 2_000; performance.now() < end || times.length < 3; ) {
    const begin = performance.now()
    await statement.execute(db)
    times.push(performance.now() - begin)
  }
  const at = (share: number) => times.sort((a, b) => a - b)[Math.floor(times.length * share)]!
  return { p50: at(0.5), p95: at(0.95) }
}

if (import.meta.main) console.log(await benchGraph())
