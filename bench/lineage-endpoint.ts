import { sql } from 'kysely'
import { createResources } from '../src/catalog/resources/create.ts'
import { deleteResource } from '../src/catalog/resources/delete.ts'
import { newId } from '../src/platform/core/id.ts'
import { type BenchEnvironment, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { runLoad } from './load-generator.ts'
import { startBenchServer } from './server.ts'
import { table } from './table.ts'

/**
 * `/lineage/lineage_from_query` on a full catalog, compared with the minimal SQL it needs: the tables by title, then their columns; for writes
 * also a transaction that replaces as many edges in a bare table. Parsing the SQL, resolving equal titles, visibility, history and the
 * response come on top.
 */
const SECONDS = 6
const TARGETS = 100 // each with its own sources, so that no request profits from rows the previous one cached
export const PATH = '/api/v1/lineage/lineage_from_query'

export interface CatalogTable {
  readonly title: string
  readonly name: string
}

const TARGET_COLUMNS = ['id', 'created_at', 'updated_at', 'status', 'amount', 'email', 'country', 'quantity', 'order_id', 'customer_id']

export interface QueryShape {
  readonly what: string
  readonly reads: number
  readonly sql: (target: string, sources: readonly string[]) => string
}

export const JOIN: QueryShape = {
  what: 'a join of three tables',
  reads: 3,
  sql: (target, [a, b, c]) => `
    insert into ${target} (id, created_at, updated_at)
    select a.id, b.created_at, max(c.updated_at) from ${a} a join ${b} b on b.id = a.id left join ${c} c on c.id = b.id
    where a.created_at > date '2026-01-01' group by a.id, b.created_at`,
}
const WIDE: QueryShape = {
  what: 'stars of eight tables, in common tables',
  reads: 8,
  sql: (target, sources) => `
    create table ${target} as with ${sources.map((name, i) => `c${i} as (select * from ${name} where id > ${i})`).join(', ')}
    select ${sources.map((_, i) => `c${i}.*`).join(', ')} from c0 ${sources
      .slice(1)
      .map((_, i) => `join c${i + 1} on c${i + 1}.id = c${i}.id`)
      .join(' ')}`,
}

export const benchEndpoint = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const sources = await findTables(environment)
  await using targets = await createTargets(environment)
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
  const { port } = tablinum
  const read = ({ reads }: QueryShape, i: number) => Array.from({ length: reads }, (_, k) => sources[(i * 13 + k * 7) % sources.length]!)
  // In every second round a target gets other sources, so that each replacement changes something.
  const text = (shape: QueryShape, i: number) =>
    shape.sql(
      targets.all[i % TARGETS]!.name,
      read(shape, i % (2 * TARGETS)).map(({ name }) => name),
    )
  const preview = (shape: QueryShape, i: number) => ({ path: `${PATH}?sql=${encodeURIComponent(text(shape, i))}` })
  const replace = (shape: QueryShape, i: number) => ({ method: 'PATCH', path: PATH, body: JSON.stringify({ sql: text(shape, i) }) })

  const rows: (string | number)[][] = []
  for (const shape of [JOIN, WIDE]) {
    await assertResolved(`http://127.0.0.1:${port}${preview(shape, 0).path}`, shape)
    const titles = (i: number) => [targets.all[i % TARGETS]!, ...read(shape, i % (2 * TARGETS))].map(({ title }) => title)
    for (const [what, next] of [
      ['GET preview', preview],
      ['PATCH replace', replace],
    ] as const) {
      const ours = await runLoad({ port, token: TOKEN, connections: 1, seconds: SECONDS, next: (i) => next(shape, i) })
      if (ours.failures > 0) throw new Error(`${what} of ${shape.what}: ${ours.failures} requests failed`)
      const edges = next === replace ? await targets.edgesEach() : 0
      const bare = await bareSql(environment, titles, edges)
      const ratios = [ours.p50 / bare.p50, ours.p95 / bare.p95].map((ratio) => `${ratio.toFixed(1)}×`)
      rows.push([`${what}, ${shape.what}${edges ? `, ${edges} edges` : ''}`, ours.p50, ours.p95, bare.p50, bare.p95, ...ratios, '15'])
    }
  }
  return table(
    `Lineage from a query at ${SIZE.toLocaleString('en')} resources, one connection, ms`,
    ['', 'p50', 'p95', 'bare SQL, p50', 'p95', 'p50, times bare', 'p95, times bare', 'limit p95'],
    rows,
  )
}

export interface BenchTargets extends AsyncDisposable {
  readonly all: readonly CatalogTable[]
  /** The current number of derived edges of one target. */
  edgesEach(): Promise<number>
}

