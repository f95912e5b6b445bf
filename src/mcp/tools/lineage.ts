import { Type } from 'typebox'
import { getGraph } from '../../lineage/graph/graph.ts'
import type { Affected, Graph, GraphEdge, NodeBrief } from '../../lineage/graph/graph-schema.ts'
import { getImpact } from '../../lineage/graph/impact.ts'
import { findPaths } from '../../lineage/graph/path.ts'
import { simulateChange } from '../../lineage/what-if/what-if.ts'
import { NullableString, OneOf } from '../../platform/core/schema-types.ts'
import { getItemBudget, limitEntries, PAGING, readItems, takeItems, toListAddress } from './answer.ts'
import { Person } from './records.ts'
import { findTargetId, linkToResource, Target } from './target.ts'
import { type Answer, defineTool, READS_CATALOG, type ToolCall } from './tool.ts'

const MAX_NODES = 1_000

const Edge = Type.Object({
  from: Type.String(),
  to: Type.String(),
  manual: Type.Boolean({ description: 'Added by a person.' }),
  derived: Type.Boolean({ description: 'Derived from SQL.' }),
  kinds: Type.Array(Type.String(), { description: 'identity, expression, aggregation, filter or table.' }),
  queries: Type.Integer({ description: 'Number of queries that prove it.' }),
  indirect: Type.Optional(Type.Boolean()),
})
const nodeFields = {
  id: Type.String(),
  type: NullableString(),
  path: NullableString(),
  hidden: Type.Optional(Type.Boolean({ description: 'You may not see this resource.' })),
  link: Type.Optional(Type.String()),
}

export const getLineageTool = defineTool({
  name: 'get_lineage',
  title: 'Get lineage with proofs',
  description:
    'Where the data of a resource comes from (upstream) and what it flows into (downstream), nearest first, each item with the edges that connect it and how they are known. With `to`, the shortest paths between the two resources instead: items are then the edges of these paths, each with its proof, e.g. the SQL it was derived from.',
  permission: 'catalog.read',
  annotations: READS_CATALOG,
  input: {
    id: Target(),
    direction: Type.Optional(OneOf(['upstream', 'downstream', 'both'], 'Default: both. Ignored with `to`.')),
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 3, description: 'Steps in each direction.' })),
    level: Type.Optional(OneOf(['table', 'column'], 'Default: table.')),
    to: Type.Optional(Target('another resource; data flows from `id` to it')),
    ...PAGING,
  },
  item: Type.Object({
    id: Type.Optional(Type.String()),
    type: Type.Optional(NullableString()),
    path: Type.Optional(NullableString()),
    hidden: Type.Optional(Type.Boolean()),
    link: Type.Optional(Type.String()),
    distance: Type.Optional(Type.Integer()),
    direction: Type.Optional(NullableString()),
    edges: Type.Optional(Type.Array(Edge)),
    from: Type.Optional(Type.String()),
    to: Type.Optional(Type.String()),
    proofs: Type.Optional(Type.Array(Type.Unknown())),
  }),
  fields: {
    paths: Type.Optional(Type.Array(Type.Array(Type.String()), { description: 'With `to`: the IDs along each path.' })),
    nodes: Type.Optional(Type.Array(Type.Object(nodeFields))),
  },
  run: async (call, args) => {
    const id = await findTargetId(call.ctx, args.id)
    return args.to === undefined
      ? describeGraph(call, id, args)
      : describePaths(call, id, await findTargetId(call.ctx, args.to, 'to'), args)
  },
})

interface LineageArgs {
  readonly direction?: 'upstream' | 'downstream' | 'both'
  readonly depth?: number
  readonly level?: 'table' | 'column'
  readonly cursor?: string
  readonly max_tokens?: number
}

const describeGraph = async (call: ToolCall, resource_id: string, args: LineageArgs): Promise<Answer> => {
  const { depth, level, direction = 'both' } = args
  const graph = await getGraph(
    call.ctx,
    { resource_id, direction: direction.toUpperCase() as Graph['direction'], depth, level, limit: MAX_NODES },
    { exact_counts: false },
  )
  const position = new Map(graph.nodes.map((node, i) => [node.id, i]))
  // Each edge is shown with the end that comes later, so that an answer never names a node the caller has not seen yet.
  const edges = Map.groupBy(graph.edges, ({ from, to }) => (position.get(from)! > position.get(to)! ? from : to))
  const all = graph.nodes
    .filter(({ distance }) => distance > 0)
    .map((node) => ({
      ...toNode(call, node),
      distance: node.distance,
      direction: node.direction?.toLowerCase() ?? null,
      edges: (edges.get(node.id) ?? []).map(toEdge),
    }))
  return { ...takeItems(all, args, getItemBudget(args)), total_exact: !graph.truncated, link: `${call.baseUrl}/lineage/${resource_id}` }
}

const describePaths = async (call: ToolCall, from: string, to: string, args: LineageArgs): Promise<Answer> => {
  const found = await findPaths(call.ctx, { from, to, level: args.level })
  const fields = { paths: found.paths, nodes: found.nodes.map((node) => toNode(call, node)) }
  const all = found.edges.map((edge) => ({
    ...toEdge(edge),
    proofs: edge.evidence.map(({ start: _start, end: _end, ...proof }) => proof),
  }))
  const link = `${call.baseUrl}/lineage/${from}`
  return { ...takeItems(all, args, getItemBudget(args, fields)), total_exact: !found.truncated, link, ...fields }
}

