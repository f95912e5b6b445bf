import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { isObject } from '../../platform/core/json-value.ts'
import { getChangeLogs, parseFieldValue } from '../../platform/lists/filter.ts'
import { filterSql } from '../../platform/lists/filter-sql.ts'
import { ENTITY_TYPES } from '../entity-types/entity-types.ts'
import { toPropertyField } from '../properties/fields.ts'
import { findProperties } from '../properties/property-rows.ts'
import { HEALTH_CHANGES, HEALTH_STATUSES, type HealthStatus, hasFoundOneOfSql } from '../records/health.ts'
import { refersToSql } from '../records/refs.ts'
import type { SearchQuery } from './schema.ts'

/** The facets whose values are columns of a resource. The others are health and custom properties. */
export const COLUMN_FACETS = [
  'entity_type',
  'integration',
  'owners',
  'tags',
  'terms',
  'teams',
  'collections',
  'published',
  'verified',
  'pii',
  'stale',
] as const
export type ColumnFacet = (typeof COLUMN_FACETS)[number]
export const FLAG_FACETS: readonly string[] = ['published', 'verified', 'pii', 'stale']

/** The selected values by facet. */
export type FacetSelection = ReadonlyMap<string, SelectedValues>
export interface SelectedValues {
  readonly values: readonly (string | boolean)[]
  /** The condition on `r` that it has one of them. */
  readonly condition: RawBuilder<boolean>
  /** The IDs in `property_changes` of values in other tables. */
  readonly logs?: readonly string[]
}

/** Conditions on `r` for every facet except `but`. */
export const selectionSql = (selection: FacetSelection, but?: string): RawBuilder<boolean>[] =>
  [...selection].flatMap(([name, { condition }]) => (name === but ? [] : [condition]))

/** The IDs in `property_changes` of everything that is selected in other tables. */
export const findSelectionLogs = (selection: FacetSelection): string[] => [...selection.values()].flatMap(({ logs = [] }) => logs)

export const parseFacetSelection = async (ctx: Context, query: SearchQuery): Promise<FacetSelection> => {
  const selection = new Map<string, SelectedValues>()
  for (const name of COLUMN_FACETS) {
    const value = query[name]
    if (value === undefined || value === '') continue
    if (typeof value === 'boolean')
      selection.set(name, { values: [value], condition: value ? flagSql(name) : sql<boolean>`not ${flagSql(name)}` })
    else {
      const values = name === 'entity_type' ? parseList(value).map(parseEntityType) : parseIds(name, value)
      selection.set(name, { values, condition: columnSql(name, values) })
    }
  }
  if (query.health) {
    const values = parseList(query.health).map(parseHealth)
    selection.set('health', { values, condition: hasFoundOneOfSql(ctx.actor, values), logs: [HEALTH_CHANGES] })
  }
  for (const [name, selected] of await parseProperties(ctx, query.properties)) selection.set(name, selected)
  return selection
}

const flagSql = (name: string): RawBuilder<boolean> => sql<boolean>`${sql.ref(`r.${name}`)}`

const columnSql = (name: ColumnFacet, values: readonly string[]): RawBuilder<boolean> => {
  if (name === 'entity_type') return sql<boolean>`r.entity_type = any(${values}::text[])`
  if (name === 'integration') return sql<boolean>`r.integration = any(${values}::uuid[])`
  return refersToSql(name, values)
}

const parseList = (text: string): string[] => text.split(',').map((each) => each.trim())

const parseEntityType = (text: string): string => {
  if (ENTITY_TYPES.includes(text)) return text
  throw invalid({ entity_type: [`must be one of ${ENTITY_TYPES.join(', ')}.`] })
}

const parseHealth = (text: string): HealthStatus => {
  const status = HEALTH_STATUSES.find((each) => each === text)
  if (status) return status
  throw invalid({ health: [`must be one of ${HEALTH_STATUSES.join(', ')}.`] })
}

const parseIds = (name: string, text: string): string[] =>
  parseList(text).map((each) => {
    const id = parseId(each)
    if (!id) throw invalid({ [name]: ['must be a comma-separated list of UUIDs.'] })
    return id
  })

const MAX_PROPERTIES = 20
const MAX_PROPERTY_VALUES = 100

/** `{"Tier": ["gold", "silver"]}`: values by the name or ID of a custom property. */
const parseProperties = async (ctx: Context, text: string | undefined): Promise<[string, SelectedValues][]> => {
  if (!text) return []
  const selected = Object.entries(parsePropertiesJson(text))
  if (selected.length > MAX_PROPERTIES) throw invalid({ properties: [`must contain at most ${MAX_PROPERTIES} custom properties.`] })
  const found = await findProperties(
    ctx.db,
    selected.map(([key]) => key),
  )
  return selected.map(([key, values]) => {
    const property = found.get(key)
    if (!property) throw invalid({ properties: [`custom property ${JSON.stringify(key)} does not exist.`] })
    if (!Array.isArray(values) || values.length === 0 || values.length > MAX_PROPERTY_VALUES)
      throw invalid({ [`properties.${key}`]: [`must be an array of 1 to ${MAX_PROPERTY_VALUES} values.`] })
    const field = toPropertyField(property)
    const parsed = values.map((value, i) => parseFieldValue(field, value, `properties.${key}[${i}]`))
    const condition = filterSql({ operator: 'in', field, values: parsed }, 'r')
    return [field.name, { values: parsed.map(String), condition, logs: getChangeLogs(field) }]
  })
}

const parsePropertiesJson = (text: string): Record<string, unknown> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  if (isObject(json)) return json
  throw invalid({ properties: ['must be a JSON object with lists of values by custom property, e.g. {"Tier":["gold"]}.'] })
}
