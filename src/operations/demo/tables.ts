import { type Entry, entryId } from './entries.ts'
import { INTEGRATIONS } from './id.ts'
import { GROUPS, PEOPLE, type Person, TEAMS } from './people.ts'
import { TAGS } from './tags.ts'
import type { Model, Warehouse, WarehouseTable } from './warehouse.ts'

/** Database, schemas, tables and columns, as a first sync would report them. */

/** Defaults for all tables of a schema, unless overridden in `NOTES`. */
const SCHEMAS: Record<string, { owner: Person; published: boolean; closed?: boolean }> = {
  demo_raw: { owner: 'ada', published: true },
  demo_ops: { owner: 'ada', published: true },
  demo_finance: { owner: 'katsu', published: true, closed: true },
  demo_marketing: { owner: 'grace', published: true },
  demo_staging: { owner: 'grace', published: false },
  demo_marts: { owner: 'grace', published: true },
}

const NOTES: Record<string, { owner?: Person; published?: boolean; verified?: boolean; tags?: readonly (keyof typeof TAGS)[] }> = {
  'demo_marts.fct_orders': { verified: true, tags: ['source of truth', 'nightly'] },
  'demo_marts.dim_customer': { verified: true, tags: ['source of truth', 'nightly', 'personal data'] },
  'demo_marts.dim_product': { verified: true, tags: ['nightly'] },
  'demo_marts.cohort_retention': { owner: 'ada', tags: ['nightly'] },
  'demo_marts.customer_lifetime_value': { published: false, tags: ['nightly'] },
  'demo_raw.customers': { tags: ['personal data'] },
  'demo_raw.addresses': { tags: ['personal data'] },
  'demo_raw.orders_backup': { published: false, tags: ['deprecated'] },
  'demo_ops.employees': { published: false, tags: ['personal data'] },
  'demo_ops.pipeline_runs': { published: false },
}

/** Most used first. Usage drops quickly: a few tables answer most questions. */
const MOST_USED = [
  ...['demo_marts.fct_orders', 'demo_marts.daily_revenue', 'demo_marts.dim_customer', 'demo_marts.dim_product', 'demo_staging.stg_orders'],
  ...['demo_marts.fct_order_items', 'demo_raw.orders', 'demo_marts.dim_date', 'demo_marts.campaign_performance', 'demo_raw.customers'],
  ...['demo_marts.revenue_by_country', 'demo_marts.stock_health', 'demo_marts.fct_sessions', 'demo_staging.stg_customers'],
  ...['demo_raw.order_items', 'demo_finance.exchange_rates', 'demo_marts.cohort_retention', 'demo_raw.payments', 'demo_raw.web_events'],
  ...['demo_ops.inventory', 'demo_marketing.ad_spend', 'demo_marts.product_performance', 'demo_raw.products', 'demo_ops.support_tickets'],
]
const getUsage = (table: string): number => {
  const rank = MOST_USED.indexOf(table)
  return rank >= 0 ? Math.round(460 / (1 + rank) ** 0.95) : table.length % 9
}

const READERS = ['metabase', 'dbt', 'grace', 'ada', 'katsu', 'noor', 'emil']

/** Columns that identify a person directly or indirectly. */
const PERSONAL_COLUMNS =
  /^(email|contact_email|phone|contact_phone|first_name|last_name|full_name|recipient|street|postal_code|birth_date|ip_address|iban)$/

export const isPersonal = (column: string): boolean => PERSONAL_COLUMNS.test(column)

/** Tables and columns with a glossary term. Others are named like one and get it as a suggestion. */
const TERMS: Record<string, string> = {
  'demo_marts.daily_revenue': 'revenue',
  'demo_marts.fct_orders.net_revenue': 'revenue',
  'demo_marts.fct_orders.gross_revenue': 'gross-revenue',
  'demo_marts.fct_orders.margin': 'margin',
  'demo_marts.daily_revenue.net_revenue': 'revenue',
  'demo_marts.daily_revenue.average_order_value': 'average-order-value',
  'demo_marts.dim_customer.lifecycle': 'active-customer',
}

