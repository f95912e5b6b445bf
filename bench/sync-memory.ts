import { fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { createRuntime } from '../src/app/runtime.ts'
import type { Context } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect } from '../src/platform/db/connect.ts'
import { prepareDatabase } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { buildItemKey, type Item } from '../src/sources/sync/item.ts'
import { reconcile } from '../src/sources/sync/reconcile.ts'
import { SIZE } from './environment.ts'
import { table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/** Memory of the process that syncs a generated source with many tables: each sync in a process of its own, measured by its peak. */
const TABLES = Math.max(100, Math.min(100_000, Math.round(SIZE / 10)))
const COLUMNS = 10
const TABLES_PER_SCHEMA = 1000
const CATALOG = 'bench_sync_memory'
const LIMIT_MB = 400

export const benchSyncMemory = (): Promise<string> => withTemporaryPostgres(measure, { max_wal_size: '8GB' })

const measure = async (serverUrl: string): Promise<string> => {
  const url = Object.assign(new URL(serverUrl), { pathname: `/${CATALOG}` }).href
  const admin = connect(serverUrl, { poolSize: 1, statementTimeoutMs: 0 })
  await sql.raw(`create database ${CATALOG}`).execute(admin.db)
  const catalog = connect(url, { statementTimeoutMs: 0 })
  await prepareDatabase(catalog.db)
  await migrateQueue(url)
  const id = newId()
  const times = { created_at: new Date(), updated_at: new Date() }
  await catalog.db
    .insertInto('integrations')
    .values({ id, name: 'source', type: 'postgres', ...times })
    .execute()
  await catalog.close()
  const rows: (string | number)[][] = []
  for (const what of ['first sync', 'second, unchanged']) rows.push([what, ...(await syncElsewhere(url, id)), LIMIT_MB])
  await admin.close()
  const [tables, columns] = [TABLES, TABLES * COLUMNS].map((n) => n.toLocaleString('en'))
  return table(`Memory of a sync of ${tables} tables and ${columns} columns`, ['', 'seconds', 'MB RSS at its peak', 'limit'], rows)
}

const syncElsewhere = async (url: string, id: string): Promise<[seconds: number, megabytes: number]> => {
  const child = fork(new URL(import.meta.url), ['sync', url, id])
  const [result] = (await once(child, 'message')) as [[number, number]]
  await once(child, 'exit')
  return result
}

/** Runs in the child process. */
const sync = async (url: string, id: string): Promise<void> => {
  const start = performance.now()
  await using runtime = createRuntime(url)
  const ctx: Context = {
    ...{ db: runtime.databases.background.db, runtime, workspace_id: newId(), actor: SYSTEM, now: new Date(), limits: {} },
  }
  await reconcile(ctx, { id, sync_id: newId(), whole: true }, listTables(), async () => {})
  process.send!([(performance.now() - start) / 1000, process.resourceUsage().maxRSS / 1024])
  process.disconnect()
}

async function* listTables(): AsyncGenerator<Item, void> {
  yield { key: 'shop', entity_type: 'database', fields: { title: 'shop' } }
  for (let i = 0; i < TABLES; i += 1) {
    const schema = `s${Math.floor(i / TABLES_PER_SCHEMA)}`
    const parent = buildItemKey('shop', schema)
    if (i % TABLES_PER_SCHEMA === 0) yield { key: parent, parent: 'shop', entity_type: 'schema', fields: { title: schema } }
    const key = buildItemKey('shop', schema, `table_${i}`)
    yield {
      ...{ key, parent, stable_id: String(i), entity_type: 'table', reported: { row_count: i, byte_size: 100 * i } },
      fields: { title: `table_${i}`, native_type: 'table', description: `What is known about table ${i}.` },
      facts: { owner: 'etl', indexes: [{ name: `table_${i}_pkey`, columns: ['column_0'], unique: true }] },
    }
    for (let c = 0; c < COLUMNS; c += 1)
      yield {
        ...{
          key: buildItemKey('shop', schema, `table_${i}`, `column_${c}`),
          parent: key,
          entity_type: 'column',
          own: { sort_order: c + 1 },
        },
        fields: { title: `column_${c}`, native_type: c % 2 === 0 ? 'text' : 'numeric(10, 2)' },
        facts: { nullable: c > 0 },
      }
  }
}

if (process.argv[2] === 'sync') await sync(process.argv[3]!, process.argv[4]!)
else if (import.meta.main) console.log(await benchSyncMemory())
