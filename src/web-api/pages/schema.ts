import { type Static, Type } from 'typebox'
import { Me } from '../../accounts/shared/schema.ts'
import { Session } from '../../accounts/sign-in/schema.ts'
import { ResourceBrief } from '../../catalog/listing/brief.ts'
import { CustomProperty, PropertyValue } from '../../catalog/properties/schema.ts'
import { HEALTH_STATUSES } from '../../catalog/records/health.ts'
import { Resource } from '../../catalog/records/schema.ts'
import { Notification } from '../../notifications/deliveries/schema.ts'
import { ResourceHealth } from '../../observability/health/schema.ts'
import { PII_CLASSES } from '../../observability/pii/detectors.ts'
import { Id, IdInput, Nullable, NullableId, NullableString, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { Translatable } from '../../platform/core/translatable.ts'
import { PageQuery } from '../../platform/lists/page.ts'

/** Schemas for the pages of the web app: one response per page. */
const NAMED_TYPES = ['user', 'group', 'team', 'tag', 'integration', 'resource'] as const

const Named = Type.Object(
  {
    type: OneOf(NAMED_TYPES),
    name: Type.String(),
    initials: Type.Optional(Type.String({ description: 'Only for users, groups and teams: shown instead of a picture.' })),
    color: Type.Optional(NullableString('Only for tags.')),
    entity_type: Type.Optional(Type.String({ description: 'Only for resources.' })),
    icon: Type.Optional(Type.String({ description: 'Only for resources.' })),
    integration_type: Type.Optional(Type.String({ description: 'Only for integrations.' })),
    description: Type.Optional(Type.String({ description: 'Only for glossary terms: the first 300 characters of the description.' })),
    author: Type.Optional(Type.String({ description: 'Only for questions and replies: the name of the author.' })),
  },
  { title: 'Named' },
)
export type Named = Static<typeof Named>
export const Names = Type.Record(Type.String(), Named, {
  title: 'Names',
  description: 'Names by ID. IDs that do not exist or are not visible to the caller are left out.',
})
export type Names = Static<typeof Names>

export const NamesQuery = Type.Object({ ids: Type.String({ maxLength: 10_000, description: 'At most 200 IDs, separated by commas.' }) })

export const Health = Type.Record(Type.String(), Type.Object({ status: OneOf(HEALTH_STATUSES), deprecated: Type.Boolean() }), {
  title: 'Health',
  description: 'By resource ID. Resources that you cannot see are left out.',
})
export type Health = Static<typeof Health>

export const Bootstrap = Type.Object(
  {
    me: Type.Object({ ...Me.properties, initials: Type.String() }),
    workspace: Type.Object({ id: Id(), name: Type.String() }),
    session: Nullable(Type.Object({ ...Session.properties, has_password: Type.Boolean() })),
    unread_count: Type.Integer(),
    settings: Type.Object({
      version: Type.String(),
      public_url: NullableString(),
      email: Type.Boolean({ description: 'Whether e-mail is configured.' }),
      slack: Type.Boolean({ description: 'Whether Slack is configured.' }),
      assistant: Type.Boolean({ description: 'Whether you can ask the assistant.' }),
    }),
    tags: Type.Array(Type.Object({ id: Id(), name: Type.String(), color: NullableString() })),
    teams: Type.Array(Type.Object({ id: Id(), name: Type.String(), icon: NullableString(), closed: Type.Boolean() })),
    groups: Type.Array(Type.Object({ id: Id(), name: Type.String() })),
    integrations: Type.Array(Type.Object({ id: Id(), name: Type.String(), type: Type.String() })),
    properties: Type.Array(CustomProperty),
    pinned_views: Type.Array(Type.Object({ id: Id(), name: Type.String(), query: Type.String() }), {
      description: 'Saved views that you pinned.',
    }),
    empty: Type.Boolean({ description: 'Whether the caller sees no resources at all.' }),
    tour: Type.Boolean({ description: 'Whether to offer the tour: the user has neither finished nor skipped it.' }),
  },
  { title: 'Bootstrap' },
)
export type Bootstrap = Static<typeof Bootstrap>

const OpenIncident = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    status: Type.String(),
    summary: Type.String(),
    summary_translatable: Translatable,
    value: Type.Number(),
    first_seen_at: Timestamp,
    last_seen_at: Timestamp,
    monitor: Id(),
    target: ResourceBrief,
  },
  { title: 'OpenIncident' },
)

export const Home = Type.Object(
  {
    changes: Type.Array(Notification, { description: 'Changes to resources you own or subscribe to, newest first.' }),
    incidents: Type.Array(OpenIncident, { description: 'Open incidents. Those of resources you own or subscribe to come first.' }),
    bookmarks: Type.Array(ResourceBrief, { description: 'Your bookmarks by title, at most 50 regardless of `limit`.' }),
    drafts: Type.Array(ResourceBrief, { description: 'Your unpublished documents.' }),
    questions: Type.Array(ResourceBrief, { description: 'Open questions that you asked, own, subscribe to or are assigned to.' }),
    most_used: Type.Array(ResourceBrief),
    recent: Type.Array(Type.Object({ ...ResourceBrief.properties, viewed_at: Timestamp }), { description: 'Recently viewed resources.' }),
    names: Names,
  },
  { title: 'Home' },
)
export type Home = Static<typeof Home>

