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

/** The parameters of a list of resources, and what they come to. */
export const CatalogQuery = Type.Object({
  ...PageQuery.properties,
  filter: Type.Optional(
    Type.String({ description: 'A filter as JSON.', examples: ['{"operator":"exact","field":"type","value":"table"}'] }),
  ),
  sort: Type.Optional(Type.String({ description: 'A sort as JSON.', examples: ['{"field":"title","order":"asc"}'] })),
  search_term: Type.Optional(
    Type.String({ maxLength: 1000, description: 'Words to look for, as in `/search`. Without `sort` and `cursor` the best come first.' }),
  ),
  entity_type: Type.Optional(Type.String({ maxLength: 100 })),
  integration_id: Type.Optional(Type.String({ maxLength: 100 })),
  parent_id: Type.Optional(Type.String({ maxLength: 100 })),
  title: Type.Optional(Type.String({ maxLength: 1000, description: 'Part of the title.' })),
  teams: Type.Optional(Type.String({ maxLength: 100, description: 'A team ID.' })),
  database: Type.Optional(Type.String({ maxLength: 500, description: 'The title of the database it stands in.' })),
  schema: Type.Optional(Type.String({ maxLength: 500, description: 'The title of the schema it stands in.' })),
})
export type CatalogQuery = Static<typeof CatalogQuery>

/** A filter of resources. The custom properties it names are looked up first. */
export const readFilter = async (ctx: Context, text: string): Promise<Filter> =>
  withOwnBookmarks(parseFilter(text, await withProperties(ctx, fieldsFor(ctx.actor), text)), ctx.actor.user_id)

/** A filter can tell no more of bookmarks than a record does: whether the caller made one. Said with their ID, since counts are kept by filter. */
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

/** A condition of ours, where a parameter asks for it. */
export const leaf = (operator: LeafOperator, field: string, value: Value | undefined): Filter[] =>
  value === undefined || value === '' ? [] : [{ operator, field: findField(field)!, values: [value] }]

const idOf = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined
  const id = readId(text)
  if (!id) throw invalid({ [name]: ['must be a UUID.'] })
  return id
}
