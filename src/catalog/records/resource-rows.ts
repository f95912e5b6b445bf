import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { copyIn, MIN_COPIED_ROWS } from '../../platform/db/copy-in.ts'
import { anyOf } from '../../platform/db/opaque-params.ts'
import { rowsParam } from '../../platform/db/rows-param.ts'
import { type Actor, hiddenFrom, visibleTo } from '../../platform/permissions/permissions.ts'
import { PUBLISHING_ENTITY_TYPES } from '../entity-types/entity-types.ts'
import type { ResourceRow } from './record.ts'

/** SQL for resource rows. */

/** Columns of an insert with their types. The others have defaults or are set by triggers. */
const INSERT_COLUMNS = {
  id: 'uuid',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  version: 'int',
  external_usage: 'int',
  internal_usage: 'int',
  definition_version: 'int',
  published: 'boolean',
  archived: 'boolean',
  pii: 'boolean',
  verified: 'boolean',
  parent: 'uuid',
  integration: 'uuid',
  entity_type: 'text',
  native_type: 'text',
  icon: 'text',
  title: 'text',
  title_cased: 'text',
  title_full: 'text',
  cluster: 'text',
  database: 'text',
  schema: 'text',
  description: 'text',
  definition: 'text',
  url: 'text',
  databuilder_id: 'text',
  archived_at: 'timestamptz',
  external_updated_at: 'timestamptz',
  multiplayer_last_modified: 'timestamptz',
  multiplayer_last_modified_by: 'uuid',
  base_entity_id: 'uuid',
  row_count: 'bigint',
  byte_size: 'bigint',
  owners: 'uuid[]',
  owners_groups: 'uuid[]',
  collections: 'uuid[]',
  tags: 'uuid[]',
  terms: 'uuid[]',
  teams: 'uuid[]',
  subscribers: 'uuid[]',
  sources: 'text[]',
  external_users: 'text[]',
  internal_users: 'uuid[]',
  stale: 'boolean',
  stale_at: 'timestamptz',
  forced_unstale_by_user: 'boolean',
  bookmarked_by: 'uuid[]',
  question_status: 'text',
  question_priority: 'text',
  question_answered_by: 'uuid',
  question_assigned_to: 'uuid',
  display_metadata: 'jsonb',
  details: 'jsonb',
  deprecation: 'jsonb',
} as const satisfies Partial<Record<keyof ResourceRow, string>>

type InsertColumn = keyof typeof INSERT_COLUMNS
const COLUMN_NAMES = Object.keys(INSERT_COLUMNS) as InsertColumn[]

const columnListSql = (columns: readonly InsertColumn[]): RawBuilder<unknown> => sql.join(columns.map((column) => sql.ref(column)))
const typedColumnsSql = (columns: readonly InsertColumn[]): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql`${sql.ref(column)} ${sql.raw(INSERT_COLUMNS[column])}`))

const insertRowsParam = rowsParam(INSERT_COLUMNS)

export const insertResourceRows = async (db: Db, rows: readonly ResourceRow[]): Promise<void> => {
  if (rows.length >= MIN_COPIED_ROWS) return copyIn(db, 'resources', INSERT_COLUMNS, rows)
  await sql`insert into resources (${columnListSql(COLUMN_NAMES)}) select * from ${insertRowsParam(rows, 'x')}`.execute(db)
}

export const updateResourceRows = async (db: Db, rows: readonly ResourceRow[], changed: readonly string[]): Promise<void> => {
  await updateResourceRowsSql(rows, changed).execute(db)
}