export const HomeQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 8, description: 'Number of entries per section.' })),
})

const Crumb = Type.Object({ id: Id(), title: Type.String(), entity_type: Type.String(), icon: Type.String() })
export type Crumb = Static<typeof Crumb>

const countSchema = (description: string) => Type.Integer({ description })

/** That the overview of a table shows. */
export const FIRST_COLUMNS = 12

export const ResourcePage = Type.Object(
  {
    resource: Resource,
    health: ResourceHealth,
    breadcrumbs: Type.Array(Crumb, { description: 'Ancestors from the top down. Those not visible to the caller are left out.' }),
    names: Names,
    properties: Type.Array(PropertyValue),
    bookmarked: Type.Boolean(),
    subscribed: Type.Boolean(),
    data_updated_at: Nullable({
      ...Timestamp,
      description: 'When the data was last updated: the newest row according to its freshness monitor, else what the source reports.',
    }),
    verification: Nullable(
      Type.Object(
        { by: NullableId(), at: Timestamp },
        { description: 'Who verified it last, and when. Null if it is not verified or not known.' },
      ),
    ),
    tabs: Type.Object({
      children: countSchema('Number of direct children.'),
      columns: countSchema('Number of columns that exist in the source.'),
      columns_gone: countSchema('Number of columns that are missing from the source.'),
      first_columns_described: countSchema(`Number of columns with a description among the first ${FIRST_COLUMNS}.`),
      upstream: countSchema('Number of direct upstream resources.'),
      downstream: countSchema('Number of direct downstream resources.'),
      monitors: countSchema('Number of monitors on the resource and its columns.'),
      incidents: countSchema('Number of open incidents of these monitors.'),
      questions: countSchema('Number of questions about the resource.'),
      discussions: countSchema('Number of open discussions of the resource and its columns.'),
      queries: countSchema('Number of queries that its lineage is derived from.'),
      code: countSchema('Number of code blocks: definitions and queries that define or fill it.'),
      suggestions: countSchema('Number of open suggested changes of the resource and its columns that you can accept.'),
      backlinks: countSchema('Number of resources whose documentation links to it.'),
      versions: countSchema('Number of versions.'),
    }),
  },
  { title: 'ResourceView' },
)
export type ResourcePage = Static<typeof ResourcePage>

const MemberOf = Type.Array(Type.Object({ id: Id(), name: Type.String() }))
export const PersonPage = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    initials: Type.String(),
    email: NullableString('Only for callers with `people.read` and for oneself, like the role.'),
    role: NullableString(),
    disabled: Type.Boolean(),
    teams: MemberOf,
    groups: MemberOf,
    edited: Type.Array(Type.Object({ ...ResourceBrief.properties, edited_at: Timestamp }), {
      description: 'Recently edited resources, at most 10.',
    }),
    questions: Type.Array(ResourceBrief, { description: 'Open questions that the person asked or is assigned to, at most 10.' }),
    answers: Type.Array(ResourceBrief, { description: 'Questions that the person replied to, at most 10.' }),
  },
  { title: 'PersonView' },
)
export type PersonPage = Static<typeof PersonPage>

const ColumnFacts = Type.Object(
  {
    health: OneOf(HEALTH_STATUSES),
    references: Nullable(
      Type.Object({ table_id: Id(), table: Type.String(), column: NullableString() }, { description: 'The target of its foreign key.' }),
    ),
    null_percentage: Nullable(Type.Number({ description: 'From the last profile, as are the distinct values.' })),
    distinct_values: Nullable(Type.Integer()),
    distinct_approximate: Type.Boolean(),
    suspected_pii: Nullable(
      Type.Object(
        { class: OneOf(PII_CLASSES), confidence: Type.Number() },
        { description: 'The open PII suggestion with the highest confidence. Only for callers who can accept it.' },
      ),
    ),
    upstream: countSchema('Number of direct upstream columns.'),
    downstream: countSchema('Number of direct downstream columns.'),
    discussions: countSchema('Number of open discussions.'),
    described_by: NullableString('`person`, or the type of the integration whose description it has. Null without a description.'),
  },
  { title: 'ColumnFacts' },
)
export type ColumnFacts = Static<typeof ColumnFacts>
export const ColumnFactsById = Type.Record(Type.String(), ColumnFacts, {
  title: 'ColumnFactsById',
  description: 'By column ID: all columns of the table that the caller can see.',
})

export const TreeNode = Type.Object(
  {
    id: Id(),
    kind: OneOf(['integration', 'resource']),
    title: Type.String(),
    entity_type: Type.String(),
    native_type: NullableString(),
    icon: Type.String(),
    children_count: Type.Integer({ description: 'Number of direct children; for an integration, of all its resources.' }),
    published: Type.Boolean(),
    verified: Type.Boolean(),
    stale: Type.Boolean(),
    deprecated: Type.Boolean(),
    health: OneOf(HEALTH_STATUSES),
    integration: NullableId(),
  },
  { title: 'TreeNode' },
)
export type TreeNode = Static<typeof TreeNode>

export const TreeQuery = Type.Object({
  ...PageQuery.properties,
  parent_id: Type.Optional({ ...IdInput, description: 'List the children of this resource.' }),
  integration_id: Type.Optional({ ...IdInput, description: 'List the top level of this integration.' }),
})
export type TreeQuery = Static<typeof TreeQuery>
