import { sql } from 'kysely'
import { createResources } from '../src/catalog/resources/create.ts'
import { deleteResource } from '../src/catalog/resources/delete.ts'
import { editResources } from '../src/catalog/resources/edit.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { toStableUuid } from './corpus.ts'
import { measureCpu, measurePostgresCpu } from './cpu.ts'
import { type BenchEnvironment, markChangesProcessed, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { createViewer, VIEWER_TOKEN } from './health.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { table } from './table.ts'
import { createTablePages, TABLE_PAGES } from './table-pages.ts'
import { type Replacement, withoutInProcess } from './without.ts'

/** Lists and diagrams of stewards, each with as much in it as a large company has, compared with a page of the catalog. */
const TABLE = toStableUuid('table', 0)
const SCHEMA = toStableUuid('schema', 0)
const TERM = toStableUuid('steward term', 0)
const PERSON = toStableUuid('steward of pages', 1)
const INTEGRATION = toStableUuid('steward keys', 1)
const TERMS = 500
const COUNTS = { comments: 5_000, changes: 1_000, used: Math.round(SIZE / 30), deleted: Math.round(SIZE / 100), edited: 1_000 }

/** Insights without the counts of columns that triggers keep: each column is read. */
const EACH_COLUMN: Replacement = {
  file: 'src/observability/insights/count-numbers.ts',
  code: 'from column_counts c ',
  by: `from (
    select r.parent, r.integration, r.published, r.teams, 1 as columns, (r.description <> '' or r.definition <> '')::int as columns_described,
      (r.terms is not null)::int as columns_with_terms, r.pii::int as columns_pii
    from resources r where r.entity_type = 'column' and not r.archived
  ) c `,
}

interface Variant {
  readonly token?: string
  readonly without?: true
}
const CASES: readonly (readonly [what: string, path: string, variant?: Variant])[] = [
  ['a page of the catalog', '/resource/catalog'],
  [`comments on a table with ${format(COUNTS.comments)}`, `/comments?resource_id=${TABLE}`],
  ['its open threads', `/comments?resource_id=${TABLE}&status=open`],
  [`comments of a person who wrote them all`, `/comments?created_by=${PERSON}`],
  [`schema history of a table with ${format(COUNTS.changes)} changes`, `/table/tables/${TABLE}/schema_history`],
  ['relationships of a table', `/resource/all/${TABLE}/relationships`],
  ['relationships of a schema', `/resource/all/${SCHEMA}/relationships`],
  ['terms, from A to Z', '/resource/catalog?entity_type=glossary&sort={"field":"title"}'],
  [`usage of a term on ${format(COUNTS.used)} columns`, `/glossary/${TERM}/usage`],
  ['the columns with it', `/resource/catalog?filter={"operator":"exact","field":"terms","value":"${TERM}"}`],
  ['what is named like it', `/glossary/${TERM}/named_alike`],
  ['terms suggested for a table and its columns', `/resource/all/${TABLE}/term_suggestions`],
  [`trash with ${format(COUNTS.deleted)} resources`, '/trash'],
  ['its page 100', '/trash?page=100'],
  [`a person who edited ${format(COUNTS.edited)} tables`, `/ui/person/${PERSON}`],
  ['insights of this person', `/insights?owner_id=${PERSON}`],
  ['insights of everything', '/insights'],
  ['each column counted', '/insights', { without: true }],
  ['insights, compared by schema', '/insights/groups?by=schema'],
  ['each column counted', '/insights/groups?by=schema', { without: true }],
  ['of a viewer', '/insights/groups?by=schema', { token: VIEWER_TOKEN }],
  ['of a viewer, each column counted', '/insights/groups?by=schema', { token: VIEWER_TOKEN, without: true }],
  ['compared by integration', '/insights/groups?by=integration'],
  ['each column counted', '/insights/groups?by=integration', { without: true }],
  ['compared by owner', '/insights/groups?by=owner'],
  ['a table’s page', `/ui/resource/${TABLE}`],
  ...TABLE_PAGES,
]

export const benchStewardPages = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  await createEntries(environment)
  await createTablePages(environment)
  await createViewer(environment)
  const env = { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' }
  await using tablinum = await startBenchServer('src/server.ts', env)
  await using without = await startBenchServer('src/server.ts', { ...env, ...withoutInProcess([EACH_COLUMN]) })
  const rows: (string | number)[][] = []
  for (const [what, path, variant] of CASES) {
    const { p50, node, postgres } = await measure(variant?.without ? without : tablinum, environment, path, variant?.token)
    console.error(`${what}: ${Math.round(p50)} ms, CPU ${node.toFixed(1)} + ${postgres.toFixed(1)} ms`)
    rows.push([what, node, postgres, p50, (node + postgres) / Number(rows[0] ? Number(rows[0][1]) + Number(rows[0][2]) : node + postgres)])
  }
  return table(
    `Pages of stewards at ${format(SIZE)} resources`,
    ['one request after the other, 50 entries', 'Node CPU ms', 'Postgres CPU ms', 'p50 ms', 'CPU, times the catalog'],
    rows,
  )
}

const REQUESTS = 20
const WARM_UP = 3

/** A number of requests and the CPU time they take: on a busy machine the time they last says little. */
const measure = async ({ port, pid }: BenchServer, { dataFolder }: BenchEnvironment, path: string, token = TOKEN) => {
  const times: number[] = []
  let before = { node: 0, postgres: 0 }
  const readCpu = () => ({ node: measureCpu(pid), postgres: measurePostgresCpu(dataFolder) })
  for (let i = -WARM_UP; i < REQUESTS; i++) {
    if (i === 0) before = readCpu()
    const begin = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}${encodeURI(`/api/v1${path}`)}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    if (i >= 0) times.push(performance.now() - begin)
  }
  const after = readCpu()
  const perRequest = (seconds: number) => (1_000 * seconds) / REQUESTS
  return {
    p50: times.sort((a, b) => a - b)[REQUESTS / 2]!,
    node: perRequest(after.node - before.node),
    postgres: perRequest(after.postgres - before.postgres),
  }
}

