import { type Static, Type } from 'typebox'
import { Me } from '../access/schema.ts'
import { PageQuery } from '../lists/page.ts'
import { Notification } from '../notify/schema.ts'
import { CustomProperty, PropertyValue } from '../properties/schema.ts'
import { ResourceBrief } from '../resources/brief.ts'
import { Resource } from '../resources/schema.ts'
import { Session } from '../sessions/schema.ts'
import { Id, IdIn, Nullable, NullableId, NullableString, OneOf, Timestamp } from '../wire.ts'

/** What travels on the wire for the pages of the web app: one answer for one page. */
const NAMED_TYPES = ['user', 'group', 'team', 'tag', 'integration', 'resource'] as const

const Named = Type.Object(
  {
    type: OneOf(NAMED_TYPES),
    name: Type.String(),
    initials: Type.Optional(Type.String({ description: 'Of people and circles: what stands for a picture.' })),
    color: Type.Optional(NullableString('Of tags.')),
    entity_type: Type.Optional(Type.String({ description: 'Of resources.' })),
    icon: Type.Optional(Type.String({ description: 'Of resources.' })),
    integration_type: Type.Optional(Type.String({ description: 'Of integrations.' })),
    author: Type.Optional(Type.String({ description: 'Of questions and replies: the name of who wrote it.' })),
  },
  { title: 'Named' },
)
export type Named = Static<typeof Named>
export const Names = Type.Record(Type.String(), Named, {
  title: 'Names',
  description: 'What is called how, by ID. What has no name that you may know is left out.',
})
export type Names = Static<typeof Names>

export const NamesQuery = Type.Object({ ids: Type.String({ maxLength: 10_000, description: 'At most 200 IDs, with commas between.' }) })

export const Health = Type.Record(
  Type.String(),
  Type.Object({
    open_incidents: Type.Integer({ description: 'Of the resource and, of a table, of its columns.' }),
    since: { ...Timestamp, description: 'When the oldest of them began.' },
  }),
  { title: 'Health', description: 'By ID. Resources without an open incident are left out.' },
)
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
      email: Type.Boolean({ description: 'This workspace sends e-mails.' }),
      slack: Type.Boolean({ description: 'This workspace writes to Slack.' }),
    }),
    tags: Type.Array(Type.Object({ id: Id(), name: Type.String(), color: NullableString() })),
    teams: Type.Array(Type.Object({ id: Id(), name: Type.String(), icon: NullableString(), closed: Type.Boolean() })),
    groups: Type.Array(Type.Object({ id: Id(), name: Type.String() })),
    integrations: Type.Array(Type.Object({ id: Id(), name: Type.String(), type: Type.String() })),
    properties: Type.Array(CustomProperty),
    empty: Type.Boolean({ description: 'There is nothing in the catalog that you see.' }),
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
    changes: Type.Array(Notification, { description: 'What changed in what you own or follow, the latest first.' }),
    incidents: Type.Array(OpenIncident, { description: 'That are open; those of what you own or follow first.' }),
    bookmarks: Type.Array(ResourceBrief, { description: 'What you bookmarked, by name: at most 50, whatever the limit.' }),
    drafts: Type.Array(ResourceBrief, { description: 'Documents of yours that are not published.' }),
    questions: Type.Array(ResourceBrief, { description: 'Open ones that you asked, follow or are to answer.' }),
    most_used: Type.Array(ResourceBrief),
    recent: Type.Array(Type.Object({ ...ResourceBrief.properties, viewed_at: Timestamp }), { description: 'What you looked at last.' }),
    names: Names,
  },
  { title: 'Home' },
)
export type Home = Static<typeof Home>

export const HomeQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 8, description: 'Lines in each part.' })),
})

const Crumb = Type.Object({ id: Id(), title: Type.String(), entity_type: Type.String(), icon: Type.String() })
export type Crumb = Static<typeof Crumb>

const count = (description: string) => Type.Integer({ description })

export const ResourcePage = Type.Object(
  {
    resource: Resource,
    breadcrumbs: Type.Array(Crumb, { description: 'What it stands in, from the top; what you may not see is left out.' }),
    names: Names,
    properties: Type.Array(PropertyValue),
    bookmarked: Type.Boolean(),
    subscribed: Type.Boolean(),
    tabs: Type.Object({
      children: count('Direct children.'),
      columns: count('Those of them that are columns, and still in the source.'),
      columns_gone: count('Columns that are gone from the source.'),
      upstream: count('Neighbours that data comes from.'),
      downstream: count('Neighbours that data goes to.'),
      monitors: count('Of it and its columns.'),
      incidents: count('Open ones of these.'),
      questions: count('Asked about it.'),
      queries: count('Queries its lineage was read from.'),
      backlinks: count('What links to it in its documentation.'),
      versions: count('How often it was written.'),
    }),
  },
  { title: 'ResourceView' },
)
export type ResourcePage = Static<typeof ResourcePage>

export const TreeNode = Type.Object(
  {
    id: Id(),
    kind: OneOf(['integration', 'resource']),
    title: Type.String(),
    entity_type: Type.String(),
    native_type: NullableString(),
    icon: Type.String(),
    children_count: Type.Integer({ description: 'Direct children; of an integration, all its resources.' }),
    published: Type.Boolean(),
    verified: Type.Boolean(),
    stale: Type.Boolean(),
    integration: NullableId(),
  },
  { title: 'TreeNode' },
)
export type TreeNode = Static<typeof TreeNode>

export const TreeQuery = Type.Object({
  ...PageQuery.properties,
  parent_id: Type.Optional({ ...IdIn, description: 'The children of this resource.' }),
  integration_id: Type.Optional({ ...IdIn, description: 'The top level of this integration.' }),
})
export type TreeQuery = Static<typeof TreeQuery>
