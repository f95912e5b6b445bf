import { Type } from 'typebox'
import { getResource } from '../../catalog/listing/read.ts'
import type { Resource } from '../../catalog/records/schema.ts'
import { getGraph } from '../../lineage/graph/graph.ts'
import type { Context } from '../../platform/context/context.ts'
import { ApiError, permissionDenied } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { IdInput, Nullable } from '../../platform/core/schema-types.ts'
import { toCursorPage } from '../tools/answer.ts'
import { DOCUMENTATION_TYPES, readCatalog, readSearch } from '../tools/search.ts'
import { linkToResource } from '../tools/target.ts'
import { READS_CATALOG, type Tool, type ToolCall } from '../tools/tool.ts'

/** The tools that clients of the commercial interface call: the same functions under other names and in the shapes these clients expect. */
export interface CommercialTool extends Pick<Tool, 'name' | 'title' | 'description' | 'permission' | 'annotations' | 'input'> {
  readonly run: (call: ToolCall, args: never) => Promise<unknown>
}

const PAGE_SIZE = 20
const truncate_length = Type.Optional(
  Nullable(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Most characters of a text field; null or absent: the whole text.' }),
  ),
)
const SEARCH_INPUT = Type.Object({
  query: Type.String({ minLength: 1, maxLength: 500 }),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 25, default: 1 })),
  truncate_length,
})
const ENTITY_INPUT = Type.Object({ entity_id: IdInput, truncate_length })

interface SearchArgs {
  readonly query: string
  readonly page?: number
  readonly truncate_length?: number | null
}
interface EntityArgs {
  readonly entity_id: string
  readonly truncate_length?: number | null
}

const READ = { permission: 'catalog.read', annotations: READS_CATALOG } as const

export const COMMERCIAL_TOOLS: readonly CommercialTool[] = [
  {
    ...READ,
    name: 'search_data_assets',
    title: 'Search tables, columns, charts and dashboards',
    description: 'Finds tables, columns, charts and dashboards by words.',
    input: SEARCH_INPUT,
    run: (call, args: SearchArgs) => searchTypes(call, args, ['table', 'column', 'chart', 'dashboard']),
  },
  {
    ...READ,
    name: 'search_documentation',
    title: 'Search documents, questions and glossary terms',
    description: 'Finds documents, questions and glossary terms by words.',
    input: SEARCH_INPUT,
    run: (call, args: SearchArgs) => searchTypes(call, args, DOCUMENTATION_TYPES),
  },
  {
    ...READ,
    name: 'retrieve_entity',
    title: 'Get a record',
    description: 'One record of the catalog by its ID.',
    input: ENTITY_INPUT,
    run: async (call, { entity_id, truncate_length }: EntityArgs) =>
      truncateTexts({ ...(await getEntity(call.ctx, entity_id)), link: linkToResource(call.baseUrl, entity_id) }, truncate_length),
  },
  {
    ...READ,
    name: 'entity_lineage',
    title: 'Get lineage',
    description: 'What a resource is built from (upstream) and what is built from it (downstream).',
    input: ENTITY_INPUT,
    run: async ({ ctx }, { entity_id, truncate_length }: EntityArgs) => {
      const resource_id = (await getEntity(ctx, entity_id)).id
      const [upstream, downstream] = await Promise.all(
        (['UPSTREAM', 'DOWNSTREAM'] as const).map(async (direction) => {
          const { nodes, edges, truncated } = await getGraph(ctx, { resource_id, direction, limit: MAX_NODES })
          return { nodes: nodes.filter(({ distance }) => distance > 0), edges, truncated }
        }),
      )
      return truncateTexts({ entity_id: resource_id, upstream, downstream }, truncate_length)
    },
  },
  {
    ...READ,
    name: 'glossary',
    title: 'List the glossary',
    description: 'All glossary terms with their definitions.',
    input: Type.Object({ truncate_length }),
    run: async (call, { truncate_length }: { truncate_length?: number | null }) => {
      const terms: Resource[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = { entity_type: 'glossary', sort: '{"field":"title","order":"asc"}' }
        const { results, meta } = await readCatalog(call, query, toCursorPage('/ai/glossary', 1_000, cursor))
        terms.push(...results)
        cursor = meta.next_cursor ?? null
      }
      return truncateTexts({ count: terms.length, results: terms.map(toRecord) }, truncate_length)
    },
  },
  {
    ...READ,
    name: 'run_sql',
    title: 'Run SQL',
    description: 'Runs a read-only query. Not available in this workspace.',
    input: Type.Object({ query: Type.String({ minLength: 1 }), integration_id: Type.Optional(Nullable(Type.String())) }),
    run: async () => {
      throw permissionDenied(
        'This workspace does not allow agents to run SQL. Use the preview and profile of a table, or run the query in your data source.',
      )
    },
  },
]

const MAX_NODES = 500

const getEntity = (ctx: Context, entity_id: string): Promise<Resource> => {
  const id = parseId(entity_id)
  if (!id) throw new ApiError('not_found', `Resource ${entity_id} was not found.`)
  return getResource(ctx, id)
}

const searchTypes = async (call: ToolCall, { query, page = 1, truncate_length }: SearchArgs, types: readonly string[]) => {
  const request = { page, page_size: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE, address: `/ai/search?${new URLSearchParams({ query })}` }
  const { results, count, total_pages, capped } = await readSearch(call, { q: query, entity_type: types.join(',') }, request)
  return truncateTexts({ count, count_exact: !capped, page, total_pages, results: results.map(toRecord) }, truncate_length)
}

/** Fields that only the web app needs are left out. */
const toRecord = ({
  multiplayers: _multiplayers,
  display_metadata: _display,
  current_user_permissions: _permissions,
  ...record
}: Resource) => record

const truncateTexts = (value: unknown, length: number | null | undefined): unknown => {
  if (length === null || length === undefined) return value
  if (typeof value === 'string') return value.length > length ? `${value.slice(0, length).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.map((each) => truncateTexts(each, length))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, KEPT.test(name) ? each : truncateTexts(each, length)]))
}

/** IDs and addresses are useless if cut. */
const KEPT = /(?:^|_)(?:id|ids|at|url|link|type)$|^(?:parent|integration|owners|owners_groups|tags|terms|teams|collections|subscribers)$/