function format(n: number): string {
  return n.toLocaleString('en')
}

/** Written once. */
const createEntries = async (environment: BenchEnvironment): Promise<void> => {
  const { ctx } = environment
  const { db } = ctx
  if (await db.selectFrom('users').select('id').where('id', '=', PERSON).executeTakeFirst()) return
  await createTerms(environment)
  await createRelationships(environment)
  await createTrash(environment)
  const now = new Date()
  await db
    .insertInto('users')
    .values({ id: PERSON, email: 'pages@example.com', role: 'editor', created_at: now, updated_at: now })
    .execute()
  const person = { ...SYSTEM, user_id: PERSON, performer_type: 'USER' as const }
  const edited = Array.from({ length: Math.min(COUNTS.edited, SIZE / 100) }, (_, i) => toStableUuid('table', i))
  for (let i = 0; i < edited.length; i += 100)
    await editResources(
      { ...ctx, actor: person },
      edited.slice(i, i + 100).map((id) => ({ id, data: { owners: [PERSON] } })),
    )
  await sql`
    insert into comments (id, resource_id, thread, thread_at, text, created_by, resolved_by, resolved_at, created_at, updated_at)
    select case when n = 0 then t.id else gen_random_uuid() end, ${TABLE}, t.id, now() - thread * interval '1 hour', 'Does this include refunds?', ${PERSON},
      case when n = 0 and thread % 3 = 0 then ${PERSON}::uuid end, case when n = 0 and thread % 3 = 0 then now() end,
      now() - thread * interval '1 hour' + n * interval '1 minute', now()
    from (select thread, md5('thread' || thread)::uuid as id from generate_series(1, ${COUNTS.comments / 5}::int) thread) t, generate_series(0, 4) n`.execute(
    db,
  )
  await sql`
    insert into schema_changes (id, table_id, at, sync_id, changes, announced)
    select gen_random_uuid(), t.id, now() - n * interval '1 day', null,
      jsonb_build_array(jsonb_build_object('kind', 'retyped', 'column', 'amount', 'column_id', null, 'from', 'integer', 'to', 'numeric')), true
    from (
      select id, n from (select id from resources where entity_type = 'table') t cross join generate_series(1, 2) n
      union all select ${TABLE}::uuid, n from generate_series(3, ${COUNTS.changes}::int) n
    ) t`.execute(db)
  await markChangesProcessed(ctx)
  await sql`vacuum analyze`.execute(db)
}

/** Terms, one of them on many columns. */
const createTerms = async ({ ctx }: BenchEnvironment): Promise<void> => {
  const terms = Array.from({ length: TERMS }, (_, i) => ({
    id: toStableUuid('steward term', i),
    entity_type: 'glossary' as const,
    title: i === 0 ? 'Unit price' : `Term ${i}`,
    description: 'What it means.',
    published: true,
  }))
  await createResources(ctx, terms)
  await sql`
    update resources set terms = array[${TERM}::uuid] where id in (
      select id from resources where entity_type = 'column' and title not like 'unit_price%' order by id limit ${COUNTS.used})`.execute(
    ctx.db,
  )
}

/** Each table of a schema refers to three others. */
const createRelationships = async ({ ctx: { db } }: BenchEnvironment): Promise<void> => {
  const now = new Date()
  await db
    .insertInto('integrations')
    .values({ id: INTEGRATION, name: 'Bench keys', type: 'custom', created_at: now, updated_at: now })
    .execute()
  const tables = sql`(select id, title, row_number() over (order by id) as n, count(*) over () as all from resources where parent = ${SCHEMA})`
  await sql`
    insert into resource_origins (resource_id, integration, key, reported_values, fingerprint)
    select id, ${INTEGRATION}, 'db.public.' || title, '{}', '' from ${tables} t on conflict do nothing`.execute(db)
  await sql`
    update resources r set display_metadata = jsonb_build_object('foreign_keys', (
      select jsonb_agg(jsonb_build_object('name', 'key_' || o.n, 'columns', array['customer_id'], 'table', o.title, 'to', array['id']))
      from ${tables} o where o.n in ((t.n * 2) % t.all + 1, (t.n * 3) % t.all + 1, (t.n * 5) % t.all + 1)))
    from ${tables} t where t.id = r.id`.execute(db)
}

/** One table is deleted; the other entries are copies of its entry. */
const createTrash = async ({ ctx }: BenchEnvironment): Promise<void> => {
  const id = toStableUuid('steward trash', 0)
  await createResources(ctx, [{ id, entity_type: 'table', title: 'deleted', integration: INTEGRATION }])
  await deleteResource(ctx, id)
  await sql`
    insert into trash (id, resource_id, deleted_at, deleted_by, resources_below, record, columns)
    select gen_random_uuid(), gen_random_uuid(), t.deleted_at - n * interval '1 minute', t.deleted_by, t.resources_below, t.record, t.columns
    from trash t cross join generate_series(1, ${COUNTS.deleted}::int) n where t.resource_id = ${id}`.execute(ctx.db)
}

if (import.meta.main) console.log(await benchStewardPages())
