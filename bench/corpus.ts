import { createHash } from 'node:crypto'
import type { ResourceCreate } from '../src/catalog/records/schema.ts'
import type { ReportedMetadata } from '../src/catalog/resources/create.ts'

/** The catalog of a large company, generated deterministically: the same rows on every machine. */
export type Entry = ResourceCreate & ReportedMetadata

export const DOMAINS =
  'order customer product invoice payment shipment inventory supplier campaign session ticket refund contract employee account ledger price review claim policy patient trip device sensor booking'.split(
    ' ',
  )
export const QUALIFIERS =
  'daily monthly raw staging latest archived current historical active pending merged enriched cleaned snapshot summary detail base wide dim fct agg'.split(
    ' ',
  )
export const ASPECTS =
  'event item line status change total balance history rating address segment forecast cost margin volume margin channel region attribute score'.split(
    ' ',
  )
const COLUMNS =
  'id created_at updated_at customer_id order_id product_id status amount currency email phone country city postal_code quantity unit_price discount tax_rate is_active deleted_at source_system batch_id row_hash valid_from valid_to event_name session_id user_agent ip_address referrer'.split(
    ' ',
  )
const COLUMN_TYPES = ['bigint', 'timestamptz', 'varchar(255)', 'numeric(18,2)', 'boolean', 'text', 'date', 'jsonb']
const SENTENCES = [
  'One row for each {a} {b} as it was reported by the source system.',
  'The {b} of a {a}, refreshed every night and kept for seven years.',
  'Joins {a} and {b}; amounts are in euros, net of tax.',
  'Used by finance for the monthly close. Late {a} records arrive until the third working day.',
  'Only {a} rows with a known {b}; the rest is in quarantine.',
]

const COUNTS = { databases: 20, schemas: 400, tables: 60_000, dashboards: 4_000, jobs: 3_000 }

/** The entries by level: parents before their children. `size` scales everything except the top level. */
export function* corpus(size: number): Generator<Entry[]> {
  const scale = size / 1_000_000
  const number = (n: number) => Math.max(1, Math.round(n * scale))
  const schemas = Math.max(20, number(COUNTS.schemas))
  const tables = number(COUNTS.tables)
  const dashboards = number(COUNTS.dashboards)
  const jobs = number(COUNTS.jobs)
  const integration = (i: number) => toStableUuid('integration', i % 20)

  yield range(COUNTS.databases, (i) => ({
    id: toStableUuid('database', i),
    entity_type: 'database',
    title: `${pick(DOMAINS, 'db', i)}_${i}`,
    integration: integration(i),
    published: true,
  }))
  yield range(schemas, (i) => ({
    id: toStableUuid('schema', i),
    entity_type: 'schema',
    title: `${pick(QUALIFIERS, 'sc', i)}_${pick(DOMAINS, 'sd', i)}`,
    parent: toStableUuid('database', i % COUNTS.databases),
    integration: integration(i % COUNTS.databases),
    published: true,
  }))
  yield range(tables, (i) => ({
    id: toStableUuid('table', i),
    entity_type: 'table',
    native_type: i % 9 === 0 ? 'view' : 'table',
    title: tableName(i),
    parent: toStableUuid('schema', i % schemas),
    description: sentence(i),
    definition:
      i % 10 === 0 ? `## ${tableName(i)}\n\n${sentence(i)} ${sentence(i + 1)}\n\n- owner: data platform\n- refresh: nightly` : undefined,
    published: i % 4 !== 0,
    verified: i % 12 === 0,
    owners: i % 3 === 0 ? [toStableUuid('user', i % 40)] : undefined,
    tags: i % 5 === 0 ? [toStableUuid('tag', i % 25)] : undefined,
    external_usage: usage(i),
    row_count: hash(`rows${i}`) % 10_000_000,
    byte_size: hash(`bytes${i}`),
    databuilder_id: `table://${i}`,
  }))
  yield range(dashboards, (i) => ({
    id: toStableUuid('dashboard', i),
    entity_type: 'dashboard',
    title: `${capital(pick(DOMAINS, 'da', i))} ${pick(ASPECTS, 'dc', i)} overview`,
    description: sentence(i),
    published: true,
    external_usage: usage(i + 7),
  }))
  yield range(jobs, (i) => ({
    id: toStableUuid('job', i),
    entity_type: 'job',
    title: `load${capital(pick(DOMAINS, 'ja', i))}${capital(pick(ASPECTS, 'jb', i))}`,
    description: sentence(i),
    published: i % 2 === 0,
    external_usage: usage(i + 13),
  }))
  const columns = size - COUNTS.databases - schemas - tables - dashboards - jobs
  const perTable = Math.max(1, Math.floor(columns / tables))
  yield range(Math.max(0, columns), (i) => {
    const table = Math.min(tables - 1, Math.floor(i / perTable))
    const position = i - table * perTable
    const title =
      position < 3 ? COLUMNS[position]! : `${pick(COLUMNS, 'co', i)}${hash(`c${i}`) % 4 === 0 ? `_${pick(ASPECTS, 'cp', i)}` : ''}`
    return {
      id: toStableUuid('column', i),
      entity_type: 'column',
      native_type: COLUMN_TYPES[hash(`t${i}`) % COLUMN_TYPES.length],
      title,
      parent: toStableUuid('table', table),
      description: i % 6 === 0 ? sentence(i) : undefined,
      pii: /email|phone|address|city/.test(title),
      published: table % 4 !== 0,
      external_usage: i % 20 === 0 ? usage(i) : 0,
    }
  })
}

export const toStableUuid = (kind: string, i: number): string => {
  const hex = createHash('md5').update(`${kind} ${i}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

export const tableName = (i: number): string =>
  `${pick(QUALIFIERS, 'ta', i)}_${pick(DOMAINS, 'tb', i)}_${pick(ASPECTS, 'tc', i)}_${i % 1000}`

const range = (n: number, make: (i: number) => Entry): Entry[] => Array.from({ length: n }, (_, i) => make(i))
const hash = (text: string): number => {
  let h = 2166136261
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  return (h ^ (h >>> 15)) >>> 0
}
const pick = (words: readonly string[], salt: string, i: number): string => words[hash(`${salt}${i}`) % words.length]!
const sentence = (i: number): string =>
  pick(SENTENCES, 'se', i)
    .replace('{a}', pick(DOMAINS, 'sa', i))
    .replace('{b}', pick(ASPECTS, 'sb', i))
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
/** A few resources are used a lot, most hardly ever. */
const usage = (i: number): number => Math.floor(20_000 / (1 + (hash(`u${i}`) % 60_000)) ** 0.7)
