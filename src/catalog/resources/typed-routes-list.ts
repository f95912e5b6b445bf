import { Type } from 'typebox'
import { IdInput, Nullable } from '../../platform/core/schema-types.ts'
import { prepareDocument } from './document-templates.ts'
import { findDatabaseByTitle } from './parent-types.ts'
import { applyAnswerChange, prepareQuestion, prepareReply } from './questions.ts'
import type { TypedRoute } from './typed-route.ts'
import { typedCreateSchema } from './typed-schemas.ts'

const EXAMPLE_ID = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
const OTHER_ID = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5e'

/** Most typed endpoints support list, create, read, edit and delete. */
const withAllActions = (route: TypedRoute): TypedRoute => ({ edit: true, delete_response: 'nothing', ...route })

const COLUMN_ROUTE = withAllActions({
  path: '/table/columns',
  entity_type: 'column',
  noun: 'a column',
  tag: 'Columns',
  param: 'column_id',
  children_sort: 'sort_order',
  create: typedCreateSchema('column', { title: 'order_id', parent: EXAMPLE_ID, type: 'bigint', sort_order: 1, is_pk: true }),
  edit_example: { sort_order: 2, hidden: true },
})

/** The typed endpoints of the catalog. A new entity type needs one entry here. */
export const TYPED_ROUTES: readonly TypedRoute[] = [
  withAllActions({
    path: '/document',
    entity_type: 'document',
    noun: 'a document',
    tag: 'Documents',
    param: 'document_id',
    create: typedCreateSchema(
      'document',
      { title: 'Handbook', definition: '# How we work with data' },
      {
        template: Type.Optional(
          Nullable({
            ...IdInput,
            description: 'A document marked as a template: its title, description and text are copied unless they are given.',
          }),
        ),
      },
    ),
    prepare: prepareDocument,
    edit_example: { parent: OTHER_ID, sort_order: 2048 },
  }),
  withAllActions({
    path: '/database/databases',
    entity_type: 'database',
    noun: 'a database',
    tag: 'Databases',
    param: 'database_id',
    create: typedCreateSchema('database', { title: 'shop', integration: EXAMPLE_ID }),
    deprecated: true,
  }),
  withAllActions({
    path: '/database/schemas',
    entity_type: 'schema',
    noun: 'a schema',
    tag: 'Schemas',
    param: 'schema_id',
    create: typedCreateSchema(
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
      parent: (create.parent as string) ?? (await findDatabaseByTitle(ctx, database, create.integration)),
    }),
    deprecated: true,
  }),
  withAllActions({
    path: '/table/tables',
    entity_type: 'table',
    noun: 'a table',
    tag: 'Tables',
    param: 'table_id',
    create: typedCreateSchema('table', { title: 'orders', parent: EXAMPLE_ID, native_type: 'table' }),
  }),
  COLUMN_ROUTE,
  { ...COLUMN_ROUTE, path: '/table/column' },
  withAllActions({
    path: '/dashboard/dashboards',
    entity_type: 'dashboard',
    noun: 'a dashboard',
    tag: 'Dashboards',
    param: 'dashboard_id',
    create: typedCreateSchema('dashboard', { title: 'Morning numbers', url: 'https://dashboards.example.com/morning' }),
  }),
  withAllActions({
    path: '/dashboard/charts',
    entity_type: 'chart',
    noun: 'a chart',
    tag: 'Charts',
    param: 'chart_id',
    create: typedCreateSchema('chart', { title: 'Orders per day', parent: EXAMPLE_ID, native_type: 'line' }),
  }),
  withAllActions({
    path: '/query/queries',
    entity_type: 'query',
    noun: 'a query',
    tag: 'Queries',
    param: 'query_id',
    create: typedCreateSchema('query', { title: 'Late orders', definition: 'select …', type: 'saved', freq: 12 }),
    edit_example: { freq: 13 },
    deprecated: true,
  }),
  withAllActions({
    path: '/collection/collections',
    entity_type: 'collection',
    noun: 'a collection',
    tag: 'Collections',
    param: 'collection_id',
    create: typedCreateSchema('collection', { title: 'Start here', description: 'The tables that answer most questions.' }),
  }),
  withAllActions({
    path: '/glossary',
    entity_type: 'glossary',
    noun: 'a glossary term',
    tag: 'Glossary',
    param: 'glossary_id',
    create: typedCreateSchema('glossary', { title: 'Revenue', description: 'Money from orders, after refunds.' }),
  }),
  withAllActions({
    path: '/question/questions',
    entity_type: 'question',
    noun: 'a question',
    tag: 'Questions',
    param: 'question_id',
    create: typedCreateSchema('question', { title: 'Do refunds count?', question_priority: 'high' }, {}, 'accepted_reply'),
    prepare: prepareQuestion,
    deriveEdit: applyAnswerChange,
    edit_example: { accepted_reply: EXAMPLE_ID },
  }),
  withAllActions({
    path: '/question/replies',
    entity_type: 'question_reply',
    noun: 'a reply',
    tag: 'Replies',
    param: 'reply_id',
    parent_type: 'question',
    prepare: prepareReply,
    children_sort: 'created_at',
    create: typedCreateSchema(
      'question_reply',
      { parent: EXAMPLE_ID, title: 'They do', description: 'On the day of the order.' },
      { parent: IdInput },
    ),
  }),
  withAllActions({
    path: '/event/category',
    entity_type: 'category',
    noun: 'an event category',
    tag: 'Event categories',
    param: 'event_category_id',
    requires_integration: true,
    create: typedCreateSchema('category', { title: 'Checkout', integration: EXAMPLE_ID }, { integration: IdInput }),
  }),
  withAllActions({
    path: '/event/events',
    entity_type: 'event',
    noun: 'an event',
    tag: 'Events',
    param: 'event_id',
    requires_integration: true,
    parent_type: 'category',
    create: typedCreateSchema(
      'event',
      { title: 'order_placed', parent: EXAMPLE_ID, integration: OTHER_ID },
      { parent: IdInput, integration: IdInput },
    ),
    delete_response: 'record',
    deprecated: true,
  }),
  withAllActions({
    path: '/event/event_properties',
    entity_type: 'event_property',
    noun: 'an event property',
    tag: 'Event properties',
    param: 'event_property_id',
    parent_type: 'event',
    create: typedCreateSchema('event_property', { title: 'coupon', parent: EXAMPLE_ID, type: 'text' }, { parent: IdInput }),
  }),
]
