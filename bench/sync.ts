import { sql } from 'kysely'
import { createRuntime } from '../src/app/runtime.ts'
import type { Context } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect } from '../src/platform/db/connect.ts'
import { prepareDatabase } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { postgresConnector } from '../src/sources/connectors/postgres/postgres.ts'
import { COLUMNS_SQL, RELATIONS_SQL } from '../src/sources/connectors/postgres/postgres-catalog-sql.ts'
import { reconcile } from '../src/sources/sync/reconcile.ts'
import { createTcpProxy } from '../test/support/tcp-proxy.ts'
import { SIZE } from './environment.ts'
import { table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/**
 * Syncs a Postgres with many tables into an empty catalog, then again, compared with the bare catalog queries; then as another integration, whose
 * first attempt is interrupted when half is written: the next one lists everything again and writes the rest.
 */
const COLUMNS = 20
const TABLES = Math.max(10, Math.min(10_000, Math.round(SIZE / (COLUMNS + 1))))
const [CATALOG, SOURCE] = ['bench_sync', 'bench_sync_source']
/** Percent: reading ends at 30, writing at 85. */
const HALF_WRITTEN = 57

export const benchSync = (): Promise<string> => withTemporaryPostgres(measure, { shared_buffers: '1GB', max_wal_size: '8GB' })

const measure = async (serverUrl: string): Promise<string> => {
  const at = (name: string) => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const admin = connect(serverUrl, { poolSize: 1, statementTimeoutMs: 0 })
  for (const name of [CATALOG, SOURCE]) {
    await sql.raw(`drop database if exists ${name} with (force)`).execute(admin.db)
    await sql.raw(`create database ${name}`).execute(admin.db)
  }
  await fillSource(at(SOURCE))
  const catalog = connect(at(CATALOG), { statementTimeoutMs: 0 })
  await prepareDatabase(catalog.db)
  await migrateQueue(at(CATALOG))
  const createIntegration = async (): Promise<string> => {
    const id = newId()
    await catalog.db
      .insertInto('integrations')
      .values({ id, name: 'source', type: 'postgres', created_at: new Date(), updated_at: new Date() })
      .execute()
    return id
  }
  const ctx: Context = {
    db: catalog.db,
    runtime: createRuntime(at(CATALOG)),
    workspace_id: newId(),
    actor: SYSTEM,
    now: new Date(),
    limits: {},
  }
  const proxy = await createTcpProxy(serverUrl)
  const { username: user, password } = new URL(serverUrl)
  const credentials = { host: '127.0.0.1', port: proxy.port, database: SOURCE, user, password }
  const rows: (string | number)[][] = [['the bare catalog queries', await measureSeconds(() => runQuery(at(SOURCE))), Number.NaN]]
  const sync = (id: string, sync_id: string, interruptedAt = Number.POSITIVE_INFINITY): Promise<unknown> => {
    const interrupted = new AbortController()
    const context = { signal: AbortSignal.timeout(3_600_000), log: async () => {} }
    const items = postgresConnector.discover({ id, name: 'source', credentials }, context)
    return reconcile(ctx, { id, sync_id, whole: true, signal: interrupted.signal }, items, async (percent) => {
      if (percent >= interruptedAt) interrupted.abort()
    })
  }
  const add = async (what: string, work: () => Promise<unknown>) =>
    rows.push([what, await measureSeconds(work), process.memoryUsage().rss / 2 ** 20])
  const [id, other, sync_id] = [await createIntegration(), await createIntegration(), newId()]
  await add('first sync', () => sync(id, newId()))
  await add('second, unchanged', () => sync(id, newId()))
  await add('first sync of another integration, interrupted when half is written', () => sync(other, sync_id, HALF_WRITTEN).catch(() => {}))
  await add('its next attempt', () => sync(other, sync_id))
  await proxy.close()
  await catalog.close()
  for (const name of [CATALOG, SOURCE]) await sql.raw(`drop database if exists ${name} with (force)`).execute(admin.db)
  await admin.close()
  const [tables, columns] = [TABLES, TABLES * COLUMNS].map((n) => n.toLocaleString('en'))
  return table(`Sync of a Postgres with ${tables} tables and ${columns} columns`, ['', 'seconds', 'MB RSS'], rows)
}

const measureSeconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

const runQuery = async (url: string): Promise<void> => {
  const source = connect(url, { poolSize: 1, statementTimeoutMs: 0 })
  for (const question of [RELATIONS_SQL, COLUMNS_SQL]) await sql.raw(question).execute(source.db)
  await source.close()
}

const fillSource = async (url: string): Promise<void> => {
  const source = connect(url, { poolSize: 1, statementTimeoutMs: 0 })
  const columns = Array.from({ length: COLUMNS - 1 }, (_, i) => `c${i} ${i % 2 === 0 ? 'text' : 'numeric(10, 2) not null default 0'}`)
  // A few hundred at a time: each table holds a lock until its transaction ends.
  for (let i = 0; i < TABLES; i += 500)
    await sql
      .raw(
        `do $$ begin for i in ${i}..${Math.min(i + 500, TABLES) - 1} loop execute format('create table t%s (id int primary key, ${columns.join(', ')})', i);
          execute format('comment on table t%s is %L', i, 'Table ' || i); end loop; end $$`,
      )
      .execute(source.db)
  await sql`analyze`.execute(source.db)
  await source.close()
}

if (import.meta.main) console.log(await benchSync())
