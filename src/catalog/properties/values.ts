import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { ApiError, invalid, notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { getPropertyRow } from './find.ts'
import { findProperties, lockProperties, type PropertyRow } from './property-rows.ts'
import { type BulkValues, MAX_ENTITIES, MAX_PROPERTIES, MAX_VALUES, type PropertyValue } from './schema.ts'
import { findMissingTarget, findValues, lockValueTargets, type NewValue, writeValues } from './value-store.ts'
import { describeExpectedValue, normalizeValue } from './value-types.ts'

export const listValues = async (ctx: Context, entity_id: string): Promise<PropertyValue[]> => {
  const values = await findValues(ctx.db, ctx.actor, entity_id)
  if (!values) throw notFound('resource', entity_id)
  return values
}

export const getPropertyValue = async (ctx: Context, key: string, entity_id: string): Promise<PropertyValue> => {
  const value = await findValue(ctx, (await getPropertyRow(ctx, key)).id, entity_id)
  if (!value) throw notFound('custom property value')
  return value
}

const findValue = async (ctx: Context, property_id: string, entity_id: string): Promise<PropertyValue | undefined> => {
  const values = await findValues(ctx.db, ctx.actor, entity_id, property_id)
  if (!values) throw notFound('resource', entity_id)
  return values[0]
}

/** An empty string deletes the value. */
export const setValue = (ctx: Context, key: string, entity_id: string, value: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const property = await getPropertyRow(ctx, key)
    const values = await lockForValues(ctx, [entity_id], [{ property, value, errorField: 'value' }])
    if (ctx.if_match) requireIfMatch(ctx, valueEtag(await findValue(ctx, property.id, entity_id)))
    await writeValues(ctx, [entity_id], values)
  })

export const deletePropertyValue = (ctx: Context, key: string, entity_id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    await getPropertyValue(ctx, key, entity_id)
    await setValue(ctx, key, entity_id, '')
  })

/** All or nothing: if a resource is missing or a value is invalid, nothing is changed. */
export const setValues = (ctx: Context, { entity_ids, properties }: BulkValues): Promise<void> => {
  const entities = [...new Set(entity_ids.map((id) => parseId(id)!))]
  const requested = Object.entries(properties)
  assertWithinLimit('resources', entities.length, MAX_ENTITIES)
  assertWithinLimit('properties', requested.length, MAX_PROPERTIES)
  assertWithinLimit('values', entities.length * requested.length, MAX_VALUES)
  return inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    await writeValues(ctx, entities, await lockForValues(ctx, entities, await resolveAssignments(ctx, requested)))
  })
}

const assertWithinLimit = (what: string, count: number, max: number): void => {
  const limit = max.toLocaleString('en')
  if (count > max)
    throw new ApiError('too_many_entities', `At most ${limit} ${what} can be written in one request. The request contains ${count}.`)
}

interface Assignment {
  readonly property: PropertyRow
  readonly value: string
  /** The field name in error messages. */
  readonly errorField: string
}

/** A key is an ID or a name. Names may be URL-encoded. */
const resolveAssignments = async (ctx: Context, requested: readonly (readonly [key: string, value: string])[]): Promise<Assignment[]> => {
  const found = await findProperties(
    ctx.db,
    requested.flatMap(([key]) => [key, decodeName(key)]),
  )
  const assigned = new Set<string>()
  return requested.map(([key, value]) => {
    const property = found.get(key) ?? found.get(decodeName(key))
    const errorField = `properties.${key}`
    if (!property) throw invalid({ [errorField]: [translatable('This custom property does not exist.')] })
    if (assigned.has(property.id)) throw invalid({ [errorField]: ['This custom property is specified twice.'] })
    assigned.add(property.id)
    return { property, value, errorField }
  })
}

const decodeName = (key: string): string => {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/**
 * Locks the properties and resources, validates the values and returns them in normal form. Every endpoint that sets values goes through
 * here.
 */
const lockForValues = async (ctx: Context, entities: readonly string[], requested: readonly Assignment[]): Promise<NewValue[]> => {
  const properties = await lockProperties(
    ctx.db,
    requested.map(({ property }) => property.id),
    'share',
  )
  const assignments = requested.map(({ property, ...rest }) => ({ ...rest, property: properties.get(property.id) }))
  const values = assignments.map(({ property, value, errorField }): NewValue => {
    if (!property) throw notFound('custom property')
    const normalized = normalizeValue(property, value)
    if (normalized === undefined) throw invalid({ [errorField]: [`must be ${describeExpectedValue(property)}.`] })
    return { property_id: property.id, value_type: property.value_type, value: normalized }
  })
  const { count, entity_types } = await lockValueTargets(ctx.db, ctx.actor, entities)
  if (count < entities.length) throw notFound('resource', await findMissingTarget(ctx.db, ctx.actor, entities))
  for (const [i, { property, errorField }] of assignments.entries()) {
    const unsupportedType = property!.entity_types && entity_types.find((type) => !property!.entity_types!.includes(type))
    // A resource may still have such a value from before its entity type was changed. Deleting it is allowed.
    if (unsupportedType && values[i]!.value !== '')
      throw invalid({
        [errorField]: [
          translatable('{property} does not apply to resources of type {type}.', { property: property!.name, type: unsupportedType }),
        ],
      })
  }
  await assertReferencesExist(ctx, assignments, values)
  return values
}

/** Without a value, no ETag can match. */
const valueEtag = (value: PropertyValue | undefined): string => (value ? computeEtag(value) : '')

/** Asserts that referenced users exist, and that referenced resources exist and are visible to the caller. */
const assertReferencesExist = async (
  ctx: Context,
  assignments: readonly Pick<Assignment, 'errorField'>[],
  values: readonly NewValue[],
): Promise<void> => {
  for (const [i, { value, value_type }] of values.entries()) {
    if (value === '' || (value_type !== 'user' && value_type !== 'resource')) continue
    const missing =
      value_type === 'user'
        ? !(await ctx.db.selectFrom('users').select('id').where('id', '=', value).where('deleted_at', 'is', null).executeTakeFirst())
        : (await findMissingTarget(ctx.db, ctx.actor, [value])) !== undefined
    if (missing) throw invalid({ [assignments[i]!.errorField]: [`The ${value_type} ${value} does not exist.`] })
  }
}
