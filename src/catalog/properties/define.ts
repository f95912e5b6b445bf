import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { conflict, invalid } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { rejectDuplicate } from '../../platform/db/unique-violation.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { createJob } from '../../platform/jobs/jobs.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import type { Job } from '../../platform/jobs/schema.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { lockProperty, toRecord } from './find.ts'
import { countProperties, findProperties, insertProperty, type PropertyRow, updateProperty } from './property-rows.ts'
import type { CustomProperty, PropertyCreate, PropertyEdit } from './schema.ts'
import { countValues, deletePropertyValues, isUsedByOtherTypes, listDistinctValues, retypeValues } from './value-store.ts'
import { describeExpectedValue, hasOptions, normalizeValue } from './value-types.ts'

const MAX_CUSTOM_PROPERTIES = 1000 // lists of custom properties are not paginated
const BATCH_VALUES = 10_000
const AUDITED_FIELDS = ['name', 'value_type', 'entity_types', 'options']

export const createCustomProperty = (ctx: Context, create: PropertyCreate): Promise<CustomProperty> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const at = ctx.now.toISOString()
    const blank: PropertyRow = {
      id: newId(),
      name: '',
      value_type: 'string',
      entity_types: null,
      options: null,
      created_at: at,
      updated_at: at,
    }
    const property = applyPropertyEdit(blank, create)
    if ((await countProperties(ctx.db)) >= MAX_CUSTOM_PROPERTIES)
      throw conflict(
        translatable('The limit of {max} custom properties is reached. Delete one first.', {
          max: MAX_CUSTOM_PROPERTIES.toLocaleString('en'),
        }),
      )
    await rejectDuplicate(insertProperty(ctx.db, property), alreadyExists(property.name), 'name')
    await recordChange(ctx, 'created', property, {}, property)
    return toRecord(property)
  })

/** PUT replaces everything except `options`, which older clients do not send; PATCH changes the fields it contains. */
export const replaceCustomProperty = (ctx: Context, key: string, create: PropertyCreate): Promise<CustomProperty> =>
  editCustomProperty(ctx, key, { ...create, entity_types: create.entity_types ?? null })

export const editCustomProperty = (ctx: Context, key: string, edit: PropertyEdit): Promise<CustomProperty> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const before = await lockProperty(ctx, key)
    requireIfMatch(ctx, computeEtag(before))
    const after = applyPropertyEdit(before, edit)
    if (diffFields(before, after, AUDITED_FIELDS).length === 0) return toRecord(before)
    await assertTypesCoverValues(ctx, before, after)
    const normalized = await assertValuesFit(ctx, before, after)
    const written = await rejectDuplicate(updateProperty(ctx.db, after, ctx.now), alreadyExists(after.name), 'name')
    const entry = newId()
    await recordChange(ctx, 'updated', after, before, after, entry)
    await retypeValues(ctx, after, normalized, entry)
    return toRecord(written)
  })

/** A property with more values than this is deleted by a background job. */
export const MAX_SYNCHRONOUS_VALUES = 10_000
export const DELETE_PROPERTY_JOB = 'remove_property'
const DELETE_BATCH_VALUES = 5_000

/** Deletes a property and its values and records each. Returns the job if there are very many values. */
export const deleteCustomProperty = (ctx: Context, key: string): Promise<Job | undefined> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const property = await lockProperty(ctx, key)
    requireIfMatch(ctx, computeEtag(property))
    const entry = newId()
    if ((await countValues(ctx.db, property.id, MAX_SYNCHRONOUS_VALUES + 1)) > MAX_SYNCHRONOUS_VALUES)
      return createJob(ctx, {
        kind: DELETE_PROPERTY_JOB,
        title: `Delete the custom property ${property.name}`,
        payload: { property_id: property.id, entry },
      })
    while (await deletePropertyValues(ctx, property.id, entry, DELETE_BATCH_VALUES)) {}
    await finishDeletion(ctx, property, entry)
    return undefined
  })

