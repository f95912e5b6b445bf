import { type Static, Type } from 'typebox'
import { PageQuery } from '../lists/page.ts'
import { Id, Nullable, NullableId, NullableString, OneOf, Timestamp } from '../wire.ts'

/** What travels on the wire when the graph is asked. */

const LEVELS = ['table', 'column'] as const
const WAYS = ['UPSTREAM', 'DOWNSTREAM'] as const
const Flag = Nullable(Type.Boolean())

const Group = Type.Object(
  { id: Id(), title: Type.String(), title_full: Type.String(), entity_type: Type.String() },
  { description: 'The table of a column, the dashboard of a chart.' },
)

const brief = {
  id: Type.String({ description: 'The ID of the resource; of a hidden one a name that holds in this answer only, as `hidden-1`.' }),
  hidden: Type.Boolean({ description: 'Something on the way that you may not see. Every other field but the place in the graph is null.' }),
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
  group: Nullable(Group),
}
export const NodeBrief = Type.Object(brief, { title: 'LineageResource' })
export type NodeBrief = Static<typeof NodeBrief>

export const GraphNode = Type.Object(
  {
    ...brief,
    distance: Type.Integer({ description: 'Steps from where the walk began, which is 0.' }),
    direction: Nullable(OneOf([...WAYS, 'BOTH'], 'On which side of the start it stands; BOTH on a cycle, null for the start itself.')),
    more_upstream: Type.Integer({ description: 'Neighbours upstream that are not in this answer.' }),
    more_downstream: Type.Integer({ description: 'Neighbours downstream that are not in this answer.' }),
  },
  { title: 'LineageNode' },
)
export type GraphNode = Static<typeof GraphNode>

const proof = {
  is_manual: Type.Boolean({ description: 'A person said so.' }),
  is_derived: Type.Boolean({ description: 'A query says so.' }),
  kinds: Type.Array(OneOf(['table', 'identity', 'expression', 'aggregation', 'filter']), {
    description: 'How the queries say the data travels; empty for what only people said.',
  }),
  queries: Type.Integer({ description: 'How many queries say so.' }),
}

export const GraphEdge = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    ...proof,
    indirect: Type.Boolean({ description: 'The way goes through resources that the filters leave out.' }),
  },
  { title: 'LineageEdge' },
)
export type GraphEdge = Static<typeof GraphEdge>

export const Graph = Type.Object(
  {
    resource_id: Id(),
    direction: OneOf([...WAYS, 'BOTH']),
    depth: Type.Integer(),
    level: OneOf(LEVELS),
    nodes: Type.Array(GraphNode, { description: 'The nearest first.' }),
    edges: Type.Array(GraphEdge),
    truncated: Type.Boolean({ description: 'Inside of the depth that was asked for there is more than is shown here.' }),
    totals: Type.Object({
      nodes: Type.Integer(),
      edges: Type.Integer(),
      hidden: Type.Integer({ description: 'Nodes of these that you may not see.' }),
      more: Type.Integer({ description: 'The neighbours that are not in this answer, added up over its nodes.' }),
    }),
  },
  { title: 'LineageGraph' },
)
export type Graph = Static<typeof Graph>

const ResourceId = Type.String({ maxLength: 100, description: 'Where to begin.' })
const Filters = {
  entity_type: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'Only these types, with commas between. Others are walked through.' }),
  ),
  without_entity_type: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'All but these types, with commas between: `dashboard,chart`.' }),
  ),
  integration_id: Type.Optional(Type.String({ maxLength: 10_000, description: 'Only of these integrations: IDs with commas between.' })),
  include_archived: Type.Optional(Type.Boolean({ default: true, description: 'Whether archived resources are shown.' })),
}
export type Filters = { entity_type?: string; without_entity_type?: string; integration_id?: string; include_archived?: boolean }

const MOST_NODES = 5_000
const DEEPEST = 50

