import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { findProperties, listProperties, lockProperties, type PropertyRow } from './property-rows.ts'
import type { CustomProperty } from './schema.ts'

export const listCustomProperties = async (ctx: Context): Promise<CustomProperty[]> => (await listProperties(ctx.db)).map(toRecord)

export const getCustomProperty = async (ctx: Context, key: string): Promise<CustomProperty> => toRecord(await getPropertyRow(ctx, key))

/** By its ID or its name. */
export const getPropertyRow = async (ctx: Context, key: string): Promise<PropertyRow> => {
  const property = (await findProperties(ctx.db, [key])).get(key)
  if (!property) throw notFound('custom property')
  return property
}

export const lockProperty = async (ctx: Context, key: string): Promise<PropertyRow> => {
  const { id } = await getPropertyRow(ctx, key)
  const property = (await lockProperties(ctx.db, [id], 'update')).get(id)
  if (!property) throw notFound('custom property')
  return property
}

export const toRecord = ({ entity_types, ...property }: PropertyRow): CustomProperty => ({
  ...property,
  entity_types: entity_types ?? ['all'],
})
