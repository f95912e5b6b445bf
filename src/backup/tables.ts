import type { Migration } from '../db/migrate.ts'
import type { Session } from '../db/session.ts'

/** A part of a backup: the rows of a table, or of a query that stands for one. */
export interface Part {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: number
}

/** What is not carried over: what only means something to the server it is on, and what is over in a moment. */
const LEFT_BEHIND = new Set([
  'migrations', // in the header
  'access_version', // for the memory of processes that run
  ...['notification_position', 'alert_position', 'webhook_position'], // numbers of this server's transactions; a migration writes them anew
  ...['resource_changes', 'resource_change_horizons', 'property_changes'], // the same, for counts that processes remember
  ...['worker_beats', 'rate_windows', 'sign_in_tries'],
  'parent_changes', // empty but for transactions under way
  'sync_items', // a sync that was under way asks its source anew
  'known_devices', // as sessions
  'sessions', // people sign in again: one that was ended since must not come back
])

/** The queue's tasks are carried over in words of our own: its tables are its maker's, and change. */
export const TASKS = 'graphile_worker.tasks'
export const TASK_COLUMNS = ['identifier', 'payload', 'queue_name', 'run_at', 'max_attempts', 'key', 'priority'] as const

const TASK_ROWS = `
  select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  where j.attempts < j.max_attempts and not j.payload::jsonb ? '_cron'` // the clock comes round again

/** Older than every snapshot; see db/restored.ts. */
const LONG_AGO = '3'

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Names of what the migrations make, of one sort: in a database that others use too, only these are ours. */
export const madeBy = (migrations: readonly Migration[], sort: 'table' | 'function' | 'configuration' | 'dictionary'): Set<string> => {
  const made = new RegExp(`create (?:or replace )?(?:unlogged )?(?:text search )?${sort} (?:if not exists )?(\\w+)`, 'g')
  return new Set([
    ...(sort === 'table' ? ['migrations'] : []),
    ...migrations.flatMap(({ text }) => [...text.matchAll(made)].map(([, name]) => name!)),
  ])
}

/** Our tables as they are now, whose rows are carried over. */
export const findTables = async (session: Session, migrations: readonly Migration[]): Promise<Map<string, Column[]>> => {
  const found = await session.query<Column>(
    `select c.relname as table, a.attname as name, t.typname as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname = any($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by c.relname collate "C", a.attnum`,
    [[...madeBy(migrations, 'table')].filter((name) => !LEFT_BEHIND.has(name))],
  )
  const tables = new Map<string, Column[]>()
  for (const column of found) tables.set(column.table, [...(tables.get(column.table) ?? []), column])
  return tables
}

/** What to copy: transactions have numbers on their own server only, so they go out as long ago, and snapshots of them not at all. */
export const rowsOf = (table: string, columns: readonly Column[]): string => {
  const values = columns.map(({ name, type }) => ({ xid8: `'${LONG_AGO}'::xid8`, pg_snapshot: 'null::pg_snapshot' })[type] ?? quoted(name))
  return `select ${values.join(', ')} from ${quoted(table)}`
}

/** The query of the tasks that wait or are under way; nothing where there is no queue yet. */
export const findTaskRows = async (session: Session): Promise<string | undefined> => {
  const [queue] = await session.query<{ there: boolean }>(`select to_regclass('graphile_worker._private_jobs') is not null as there`)
  return queue!.there ? TASK_ROWS : undefined
}