/** Updates only the changed columns of these rows. */
export const updateResourceRowsSql = (rows: readonly ResourceRow[], changed: readonly string[]): RawBuilder<unknown> => {
  const columns = COLUMN_NAMES.filter((column) => column !== 'id' && changed.includes(column))
  const only = (row: ResourceRow) => Object.fromEntries(['id' as const, ...columns].map((column) => [column, row[column]]))
  return sql`
    update resources r set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = x.${sql.ref(column)}`))}
    from json_to_recordset(${JSON.stringify(rows.map(only))}::text::json) as x(${typedColumnsSql(['id', ...columns])})
    where r.id = x.id`
}

/** A row with its `xmin`, which is different for every version of the row; `version` counts the edits of the resource. */
export type RowWithVersion = ResourceRow & { readonly row_version: string }

export const findRowsWithVersion = async (db: Db, ids: readonly string[]): Promise<Map<string, RowWithVersion>> => {
  const { rows } = await sql<RowWithVersion>`select r.*, r.xmin::text as row_version from resources r where r.id = ${anyOf(ids)}`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Updates the rows that are still as they were read and that nobody else has locked, so it waits for no one. Returns their IDs. */
export const updateUnchangedRowsSql = (rows: readonly RowWithVersion[], changed: readonly string[]): RawBuilder<unknown> => {
  const columns = COLUMN_NAMES.filter((column) => column !== 'id' && changed.includes(column))
  const only = (row: RowWithVersion) =>
    Object.fromEntries((['id', 'row_version', ...columns] as const).map((column) => [column, row[column]]))
  return sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows.map(only))}::text::json) as x(row_version xid, ${typedColumnsSql(['id', ...columns])})
    ), held as materialized (
      select r.id from given x join resources r on r.id = x.id where r.xmin = x.row_version for no key update of r skip locked
    )
    update resources r set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = x.${sql.ref(column)}`))}
    from given x where r.id = x.id and x.id in (select h.id from held h) returning r.id`
}

/**
 * Locks the visible parents of rows to be added below them. They can no longer be deleted, but still renamed, so their location is compared
 * at commit (trigger `apply_parent_changes`): new rows then take the new path, and a move is retried.
 */
export const lockParentsShared = async (
  db: Db,
  actor: Actor,
  ids: readonly string[],
  { restart = false }: { restart?: boolean } = {},
): Promise<Map<string, ResourceRow>> => {
  const { rows } = await sql<ResourceRow>`
    with held as materialized (
      select r.*, r.xmin = pg_current_xact_id()::xid as own from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(actor)} order by r.id for key share
    ), used as (
      insert into parent_changes as c (parent, location, published, restart)
      select h.id, location_key(h.title_full, h.cluster, h.database, h.schema), case when h.entity_type = any(${PUBLISHING_ENTITY_TYPES}::text[]) then h.published end, ${restart}::boolean
      from held h where not h.own
      on conflict (xid, parent) do update set location = coalesce(c.location, excluded.location), published = coalesce(c.published, excluded.published),
        restart = c.restart or excluded.restart
    )
    select h.* from held h
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Locks the visible rows in ID order, so that writers do not deadlock. Rows to be deleted take the stronger lock immediately: upgrading it
 * later could deadlock with an insert below them.
 */
export const lockResourceRows = async (
  db: Db,
  actor: Actor,
  ids: readonly string[],
  { to = 'edit' }: { to?: keyof typeof LOCK_MODES } = {},
): Promise<Map<string, ResourceRow>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ResourceRow>`
    select r.* from resources r where r.id = ${anyOf(ids)} and ${visibleTo(actor)} order by r.id for ${sql.raw(LOCK_MODES[to])}
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const LOCK_MODES = { edit: 'no key update', delete: 'update', refer: 'key share' } as const

export const findResourceRows = async (db: Db, actor: Actor, ids: readonly string[]): Promise<Map<string, ResourceRow>> => {
  const { rows } = await sql<ResourceRow>`select r.* from resources r where r.id = ${anyOf(ids)} and ${visibleTo(actor)}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export const findResourceRow = async (db: Db, actor: Actor, id: string): Promise<ResourceRow | undefined> => {
  const { rows } = await sql<ResourceRow>`select r.* from resources r where r.id = ${id} and ${visibleTo(actor)}`.execute(db)
  return rows[0]
}

export const findChildRows = async (db: Db, parents: readonly string[]): Promise<ResourceRow[]> => {
  const { rows } =
    await sql<ResourceRow>`select r.* from resources r where r.parent = any(${parents}::uuid[]) order by r.id for no key update`.execute(db)
  return rows
}

/** A resource and all its descendants. */
export const findDescendants = async (db: Db, id: string): Promise<Pick<ResourceRow, 'id' | 'entity_type'>[]> => {
  const { rows } = await sql<Pick<ResourceRow, 'id' | 'entity_type'>>`
    with recursive below as (
      select r.id, r.entity_type from resources r where r.id = ${id}
      union
      select c.id, c.entity_type from below b join resources c on c.parent = b.id
    )
    select id, entity_type from below
  `.execute(db)
  return rows
}

/**
 * Number of visible children: the stored number without those that are hidden, because children mostly have the visibility of their parent. A page
 * with a table of 32,595 columns took 44 ms when those that are visible were counted.
 */
export const childrenCountSql = (actor: Actor, alias: string): RawBuilder<number> => {
  const count = (where: RawBuilder<boolean>) =>
    sql<number>`(select count(*) from resources c where c.parent = ${sql.ref(`${alias}.id`)} and ${where})`
  const hidden = hiddenFrom(actor, 'c')
  return hidden ? sql`(${sql.join([sql.ref(`${alias}.children_count`), ...hidden.map(count)], sql` - `)})` : count(visibleTo(actor, 'c'))
}

export const countVisibleChildren = async (db: Db, actor: Actor, id: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select ${childrenCountSql(actor, 'r')} as n from resources r where r.id = ${id}`.execute(db)
  return rows[0]?.n ?? 0
}