export const GraphQuery = Type.Object({
  resource_id: ResourceId,
  direction: Type.Optional(Type.Unsafe<'UPSTREAM' | 'DOWNSTREAM' | 'BOTH'>({ ...OneOf([...WAYS, 'BOTH']), default: 'BOTH' })),
  depth: Type.Optional(Type.Integer({ minimum: 1, maximum: DEEPEST, default: 3, description: 'Steps in each direction.' })),
  level: Type.Optional(Type.Unsafe<'table' | 'column'>({ ...OneOf(LEVELS), default: 'table' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_NODES, default: 500, description: 'Nodes in the answer.' })),
  include_filters: Type.Optional(
    Type.Boolean({ default: false, description: 'At column level: also edges from a column to a table whose rows it decides.' }),
  ),
  ...Filters,
})
export type GraphQuery = Static<typeof GraphQuery>

export const ImpactQuery = Type.Object({
  ...PageQuery.properties,
  resource_id: ResourceId,
  column: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'Only of these columns of the table: titles or IDs, with commas between.' }),
  ),
  depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 1_000 })),
  level: Type.Optional(OneOf(LEVELS, 'Column by default where a column is asked about, else table.')),
  format: Type.Optional(
    Type.Unsafe<'json' | 'csv'>({ ...OneOf(['json', 'csv']), default: 'json', description: 'CSV has all rows, without pages.' }),
  ),
  ...Filters,
})
export type ImpactQuery = Static<typeof ImpactQuery>

export const Owner = Type.Object(
  {
    id: Id(),
    type: OneOf(['user', 'group']),
    name: NullableString('Null for those who may not read people, and when nobody knows.'),
    email: NullableString(),
  },
  { title: 'LineageOwner' },
)
export type Owner = Static<typeof Owner>

export const Affected = Type.Object(
  {
    ...brief,
    id: Id(),
    distance: Type.Integer(),
    certain: Type.Boolean({ description: 'False when, somewhere on the way, only whole tables are known to depend on each other.' }),
    owners: Type.Array(Owner, { description: 'Its owners, else those of what it belongs to.' }),
    path: Type.Array(NodeBrief, { description: 'One of the shortest ways from where the question began, both ends included.' }),
  },
  { title: 'Affected' },
)
export type Affected = Static<typeof Affected>

export const ImpactSummary = Type.Object({
  total: Type.Integer(),
  by_entity_type: Type.Record(Type.String(), Type.Integer()),
  by_distance: Type.Record(Type.String(), Type.Integer()),
  by_owner: Type.Array(Type.Object({ ...Owner.properties, count: Type.Integer() }), {
    description: 'Those with the most first, at most 100.',
  }),
  unowned: Type.Integer(),
  dashboards: Type.Integer(),
})
export type ImpactSummary = Static<typeof ImpactSummary>

export const PathQuery = Type.Object({
  from: Type.String({ maxLength: 100 }),
  to: Type.String({ maxLength: 100 }),
  level: Type.Optional(OneOf(LEVELS, 'Column by default between two columns, else table.')),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Paths in the answer: there can be many of one length.' }),
  ),
})
export type PathQuery = Static<typeof PathQuery>

export const Evidence = Type.Object(
  {
    is_manual: Type.Boolean(),
    kind: Nullable(OneOf(['table', 'identity', 'expression', 'aggregation', 'filter'])),
    from_column: NullableString('The title, where the flow begins at a column.'),
    to_column: NullableString(),
    created_at: Timestamp,
    dialect: NullableString(),
    engine_version: NullableString(),
    job: NullableId('The job that reported it, where no query did.'),
    sql: NullableString('The query. Null for what a person said, and when it reads or writes what you may not see.'),
    start: Nullable(Type.Integer({ description: 'Where in the text of the query it stands, in UTF-16 units from 0.' })),
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
    length: Nullable(Type.Integer({ description: 'Steps of the shortest path; null when there is none.' })),
    paths: Type.Array(Type.Array(Type.String(), { description: 'The IDs of its nodes.' })),
    nodes: Type.Array(NodeBrief),
    edges: Type.Array(
      Type.Object({ from: Type.String(), to: Type.String(), ...proof, evidence: Type.Array(Evidence, { description: 'At most 20.' }) }),
    ),
    truncated: Type.Boolean({ description: 'There are more paths of this length, or the search was given up.' }),
  },
  { title: 'LineagePaths' },
)
export type Paths = Static<typeof Paths>
