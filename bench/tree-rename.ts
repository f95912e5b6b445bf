import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { bootstrapWorkspace } from '../src/accounts/users/bootstrap.ts'
import { createRuntime } from '../src/app/runtime.ts'
import { createResources } from '../src/catalog/resources/create.ts'
import type { Context } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect, type Db } from '../src/platform/db/connect.ts'
import { prepareDatabase } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { openBenchEnvironment, SIZE, TOKEN } from './environment.ts'
import { type LoadResult, runLoad } from './load-generator.ts'
import { startBenchServer } from './server.ts'
import { formatPercent, table } from './table.ts'

/** Creates resources while the paths below a large schema are updated, compared with the same creations without a rename. */
const COLUMNS = Math.max(20_000, Math.min(100_000, SIZE)) // fewer would be renamed within the request
const COLUMNS_OF_A_TABLE = 100
const CALLERS = 4
const BATCH = 2_000
const DATABASE = 'bench_tree_rename'

export const benchTreeRename = async (): Promise<string> => {
  await using environment = await openBenchEnvironment()
  const admin = connect(environment.url, { poolSize: 1, statementTimeoutMs: 0 })
  const drop = () => sql.raw(`drop database if exists ${DATABASE} with (force)`).execute(admin.db)
  await drop()
  await sql.raw(`create database ${DATABASE}`).execute(admin.db)
  try {
    return await measure(Object.assign(new URL(environment.url), { pathname: `/${DATABASE}` }).href)
  } finally {
    await drop()
    await admin.close()
  }
}

const measure = async (url: string): Promise<string> => {
  const database = connect(url, { statementTimeoutMs: 0 })
  const { db } = database
  await prepareDatabase(db)
  await migrateQueue(url)
  const { workspace_id } = await bootstrapWorkspace(db, TOKEN, new Date())
  const runtime = createRuntime(url)
  const { schema, others } = await fill({ db, runtime, workspace_id, actor: SYSTEM, now: new Date(), limits: {} })
  await runtime[Symbol.asyncDispose]()
  await sql`vacuum analyze`.execute(db)
  await using tablinum = await startBenchServer('src/server.ts', { DATABASE_URL: url, TABLINUM_RATE_LIMIT: '0' })
  const { port } = tablinum
  const create = async (parents: readonly string[], until?: Promise<unknown>): Promise<LoadResult> => {
    const load = await runLoad({
      port,
      token: TOKEN,
      connections: CALLERS,
      seconds: 10,
      warmUpSeconds: until ? 0 : 3,
      until,
      next: (i) => ({
        method: 'POST',
        path: '/api/v1/resource/catalog',
        body: JSON.stringify({ entity_type: 'table', title: `new_${i}`, parent: parents[i % parents.length] }),
      }),
    })
    if (load.failures > 0) throw new Error(`${load.failures} creations failed`)
    return load
  }
  const alone = await rename(db, port, schema)
  const rows: (string | number)[][] = [['the rename alone', '', '', '', '', '', alone.responseMs, alone.seconds]]
  for (const [what, parents] of [
    ['in other schemas', others],
    ['in the schema itself', [schema]],
  ] as const) {
    const without = await create(parents)
    const renaming = rename(db, port, schema)
    const during = await create(parents, renaming)
    const { responseMs, seconds } = await renaming
    rows.push([`tables created ${what}`, without.perSecond, '', without.p50, without.p99, without.max, '', ''])
    const share = formatPercent(during.perSecond, without.perSecond)
    rows.push(['the same, while it is renamed', during.perSecond, share, during.p50, during.p99, during.max, responseMs, seconds])
  }
  await database.close()
  return table(
    `Creations by ${CALLERS} callers while a schema with ${COLUMNS.toLocaleString('en')} columns below it is renamed`,
    ['', 'creations/s', 'of those without', 'p50 ms', 'p99 ms', 'longest, ms', 'rename response, ms', 'all paths renewed, s'],
    rows,
  )
}

/** One schema with many columns below it, and twenty empty ones in another database. */
const fill = async (ctx: Context): Promise<{ schema: string; others: string[] }> => {
  const [database, elsewhere, schema] = [newId(), newId(), newId()]
  const others = Array.from({ length: 20 }, () => newId())
  const tables = Array.from({ length: COLUMNS / COLUMNS_OF_A_TABLE }, () => newId())
  await createResources(ctx, [
    { id: database, entity_type: 'database', title: 'warehouse' },
    { id: elsewhere, entity_type: 'database', title: 'elsewhere' },
  ])
  await createResources(ctx, [
    { id: schema, entity_type: 'schema', title: 'sales', parent: database },
    ...others.map((id, i) => ({ id, entity_type: 'schema' as const, title: `schema_${i}`, parent: elsewhere })),
  ])
  await createResources(
    ctx,
    tables.map((id, i) => ({ id, entity_type: 'table', title: `table_${i}`, parent: schema })),
  )
  for (let i = 0; i < COLUMNS; i += BATCH)
    await createResources(
      ctx,
      Array.from({ length: Math.min(BATCH, COLUMNS - i) }, (_, k) => ({
        entity_type: 'column',
        title: `column_${(i + k) % COLUMNS_OF_A_TABLE}`,
        parent: tables[Math.floor((i + k) / COLUMNS_OF_A_TABLE)]!,
      })),
    )
  return { schema, others }
}

let renames = 0

/** Renames the schema and waits until every path below it has the new name. */
const rename = async (db: Db, port: number, id: string): Promise<{ responseMs: number; seconds: number }> => {
  const title = `sales_${++renames}`
  const startedAt = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/resource/all/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  })
  if (!response.ok) throw new Error(await response.text())
  const responseMs = performance.now() - startedAt
  for (;;) {
    await sleep(100)
    const { rows } = await sql<{ open: number; failed: number }>`
      select count(*) filter (where status in ('PENDING', 'RUNNING')) as open, count(*) filter (where status = 'FAILED') as failed
      from background_jobs where kind = 'update_paths'
    `.execute(db)
    if (rows[0]!.failed > 0) throw new Error('Updating the paths failed.')
    if (rows[0]!.open === 0) break
  }
  const seconds = (performance.now() - startedAt) / 1000
  const { rows } = await sql<{ old: number }>`
    select count(*) as old from resources where entity_type = 'column' and title_full not like ${`%.${title}.%`}
  `.execute(db)
  if (rows[0]!.old > 0) throw new Error(`${rows[0]!.old} columns still have the old path.`)
  return { responseMs, seconds }
}

if (import.meta.main) console.log(await benchTreeRename())
