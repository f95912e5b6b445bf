import { sql } from 'kysely'
import { flattenRow } from '../../catalog/records/type-fields.ts'
import { lockVisibleRows } from '../../catalog/records/visible-rows.ts'
import { editResources, type ResourceEditRequest } from '../../catalog/resources/edit.ts'
import { markStale } from '../../catalog/resources/stale.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { isSameValue } from '../../platform/core/same-value.ts'
import type { Fields } from './merge.ts'
import { markArchivedBySource, markMissing } from './sync-rows.ts'

/** A resource that a secondary source reported on its own, and the resource of the primary source that replaces it. */
export interface DuplicateResource {
  readonly key: string
  /** Undefined: it is archived without a replacement to merge into. */
  readonly id?: string | undefined
}

/** Fields edited by users that a source does not report. */
const USER_EDITED_FIELDS = [
  'description',
  'definition',
  'owners',
  'owners_groups',
  'tags',
  'collections',
  'terms',
  'pii',
  'verified',
  'deprecation',
] as const
const BATCH_SIZE = 1000

/**
 * A warehouse was connected after a secondary source had already reported its tables: the warehouse's resources are the primary ones from now
 * on. Where the duplicates are missing from their own source, user edits are copied once to empty fields of the primary resource, and the
 * duplicates are archived immediately so that lists do not show both.
 */
export const mergeDuplicates = async (ctx: Context, integration: string, duplicates: readonly DuplicateResource[]): Promise<number> => {
  let merged = 0
  for (let i = 0; i < duplicates.length; i += BATCH_SIZE) merged += await mergeBatch(ctx, integration, duplicates.slice(i, i + BATCH_SIZE))
  return merged
}

/** The same for resources that no source reports as missing: having a primary resource is enough. */
export const replaceDuplicates = async (ctx: Context, integration: string, duplicates: readonly DuplicateResource[]): Promise<void> => {
  if (duplicates.length === 0) return
  const { rows } = await sql<{ resource_id: string }>`
    select o.resource_id from resource_origins o
    where o.integration = ${integration} and o.key = any(${duplicates.map(({ key }) => key)}::text[]) and o.gone_at is null
  `.execute(ctx.db)
  if (rows.length === 0) return
  const ids = rows.map(({ resource_id }) => resource_id)
  await markStale(ctx, ids, true)
  await markMissing(ctx.db, ids, ctx.now)
  await mergeDuplicates(ctx, integration, duplicates)
}

const mergeBatch = (ctx: Context, integration: string, duplicates: readonly DuplicateResource[]): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ key: string; resource_id: string; reported_values: Fields }>`
      select o.key, o.resource_id, o.reported_values from resource_origins o join resources r on r.id = o.resource_id
      where o.integration = ${integration} and o.key = any(${duplicates.map(({ key }) => key)}::text[]) and o.gone_at is not null and not r.archived
    `.execute(ctx.db)
    if (rows.length === 0) return 0
    const primaryIds = new Map(duplicates.map(({ key, id }) => [key, id]))
    const locked = await lockVisibleRows(ctx, [
      ...rows.map(({ resource_id }) => resource_id),
      ...[...primaryIds.values()].filter((id) => id !== undefined),
    ])
    const edits = rows.flatMap(({ key, resource_id, reported_values }): ResourceEditRequest[] => {
      const [duplicate, primary] = [locked.get(resource_id), locked.get(primaryIds.get(key) ?? '')]
      const archive = { id: resource_id, data: { archived: true } }
      if (!duplicate || !primary) return [archive]
      const [duplicateValues, primaryValues] = [flattenRow(duplicate) as Fields, flattenRow(primary) as Fields]
      const userFields = USER_EDITED_FIELDS.filter(
        (field) => !isSameValue(duplicateValues[field], reported_values[field]) && isSameValue(primaryValues[field], null),
      )
      if (userFields.length === 0) return [archive]
      return [{ id: primary.id, data: Object.fromEntries(userFields.map((field) => [field, duplicateValues[field] ?? null])) }, archive]
    })
    await editResources(ctx, edits)
    await markArchivedBySource(
      ctx.db,
      rows.map(({ resource_id }) => resource_id),
    )
    return rows.length
  })
