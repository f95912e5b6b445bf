import { type Static, Type } from 'typebox'
import { HEALTH_STATUSES } from '../../catalog/records/health.ts'
import { Id, Nullable, NullableId, NullableString, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'

/** Request and response schemas of the lineage graph. */

const LEVELS = ['table', 'column'] as const
const DIRECTIONS = ['UPSTREAM', 'DOWNSTREAM'] as const
const Flag = Nullable(Type.Boolean())

const Group = Type.Object(
  { id: Id(), title: Type.String(), title_full: Type.String(), entity_type: Type.String() },
  { description: 'The table of a column, the dashboard of a chart.' },
)

const nodeFields = {
  id: Type.String({
    description: 'The ID of the resource. For a hidden node a placeholder that is valid in this response only, e.g. `hidden-1`.',
  }),
  hidden: Type.Boolean({ description: 'A node you may not see. All fields except its position in the graph are null.' }),
  title: NullableString(),
  title_full: NullableString(),
  entity_type: NullableString(),
  native_type: NullableString(),
  icon: NullableString(),
  integration: NullableId(),
  integration_type: NullableString(),
  published: Flag,
  archived: Flag,
  verified: Flag,
  pii: Flag,
  stale: Flag,
  deprecated: Flag,
  health: Nullable(OneOf(HEALTH_STATUSES)),
  group: Nullable(Group),
}
export const NodeBrief = Type.Object(nodeFields, { title: 'LineageResource' })
export type NodeBrief = Static<typeof NodeBrief>

export const GraphNode = Type.Object(
  {
    ...nodeFields,
    distance: Type.Integer({ description: 'Number of steps from the start node, which has 0.' }),
    direction: Nullable(
      OneOf([...DIRECTIONS, 'BOTH'], 'The side of the start node it is on. BOTH on a cycle, null for the start node itself.'),
    ),
    more_upstream: Type.Integer({ description: 'Upstream neighbours that are not in this response.' }),
    more_downstream: Type.Integer({ description: 'Downstream neighbours that are not in this response.' }),
  },
  { title: 'LineageNode' },
)
export type GraphNode = Static<typeof GraphNode>

const evidenceFields = {
  is_manual: Type.Boolean({ description: 'Added manually.' }),
  is_derived: Type.Boolean({ description: 'Derived from a query.' }),
  kinds: Type.Array(OneOf(['table', 'identity', 'expression', 'aggregation', 'filter']), {
    description: 'How data flows according to the queries; empty for edges that were only added manually.',
  }),
  queries: Type.Integer({ description: 'Number of queries the edge was derived from.' }),
}

export const GraphEdge = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    ...evidenceFields,
    indirect: Type.Boolean({ description: 'The connection goes through resources excluded by the filters.' }),
  },
  { title: 'LineageEdge' },
)
export type GraphEdge = Static<typeof GraphEdge>

export const Graph = Type.Object(
  {
    resource_id: Id(),
    direction: OneOf([...DIRECTIONS, 'BOTH']),
    depth: Type.Integer(),
    level: OneOf(LEVELS),
    nodes: Type.Array(GraphNode, { description: 'Nearest first.' }),
    edges: Type.Array(GraphEdge),
    truncated: Type.Boolean({ description: 'True when the requested depth contains more nodes or edges than this response.' }),
    totals: Type.Object({
      nodes: Type.Integer(),
      edges: Type.Integer(),
      hidden: Type.Integer({ description: 'How many of the nodes you may not see.' }),
      more: Type.Integer({ description: 'The sum of `more_upstream` and `more_downstream` over all nodes.' }),
    }),
  },
  { title: 'LineageGraph' },
)
export type Graph = Static<typeof Graph>

const ResourceId = Type.String({ maxLength: 100, description: 'ID of the start node.' })
const Filters = {
  entity_type: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'Only these types, comma-separated. Other resources are traversed but not shown.' }),
  ),
  without_entity_type: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'All types except these, comma-separated, e.g. `dashboard,chart`.' }),
  ),
  integration_id: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'Only resources of these integrations: comma-separated IDs.' }),
  ),
  include_archived: Type.Optional(Type.Boolean({ default: true, description: 'Whether to include archived resources.' })),
}
export type Filters = { entity_type?: string; without_entity_type?: string; integration_id?: string; include_archived?: boolean }

const MAX_NODES = 5_000
const MAX_DEPTH = 50

