import { type Static, Type } from 'typebox'
import { Id, Nullable, NullableId, NullableString, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { METRIC_NAMES, NUMBER_NAMES } from './metrics.ts'

const idParam = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))
const ScopeParams = {
  team_id: idParam('Only resources of this team.'),
  integration_id: idParam('Only resources of this integration.'),
  owner_id: idParam('Only resources of this user or group. Columns are not counted: owners are set on tables.'),
}
const format = Type.Optional(OneOf(['json', 'csv'], 'The format of the response.'))
const MAX_DAYS = 90
const days = Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: MAX_DAYS, description: 'How many days back.' }))

export const InsightsQuery = Type.Object({ ...ScopeParams, days, format })
export type InsightsQuery = Static<typeof InsightsQuery>

const GROUPINGS = ['team', 'integration', 'owner', 'schema'] as const
export const InsightGroupsQuery = Type.Object({
  ...ScopeParams,
  by: Type.Optional(OneOf(GROUPINGS, 'What to compare. Default: `integration`.')),
  format,
})
export type InsightGroupsQuery = Static<typeof InsightGroupsQuery>

export const Insights = Type.Object(
  {
    as_of: Timestamp,
    metrics: Type.Array(
      Type.Object({
        name: OneOf(METRIC_NAMES),
        count: Type.Integer(),
        rows: Type.Optional(Type.Number({ description: 'The rows of these tables, as far as they are known.' })),
        bytes: Type.Optional(Type.Number({ description: 'The size of these tables, as far as it is known.' })),
        filter: Type.String({ description: 'The filter of `/resource/catalog` that lists them.' }),
      }),
      { description: 'Counts of what the caller can see, without archived resources.' },
    ),
    usage: Type.Object({
      queries: Type.Number({ description: 'Queries of these tables in the 24 hours before their last sync.' }),
      views: Type.Number({ description: 'Views of their pages in 90 days.' }),
    }),
    incidents: Type.Object(
      {
        open: Type.Integer(),
        opened: Type.Integer(),
        resolved: Type.Integer(),
        median_hours_to_resolve: Nullable(Type.Number()),
        since: Timestamp,
      },
      { description: 'Open incidents, and those opened and resolved since then. `/monitor/incidents` lists them.' },
    ),
  },
  { title: 'Insights' },
)
export type Insights = Static<typeof Insights>

const Numbers = Type.Object(Object.fromEntries(NUMBER_NAMES.map((name) => [name, Type.Optional(Type.Number())])), {
  title: 'InsightNumbers',
})

export const InsightTrends = Type.Object(
  {
    counted: OneOf(
      ['everything', 'internal', 'published', 'nothing'],
      'What the daily numbers count. `everything`: for admins. `internal`: what no closed team hides, for editors. `published`: of that what is published, for viewers. `nothing`: guests see no daily numbers.',
    ),
    days: Type.Array(Type.Object({ day: Type.String({ format: 'date' }), numbers: Numbers }), {
      description: 'Oldest first; only days with a snapshot.',
    }),
    incidents: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        opened: Type.Integer(),
        resolved: Type.Integer(),
        median_hours_to_resolve: Nullable(Type.Number({ description: 'Of those resolved on this day.' })),
      }),
      { description: 'Every day, oldest first: incidents of resources that the caller can see.' },
    ),
  },
  { title: 'InsightTrends' },
)
export type InsightTrends = Static<typeof InsightTrends>

export const InsightGroups = Type.Object(
  {
    truncated: Type.Boolean({ description: 'Whether only the groups with the most tables are listed.' }),
    results: Type.Array(
      Type.Object({
        id: Id(),
        name: NullableString('Null if the caller may not know it. Of a schema: the full title.'),
        integration_id: NullableId('The integration of a schema; null for other groups.'),
        numbers: Numbers,
      }),
      { description: 'Those with the most tables first.' },
    ),
  },
  { title: 'InsightGroups' },
)
export type InsightGroups = Static<typeof InsightGroups>
