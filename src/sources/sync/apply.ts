import { sql } from 'kysely'
import { markRegistered } from '../../catalog/integration-registry/register.ts'
import { normalizeChange } from '../../catalog/records/change.ts'
import type { ResourceRow } from '../../catalog/records/record.ts'
import { flattenRow, parseTypeFields, typeFieldNames } from '../../catalog/records/type-fields.ts'
import { lockVisibleRows } from '../../catalog/records/visible-rows.ts'
import { createResources } from '../../catalog/resources/create.ts'
import { editResources, type ResourceEditRequest } from '../../catalog/resources/edit.ts'
import { reportResources, type SourceFields } from '../../catalog/resources/reported-fields.ts'
import { markStale } from '../../catalog/resources/stale.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { isSameValue } from '../../platform/core/same-value.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { getDisplayMetadata, getSecondaryMetadata } from './field-suggestions.ts'
import { type Fields, mergeFields } from './merge.ts'
import { recordWrittenColumns, type SchemaHistoryOptions, type WrittenColumn } from './record-columns.ts'
import type { OutcomeCounter } from './report.ts'
import { findResourceIdsByKey, type Origin, type PlannedItem, saveOrigins } from './sync-rows.ts'

export interface ApplyOptions {
  /** Of the tables among the items; undefined if there is none to record. */
  readonly history: SchemaHistoryOptions | undefined
  /** Resources whose keys are known; others are looked up. */
  readonly ids?: ReadonlyMap<string, string>
  /** The caller has found and locked the integration in this transaction. */
  readonly locked?: boolean
}

export interface AppliedItems {
  /** The number of tables whose columns changed. */
  readonly changedTables: number
  /** The resources of the items, by key. */
  readonly ids: ReadonlyMap<string, string>
}

/** Writes items to the catalog in one transaction, with the schema history of their tables. Items come after their parents. */
export const applyItems = async (
  ctx: Context,
  integration: string,
  planned: readonly PlannedItem[],
  tally: OutcomeCounter,
  { history, ids = NO_IDS, locked = false }: ApplyOptions,
): Promise<AppliedItems> => {
  const outcomes: Parameters<OutcomeCounter['add']>[] = []
  const applied = await inTransaction(ctx, async (ctx) => {
    outcomes.length = 0 // a transaction that hit a deadlock is retried
    if (!locked) await lockIntegration(ctx, integration)
    markRegistered(ctx, integration)
    const rows = await lockVisibleRows(
      ctx,
      planned.flatMap(({ resource_id }) => resource_id ?? []),
    )
    const assigned = await assignIds(ctx, integration, planned, { rows, ids })
    for (const level of assigned.levels) await createResources(ctx, level.map(toCreation(integration)))
    const edits: ResourceEditRequest[] = []
    const reports: { id: string; reported: SourceFields }[] = []
    const returned: string[] = []
    for (const existing of assigned.existing) {
      const { edit, reported } = diffItem(existing)
      if (edit) edits.push(edit)
      if (reported) reports.push({ id: existing.id, reported })
      if (existing.row.stale) returned.push(existing.id)
      const { entity_type } = existing.row
      if (edit) outcomes.push(['changed', entity_type])
      else if (reported) outcomes.push(['facts', entity_type])
      else if (existing.reported_values && !existing.was_gone) outcomes.push(['kept', entity_type])
      if (existing.row.stale) outcomes.push(['back', entity_type])
    }
    for (const { item } of assigned.levels.flat()) outcomes.push(['new', item.entity_type])
    if (edits.length > 0) await editResources(ctx, edits)
    await reportResources(ctx, reports, rows)
    if (returned.length > 0) await markStale(ctx, returned, false)
    const written = [...assigned.levels.flat(), ...assigned.existing]
    await saveOrigins(ctx.db, integration, written.map(toOrigin))
    const changedTables = history ? await recordWrittenColumns(ctx, history, written.flatMap(toWrittenColumn)) : 0
    return { changedTables, ids: new Map(written.map(({ key, id }) => [key, id])) }
  })
  for (const outcome of outcomes) tally.add(...outcome)
  return applied
}

const NO_IDS: ReadonlyMap<string, string> = new Map()

/** An integration that is being deleted must not be filled again. */
export const lockIntegration = async (ctx: Context, integration: string): Promise<void> => {
  const { rows } = await sql`
    select from integrations i where i.id = ${integration}
      and not exists (select from background_jobs j where j.id = i.removal_job and j.completed is null)
    for key share
  `.execute(ctx.db)
  if (rows.length === 0) throw conflict(translatable('The integration is being deleted.'))
}

