import { Type } from 'typebox'
import { IdIn, Nullable } from '../wire.ts'
import type { KindDoor } from './kind-door.ts'
import { createOf } from './kind-schemas.ts'
import { findDatabase } from './placed.ts'
import { prepareQuestion, prepareReply, settleAnswer } from './questions.ts'

const EXAMPLE_ID = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
const OTHER_ID = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5e'

/** Most typed endpoints support list, create, read, edit and delete. */
const full = (door: KindDoor): KindDoor => ({ edit: true, remove: 'nothing', ...door })

const COLUMNS = full({
  path: '/table/columns',
  entity_type: 'column',
  noun: 'a column',
  tag: 'Columns',
  param: 'column_id',
  children_by: 'sort_order',
  create: createOf('column', { title: 'order_id', parent: EXAMPLE_ID, type: 'bigint', sort_order: 1, is_pk: true }),
  edit_example: { sort_order: 2, hidden: true },
})

/** The typed endpoints of the catalog. A new entity type needs one entry here. */
export const DOORS: readonly KindDoor[] = [
  full({
    path: '/document',
    entity_type: 'document',
    noun: 'a document',
    tag: 'Documents',
    param: 'document_id',
    create: createOf('document', { title: 'Handbook', definition: '# How we work with data' }),
  }),
  full({
    path: '/database/databases',
    entity_type: 'database',
    noun: 'a database',
    tag: 'Databases',
    param: 'database_id',
    create: createOf('database', { title: 'shop', integration: EXAMPLE_ID }),
    deprecated: true,
  }),
  full({
    path: '/database/schemas',
    entity_type: 'schema',
    noun: 'a schema',
    tag: 'Schemas',
    param: 'schema_id',
    create: createOf(
      'schema',
      { title: 'public', database: 'shop' },
      {
        database: Type.Optional(
          Nullable(Type.String({ maxLength: 500, description: 'The title of the database, as an alternative to `parent`.' })),
        ),
      },
    ),
    prepare: async (ctx, { database, ...create }) => ({
      ...create,
      parent: (create.parent as string) ?? (await findDatabase(ctx, database, create.integration)),
    }),
    deprecated: true,
  }),
  full({
    path: '/table/tables',
    entity_type: 'table',
    noun: 'a table',
    tag: 'Tables',
    param: 'table_id',
    create: createOf('table', { title: 'orders', parent: EXAMPLE_ID, native_type: 'table' }),
  }),
  COLUMNS,
  { ...COLUMNS, path: '/table/column' },
  full({
    path: '/dashboard/dashboards',
    entity_type: 'dashboard',
    noun: 'a dashboard',
    tag: 'Dashboards',
    param: 'dashboard_id',
    create: createOf('dashboard', { title: 'Morning numbers', url: 'https://dashboards.example.com/morning' }),
  }),
  full({
    path: '/dashboard/charts',
    entity_type: 'chart',
    noun: 'a chart',
    tag: 'Charts',
    param: 'chart_id',
    create: createOf('chart', { title: 'Orders per day', parent: EXAMPLE_ID, native_type: 'line' }),
  }),
  full({
    path: '/query/queries',
    entity_type: 'query',
    noun: 'a query',
    tag: 'Queries',
    param: 'query_id',
    create: createOf('query', { title: 'Late orders', definition: 'select …', type: 'saved', freq: 12 }),
    edit_example: { freq: 13 },
    deprecated: true,
  }),
  full({
    path: '/collection/collections',
    entity_type: 'collection',
    noun: 'a collection',
    tag: 'Collections',
    param: 'collection_id',
    create: createOf('collection', { title: 'Start here', description: 'The tables that answer most questions.' }),
  }),
  full({
    path: '/glossary',
    entity_type: 'glossary',
    noun: 'a glossary term',
    tag: 'Glossary',
    param: 'glossary_id',
    create: createOf('glossary', { title: 'Revenue', description: 'Money from orders, after refunds.' }),
  }),
  full({
    path: '/question/questions',
    entity_type: 'question',
    noun: 'a question',
    tag: 'Questions',
    param: 'question_id',
    create: createOf('question', { title: 'Do refunds count?', question_priority: 'high' }, {}, 'accepted_reply'),
    prepare: prepareQuestion,
    settle: settleAnswer,
    edit_example: { accepted_reply: EXAMPLE_ID },
  }),
  full({
    path: '/question/replies',
    entity_type: 'question_reply',
    noun: 'a reply',
    tag: 'Replies',
    param: 'reply_id',
    under: 'question',
    prepare: prepareReply,
    children_by: 'created_at',
    create: createOf('question_reply', { parent: EXAMPLE_ID, title: 'They do', description: 'On the day of the order.' }, { parent: IdIn }),
  }),
  full({
    path: '/event/category',
    entity_type: 'category',
    noun: 'an event category',
    tag: 'Event categories',
    param: 'event_category_id',
    reported: true,
    create: createOf('category', { title: 'Checkout', integration: EXAMPLE_ID }, { integration: IdIn }),
  }),
  full({
    path: '/event/events',
    entity_type: 'event',
    noun: 'an event',
    tag: 'Events',
    param: 'event_id',
    reported: true,
    under: 'category',
    create: createOf('event', { title: 'order_placed', parent: EXAMPLE_ID, integration: OTHER_ID }, { parent: IdIn, integration: IdIn }),
    remove: 'record',
    deprecated: true,
  }),
  full({
    path: '/event/event_properties',
    entity_type: 'event_property',
    noun: 'an event property',
    tag: 'Event properties',
    param: 'event_property_id',
    under: 'event',
    create: createOf('event_property', { title: 'coupon', parent: EXAMPLE_ID, type: 'text' }, { parent: IdIn }),
  }),
]
