import type { Context } from '../context.ts'
import { invalid, notFound } from '../errors.ts'
import { readId } from '../id.ts'
import { ENTITY_TYPES } from '../resources/kinds.ts'
import type { Filters } from './graph-schema.ts'
import { findColumnsBelow, findPlaces, type Level, type Place } from './links.ts'
import type { Wanted } from './survey.ts'

/** Start nodes and filters of graph requests. */

export const getPlace = async (ctx: Context, text: string, name = 'resource_id'): Promise<Place> => {
  const id = readId(text)
  if (!id) throw invalid({ [name]: ['Must be a UUID.'] })
  const place = (await findPlaces(ctx, [id])).get(id)
  if (!place?.visible) throw notFound('resource', id)
  return place
}

/** At table level a column is replaced by its table; at column level a table by itself and all of its columns. */
export const beginAt = async (ctx: Context, place: Place, level: Level): Promise<string[]> => {
  if (level === 'table') return [(await tableOf(ctx, place)).id]
  return place.entity_type === 'column' ? [place.id] : [place.id, ...(await findColumnsBelow(ctx, place.id))]
}

/** The table of a column, if the caller sees it; else the resource itself. */
export const tableOf = async (ctx: Context, place: Place): Promise<Place> => {
  if (place.entity_type !== 'column' || place.parent === null) return place
  const parent = (await findPlaces(ctx, [place.parent])).get(place.parent)
  return parent?.visible ? tableOf(ctx, parent) : place
}

const listOf = (text: string | undefined): string[] | undefined => {
  const parts = text
    ?.split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return parts?.length ? parts : undefined
}

export const wantedOf = ({ entity_type, without_entity_type, integration_id, include_archived = true }: Filters): Wanted => {
  const types = (name: string, text: string | undefined) => {
    const list = listOf(text)
    const unknown = list?.find((type) => !ENTITY_TYPES.includes(type))
    if (unknown !== undefined) throw invalid({ [name]: [`Unknown entity type "${unknown.slice(0, 100)}".`] })
    return list
  }
  return {
    entity_types: types('entity_type', entity_type),
    without: types('without_entity_type', without_entity_type),
    integrations: listOf(integration_id)?.map((text) => {
      const id = readId(text)
      if (!id) throw invalid({ integration_id: ['Must be a comma-separated list of UUIDs.'] })
      return id
    }),
    include_archived,
  }
}
