import { sql } from 'kysely'
import { type Context, inTransaction } from '../context.ts'
import { conflict } from '../errors.ts'
import { newId } from '../id.ts'
import { readChange } from '../resources/change.ts'
import { createResources } from '../resources/create.ts'
import { editResources, type ResourceEdition } from '../resources/edit.ts'
import { flat, ownNames, readOwn } from '../resources/own-fields.ts'
import type { ResourceRow } from '../resources/record.ts'
import { holdRows, reportResources, type SourceFields } from '../resources/report.ts'
import { markStale } from '../resources/stale.ts'
import { type Fields, merge, same } from './merge.ts'
import { voicesOf } from './offer.ts'
import type { Tally } from './report.ts'
import { findByKeys, type Origin, type PlannedItem, putOrigins } from './store.ts'

/** Writes items to the catalog in one transaction. Items come after their parents. */
export const applyItems = async (ctx: Context, integration: string, planned: readonly PlannedItem[], tally: Tally): Promise<void> => {
  const outcomes: Parameters<Tally['add']>[] = []
  await inTransaction(ctx, async (ctx) => {
    outcomes.length = 0 // a transaction that hit a deadlock is retried
    await mustStand(ctx, integration)
    const rows = await holdRows(
      ctx,
      planned.flatMap(({ resource_id }) => resource_id ?? []),
    )
    const placed = await placeItems(ctx, integration, planned, rows)
    for (const level of placed.levels) await createResources(ctx, level.map(creationOf(integration)))
    const edits: ResourceEdition[] = []
    const reports: { id: string; reported: SourceFields }[] = []
    const back: string[] = []
    for (const known of placed.known) {
      const { edit, reported } = changesOf(known)
      if (edit) edits.push(edit)
      if (reported) reports.push({ id: known.id, reported })
      if (known.row.stale) back.push(known.id)
      const { entity_type } = known.row
      if (edit) outcomes.push(['changed', entity_type])
      else if (reported) outcomes.push(['facts', entity_type])
      else if (known.said && !known.was_gone) outcomes.push(['kept', entity_type])
      if (known.row.stale) outcomes.push(['back', entity_type])
    }
    for (const { item } of placed.levels.flat()) outcomes.push(['new', item.entity_type])
    if (edits.length > 0) await editResources(ctx, edits)
    await reportResources(ctx, reports)
    if (back.length > 0) await markStale(ctx, back, false)
    await putOrigins(ctx.db, integration, [...placed.levels.flat(), ...placed.known].map(originOf))
  })
  for (const outcome of outcomes) tally.add(...outcome)
}

/** An integration that is being deleted must not be filled again. */
const mustStand = async (ctx: Context, integration: string): Promise<void> => {
  const { rows } = await sql`
    select from integrations i where i.id = ${integration}
      and not exists (select from background_jobs j where j.id = i.removal_job and j.completed is null)
    for key share
  `.execute(ctx.db)
  if (rows.length === 0) throw conflict('The integration is being deleted.')
}

interface Placed extends PlannedItem {
  readonly id: string
  readonly parent_id: string | null
}
interface Known extends Placed {
  readonly row: ResourceRow
}

const placeItems = async (
  ctx: Context,
  integration: string,
  planned: readonly PlannedItem[],
  rows: ReadonlyMap<string, ResourceRow>,
): Promise<{ levels: Placed[][]; known: Known[] }> => {
  const ids = await findByKeys(ctx.db, integration, [...new Set(planned.flatMap(({ item }) => item.parent ?? []))])
  const depths = new Map<string, number>()
  const taken = new Set<string>()
  const levels: Placed[][] = []
  const known: Known[] = []
  for (const each of planned) {
    const { key, resource_id, item } = each
    const parent_id = item.parent === undefined ? null : ids.get(item.parent)
    if (parent_id === undefined) throw new Error(`The source listed ${key} before its parent ${item.parent}.`)
    // If a source lists two items with the same stable ID, only the first one is matched.
    const row = resource_id && !taken.has(resource_id) ? rows.get(resource_id) : undefined
    const id = row?.id ?? newId()
    ids.set(key, id)
    taken.add(id)
    if (row) known.push({ ...each, id, parent_id, row })
    else {
      const depth = item.parent === undefined ? 0 : (depths.get(item.parent) ?? -1) + 1
      depths.set(key, depth)
      levels[depth] ??= []
      levels[depth].push({ ...each, id, parent_id })
    }
  }
  return { levels: levels.filter((level) => level !== undefined), known }
}

const creationOf =
  (integration: string) =>
  ({ id, key, parent_id, item: { entity_type, fields, own, reported, facts } }: Placed): Parameters<typeof createResources>[1][number] => ({
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
const saidNow = ({ parent_id, said, item }: Placed): Fields => ({
  ...readChange(item.fields),
  ...readOwn(item.entity_type, item.own ?? {}),
  parent: parent_id,
  ...(said && 'archived' in said ? { archived: false } : {}),
})

const changesOf = (known: Known): { edit?: ResourceEdition; reported?: SourceFields } => {
  const { id, key, row, said, item } = known
  const written = merge(flat(row) as Fields, said ?? undefined, saidNow(known))
  const own = new Set(ownNames(row.entity_type))
  const split = (isOwn: boolean) => Object.fromEntries(Object.entries(written).filter(([field]) => own.has(field) === isOwn))
  const edit = Object.keys(written).length > 0 ? { id, data: split(false), own: split(true) } : undefined
  const facts = item.facts && { ...voicesOf(row.display_metadata), ...item.facts }
  const told: SourceFields = { databuilder_id: key, ...item.reported, ...(facts ? { display_metadata: facts } : {}) }
  const differs = Object.entries(told).filter(([field, value]) => !same(sorted(row[field as keyof ResourceRow]), sorted(value)))
  return { edit, reported: differs.length > 0 ? (Object.fromEntries(differs) as SourceFields) : undefined }
}

/** The database returns the keys of an object in its own order. */
const sorted = (value: unknown): unknown =>
  value === null || typeof value !== 'object'
    ? value
    : Array.isArray(value)
      ? value.map(sorted)
      : Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, each]) => [name, sorted(each)]),
        )

const originOf = (placed: Placed): Origin => {
  const { archived: _, ...said } = saidNow(placed)
  return { resource_id: placed.id, key: placed.key, stable_id: placed.stable_id, said, fingerprint: placed.fingerprint }
}