/** Target tables that are deleted afterwards with their edges, so that catalog tables keep the upstream of other benchmarks. */
export const createTargets = async ({ ctx }: BenchEnvironment): Promise<BenchTargets> => {
  const [database, schema] = [newId(), newId()]
  const [databaseTitle, schemaTitle] = ['lineage_targets', `of_${database.replaceAll('-', '')}`]
  const ids = Array.from({ length: TARGETS }, newId)
  const title = (i: number) => `lineage_target_${i}`
  await createResources(ctx, [{ id: database, entity_type: 'database', title: databaseTitle }])
  await createResources(ctx, [{ id: schema, entity_type: 'schema', title: schemaTitle, parent: database }])
  await createResources(
    ctx,
    ids.map((id, i) => ({ id, entity_type: 'table', title: title(i), parent: schema })),
  )
  await createResources(
    ctx,
    ids.flatMap((parent) => TARGET_COLUMNS.map((title) => ({ id: newId(), entity_type: 'column', title, parent }))),
  )
  return {
    all: ids.map((_, i) => ({ title: title(i), name: `"${databaseTitle}"."${schemaTitle}"."${title(i)}"` })),
    edgesEach: async () => {
      const { rows } = await sql<{ n: number }>`
        select round(count(*)::numeric / ${TARGETS}::int)::int as n from lineage_edges e join resources r on r.id = e.downstream
        where r.id = any(${ids}::uuid[]) or r.parent = any(${ids}::uuid[])`.execute(ctx.db)
      return rows[0]!.n
    },
    [Symbol.asyncDispose]: async () => {
      await deleteResource(ctx, database)
    },
  }
}

/** Tables from all over the catalog, with the full names a query would use. */
export const findTables = async ({ database: { db } }: BenchEnvironment): Promise<CatalogTable[]> => {
  const { rows } = await sql<{ title: string; title_full: string }>`
    select title, title_full from resources where entity_type = 'table' order by id limit 10000`.execute(db)
  return rows.map(({ title, title_full }) => ({
    title,
    name: title_full
      .split('.')
      .map((part) => `"${part}"`)
      .join('.'),
  }))
}

/** Checks that the names resolve; otherwise the measurement would be meaningless. */
const assertResolved = async (url: string, { what, reads }: QueryShape): Promise<void> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })
  const { source_tables, target_table, column_lineages } = (await response.json()) as {
    source_tables: { id: string | null }[]
    target_table: { id: string | null } | null
    column_lineages: { from_column: { id: string | null } }[]
  }
  const bound = source_tables.filter(({ id }) => id).length
  if (bound !== reads || !target_table?.id || column_lineages.filter(({ from_column }) => from_column.id).length < 3)
    throw new Error(`${what}: only ${bound} of ${reads} tables were resolved`)
}

/** The same lookup on one connection and, if there are edges to write, a transaction that deletes and inserts as many. */
const bareSql = async ({ database: { db } }: BenchEnvironment, titles: (i: number) => readonly string[], edges: number) => {
  await sql`drop table if exists bare_edges`.execute(db)
  await sql`create table bare_edges (id uuid primary key, upstream uuid, downstream uuid)`.execute(db)
  await sql`create index on bare_edges (upstream, downstream)`.execute(db)
  await sql`create index on bare_edges (downstream, upstream)`.execute(db)
  const times: number[] = []
  const end = performance.now() + 3_000
  for (let i = 0; performance.now() < end || times.length < 50; i++) {
    const begin = performance.now()
    const { rows } = await sql<{ id: string }>`
      select id, title, schema, database from resources
      where lower(title) collate "C" = any(${titles(i)}::text[]) and entity_type is not distinct from 'table'`.execute(db)
    const ids = rows.map(({ id }) => id)
    await sql`select id, parent, title from resources where parent = any(${ids}::uuid[]) and entity_type = 'column'`.execute(db)
    if (edges > 0)
      await db.transaction().execute(async (db) => {
        const target = ids[0]!
        const added = Array.from({ length: edges }, newId)
        await sql`delete from bare_edges where downstream = ${target}::uuid`.execute(db)
        await sql`insert into bare_edges select id, id, ${target}::uuid from unnest(${added}::uuid[]) id`.execute(db)
      })
    times.push(performance.now() - begin)
  }
  await sql`drop table bare_edges`.execute(db)
  times.sort((a, b) => a - b)
  const at = (q: number) => times[Math.floor(times.length * q)]!
  return { p50: at(0.5), p95: at(0.95) }
}

if (import.meta.main) console.log(await benchEndpoint())