const getTerms = (key: string): string[] | null => (TERMS[key] ? [entryId('glossary', TERMS[key])] : null)

export const START_HERE = entryId('collection', 'start-here')
const START_HERE_TABLES = ['demo_marts.fct_orders', 'demo_marts.daily_revenue', 'demo_marts.dim_customer', 'demo_marts.dim_product']

export const tableEntries = (found: Warehouse, models: readonly Model[], now: Date): Entry[] => {
  const statements = new Map(models.map(({ schema, name, statement }) => [`${schema}.${name}`, statement]))
  const database: Entry = {
    id: entryId('database', 'shop'),
    entity_type: 'database',
    title: found.database,
    description: 'The warehouse of a small shop for kitchen, garden, office and travel goods. Everything in it is invented.',
    integration: INTEGRATIONS.warehouse.id,
    published: true,
    owners: [PEOPLE.ada.id],
    databuilder_id: 'shop',
    external_updated_at: now.toISOString(),
  }
  const schemas = found.schemas.map(
    ({ name, description }): Entry => ({
      id: entryId('schema', name),
      entity_type: 'schema',
      parent: database.id,
      title: name,
      description,
      published: true,
      owners: [PEOPLE[SCHEMAS[name]!.owner].id],
      teams: [getSchemaTeam(name)],
      databuilder_id: name,
    }),
  )
  return [
    database,
    ...schemas,
    ...found.tables.flatMap((table) => toTableEntries(table, statements.get(`${table.schema}.${table.name}`), now)),
  ]
}

const getSchemaTeam = (schema: string): string => (SCHEMAS[schema]!.closed ? TEAMS.finance.id : TEAMS.shop.id)

const toTableEntries = (
  { schema, name, kind, description, rows, bytes, columns, foreign_keys }: WarehouseTable,
  sql: string | undefined,
  now: Date,
): Entry[] => {
  const key = `${schema}.${name}`
  const { owner, published } = SCHEMAS[schema]!
  const note = NOTES[key]
  const uses = getUsage(key)
  const table: Entry = {
    id: entryId('table', key),
    entity_type: 'table',
    parent: entryId('schema', schema),
    title: name,
    native_type: kind,
    description,
    owners: [PEOPLE[note?.owner ?? owner].id],
    owners_groups: schema === 'demo_marts' ? [GROUPS.data.id] : null,
    teams: [getSchemaTeam(schema)],
    tags: note?.tags?.map((tag) => TAGS[tag].id) ?? null,
    terms: getTerms(key),
    collections: START_HERE_TABLES.includes(key) ? [START_HERE] : null,
    published: note?.published ?? published,
    verified: note?.verified ?? false,
    pii: columns.some((column) => isPersonal(column.name)),
    databuilder_id: key,
    external_usage: uses,
    external_users: READERS.slice(0, Math.min(READERS.length, Math.ceil(uses / 20))),
    external_updated_at: now.toISOString(),
    row_count: rows,
    byte_size: bytes,
    details: sql ? { sql } : null,
    display_metadata: foreign_keys ? { foreign_keys } : null,
  }
  return [
    table,
    ...columns.map(
      ({ name, type, description, position, nullable, primary_key }): Entry => ({
        id: entryId('column', `${key}.${name}`),
        entity_type: 'column',
        parent: table.id,
        title: name,
        native_type: type,
        description,
        pii: isPersonal(name),
        terms: getTerms(`${key}.${name}`),
        databuilder_id: `${key}.${name}`,
        // The first columns are keys and dates, which most statements use.
        external_usage: Math.floor(uses / (4 + 2 * position)),
        details: { nullable },
        own: { sort_order: position, is_pk: primary_key },
      }),
    ),
  ]
}
