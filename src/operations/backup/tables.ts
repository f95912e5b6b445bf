import { escapeIdentifier } from 'pg'
import type { DedicatedConnection } from '../../platform/db/dedicated-connection.ts'
import type { Migration } from '../../platform/db/migrate.ts'

/** A part of a backup: the rows of a table, or of the query for the queue's tasks. */
export interface BackupPart {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: number
}

/** Tables not included in a backup: data that is only valid on its server, and short-lived data. */
const EXCLUDED_TABLES = new Set([
  'migrations', // in the header
  'access_version', // for the caches of running processes
  'follower_positions', // transaction IDs of this server; migrations set them again
  ...['notification_position', 'alert_position', 'webhook_position'], // the same, in databases that are not migrated yet
  ...['resource_changes', 'resource_change_horizons', 'property_changes'], // the same, for cached counts
  ...['worker_heartbeats', 'rate_windows', 'sign_in_tries'],
  'parent_changes', // only used inside transactions
  'failing_rows', // values of sources
  ...['sync_items', 'reported_lineage', 'sync_checkpoints'], // an interrupted sync reads its source again
  'known_devices', // like sessions
  'backups', // of this server
  'public_links', // like sessions: a link revoked since the backup must not come back
  'sessions', // users sign in again: a session ended since the backup must not come back
])

/** The queue's tasks are stored in our own format, because graphile-worker's tables may change. */
export const TASKS_PART = 'graphile_worker.tasks'
export const TASK_COLUMNS = ['identifier', 'payload', 'queue_name', 'run_at', 'max_attempts', 'key', 'priority'] as const

const TASK_ROWS_SQL = `
  select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  where j.attempts < j.max_attempts and not j.payload::jsonb ? '_cron'` // scheduled tasks are queued again when due

/** A transaction ID older than every snapshot; see platform/db/repair-restored.ts. */
const OLD_TRANSACTION_ID = '3'

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
}

/** Names the migrations give to objects of one type, first or later: in a shared database, only these belong to Tablinum. */
export const findCreatedNames = (
  migrations: readonly Migration[],
  objectType: 'table' | 'function' | 'configuration' | 'dictionary',
): Set<string> => {
  const pattern = new RegExp(`create (?:or replace )?(?:unlogged )?(?:text search )?${objectType} (?:if not exists )?(\\w+)`, 'g')
  const renaming = new RegExp(`^alter ${objectType} \\w+(?:\\(.*\\))? rename to (\\w+);`, 'gm')
  return new Set([
    ...(objectType === 'table' ? ['migrations'] : []),
    ...migrations.flatMap(({ text }) => [...text.matchAll(pattern), ...text.matchAll(renaming)].map(([, name]) => name!)),
  ])
}

/** Tablinum's tables that are part of a backup, with their columns. */
export const findTables = async (connection: DedicatedConnection, migrations: readonly Migration[]): Promise<Map<string, Column[]>> => {
  const found = await connection.query<Column>(
    `select c.relname as table, a.attname as name, t.typname as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname = any($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by c.relname collate "C", a.attnum`,
    [[...findCreatedNames(migrations, 'table')].filter((name) => !EXCLUDED_TABLES.has(name))],
  )
  const tables = new Map<string, Column[]>()
  for (const column of found) tables.set(column.table, [...(tables.get(column.table) ?? []), column])
  return tables
}

/** The query to copy: transaction IDs are only valid on their own server, so they are replaced by OLD_TRANSACTION_ID and snapshots by null. */
export const selectRowsSql = (table: string, columns: readonly Column[]): string => {
  const values = columns.map(
    ({ name, type }) => ({ xid8: `'${OLD_TRANSACTION_ID}'::xid8`, pg_snapshot: 'null::pg_snapshot' })[type] ?? escapeIdentifier(name),
  )
  return `select ${values.join(', ')} from ${escapeIdentifier(table)}`
}

/** The query of waiting and running tasks; undefined if there is no queue yet. */
export const findTaskRowsSql = async (connection: DedicatedConnection): Promise<string | undefined> => {
  const [queue] = await connection.query<{ there: boolean }>(`select to_regclass('graphile_worker._private_jobs') is not null as there`)
  return queue!.there ? TASK_ROWS_SQL : undefined
}
