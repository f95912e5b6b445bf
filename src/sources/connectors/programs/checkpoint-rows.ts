import { sql } from 'kysely'
import type { Context } from '../../../platform/context/context.ts'
import type { Db } from '../../../platform/db/connect.ts'
import { deleteInBatches } from '../../../platform/db/in-batches.ts'

/** SQL of checkpoints. */

/** What an earlier attempt has read is at most this old: some changes are not visible in a version. */
const MAX_AGE_SQL = sql`interval '1 day'`
/** Later, so that nothing is deleted which a running sync may take over. */
const DELETE_AFTER_SQL = sql`interval '2 days'`

/** Syncs that were cancelled or undone: their user does not want what had been read. */
const REJECTED_SQL = sql`integration_syncs s where (s.cancelled_at is not null or s.undone_at is not null)`

export interface CheckpointScope {
  readonly integration: string
  readonly settings_hash: string
  readonly sync_id: string
  /** Everything is to be read again: only what this sync itself has read counts. */
  readonly full: boolean
}

export interface StoredCheckpoint {
  readonly key: string
  readonly version: string
  readonly bytes: number
}

/** What may be taken over by this sync; everything else is deleted, with what had been read before another sync was cancelled or undone. */
export const findCheckpoints = async (
  { db, now }: Context,
  { integration, settings_hash, sync_id, full }: CheckpointScope,
): Promise<StoredCheckpoint[]> => {
  await deleteInBatches(
    db,
    'sync_checkpoints',
    sql`integration = ${integration} and (
      settings_hash <> ${settings_hash} or read_at < ${now}::timestamptz - ${MAX_AGE_SQL}
      or (${full}::boolean and sync_id <> ${sync_id})
      or sync_id in (select s.id from ${REJECTED_SQL} and s.integration = ${integration})
      or read_at <= (select max(greatest(s.cancelled_at, s.undone_at)) from ${REJECTED_SQL} and s.integration = ${integration})
    )`,
  )
  const { rows } = await sql<StoredCheckpoint>`
    select key, version, octet_length(messages) as bytes from sync_checkpoints where integration = ${integration} and settings_hash = ${settings_hash}
  `.execute(db)
  return rows
}

export interface NewCheckpoint {
  readonly key: string
  readonly version: string
  readonly messages: string
}

export const saveCheckpoints = async (
  db: Db,
  { integration, settings_hash, sync_id }: CheckpointScope,
  items: readonly NewCheckpoint[],
): Promise<void> => {
  const list = <K extends keyof NewCheckpoint>(name: K): NewCheckpoint[K][] => items.map((item) => item[name])
  await sql`
    insert into sync_checkpoints (integration, key, version, settings_hash, sync_id, read_at, messages)
    select ${integration}::uuid, c.key, c.version, ${settings_hash}, ${sync_id}::uuid, clock_timestamp(), c.messages
    from unnest(${list('key')}::text[], ${list('version')}::text[], ${list('messages')}::text[]) c (key, version, messages)
    on conflict (integration, key) do update set version = excluded.version, settings_hash = excluded.settings_hash, sync_id = excluded.sync_id,
      read_at = excluded.read_at, messages = excluded.messages
  `.execute(db)
}

/** By key. */
export const readCheckpoints = async (
  db: Db,
  { integration, settings_hash }: CheckpointScope,
  keys: readonly string[],
): Promise<Map<string, NewCheckpoint>> => {
  const { rows } = await sql<NewCheckpoint>`
    select key, version, messages from sync_checkpoints
    where integration = ${integration} and settings_hash = ${settings_hash} and key = any(${keys}::text[])
  `.execute(db)
  return new Map(rows.map((row) => [row.key, row]))
}

export const deleteCheckpoints = (db: Db, integration: string): Promise<void> =>
  deleteInBatches(db, 'sync_checkpoints', sql`integration = ${integration}`)

/** Housekeeping: of syncs that were not taken up again. */
export const deleteOldCheckpoints = ({ db, now }: Context): Promise<void> =>
  deleteInBatches(
    db,
    'sync_checkpoints',
    sql`read_at < ${now}::timestamptz - ${DELETE_AFTER_SQL} or sync_id in (select s.id from ${REJECTED_SQL})`,
  )
