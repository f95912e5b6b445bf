import type { Change } from '../../platform/history/record.ts'
import { DEFAULT_ENTITY_TYPE } from '../entity-types/entity-types.ts'
import { applyChange, emptyResourceRow, VERSIONED_FIELDS } from './change.ts'
import type { ResourceRow } from './record.ts'
import { flattenRow, TYPE_FIELD_COLUMNS, TYPE_FIELD_DETAILS, type TypeFields, withTypeFields } from './type-fields.ts'

/** One recorded version of a resource. */
export interface VersionEntry {
  readonly version: number
  readonly activity_type: string
  readonly performer_id: string | null
  readonly logged_at: string
  readonly changes: readonly Change[]
  /** The full state after this version, if a snapshot was stored. */
  readonly snapshot?: Snapshot
}

/** Created by `createSnapshot`. */
export type Snapshot = Readonly<Record<string, unknown>>

export interface PastResource {
  readonly row: ResourceRow
  readonly deleted: boolean
  /** Time of its last version. */
  readonly at: string
}

const EMPTY_ROW = emptyResourceRow('', DEFAULT_ENTITY_TYPE, '', new Date(0))
/** Fields contained in the versions. The location is not: it depends on the ancestors. */
const REPLAYED_FIELDS = [
  ...VERSIONED_FIELDS,
  ...TYPE_FIELD_COLUMNS,
  'title_cased',
  'definition_version',
  'multiplayer_last_modified',
  'multiplayer_last_modified_by',
  'archived_at',
]

/**
 * The row after these versions, which start with the first one or with a snapshot. A deleted resource is returned as it was before its
 * deletion. Pure, and uses the same `applyChange` that wrote the versions.
 */
export const replayVersions = (id: string, today: ResourceRow | undefined, entries: readonly VersionEntry[]): PastResource | undefined => {
  const [first, ...rest] = entries
  const last = entries.at(-1)
  if (!first || !last) return undefined
  const base = today ?? { ...EMPTY_ROW, id, created_at: first.logged_at }
  let row = withTypeFields({ ...base, ...pick(EMPTY_ROW, REPLAYED_FIELDS) }, EMPTY_TYPE_FIELDS)
  row = first.snapshot ? fromSnapshot(row, first.snapshot) : applyVersion(row, first)
  for (const entry of rest) row = applyVersion(row, entry)
  return { row: today ? { ...row, created_at: today.created_at } : row, deleted: isDeletion(last.activity_type), at: last.logged_at }
}

const applyVersion = (row: ResourceRow, { version, activity_type, performer_id, logged_at, changes }: VersionEntry): ResourceRow => {
  if (isDeletion(activity_type)) return { ...row, ...pickValues(changes, 'from'), version }
  const isRestore = activity_type.endsWith('_restored')
  const change = { ...(isRestore ? pick(EMPTY_ROW, [...VERSIONED_FIELDS, ...TYPE_FIELD_COLUMNS]) : {}), ...pickValues(changes, 'to') }
  const after = applyChange(row, change, undefined, performer_id, new Date(logged_at))
  return {
    ...withTypeFields(after, { ...(isRestore ? EMPTY_TYPE_FIELDS : {}), ...pickTypeFields(changes) }),
    version,
    updated_at: logged_at,
  }
}

const SNAPSHOT_FIELDS = [...REPLAYED_FIELDS, 'stale', 'version', 'created_at', 'updated_at']

/** A later replay starts from this instead of the versions before it. */
export const createSnapshot = (row: ResourceRow): Snapshot => {
  const fields = flattenRow(row) as Record<string, unknown>
  return Object.fromEntries(
    [...SNAPSHOT_FIELDS, ...TYPE_FIELD_DETAILS].flatMap((name) => (fields[name] == null ? [] : [[name, fields[name]]])),
  )
}

const fromSnapshot = (row: ResourceRow, snapshot: Snapshot): ResourceRow => {
  const fields = Object.fromEntries(SNAPSHOT_FIELDS.flatMap((name) => (name in snapshot ? [[name, snapshot[name]]] : [])))
  const typeFields = Object.fromEntries(TYPE_FIELD_DETAILS.flatMap((name) => (name in snapshot ? [[name, snapshot[name]]] : [])))
  return withTypeFields({ ...row, ...fields } as ResourceRow, typeFields)
}

const EMPTY_TYPE_FIELDS: TypeFields = Object.fromEntries(TYPE_FIELD_DETAILS.map((name) => [name, null]))
const pickTypeFields = (changes: readonly Change[]): TypeFields =>
  Object.fromEntries(changes.flatMap(({ field, to }) => (TYPE_FIELD_DETAILS.includes(field) ? [[field, to]] : [])))

export const isDeletion = (activity_type: string): boolean => activity_type.endsWith('_deleted')

const pickValues = (changes: readonly Change[], side: 'from' | 'to'): Partial<ResourceRow> =>
  Object.fromEntries(
    changes.flatMap(({ field, [side]: value }) =>
      field in EMPTY_ROW ? [[field, toWireValue(field, value) ?? EMPTY_ROW[field as keyof ResourceRow]]] : [],
    ),
  )

/** Deletions are recorded in SQL, where Postgres formats timestamps differently. */
const toWireValue = (field: string, value: unknown): unknown =>
  field.endsWith('_at') && typeof value === 'string' ? new Date(value).toISOString() : value

export const pick = (row: ResourceRow, fields: readonly string[]): Partial<ResourceRow> =>
  Object.fromEntries(fields.map((field) => [field, row[field as keyof ResourceRow]]))
