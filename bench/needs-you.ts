import { sql } from 'kysely'
import { createResources } from '../src/catalog/resources/create.ts'
import { hashToken, tokenHint } from '../src/platform/authentication/token-hash.ts'
import { newId } from '../src/platform/core/id.ts'
import { NEED_KINDS } from '../src/web-api/needs-you/schema.ts'
import { toStableUuid } from './corpus.ts'
import { type BenchEnvironment, openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { createMonitors } from './health.ts'
import { runLoad } from './load-generator.ts'
import { startBenchServer } from './server.ts'
import { table } from './table.ts'

/** What waits for stewards who own a hundred tables, a tenth and half of them, compared with a page of the catalog. */
const TABLES = Math.round((60_000 * SIZE) / 1_000_000)
const OWNED = Math.min(100, TABLES)
const FEW = { token: 'tbl_benchmark_steward_of_few', user: toStableUuid('steward', 1), name: 'owns 100 tables' }
const SOME = { token: 'tbl_benchmark_steward_of_some', user: toStableUuid('steward', 3), name: 'owns a tenth of the tables' }
const MANY = { token: 'tbl_benchmark_steward_of_many', user: toStableUuid('steward', 2), name: 'owns half of the tables' }
const TEAM = toStableUuid('steward team', 1)
const INTEGRATION = toStableUuid('steward integration', 1)
/** Open entries, spread over all tables and columns. */
const COUNTS = { suggestions: SIZE / 50, pii: SIZE / 20, threads: SIZE / 50, questions: SIZE / 200 }

export const benchNeedsYou = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  await createMonitors(environment)
  await createEntries(environment)
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: environment.url, TABLINUM_RATE_LIMIT: '0' })
  const measure = async (path: string, token: string) => {
    const { p50, p95, failures } = await runLoad({
      ...{ port: tablinum.port, token, connections: 1, seconds: 4, warmUpSeconds: 1 },
      next: () => ({ path: `/api/v1${path}` }),
    })
    if (failures > 0) throw new Error(`${path}: ${failures} requests failed`)
    return { p50, p95 }
  }
  const list = await measure('/resource/catalog?page_size=10', TOKEN)
  const rows: (string | number)[][] = [['a page of the catalog', list.p50, list.p95, 1]]
  for (const { name, token } of [FEW, SOME, MANY])
    for (const [what, path] of [['all sections', '/needs_you'], ...NEED_KINDS.map((kind) => [kind, `/needs_you?kind=${kind}`])]) {
      const { p50, p95 } = await measure(path!, token)
      rows.push([`${name}: ${what}`, p50, p95, p50 / list.p50])
    }
  return table(
    `Needs you at ${SIZE.toLocaleString('en')} resources, ${COUNTS.suggestions.toLocaleString('en')} open suggestions and ${COUNTS.pii.toLocaleString('en')} of personal data`,
    ['1 connection, 10 entries per section', 'p50 ms', 'p95 ms', 'times the list'],
    rows,
  )
}

/** Written once. */
const createEntries = async ({ ctx }: BenchEnvironment): Promise<void> => {
  const { db } = ctx
  if (await db.selectFrom('users').select('id').where('id', '=', FEW.user).executeTakeFirst()) return
  const times = { created_at: new Date(), updated_at: new Date() }
  await db
    .insertInto('teams')
    .values({ id: TEAM, name: 'Bench stewards', ...times })
    .execute()
  await db
    .insertInto('integrations')
    .values({ id: INTEGRATION, name: 'Bench personal data', type: 'custom', ...times })
    .execute()
  for (const { user, token } of [FEW, SOME, MANY]) {
    await db
      .insertInto('users')
      .values({ id: user, email: `${user}@example.com`, role: 'editor', ...times })
      .execute()
    const stored = { user_id: user, name: 'bench', hint: tokenHint(token), hash: hashToken(token), scope: 'write', ...times }
    await db
      .insertInto('tokens')
      .values({ id: newId(), ...stored })
      .execute()
    await sql`insert into team_members (team_id, user_id) values (${TEAM}, ${user})`.execute(db)
  }
  const tables = (step: number, first: number, count: number) =>
    Array.from({ length: count }, (_, i) => toStableUuid('table', first + i * step))
  const half = Math.floor(TABLES / 2)
  await sql`update resources set owners = array[${MANY.user}::uuid], description = null where id = any(${tables(2, 0, half)}::uuid[])`.execute(
    db,
  )
  await sql`
    update resources set teams = array[${TEAM}::uuid], owners = null where id = any(${tables(2, 1, half)}::uuid[])`.execute(db)
  await sql`
    update resources set owners = array[${FEW.user}::uuid], description = null where id = any(${tables(4, 1, OWNED)}::uuid[])`.execute(db)
  // Owned, but nothing waits: every entry is looked at.
  await sql`update resources set owners = array[${SOME.user}::uuid] where id = any(${tables(10, 3, Math.floor(TABLES / 10))}::uuid[])`.execute(
    db,
  )
  const someSql = (count: number, types: readonly string[]) => sql`(
    select r.id, r.integration, row_number() over (order by r.id) as n from resources r
    where r.entity_type = any(${types}::text[]) and r.id not in (select f.resource_id from resource_refs f where f.target = ${SOME.user}::uuid)
      and (r.parent is null or r.parent not in (select f.resource_id from resource_refs f where f.target = ${SOME.user}::uuid))
    order by r.id limit ${count})`
  await sql`
    insert into change_suggestions (id, resource_id, field, value, status, by, created_at, updated_at)
    select gen_random_uuid(), r.id, 'description', 'What it means.', 'open', 'ai', now() - r.n * interval '1 second', now()
    from ${someSql(COUNTS.suggestions, ['column', 'table'])} r
  `.execute(db)
  await sql`
    insert into pii_suggestions (id, resource_id, integration, class, confidence, evidence, status, created_at, updated_at)
    select gen_random_uuid(), r.id, ${INTEGRATION}, 'email', 0.5 + (r.n % 50) / 100.0, '{}', 'open', now(), now()
    from ${someSql(COUNTS.pii, ['column'])} r
  `.execute(db)
  await sql`
    insert into comments (id, resource_id, thread, thread_at, text, created_at, updated_at)
    select t.id, r.id, t.id, now() - r.n * interval '1 second', 'Is it still filled?', now(), now()
    from ${someSql(COUNTS.threads, ['column', 'table'])} r cross join lateral (select md5(r.id::text)::uuid as id) t
  `.execute(db)
  await createQuestions(ctx)
  await sql`vacuum analyze`.execute(db)
}

const createQuestions = async (ctx: BenchEnvironment['ctx']): Promise<void> => {
  const questions = Array.from({ length: Math.max(1, Math.round(COUNTS.questions)) }, (_, i) => ({
    id: toStableUuid('question', i),
    entity_type: 'question' as const,
    title: `Which unit? (${i})`,
  }))
  for (let start = 0; start < questions.length; start += 1000) await createResources(ctx, questions.slice(start, start + 1000))
  const ids = questions.map(({ id }) => id)
  const about = questions.map((_, i) => toStableUuid('table', i % TABLES))
  await sql`
    update resources r set question_status = 'open', base_entity_id = q.about from unnest(${ids}::uuid[], ${about}::uuid[]) q(id, about) where r.id = q.id
  `.execute(ctx.db)
}

if (import.meta.main) console.log(await benchNeedsYou())
