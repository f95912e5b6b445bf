import { Type } from 'typebox'
import { ENTITY_TYPES } from '../../catalog/entity-types/entity-types.ts'
import { listResources } from '../../catalog/listing/list.ts'
import { type CatalogQuery, parseCatalogRequest } from '../../catalog/listing/query.ts'
import type { Resource } from '../../catalog/records/schema.ts'
import type { SearchQuery } from '../../catalog/search/schema.ts'
import { parseSearchRequest, search } from '../../catalog/search/search.ts'
import { OneOf } from '../../platform/core/schema-types.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import type { Page } from '../../platform/lists/read-page.ts'
import { getItemBudget, PAGING, type Paging, readItems, toListAddress } from './answer.ts'
import { ListedResource, toListedResources } from './records.ts'
import { type Answer, defineTool, READS_CATALOG, type ToolCall } from './tool.ts'

type SearchResult = Resource & { readonly reason: { readonly tier: string; readonly field: string } }
type SearchResults = Page<SearchResult> & { readonly capped: boolean; readonly corrections: readonly unknown[] }

/** One page of a search, as `GET /search` returns it. */
export const readSearch = async ({ ctx }: ToolCall, query: SearchQuery, page: PageRequest): Promise<SearchResults> =>
  JSON.parse(await search(ctx, await parseSearchRequest(ctx, { ...query, facets: false }, page)))

/** One page of the catalog, as `GET /resource/catalog` returns it. */
export const readCatalog = async ({ ctx }: ToolCall, query: CatalogQuery, page: PageRequest): Promise<Page<Resource>> =>
  JSON.parse((await listResources(ctx, await parseCatalogRequest(ctx, query, page))).toString())

const LIMIT = Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Most items to return.' }))
const WORDS =
  'Words to look for; synonyms, abbreviations and typing errors are understood. Narrow with "a phrase", -word, type:table, owner:maria, tag:finance, in:shop.public, is:verified.'
const FoundResource = Type.Object({
  ...ListedResource.properties,
  match: Type.Optional(Type.Object({ tier: Type.String(), field: Type.String() }, { description: 'How well and where it matches.' })),
})
const CORRECTIONS = Type.Array(Type.Unknown(), { description: 'Unknown words and the words that were searched instead.' })

interface SearchArgs extends Paging {
  readonly query?: string
  readonly limit?: number
}

export const runSearch = async (
  call: ToolCall,
  tool: string,
  args: SearchArgs,
  query: SearchQuery,
  options?: { definitions: boolean },
): Promise<Answer> => {
  let last: SearchResults | undefined
  const found = await readItems<SearchResult>(args, {
    list: toListAddress(tool, { ...args }),
    limit: args.limit ?? 20,
    budget: getItemBudget(args),
    read: async (page) => {
      last = await readSearch(call, query, page)
      return last
    },
    toItems: async (rows) =>
      (await toListedResources(call, rows, options)).map((item, i) => ({
        ...item,
        match: { tier: rows[i]!.reason.tier, field: rows[i]!.reason.field },
      })),
  })
  const link = `${call.baseUrl}/search?${new URLSearchParams(query.q ? { q: query.q } : {})}`
  return { ...found, total_exact: !last!.capped, link, corrections: last!.corrections }
}

export const searchTool = defineTool({
  name: 'search',
  title: 'Search the catalog',
  description:
    'Find tables, columns, dashboards, charts, jobs, queries and other resources of the data catalog by words. Start here when you do not know the ID or path of something. The best match comes first; prefer verified and much used tables over others.',
  permission: 'catalog.read',
  annotations: READS_CATALOG,
  input: {
    query: Type.String({ minLength: 1, maxLength: 500, description: WORDS }),
    types: Type.Optional(Type.Array(OneOf(ENTITY_TYPES), { maxItems: 30, description: 'Only these types, e.g. ["table"].' })),
    limit: LIMIT,
    ...PAGING,
  },
  item: FoundResource,
  fields: { corrections: CORRECTIONS },
  run: (call, args) => runSearch(call, 'search', args, { q: args.query, entity_type: args.types?.join(',') }),
})

export const DOCUMENTATION_TYPES = ['glossary', 'document', 'question'] as const

export const searchDocumentationTool = defineTool({
  name: 'search_documentation',
  title: 'Search glossary, documents and questions',
  description:
    'Find glossary terms (what a business word means), documents (how things work) and answered questions. Without a query it lists all of them, e.g. the whole glossary with types ["glossary"]. Long texts are left out and named in `omitted`: read them with get_entity.',
  permission: 'catalog.read',
  annotations: READS_CATALOG,
  input: {
    query: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: WORDS })),
    types: Type.Optional(Type.Array(OneOf(DOCUMENTATION_TYPES), { minItems: 1, maxItems: 3, description: 'Default: all three.' })),
    limit: LIMIT,
    ...PAGING,
  },
  item: FoundResource,
  fields: { corrections: CORRECTIONS },
  run: async (call, args) => {
    const types = args.types ?? DOCUMENTATION_TYPES
    const definitions = { definitions: true }
    if (args.query !== undefined)
      return runSearch(call, 'search_documentation', args, { q: args.query, entity_type: types.join(',') }, definitions)
    const found = await readItems<Resource>(args, {
      list: toListAddress('search_documentation', args),
      limit: args.limit ?? 20,
      budget: getItemBudget(args),
      read: (page) => readCatalog(call, { filter: typesFilter(types), sort: '{"field":"title","order":"asc"}' }, page),
      toItems: (rows) => toListedResources(call, rows, definitions),
    })
    return { ...found, total_exact: true, link: `${call.baseUrl}/glossary`, corrections: [] }
  },
})

/** A filter for several entity types. */
const typesFilter = (types: readonly string[]): string =>
  JSON.stringify({ operator: 'or', operands: types.map((value) => ({ operator: 'exact', field: 'type', value })) })