interface ItemWithIds extends PlannedItem {
  readonly id: string
  readonly parent_id: string | null
}
interface ExistingItem extends ItemWithIds {
  readonly row: ResourceRow
}

const assignIds = async (
  ctx: Context,
  integration: string,
  planned: readonly PlannedItem[],
  { rows, ids: known }: { readonly rows: ReadonlyMap<string, ResourceRow>; readonly ids: ReadonlyMap<string, string> },
): Promise<{ levels: ItemWithIds[][]; existing: ExistingItem[] }> => {
  const parents = new Set(planned.flatMap(({ item }) => item.parent ?? []))
  const missing = [...parents].filter((key) => !known.has(key))
  const ids = new Map([...known, ...(await findResourceIdsByKey(ctx.db, integration, missing))])
  const depths = new Map<string, number>()
  const assignedIds = new Set<string>()
  const levels: ItemWithIds[][] = []
  const existing: ExistingItem[] = []
  for (const each of planned) {
    const { key, resource_id, item } = each
    const parent_id = item.parent === undefined ? null : ids.get(item.parent)
    if (parent_id === undefined) throw new Error(`The source listed ${key} before its parent ${item.parent}.`)
    // If a source lists two items with the same stable ID, only the first one is matched.
    const row = resource_id && !assignedIds.has(resource_id) ? rows.get(resource_id) : undefined
    const id = row?.id ?? newId()
    ids.set(key, id)
    assignedIds.add(id)
    if (row) existing.push({ ...each, id, parent_id, row })
    else {
      const depth = item.parent === undefined ? 0 : (depths.get(item.parent) ?? -1) + 1
      depths.set(key, depth)
      levels[depth] ??= []
      levels[depth].push({ ...each, id, parent_id })
    }
  }
  return { levels: levels.filter((level) => level !== undefined), existing }
}

const toCreation =
  (integration: string) =>
  ({
    id,
    key,
    parent_id,
    item: { entity_type, fields, own, reported, facts },
  }: ItemWithIds): Parameters<typeof createResources>[1][number] => ({
    ...fields,
    entity_type,
    ...(parent_id ? { parent: parent_id } : {}),
    ...reported,
    ...(facts ? { display_metadata: facts } : {}),
    own,
    id,
    databuilder_id: key,
    integration,
  })

/** The values the source reports, in the form of a row. For a resource that was missing and is back, that includes "not archived". */
const toReportedValues = ({ parent_id, reported_values, item }: ItemWithIds): Fields => ({
  ...normalizeChange(item.fields),
  ...parseTypeFields(item.entity_type, item.own ?? {}),
  parent: parent_id,
  ...(reported_values && 'archived' in reported_values ? { archived: false } : {}),
})

const diffItem = (existing: ExistingItem): { edit?: ResourceEditRequest; reported?: SourceFields } => {
  const { id, key, row, reported_values, item } = existing
  const written = mergeFields(flattenRow(row) as Fields, reported_values ?? undefined, toReportedValues(existing))
  const own = new Set(typeFieldNames(row.entity_type))
  const split = (isOwn: boolean) => Object.fromEntries(Object.entries(written).filter(([field]) => own.has(field) === isOwn))
  const edit = Object.keys(written).length > 0 ? { id, data: split(false), own: split(true) } : undefined
  const facts = item.facts && { ...getSecondaryMetadata(row.display_metadata), ...item.facts }
  const reported: SourceFields = { databuilder_id: key, ...item.reported, ...(facts ? { display_metadata: facts } : {}) }
  const differs = Object.entries(reported).filter(([field, value]) => !isSameValue(row[field as keyof ResourceRow], value))
  return { edit, reported: differs.length > 0 ? (Object.fromEntries(differs) as SourceFields) : undefined }
}

/** What the source reports about a column, now and last time. */
const toWrittenColumn = (item: ItemWithIds | ExistingItem): WrittenColumn[] => {
  const {
    id,
    parent_id,
    item: { entity_type, facts },
  } = item
  if (entity_type !== 'column' || parent_id === null) return []
  const fields = { ...toReportedValues(item), nullable: facts?.nullable }
  if (!('row' in item) || item.row.stale || item.was_gone) return [{ id, table_id: parent_id, fields }]
  const { row, reported_values } = item
  if (!reported_values) return [] // existed here before the source reported it
  return [{ id, table_id: parent_id, fields, before: { ...reported_values, nullable: getDisplayMetadata(row).nullable } }]
}

const toOrigin = (item: ItemWithIds): Origin => {
  const { archived: _, ...reported_values } = toReportedValues(item)
  return { resource_id: item.id, key: item.key, stable_id: item.stable_id, reported_values, fingerprint: item.fingerprint }
}
