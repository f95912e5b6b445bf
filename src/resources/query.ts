import { type Static, Type } from 'typebox'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { readId } from '../id.ts'
import type { Value } from '../lists/field.ts'
import { type Filter, type LeafOperator, parseFilter } from '../lists/filter.ts'
import { PageQuery, type PageRequest } from '../lists/page.ts'
import { parseSort, type Sort } from '../lists/sort.ts'
import { withProperties } from '../properties/fields.ts'
import { fieldsFor, findField } from './fields.ts'
import type { ListRequest } from './list.ts'

const DEFAULT_SORT: Sort = [
  { field: findField('external_usage')!, descending: true },
  { field: findField('id')!, descending: false },
]

/** Query parameters of resource lists. */
export const CatalogQuery = Type.Object({
  ...PageQuery.properties,
  filter: Type.Optional(
    Type.String({ description: 'A filter as JSON.', examples: ['{"operator":"exact","field":"type","value":"table"}'] }),
  ),
  sort: Type.Optional(Type.String({ description: 'A sort as JSON.', examples: ['{"field":"title","order":"asc"}'] })),
  search_term: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Search words, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set.',
    }),
  ),
  entity_type: Type.Optional(Type.String({ maxLength: 100 })),
  integration_id: Type.Optional(Type.String({ maxLength: 100 })),
  parent_id: Type.Optional(Type.String({ maxLength: 100 })),
  title: Type.Optional(Type.String({ maxLength: 1000, description: 'Matches part of the title.' })),
  teams: Type.Optional(Type.String({ maxLength: 100, description: 'A team ID.' })),
  database: Type.Optional(Type.String({ maxLength: 500, description: 'The title of the database that contains the resource.' })),
  schema: Type.Optional(Type.String({ maxLength: 500, description: 'The title of the schema that contains the resource.' })),
})
export type CatalogQuery = Static<typeof CatalogQuery>

/** Parses a resource filter. Loads the custom properties it uses first. */
export const readFilter = async (ctx: Context, text: string): Promise<Filter> =>
  withOwnBookmarks(parseFilter(text, await withProperties(ctx, fieldsFor(ctx.actor), text)), ctx.actor.user_id)

/**
 * A filter must not reveal more about bookmarks than a record: only whether the caller bookmarked the resource. The user ID becomes part of
 * the filter because counts are cached by filter.
 */
const withOwnBookmarks = (filter: Filter, me: string | null): Filter => {
  if ('operands' in filter) return { ...filter, operands: filter.operands.map((each) => withOwnBookmarks(each, me)) }
  if (filter.field.name !== 'bookmarked_by') return filter
  const mine: Filter = me === null ? NOTHING : { operator: 'exact', field: filter.field, values: [me] }
  if (filter.operator === 'is_not_set') return { operator: 'not', operands: [mine] }
  return filter.operator === 'is_set' || filter.values.includes(me ?? '') ? mine : NOTHING
}

const NOTHING: Filter = { operator: 'or', operands: [] }

export const catalogRequest = async (
  ctx: Context,
  query: CatalogQuery,
  page: PageRequest,
  always: readonly Filter[] = [],
  order: Sort = DEFAULT_SORT,
): Promise<ListRequest> => {
  const filters = [
    ...always,
    ...(query.filter ? [await readFilter(ctx, query.filter)] : []),
    ...leaf('exact', 'entity_type', query.entity_type),
    ...leaf('exact', 'integration', idOf('integration_id', query.integration_id)),
    ...leaf('exact', 'parent', idOf('parent_id', query.parent_id)),
    ...leaf('exact', 'teams', idOf('teams', query.teams)),
    ...leaf('exact', 'database', query.database),
    ...leaf('exact', 'schema', query.schema),
    ...leaf('contains', 'title', query.title),
  ]
  const filter: Filter | undefined = filters.length > 1 ? { operator: 'and', operands: filters } : filters[0]
  return {
    ...page,
    filter,
    sort: query.sort ? parseSort(query.sort, fieldsFor(ctx.actor)) : order,
    search_term: query.search_term?.trim() ? query.search_term : undefined,
    by_relevance: !query.sort && page.cursor === undefined,
  }
}

/** A filter condition, or none if the parameter is not set. */
export const leaf = (operator: LeafOperator, field: string, value: Value | undefined): Filter[] =>
  value === undefined || value === '' ? [] : [{ operator, field: findField(field)!, values: [value] }]

const idOf = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined
  const id = readId(text)
  if (!id) throw invalid({ [name]: ['must be a UUID.'] })
  return id
}