export const GraphQuery = Type.Object({
  resource_id: ResourceId,
  direction: Type.Optional(Type.Unsafe<'UPSTREAM' | 'DOWNSTREAM' | 'BOTH'>({ ...OneOf([...DIRECTIONS, 'BOTH']), default: 'BOTH' })),
  depth: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DEPTH, default: 3, description: 'Steps in each direction.' })),
  level: Type.Optional(Type.Unsafe<'table' | 'column'>({ ...OneOf(LEVELS), default: 'table' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_NODES, default: 500, description: 'Maximum number of nodes in the response.' }),
  ),
  include_filters: Type.Optional(
    Type.Boolean({ default: false, description: 'At column level: include edges from a column to a table whose rows it filters.' }),
  ),
  include_jobs: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'At table level: show the jobs that move data between resources as nodes, in place of the edges they cause.',
    }),
  ),
  ...Filters,
})
export type GraphQuery = Static<typeof GraphQuery>

export const ImpactQuery = Type.Object({
  ...PageQuery.properties,
  resource_id: ResourceId,
  column: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'Only the impact of these columns of the table: comma-separated titles or IDs.' }),
  ),
  depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 1_000 })),
  level: Type.Optional(OneOf(LEVELS, 'Defaults to column when the resource is a column or `column` is set, else table.')),
  format: Type.Optional(
    Type.Unsafe<'json' | 'csv'>({ ...OneOf(['json', 'csv']), default: 'json', description: 'CSV contains all rows, without pagination.' }),
  ),
  ...Filters,
})
export type ImpactQuery = Static<typeof ImpactQuery>

export const Owner = Type.Object(
  {
    id: Id(),
    type: OneOf(['user', 'group']),
    name: NullableString('Null when you may not see the name, or when it is unknown.'),
    email: NullableString(),
  },
  { title: 'LineageOwner' },
)
export type Owner = Static<typeof Owner>

export const Affected = Type.Object(
  {
    ...nodeFields,
    id: Id(),
    distance: Type.Integer(),
    certain: Type.Boolean({ description: 'False when a step of the path is known only at table level.' }),
    owners: Type.Array(Owner, { description: 'Its owners, or the owners of its nearest parent that has any.' }),
    path: Type.Array(NodeBrief, { description: 'One of the shortest paths from the start node, including both ends.' }),
  },
  { title: 'Affected' },
)
export type Affected = Static<typeof Affected>

export const ImpactSummary = Type.Object({
  total: Type.Integer(),
  by_entity_type: Type.Record(Type.String(), Type.Integer()),
  by_distance: Type.Record(Type.String(), Type.Integer()),
  by_owner: Type.Array(Type.Object({ ...Owner.properties, count: Type.Integer() }), {
    description: 'Owners with the most affected resources first, at most 100.',
  }),
  unowned: Type.Integer(),
  dashboards: Type.Integer(),
})
export type ImpactSummary = Static<typeof ImpactSummary>

export const PathQuery = Type.Object({
  from: Type.String({ maxLength: 100 }),
  to: Type.String({ maxLength: 100 }),
  level: Type.Optional(OneOf(LEVELS, 'Defaults to column between two columns, else table.')),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Maximum number of paths: several can have the same length.' }),
  ),
})
export type PathQuery = Static<typeof PathQuery>

export const Evidence = Type.Object(
  {
    is_manual: Type.Boolean(),
    kind: Nullable(OneOf(['table', 'identity', 'expression', 'aggregation', 'filter'])),
    from_column: NullableString('The title of the source column, if the edge starts at one.'),
    to_column: NullableString(),
    created_at: Timestamp,
    dialect: NullableString(),
    engine_version: NullableString(),
    job: NullableId('The job that reported the edge, if it was not derived from a query.'),
    sql: NullableString('The query. Null for manual edges, and when it reads or writes resources you may not see.'),
    start: Nullable(Type.Integer({ description: 'Start position in the query text, in UTF-16 code units from 0.' })),
    end: Nullable(Type.Integer()),
  },
  { title: 'LineageEvidence' },
)
export type Evidence = Static<typeof Evidence>

export const Paths = Type.Object(
  {
    from: Id(),
    to: Id(),
    level: OneOf(LEVELS),
    length: Nullable(Type.Integer({ description: 'Number of steps of the shortest path; null when there is no path.' })),
    paths: Type.Array(Type.Array(Type.String(), { description: 'The IDs of the nodes along the path.' })),
    nodes: Type.Array(NodeBrief),
    edges: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        ...evidenceFields,
        evidence: Type.Array(Evidence, { description: 'At most 20.' }),
      }),
    ),
    truncated: Type.Boolean({ description: 'True when more paths of this length exist, or the search stopped at its limit.' }),
  },
  { title: 'LineagePaths' },
)
export type Paths = Static<typeof Paths>
