import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { conflict, invalid } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { diff } from '../history/diff.ts'
import { recordActivity } from '../history/record.ts'
import { newId, readId } from '../id.ts'
import { createJob } from '../jobs/jobs.ts'
import type { JobWork } from '../jobs/run.ts'
import type { Job } from '../jobs/schema.ts'
import { lockProperty, toRecord } from './find.ts'
import type { CustomProperty, PropertyCreate, PropertyEdit } from './schema.ts'
import { countProperties, findProperties, insertProperty, type PropertyRow, updateProperty } from './store.ts'
import { countValues, distinctValues, isUsedBeyond, removeValues, retypeValues } from './value-store.ts'
import { expectedOf, hasOptions, readValue } from './value-types.ts'

const MOST_PROPERTIES = 1000 // lists of custom properties are not paginated
const BATCH = 10_000
const TOLD = ['name', 'value_type', 'entity_types', 'options']

export const createCustomProperty = (ctx: Context, create: PropertyCreate): Promise<CustomProperty> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
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
    const property = applyEdit(blank, create)
    if ((await countProperties(ctx.db)) >= MOST_PROPERTIES)
      throw conflict(`The limit of ${MOST_PROPERTIES.toLocaleString('en')} custom properties is reached. Delete one first.`)
    await mustBeFree(property.name, insertProperty(ctx.db, property))
    await tell(ctx, 'created', property, {}, property)
    return toRecord(property)
  })

/** PUT replaces everything except `options`, which older clients do not send; PATCH changes the fields it contains. */
export const replaceCustomProperty = (ctx: Context, key: string, create: PropertyCreate): Promise<CustomProperty> =>
  editCustomProperty(ctx, key, { ...create, entity_types: create.entity_types ?? null })

export const editCustomProperty = (ctx: Context, key: string, edit: PropertyEdit): Promise<CustomProperty> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    const before = await lockProperty(ctx, key)
    mustMatch(ctx, etagOf(before))
    const after = applyEdit(before, edit)
    if (diff(before, after, TOLD).length === 0) return toRecord(before)
    await mustApplyToValues(ctx, before, after)
    const spelled = await mustFitValues(ctx, before, after)
    const written = await mustBeFree(after.name, updateProperty(ctx.db, after, ctx.now))
    const entry = newId()
    await tell(ctx, 'updated', after, before, after, entry)
    await retypeValues(ctx, after, spelled, entry)
    return toRecord(written)
  })

/** A property with more values than this is deleted by a background job. */
export const LARGE = 10_000
export const REMOVE_PROPERTY_JOB = 'remove_property'
const REMOVED_AT_ONCE = 5_000

/** Deletes a property and its values and records each. Returns the job if there are very many values. */
export const removeCustomProperty = (ctx: Context, key: string): Promise<Job | undefined> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    const property = await lockProperty(ctx, key)
    mustMatch(ctx, etagOf(property))
    const entry = newId()
    if ((await countValues(ctx.db, property.id, LARGE + 1)) > LARGE)
      return createJob(ctx, {
        kind: REMOVE_PROPERTY_JOB,
        title: `Delete the custom property ${property.name}`,
        payload: { property_id: property.id, entry },
      })
    while (await removeValues(ctx, property.id, entry, REMOVED_AT_ONCE)) {}
    await finishRemoval(ctx, property, entry)
    return undefined
  })

