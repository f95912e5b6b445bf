import { type Static, Type } from 'typebox'
import { Id, Timestamp } from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const Query = Type.String({ maxLength: 10_000, description: 'The query string of the page that the view shows.' })
const Shared = Type.Boolean({ description: 'Whether everyone can see the view. Its results still depend on what each user can see.' })

export const View = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    name: Type.String(),
    query: Query,
    page_name: Type.String({ description: 'The page the view belongs to.' }),
    shared: Shared,
    user: Id('ID of the user who created the view.'),
    mine: Type.Boolean(),
    pinned: Type.Boolean({ description: 'Whether you pinned it to your navigation.' }),
  },
  { title: 'View' },
)
export type View = Static<typeof View>

export const ViewCreate = Type.Object(
  {
    name: Name,
    query: Query,
    page_name: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,49}$', default: 'catalog' })),
    shared: Type.Optional(Shared),
  },
  { title: 'ViewCreate', examples: [{ name: 'Tables without an owner', query: 'type=table&owners=none' }] },
)
export type ViewCreate = Static<typeof ViewCreate>

export const ViewEdit = Type.Object(
  { name: Type.Optional(Name), query: Type.Optional(Query), shared: Type.Optional(Shared) },
  { title: 'ViewEdit', examples: [{ shared: false }] },
)
export type ViewEdit = Static<typeof ViewEdit>

export const ViewQuery = Type.Object({
  ...PageQuery.properties,
  page_name: Type.Optional(Type.String({ maxLength: 50, description: 'Only views of this page.' })),
  shared: Type.Optional(Type.Boolean({ description: 'Only shared (`true`) or private (`false`) views.' })),
})
export type ViewQuery = Static<typeof ViewQuery>
