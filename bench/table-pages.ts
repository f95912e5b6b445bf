import { sql } from 'kysely'
import { createResources } from '../src/catalog/resources/create.ts'
import { toStableUuid } from './corpus.ts'
import { type BenchEnvironment, markChangesProcessed, SIZE } from './environment.ts'
import { createMonitors } from './health.ts'

/** What the tabs of one table and of a job read, each with as much in it as is stored at most or as a large company has. */
const HUB = toStableUuid('table', 2)
const WIDE = toStableUuid('wide table of pages', 0)
const JOB = toStableUuid('job of pages', 0)
const MARK = 'bench table pages'
const COUNTS = { jobs: 200, queries: 50, runs: 50, columns: 1_000, days: 400, others: Math.round(SIZE / 100) }

export const TABLE_PAGES: readonly (readonly [what: string, path: string])[] = [
  [`usage of a table on ${COUNTS.days} days`, `/resource/all/${HUB}/usage`],
  [`${COUNTS.runs} runs of a job, each with 20 inputs and outputs`, `/resource/all/${JOB}/runs`],
  [`code of a table that ${COUNTS.queries} queries write`, `/resource/all/${HUB}/code`],
  [`facts about ${COUNTS.columns} columns`, `/ui/columns/${WIDE}`],
  ['incidents by table', '/monitor/incidents/tables?status=open'],
  [`root cause, ${COUNTS.jobs} tables upstream`, `/lineage/root_cause?resource_id=${HUB}`],
  [`graph of a table with ${COUNTS.jobs} tables on each side`, `/lineage/graph?resource_id=${HUB}&depth=1`],
  [`graph with ${2 * COUNTS.jobs} jobs between them`, `/lineage/graph?resource_id=${HUB}&depth=1&limit=1000&include_jobs=true`],
]

/** Written once. */
export const createTablePages = async (environment: BenchEnvironment): Promise<void> => {
  const { ctx } = environment
  const { db } = ctx
  if (await db.selectFrom('resources').select('id').where('id', '=', WIDE).executeTakeFirst()) return
  await createMonitors(environment)
  await createFlows(environment)
  await createRuns(environment)
  await sql`
    insert into usage_history (resource_id, day, uses)
    select ${HUB}::uuid, current_date - n, n from generate_series(1, ${COUNTS.days}::int) n
    union all select t.id, current_date - n, n
    from (select id from resources where entity_type = 'table' and id <> ${HUB} order by id limit ${COUNTS.others}) t, generate_series(1, 90) n
    on conflict do nothing`.execute(db)
  await createWideTable(environment) // last, as it says that all is written
  await markChangesProcessed(ctx)
  await sql`vacuum analyze`.execute(db)
}

/** A job between the table and each of its neighbours, and queries that write it, with the lineage of its columns. */
const createFlows = async ({ ctx }: BenchEnvironment): Promise<void> => {
  const jobs = Array.from({ length: 2 * COUNTS.jobs }, (_, i) => ({
    id: toStableUuid('job of pages', i),
    entity_type: 'job' as const,
    title: `pages_${i}`,
    published: true,
  }))
  await createResources(ctx, jobs)
  await ctx.db.transaction().execute(async (db) => {
    await sql`delete from lineage_queries where engine_version = ${MARK}`.execute(db)
    await sql`
      create temp table neighbours on commit drop as
      select t.id, n, j.id as job, ${HUB}::uuid as hub
      from (select id, row_number() over (order by id) as n from resources where entity_type = 'table' and id <> ${HUB} order by id limit ${2 * COUNTS.jobs}) t
        join (select id, row_number() over (order by id) as n from unnest(${jobs.map(({ id }) => id)}::uuid[]) id) j using (n)`.execute(db)
    await sql`
      with q as (
        insert into lineage_queries (hash, sql, dialect, engine_version, statements, created_at)
        select sha256(convert_to(${MARK} || n, 'utf8')), '', 'openlineage', ${MARK}, jsonb_build_array(jsonb_build_object('kind', 'job', 'start', 0, 'end', 0, 'job', job)), now()
        from neighbours returning id, statements)
      insert into lineage_edges (id, upstream, downstream, query, kind, statement, span_start, span_end, created_at, updated_at)
      select gen_random_uuid(), case when n.n % 2 = 0 then n.id else n.hub end, case when n.n % 2 = 0 then n.hub else n.id end, q.id, 'table', 0, 0, 0, now(), now()
      from q join neighbours n on n.job = (q.statements -> 0 ->> 'job')::uuid`.execute(db)
    await sql`
      with code as (
        select n.*, 'insert into hub select ' || repeat('a.amount + b.amount as total, ', 300) || '1 from neighbour_' || n as text from neighbours n where n <= ${2 * COUNTS.queries} and n % 2 = 0),
      q as (
        insert into lineage_queries (hash, sql, dialect, engine_version, statements, created_at)
        select sha256(convert_to(text, 'utf8')), text, 'postgres', ${MARK}, jsonb_build_array(jsonb_build_object('kind', 'insert', 'start', 0, 'end', length(text))), now()
        from code returning id, sql),
      pairs as (select q.id as query, c.id, c.hub from q join code c on c.text = q.sql)
      insert into lineage_edges (id, upstream, downstream, query, kind, statement, span_start, span_end, created_at, updated_at)
      select gen_random_uuid(), p.id, p.hub, p.query, 'table', 0, 0, 20, now(), now() from pairs p
      union all
      select gen_random_uuid(), u.id, d.id, p.query, 'expression', 0, 23, 42, now(), now()
      from pairs p
        join lateral (select id, row_number() over (order by id) as k from resources where parent = p.id and entity_type = 'column') u on true
        join lateral (select id, row_number() over (order by id) as k from resources where parent = p.hub and entity_type = 'column') d on d.k = u.k
    `.execute(db)
  })
}

const createRuns = async ({ ctx }: BenchEnvironment): Promise<void> => {
  const at = (i: number) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString()
  const runs = Array.from({ length: COUNTS.runs }, (_, i) => ({
    id: toStableUuid('run of pages', i),
    entity_type: 'run' as const,
    title: `run ${i}`,
    parent: JOB,
    published: true,
    external_updated_at: at(i),
    display_metadata: { state: 'COMPLETED', started_at: at(i), ended_at: at(i), rows_written: 1_000 },
  }))
  await createResources(ctx, runs)
  await sql`
    insert into openlineage_flows (resource_id, flows)
    select run, jsonb_build_object('inputs', sides.inputs, 'outputs', sides.outputs)
    from unnest(${runs.map(({ id }) => id)}::uuid[]) run cross join (
      select jsonb_agg(id) filter (where n <= 20) as inputs, jsonb_agg(id) filter (where n > 20) as outputs
      from (select id, row_number() over (order by id) as n from resources where entity_type = 'table' order by id limit 40) t
    ) sides on conflict do nothing`.execute(ctx.db)
}

const createWideTable = async ({ ctx }: BenchEnvironment): Promise<void> => {
  const columns = Array.from({ length: COUNTS.columns }, (_, i) => ({
    entity_type: 'column' as const,
    title: `column_${i}`,
    parent: WIDE,
    native_type: 'text',
    published: true,
  }))
  await createResources(ctx, [{ id: WIDE, entity_type: 'table', title: 'wide_of_pages', published: true }])
  await createResources(ctx, columns)
  await sql`
    insert into column_profiles (resource_id, table_id, profiled_at, sampled, rows_read, nulls, distinct_values, distinct_approximate)
    select id, parent, now(), 'all', 1000, 10, 900, false from resources where parent = ${WIDE} and entity_type = 'column'`.execute(ctx.db)
}
