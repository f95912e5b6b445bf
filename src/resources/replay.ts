import type { Change } from '../history/record.ts'
import { applyChange, blankRow, VERSIONED_FIELDS } from './change.ts'
import { DEFAULT_ENTITY_TYPE } from './kinds.ts'
import { flat, OWN_COLUMNS, OWN_DETAILS, type Own, withOwn } from './own-fields.ts'
import type { ResourceRow } from './record.ts'

/** One recorded version of a resource. */
export interface Entry {
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

export interface Past {
  readonly row: ResourceRow
  readonly deleted: boolean
  /** Time of its last version. */
  readonly at: string
}

const BLANK = blankRow('', DEFAULT_ENTITY_TYPE, '', new Date(0))
/** Fields contained in the versions. The location is not: it depends on the ancestors. */
const TOLD = [
  ...VERSIONED_FIELDS,
  ...OWN_COLUMNS,
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
export const replay = (id: string, today: ResourceRow | undefined, entries: readonly Entry[]): Past | undefined => {
  const [first, ...rest] = entries
  const last = entries.at(-1)
  if (!first || !last) return undefined
  const base = today ?? { ...BLANK, id, created_at: first.logged_at }
  let row = withOwn({ ...base, ...pick(BLANK, TOLD) }, NOTHING_OWN)
  row = first.snapshot ? fromSnapshot(row, first.snapshot) : applyEntry(row, first)
  for (const entry of rest) row = applyEntry(row, entry)
  return { row: today ? { ...row, created_at: today.created_at } : row, deleted: isDeletion(last.activity_type), at: last.logged_at }
}

const applyEntry = (row: ResourceRow, { version, activity_type, performer_id, logged_at, changes }: Entry): ResourceRow => {
  if (isDeletion(activity_type)) return { ...row, ...valuesOf(changes, 'from'), version }
  const anew = activity_type.endsWith('_restored')
  const change = { ...(anew ? pick(BLANK, [...VERSIONED_FIELDS, ...OWN_COLUMNS]) : {}), ...valuesOf(changes, 'to') }
  const after = applyChange(row, change, undefined, performer_id, new Date(logged_at))
  return { ...withOwn(after, { ...(anew ? NOTHING_OWN : {}), ...ownIn(changes) }), version, updated_at: logged_at }
}

const IN_SNAPSHOT = [...TOLD, 'stale', 'version', 'created_at', 'updated_at']

/** A later replay starts from this instead of the versions before it. */
export const snapshotOf = (row: ResourceRow): Snapshot => {
  const fields = flat(row) as Record<string, unknown>
  return Object.fromEntries([...IN_SNAPSHOT, ...OWN_DETAILS].flatMap((name) => (fields[name] == null ? [] : [[name, fields[name]]])))
}

const fromSnapshot = (row: ResourceRow, snapshot: Snapshot): ResourceRow => {
  const fields = Object.fromEntries(IN_SNAPSHOT.flatMap((name) => (name in snapshot ? [[name, snapshot[name]]] : [])))
  const own = Object.fromEntries(OWN_DETAILS.flatMap((name) => (name in snapshot ? [[name, snapshot[name]]] : [])))
  return withOwn({ ...row, ...fields } as ResourceRow, own)
}

const NOTHING_OWN: Own = Object.fromEntries(OWN_DETAILS.map((name) => [name, null]))
const ownIn = (changes: readonly Change[]): Own =>
  Object.fromEntries(changes.flatMap(({ field, to }) => (OWN_DETAILS.includes(field) ? [[field, to]] : [])))

export const isDeletion = (activity_type: string): boolean => activity_type.endsWith('_deleted')

const valuesOf = (changes: readonly Change[], side: 'from' | 'to'): Partial<ResourceRow> =>
  Object.fromEntries(
    changes.flatMap(({ field, [side]: value }) =>
      field in BLANK ? [[field, onWire(field, value) ?? BLANK[field as keyof ResourceRow]]] : [],
    ),
  )

/** Deletions are recorded in SQL, where Postgres formats timestamps differently. */
const onWire = (field: string, value: unknown): unknown =>
  field.endsWith('_at') && typeof value === 'string' ? new Date(value).toISOString() : value

export const pick = (row: ResourceRow, fields: readonly string[]): Partial<ResourceRow> =>
  Object.fromEntries(fields.map((field) => [field, row[field as keyof ResourceRow]]))