const toEdge = ({
  from,
  to,
  is_manual,
  is_derived,
  kinds,
  queries,
  indirect,
}: Omit<GraphEdge, 'indirect'> & { readonly indirect?: boolean }) => ({
  from,
  to,
  manual: is_manual,
  derived: is_derived,
  kinds,
  queries,
  ...(indirect && { indirect }),
})

const toNode = ({ baseUrl }: ToolCall, { id, hidden, entity_type, title_full }: NodeBrief) =>
  hidden ? { id, type: null, path: null, hidden: true } : { id, type: entity_type, path: title_full, link: linkToResource(baseUrl, id) }

const AffectedItem = Type.Object({
  ...nodeFields,
  distance: Type.Integer(),
  certain: Type.Boolean({ description: 'False when a step is known only at table level.' }),
  owners: Type.Array(Person),
  through: Type.Array(NullableString(), { description: 'The resources between, nearest first. Null for one you may not see.' }),
  reason: Type.Optional(Type.String({ description: 'Why it breaks.' })),
})

const Columns = Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { maxItems: 1_000 })

export const getImpactTool = defineTool({
  name: 'get_impact',
  title: 'Impact of a table or of a change',
  description:
    'What is affected by a table or column: everything downstream, nearest first, with its owners. Describe a change (new SQL of the table, columns to drop or rename, or dropping the table) to get only what that change would break, and why. Nothing is changed. Use it before you alter a table, a view or a dbt model.',
  permission: 'catalog.read',
  annotations: READS_CATALOG,
  input: {
    id: Target('the table or column'),
    columns: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
        maxItems: 100,
        description: 'Only the impact of these columns of the table.',
      }),
    ),
    sql: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000_000, description: 'Change: the new query that the table is built with.' }),
    ),
    dialect: Type.Optional(Type.String({ maxLength: 100, description: 'The dialect of `sql`, e.g. postgres or snowflake.' })),
    drop_columns: Type.Optional(Type.Unsafe<string[]>({ ...Columns, description: 'Change: these columns are dropped.' })),
    rename_columns: Type.Optional(
      Type.Array(Type.Object({ column: Type.String({ minLength: 1 }), to: Type.String({ minLength: 1 }) }), {
        maxItems: 1_000,
        description: 'Change: these columns are renamed.',
      }),
    ),
    drop_table: Type.Optional(Type.Boolean({ description: 'Change: the table is dropped.' })),
    ...PAGING,
  },
  item: AffectedItem,
  fields: {
    summary: Type.Optional(Type.Unknown({ description: 'Counts by type, distance and owner.' })),
    changes: Type.Optional(
      Type.Array(Type.Unknown(), { description: 'What the described change does to the table; `summary` has their number.' }),
    ),
    unresolved: Type.Optional(Type.Array(Type.Unknown(), { description: 'Names in the SQL that the catalog does not know.' })),
    notes: Type.Optional(Type.Array(Type.String())),
  },
  run: async (call, args) => {
    const { ctx, baseUrl } = call
    const id = await findTargetId(ctx, args.id)
    const link = `${baseUrl}/lineage/${id}`
    if (args.sql !== undefined || args.drop_columns?.length || args.rename_columns?.length || args.drop_table) {
      const result = await simulateChange(ctx, {
        table_id: id,
        sql: args.sql,
        dialect: args.dialect,
        dropped_columns: args.drop_columns,
        renamed_columns: args.rename_columns,
        dropped_tables: args.drop_table ? [id] : undefined,
      })
      const { breaks, changes, unresolved, notes, totals } = result
      const fields = {
        summary: { ...totals, changes: changes.length, unresolved: unresolved.length },
        changes: limitEntries(changes, args),
        unresolved: limitEntries(unresolved, args),
        notes: limitEntries(notes, args),
      }
      const all = breaks.map((each) => ({ ...toAffectedItem(call, each), reason: each.reason }))
      return { ...takeItems(all, args, getItemBudget(args, fields)), total: totals.breaks, total_exact: !result.truncated, link, ...fields }
    }
    const query = { resource_id: id, column: args.columns?.join(',') }
    let last: Awaited<ReturnType<typeof getImpact>> | undefined
    const found = await readItems<Affected>(args, {
      list: toListAddress('get_impact', args),
      limit: 100,
      budget: getItemBudget(args) - 500, // for the summary
      read: async (page) => {
        last = await getImpact(ctx, query, page)
        return last
      },
      toItems: (rows) => rows.map((each) => toAffectedItem(call, each)),
    })
    const { by_owner, ...summary } = last!.summary
    return { ...found, total_exact: !last!.truncated, link, summary: { ...summary, by_owner: by_owner.slice(0, 10) } }
  },
})

const toAffectedItem = (call: ToolCall, { distance, certain, owners, path, ...node }: Affected) => ({
  ...toNode(call, node),
  distance,
  certain,
  owners,
  through: path.slice(1, -1).map(({ title_full }) => title_full),
})
