import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { invalid, notFound, Refusal } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { readId } from '../id.ts'
import { getProperty } from './find.ts'
import { type BulkValues, MOST_ENTITIES, MOST_PROPERTIES, MOST_VALUES, type PropertyValue } from './schema.ts'
import { findProperties, lockProperties, type PropertyRow } from './store.ts'
import { findMissing, lockEntities, type NewValue, readValues, writeValues } from './value-store.ts'
import { expectedOf, readValue } from './value-types.ts'

export const listValues = async (ctx: Context, entity_id: string): Promise<PropertyValue[]> => {
  const values = await readValues(ctx.db, ctx.actor, entity_id)
  if (!values) throw notFound('resource', entity_id)
  return values
}

export const readPropertyValue = async (ctx: Context, key: string, entity_id: string): Promise<PropertyValue> => {
  const value = await findValue(ctx, (await getProperty(ctx, key)).id, entity_id)
  if (!value) throw notFound('custom property value')
  return value
}

const findValue = async (ctx: Context, property_id: string, entity_id: string): Promise<PropertyValue | undefined> => {
  const values = await readValues(ctx.db, ctx.actor, entity_id, property_id)
  if (!values) throw notFound('resource', entity_id)
  return values[0]
}

/** An empty string deletes the value. */
export const setValue = (ctx: Context, key: string, entity_id: string, value: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    const property = await getProperty(ctx, key)
    const values = await lockForValues(ctx, [entity_id], [{ property, value, spot: 'value' }])
    if (ctx.if_match) mustMatch(ctx, valueEtag(await findValue(ctx, property.id, entity_id)))
    await writeValues(ctx, [entity_id], values)
  })

export const removeValue = (ctx: Context, key: string, entity_id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    await readPropertyValue(ctx, key, entity_id)
    await setValue(ctx, key, entity_id, '')
  })

/** All or nothing: if a resource is missing or a value is invalid, nothing is changed. */
export const setValues = (ctx: Context, { entity_ids, properties }: BulkValues): Promise<void> => {
  const entities = [...new Set(entity_ids.map((id) => readId(id)!))]
  const wanted = Object.entries(properties)
  mustBeFew('resources', entities.length, MOST_ENTITIES)
  mustBeFew('properties', wanted.length, MOST_PROPERTIES)
  mustBeFew('values', entities.length * wanted.length, MOST_VALUES)
  return inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    await writeValues(ctx, entities, await lockForValues(ctx, entities, await readAssignments(ctx, wanted)))
  })
}

const mustBeFew = (what: string, count: number, most: number): void => {
  const limit = most.toLocaleString('en')
  if (count > most)
    throw new Refusal('too_many_entities', `At most ${limit} ${what} can be written in one request. The request contains ${count}.`)
}

interface Assignment {
  readonly property: PropertyRow
  readonly value: string
  /** The field name in error messages. */
  readonly spot: string
}

/** A key is an ID or a name. Names may be URL-encoded. */
const readAssignments = async (ctx: Context, wanted: readonly (readonly [key: string, value: string])[]): Promise<Assignment[]> => {
  const found = await findProperties(
    ctx.db,
    wanted.flatMap(([key]) => [key, decoded(key)]),
  )
  const taken = new Set<string>()
  return wanted.map(([key, value]) => {
    const property = found.get(key) ?? found.get(decoded(key))
    const spot = `properties.${key}`
    if (!property) throw invalid({ [spot]: ['This custom property does not exist.'] })
    if (taken.has(property.id)) throw invalid({ [spot]: ['This custom property is specified twice.'] })
    taken.add(property.id)
    return { property, value, spot }
  })
}

const decoded = (key: string): string => {
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
const lockForValues = async (ctx: Context, entities: readonly string[], wanted: readonly Assignment[]): Promise<NewValue[]> => {
  const properties = await lockProperties(
    ctx.db,
    wanted.map(({ property }) => property.id),
    'share',
  )
  const assignments = wanted.map(({ property, ...rest }) => ({ ...rest, property: properties.get(property.id) }))
  const values = assignments.map(({ property, value, spot }): NewValue => {
    if (!property) throw notFound('custom property')
    const read = readValue(property, value)
    if (read === undefined) throw invalid({ [spot]: [`must be ${expectedOf(property)}.`] })
    return { property_id: property.id, value_type: property.value_type, value: read }
  })
  const { count, entity_types } = await lockEntities(ctx.db, ctx.actor, entities)
  if (count < entities.length) throw notFound('resource', await findMissing(ctx.db, ctx.actor, entities))
  for (const [i, { property, spot }] of assignments.entries()) {
    const beyond = property!.entity_types && entity_types.find((type) => !property!.entity_types!.includes(type))
    // A resource may still have such a value from before its entity type was changed. Deleting it is allowed.
    if (beyond && values[i]!.value !== '') throw invalid({ [spot]: [`${property!.name} does not apply to resources of type ${beyond}.`] })
  }
  await mustExist(ctx, assignments, values)
  return values
}

/** Without a value, no ETag can match. */
const valueEtag = (value: PropertyValue | undefined): string => (value ? etagOf(value) : '')

/** Asserts that referenced users exist, and that referenced resources exist and are visible to the caller. */
const mustExist = async (ctx: Context, assignments: readonly Pick<Assignment, 'spot'>[], values: readonly NewValue[]): Promise<void> => {
  for (const [i, { value, value_type }] of values.entries()) {
    if (value === '' || (value_type !== 'user' && value_type !== 'resource')) continue
    const missing =
      value_type === 'user'
        ? !(await ctx.db.selectFrom('users').select('id').where('id', '=', value).where('deleted_at', 'is', null).executeTakeFirst())
        : (await findMissing(ctx.db, ctx.actor, [value])) !== undefined
    if (missing) throw invalid({ [assignments[i]!.spot]: [`The ${value_type} ${value} does not exist.`] })
  }
}