/** A limited number of values per transaction, so that writers of values do not wait long. The property is deleted with the last batch. */
export const workRemoveProperty: JobWork = async (ctx, payload, report) => {
  const { property_id, entry } = payload as { property_id: string; entry: string }
  const total = await countValues(ctx.db, property_id, Number.MAX_SAFE_INTEGER)
  await report(0, `Deleting ${total.toLocaleString('en')} values.`)
  for (let removed = 0; ; ) {
    const some = await inTransaction(ctx, async (ctx) => {
      mustBeAble(ctx.actor, 'catalog.write')
      const property = (await findProperties(ctx.db, [property_id])).get(property_id)
      if (!property) return 0 // finished before a crash, but not recorded
      const locked = await lockProperty(ctx, property_id)
      const count = await removeValues(ctx, property_id, entry, REMOVED_AT_ONCE)
      if (count === 0) await finishRemoval(ctx, locked, entry)
      return count
    })
    if (some === 0) return report(99, `Deleted ${removed.toLocaleString('en')} values and the property.`)
    removed += some
    await report((100 * removed) / Math.max(total, removed))
  }
}

const finishRemoval = async (ctx: Context, property: PropertyRow, entry: string): Promise<void> => {
  await tell(ctx, 'deleted', property, property, {}, entry)
  await ctx.db.deleteFrom('custom_properties').where('id', '=', property.id).execute()
}

/** Absent = unchanged, null = cleared, an array replaces the array. */
const applyEdit = (before: PropertyRow, edit: PropertyEdit): PropertyRow => {
  const name = (edit.name ?? before.name).trim()
  const value_type = edit.value_type ?? before.value_type
  if (name === '') throw invalid({ name: ['must not be empty.'] })
  if (readId(name)) throw invalid({ name: ['must not be a UUID, because properties can be referenced by ID or by name.'] })
  const options = readOptions(edit.options)
  if (options && !hasOptions(value_type)) throw invalid({ options: ['are only allowed if value_type is select or multi_select.'] })
  return {
    ...before,
    name,
    value_type,
    entity_types: edit.entity_types === undefined ? before.entity_types : readTypes(edit.entity_types),
    options: hasOptions(value_type) ? (options === undefined ? before.options : options) : null,
  }
}

const readTypes = (entity_types: readonly string[] | null): string[] | null =>
  entity_types === null || entity_types.length === 0 || entity_types.includes('all') ? null : [...new Set(entity_types)].sort()

const readOptions = (options: readonly string[] | null | undefined): string[] | null | undefined => {
  if (options === undefined || options === null || options.length === 0) return options === undefined ? undefined : null
  const trimmed = [...new Set(options.map((option) => option.trim()))]
  if (trimmed.includes('')) throw invalid({ options: ['must not contain an empty option.'] })
  return trimmed
}

const mustApplyToValues = async (ctx: Context, before: PropertyRow, after: PropertyRow): Promise<void> => {
  const wider = !after.entity_types || before.entity_types?.every((type) => after.entity_types!.includes(type))
  if (!wider && (await isUsedBeyond(ctx.db, after.id, after.entity_types!)))
    throw invalid({ entity_types: ['Resources of other types have values of this property. Delete those values first.'] })
}

/** Asserts that every existing value is valid for the new type. Returns those whose normal form changes. */
const mustFitValues = async (ctx: Context, before: PropertyRow, after: PropertyRow): Promise<Map<string, string>> => {
  const spelled = new Map<string, string>()
  if (diff(before, after, ['value_type', 'options']).length === 0) return spelled
  for (let last: string | undefined = ''; last !== undefined; ) {
    const values: string[] = await distinctValues(ctx.db, before.id, last, BATCH)
    for (const value of values) {
      const fitting = readValue(after, value)
      if (!fitting)
        throw invalid({
          [before.value_type === after.value_type ? 'options' : 'value_type']: [`Some existing values are not ${expectedOf(after)}.`],
        })
      if (fitting !== value) spelled.set(value, fitting)
    }
    last = values.length === BATCH ? values.at(-1) : undefined
  }
  return spelled
}

const mustBeFree = async <T>(name: string, write: Promise<T>): Promise<T> => {
  try {
    return await write
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE) throw error
    const detail = `A custom property named ${name} already exists.`
    throw conflict(detail, { name: [detail] })
  }
}
const UNIQUE = '23505'

const tell = (
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
    changes: diff(before, after, TOLD),
  })