/** A limited number of values per transaction, so that writers of values do not wait long. The property is deleted with the last batch. */
export const runDeletePropertyJob: JobHandler = async (ctx, payload, report) => {
  const { property_id, entry } = payload as { property_id: string; entry: string }
  const total = await countValues(ctx.db, property_id, Number.MAX_SAFE_INTEGER)
  await report(0, `Deleting ${total.toLocaleString('en')} values.`)
  for (let deleted = 0; ; ) {
    const some = await inTransaction(ctx, async (ctx) => {
      requirePermission(ctx.actor, 'catalog.write')
      const property = (await findProperties(ctx.db, [property_id])).get(property_id)
      if (!property) return 0 // finished before a crash, but not recorded
      const locked = await lockProperty(ctx, property_id)
      const count = await deletePropertyValues(ctx, property_id, entry, DELETE_BATCH_VALUES)
      if (count === 0) await finishDeletion(ctx, locked, entry)
      return count
    })
    if (some === 0) return report(99, `Deleted ${deleted.toLocaleString('en')} values and the property.`)
    deleted += some
    await report((100 * deleted) / Math.max(total, deleted))
  }
}

const finishDeletion = async (ctx: Context, property: PropertyRow, entry: string): Promise<void> => {
  await recordChange(ctx, 'deleted', property, property, {}, entry)
  await ctx.db.deleteFrom('custom_properties').where('id', '=', property.id).execute()
}

/** Absent = unchanged, null = cleared, an array replaces the array. */
const applyPropertyEdit = (before: PropertyRow, edit: PropertyEdit): PropertyRow => {
  const name = (edit.name ?? before.name).trim()
  const value_type = edit.value_type ?? before.value_type
  if (name === '') throw invalid({ name: [translatable('must not be empty.')] })
  if (parseId(name)) throw invalid({ name: ['must not be a UUID, because properties can be referenced by ID or by name.'] })
  const options = normalizeOptions(edit.options)
  if (options && !hasOptions(value_type)) throw invalid({ options: ['are only allowed if value_type is select or multi_select.'] })
  return {
    ...before,
    name,
    value_type,
    entity_types: edit.entity_types === undefined ? before.entity_types : normalizeEntityTypes(edit.entity_types),
    options: hasOptions(value_type) ? (options === undefined ? before.options : options) : null,
  }
}

const normalizeEntityTypes = (entity_types: readonly string[] | null): string[] | null =>
  entity_types === null || entity_types.length === 0 || entity_types.includes('all') ? null : [...new Set(entity_types)].sort()

const normalizeOptions = (options: readonly string[] | null | undefined): string[] | null | undefined => {
  if (options === undefined || options === null || options.length === 0) return options === undefined ? undefined : null
  const trimmed = [...new Set(options.map((option) => option.trim()))]
  if (trimmed.includes('')) throw invalid({ options: [translatable('must not contain an empty option.')] })
  return trimmed
}

const assertTypesCoverValues = async (ctx: Context, before: PropertyRow, after: PropertyRow): Promise<void> => {
  const wider = !after.entity_types || before.entity_types?.every((type) => after.entity_types!.includes(type))
  if (!wider && (await isUsedByOtherTypes(ctx.db, after.id, after.entity_types!)))
    throw invalid({ entity_types: [translatable('Resources of other types have values of this property. Delete those values first.')] })
}

/** Asserts that every existing value is valid for the new type. Returns those whose normal form changes. */
const assertValuesFit = async (ctx: Context, before: PropertyRow, after: PropertyRow): Promise<Map<string, string>> => {
  const normalized = new Map<string, string>()
  if (diffFields(before, after, ['value_type', 'options']).length === 0) return normalized
  for (let last: string | undefined = ''; last !== undefined; ) {
    const values: string[] = await listDistinctValues(ctx.db, before.id, last, BATCH_VALUES)
    for (const value of values) {
      const fitting = normalizeValue(after, value)
      if (!fitting)
        throw invalid({
          [before.value_type === after.value_type ? 'options' : 'value_type']: [
            `Some existing values are not ${describeExpectedValue(after)}.`,
          ],
        })
      if (fitting !== value) normalized.set(value, fitting)
    }
    last = values.length === BATCH_VALUES ? values.at(-1) : undefined
  }
  return normalized
}

const alreadyExists = (name: string) => translatable('A custom property named {name} already exists.', { name })

const recordChange = (
  ctx: Context,
  verb: 'created' | 'updated' | 'deleted',
  { id, name }: PropertyRow,
  before: Partial<PropertyRow>,
  after: Partial<PropertyRow>,
  entry?: string,
): Promise<void> =>
  recordActivity(ctx, {
    ...(entry ? { id: entry } : {}),
    activity_type: `property_${verb}`,
    resource_id: id,
    resource_type: 'custom_property',
    resource_title: name,
    changes: diffFields(before, after, AUDITED_FIELDS),
  })
