import { sql } from 'kysely'
import { Type } from 'typebox'
import { visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { readId } from '../id.ts'
import { IdIn, IdsIn, Nullable } from '../wire.ts'
import type { KindDoor } from './kind-routes.ts'
import { ResourceCreate } from './schema.ts'

/** The typed doors of the catalog. A new kind is one entry here. */
export const DOORS: readonly KindDoor[] = [
  {
    path: '/document',
    entity_type: 'document',
    noun: 'a document',
    tag: 'Documents',
    param: 'document_id',
    filters: ['title'],
    create: ResourceCreate,
    edit: true,
    remove: 'nothing',
  },
  {
    path: '/database/databases',
    entity_type: 'database',
    noun: 'a database',
    tag: 'Databases',
    param: 'database_id',
    filters: ['integration_id', 'title'],
    create: ResourceCreate,
    edit: true,
    remove: 'nothing',
    deprecated: true,
  },
  {
    path: '/database/schemas',
    entity_type: 'schema',
    noun: 'a schema',
    tag: 'Schemas',
    param: 'schema_id',
    filters: ['integration_id', 'parent_id', 'title'],
    create: Type.Object(
      {
        ...ResourceCreate.properties,
        database: Type.Optional(Nullable(Type.String({ maxLength: 500, description: 'The title of its database, instead of `parent`.' }))),
      },
      { title: 'SchemaCreate', examples: [{ title: 'public', database: 'shop' }] },
    ),
    prepare: async (ctx, { database, ...create }) => ({
      ...create,
      parent: (create.parent as string) ?? (await findDatabase(ctx, database, create.integration)),
    }),
    edit: true,
    remove: 'nothing',
    deprecated: true,
  },
  {
    path: '/query/queries',
    entity_type: 'query',
    noun: 'a query',
    tag: 'Queries',
    param: 'query_id',
    filters: ['title'],
    deprecated: true,
  },
  {
    path: '/event/category',
    entity_type: 'category',
    noun: 'an event category',
    tag: 'Event categories',
    param: 'event_category_id',
    filters: ['title'],
    create: Type.Object(
      { title: ResourceCreate.properties.title, integration: IdIn, teams: Type.Optional(Nullable(IdsIn)) },
      { title: 'EventCategoryCreate', examples: [{ title: 'Checkout', integration: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f' }] },
    ),
  },
  {
    path: '/event/events',
    entity_type: 'event',
    noun: 'an event',
    tag: 'Events',
    param: 'event_id',
    filters: ['integration_id', 'parent_id', 'title'],
    create: Type.Object(
      { ...ResourceCreate.properties, parent: IdIn, integration: IdIn },
      {
        title: 'EventCreate',
        examples: [
          { title: 'order_placed', parent: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f', integration: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5e' },
        ],
      },
    ),
    prepare: async (ctx, create) => {
      await mustBeCategory(ctx, create.parent as string)
      return create
    },
    edit: true,
    remove: 'record',
    deprecated: true,
  },
]

const findDatabase = async (ctx: Context, title: unknown, integration: unknown): Promise<string | undefined> => {
  if (typeof title !== 'string') return undefined
  const id = typeof integration === 'string' ? (readId(integration) ?? null) : null
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r
    where r.entity_type = 'database' and lower(r.title) collate "C" = lower(${title}) and r.title = ${title} and ${visibleTo(ctx.actor)}
      and (${id}::uuid is null or r.integration = ${id}::uuid)
    order by r.id limit 2
  `.execute(ctx.db)
  if (rows.length === 1) return rows[0]!.id
  throw invalid({
    database: [
      rows.length === 0 ? `There is no database called "${title}".` : `Several databases are called "${title}": give its ID as parent.`,
    ],
  })
}

const mustBeCategory = async (ctx: Context, parent: string): Promise<void> => {
  const { rows } = await sql`
    select from resources r where r.id = ${readId(parent)} and r.entity_type = 'category' and ${visibleTo(ctx.actor)}
  `.execute(ctx.db)
  if (rows.length === 0) throw invalid({ parent: ['An event stands under an event category.'] })
}
