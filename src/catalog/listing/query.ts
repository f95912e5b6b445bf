import { type Static, Type } from 'typebox'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { OneOf } from '../../platform/core/schema-types.ts'
import type { FieldValue } from '../../platform/lists/field.ts'
import { type ConditionOperator, type Filter, parseFilter } from '../../platform/lists/filter.ts'
import { PageQuery, type PageRequest } from '../../platform/lists/page.ts'
import { parseSort, type Sort } from '../../platform/lists/sort.ts'
import { addPropertyFields } from '../properties/fields.ts'
import { parseQuery, queryFilters } from '../query-language/query-syntax.ts'
import { findField, getFieldsFor } from '../records/fields.ts'
import { SPELLINGS } from '../search-index/search-term.ts'
import type { ListRequest } from './list.ts'

const DEFAULT_SORT: Sort = [
  { field: findField('external_usage')!, descending: true },
  { field: findField('id')!, descending: false },
]

export const SpellingParam = OneOf(SPELLINGS, 'Set to `off` to search unknown words as they are typed, without spelling corrections.')

export const IncludeHealth = Type.Optional(OneOf(['health'], 'Adds the field `health` to each resource.'))

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
      description: 'Search words and fields, as in `/search`. Results are ordered by relevance unless `sort` or `cursor` is set.',
    }),
  ),
  spelling: Type.Optional(SpellingParam),
  include: IncludeHealth,
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
export const parseResourceFilter = async (ctx: Context, text: string): Promise<Filter> =>
  limitToOwnBookmarks(parseFilter(text, await addPropertyFields(ctx, getFieldsFor(ctx.actor), text)), ctx.actor.user_id)

/**
 * A filter must not reveal more about bookmarks than a record: only whether the caller bookmarked the resource. The user ID becomes part of
 * the filter because counts are cached by filter.
 */
const limitToOwnBookmarks = (filter: Filter, me: string | null): Filter => {
  if ('operands' in filter) return { ...filter, operands: filter.operands.map((each) => limitToOwnBookmarks(each, me)) }
  if (filter.field.name !== 'bookmarked_by') return filter
  const mine: Filter = me === null ? MATCH_NOTHING : { operator: 'exact', field: filter.field, values: [me] }
  if (filter.operator === 'is_not_set') return { operator: 'not', operands: [mine] }
  return filter.operator === 'is_set' || filter.values.includes(me ?? '') ? mine : MATCH_NOTHING
}

const MATCH_NOTHING: Filter = { operator: 'or', operands: [] }

export const parseCatalogRequest = async (
  ctx: Context,
  query: CatalogQuery,
  page: PageRequest,
  always: readonly Filter[] = [],
  order: Sort = DEFAULT_SORT,
): Promise<ListRequest> => {
  const searched = query.search_term === undefined ? undefined : parseQuery(query.search_term)
  const filters = [
    ...always,
    ...(searched ? await queryFilters(ctx, searched) : []),
    ...(query.filter ? [await parseResourceFilter(ctx, query.filter)] : []),
    ...toCondition('exact', 'entity_type', query.entity_type),
    ...toCondition('exact', 'integration', parseIdParam('integration_id', query.integration_id)),
    ...toCondition('exact', 'parent', parseIdParam('parent_id', query.parent_id)),
    ...toCondition('exact', 'teams', parseIdParam('teams', query.teams)),
    ...toCondition('exact', 'database', query.database),
    ...toCondition('exact', 'schema', query.schema),
    ...toCondition('contains', 'title', query.title),
  ]
  const filter: Filter | undefined = filters.length > 1 ? { operator: 'and', operands: filters } : filters[0]
  return {
    ...page,
    filter,
    sort: query.sort ? parseSort(query.sort, getFieldsFor(ctx.actor)) : order,
    search_term: searched?.text.trim() ? searched.text : undefined,
    spelling: query.spelling,
    by_relevance: !query.sort && page.cursor === undefined,
    with_health: query.include === 'health',
  }
}

/** A filter condition, or none if the parameter is not set. */
export const toCondition = (operator: ConditionOperator, field: string, value: FieldValue | undefined): Filter[] =>
  value === undefined || value === '' ? [] : [{ operator, field: findField(field)!, values: [value] }]

const parseIdParam = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined
  const id = parseId(text)
  if (!id) throw invalid({ [name]: ['must be a UUID.'] })
  return id
}
