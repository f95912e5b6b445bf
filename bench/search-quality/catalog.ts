import { readFileSync } from 'node:fs'
import { toStableUuid } from '../corpus.ts'
import { LAYERS, type Layer, type Pick } from './layers.ts'
import { COLUMN_DESCRIPTIONS, type Column, type Domain, type Page, readModel, type Subject, translateName } from './model.ts'

/** The catalog of a retail company, made from `model/*.txt`: the same on every machine. */
export interface CatalogTable {
  readonly id: string
  /** `database.schema.table`. */
  readonly path: string
  readonly title: string
  readonly subject: Subject
  readonly layer: Layer
  readonly description?: string
  /** The description says what the subject is, and not only how the table came about. */
  readonly explained: boolean
  readonly columns: readonly Column[]
  readonly owner?: string
  readonly tags: readonly string[]
  readonly usage: number
  /** Custom properties by name. */
  readonly properties: Readonly<Record<string, string>>
}
export interface Term extends Page {
  /** Keys of the subjects it explains. */
  readonly subjects: readonly string[]
}
export interface Catalog {
  readonly domains: readonly Domain[]
  readonly tables: readonly CatalogTable[]
  readonly dashboards: readonly Page[]
  readonly documents: readonly Page[]
  readonly terms: readonly Term[]
}

/** The ID of a table by its path, of others by their title. */
export const toResourceId = (entity_type: string, name: string): string => toStableUuid(`${entity_type} ${name}`, 0)

export const PROPERTIES = ['Tier', 'Refresh', 'Cost centre', 'Retention', 'Data steward'] as const

export const buildCatalog = (): Catalog => {
  const domains = readModel()
  const tables = new Map<string, CatalogTable>()
  for (const domain of domains)
    for (const subject of domain.subjects)
      for (const layer of LAYERS) {
        const table = buildTable(subject, layer)
        if (table && !tables.has(table.path)) tables.set(table.path, table)
      }
  return {
    domains,
    tables: [...tables.values()],
    dashboards: domains.flatMap(({ dashboards }) => dashboards),
    documents: domains.flatMap(({ documents }) => documents),
    terms: readTerms(),
  }
}

const buildTable = (subject: Subject, layer: Layer): CatalogTable | undefined => {
  const seed = `${subject.key} ${layer.name}`
  if (chance(`${seed} exists`) >= layer.share) return undefined
  const pick: Pick = (choices, salt) => choices[hash(`${subject.key} ${salt}`) % choices.length]!
  const path = layer.path(subject, pick)
  if (!path) return undefined
  const { domain } = subject
  const curated = layer.rank === 0
  const ownedShare = curated ? 1 : layer.rank === 1 ? 0.4 : 0.1
  const description = chance(`${seed} described`) < layer.described ? describe(subject, layer, seed) : undefined
  return {
    id: toResourceId('table', path),
    path,
    title: path.slice(path.lastIndexOf('.') + 1),
    subject,
    layer,
    description,
    explained: description !== undefined && isExplained(subject, description),
    columns: buildColumns(subject, layer, seed),
    owner: chance(`${seed} owned`) < ownedShare ? domain.owners[curated || layer.columns === 'total' ? 0 : 1] : undefined,
    tags: layer.rank < 2 && (curated || chance(`${seed} tagged`) < 0.25) ? subject.tags : layer.rank === 2 ? ['deprecated'] : [],
    usage: Math.round(
      (curated ? 900 : layer.rank === 1 ? 120 : 3) * (subject.tags.includes('core') ? 4 : 1) * chance(`${seed} usage`) ** 3,
    ),
    properties: curated ? buildProperties(subject) : {},
  }
}

const describe = (subject: Subject, layer: Layer, seed: string): string => {
  if (layer.name === 'mart') return subject.description
  if (layer.name === 'german') return subject.german!.description
  if (layer.name === 'spanish') return subject.spanish!.description
  if (layer.name === 'app' && subject.sourceDescription) return subject.sourceDescription
  return layer.texts[hash(`${seed} text`) % layer.texts.length]!.replace('{gist}', subject.gist)
    .replace('{Gist}', subject.gist.charAt(0).toUpperCase() + subject.gist.slice(1))
    .replace('{what}', subject.plural.replaceAll('_', ' '))
    .replace('{one}', subject.singular.replaceAll('_', ' '))
    .replace('{label}', subject.domain.label)
}

const isExplained = ({ gist, description, sourceDescription, german, spanish }: Subject, text: string): boolean =>
  text.toLowerCase().includes(gist.toLowerCase()) ||
  [description, sourceDescription, german?.description, spanish?.description].includes(text)

const buildProperties = ({ domain, tags, key }: Subject): Record<string, string> => ({
  Tier: tags.includes('core') ? 'gold' : chance(`${key} tier`) < 0.5 ? 'silver' : 'bronze',
  Refresh: ['hourly', 'nightly', 'weekly', 'every fifteen minutes'][hash(`${key} refresh`) % 4]!,
  'Cost centre': `CC-${4000 + (hash(domain.name) % 900)}`,
  Retention: tags.includes('sox') ? '10 years' : tags.includes('personal data') ? '24 months' : '6 years',
  ...(domain.name === 'masterdata' || tags.includes('master data') ? { 'Data steward': 'Ewa Zielinska' } : {}),
})

const AUDIT_COLUMNS: readonly Column[] = [
  { name: 'dw_inserted_at', description: 'When the row was first loaded.' },
  { name: 'dw_updated_at', description: 'When the row was last loaded.' },
  { name: 'dw_source_system' },
]

/** What applications and loads add to nearly every table. */
const TECHNICAL_COLUMNS = 'created_at updated_at created_by is_deleted batch_id row_hash source_system tenant_id record_version'.split(' ')
/** What flat tables repeat from the tables around them. */
const JOINED_COLUMNS = [
  ...['customer_name', 'customer_segment', 'customer_country', 'product_name', 'category_name', 'brand_name', 'store_name', 'region_name'],
  ...['fiscal_year', 'fiscal_period', 'iso_week', 'weekday', 'channel_name', 'company_name', 'amount_eur', 'is_weekend', 'is_holiday'],
]

const buildColumns = (subject: Subject, layer: Layer, seed: string): Column[] => {
  const columns = buildOwnColumns(subject, layer, seed)
  const technical = TECHNICAL_COLUMNS.filter((name) => chance(`${seed} ${name} technical`) < 0.33)
  const added = layer.columns === 'wide' ? [...technical, ...JOINED_COLUMNS] : layer.columns === 'total' ? [] : technical
  const names = new Set(columns.map(({ name }) => name))
  return [...columns, ...added.filter((name) => !names.has(name)).map((name) => ({ name }))]
}

const buildOwnColumns = (subject: Subject, layer: Layer, seed: string): Column[] => {
  const columns = subject.columns.map(({ name, description }): Column => {
    if (description) return { name, description }
    const texts = COLUMN_DESCRIPTIONS.get(name)
    const described = chance(`${seed} ${name}`) < (layer.rank === 0 ? 0.7 : 0.15)
    return { name, description: texts && described ? texts[hash(`${seed} ${name} text`) % texts.length] : undefined }
  })
  const renamed = (rename: (name: string) => string) => columns.map(({ name }) => ({ name: rename(name) }))
  switch (layer.columns) {
    case 'plain':
    case 'wide':
      return layer.name === 'history' ? [...columns, { name: 'dbt_valid_from' }, { name: 'dbt_valid_to' }] : columns
    case 'mart':
      return [{ name: `${subject.singular}_key`, description: 'Key of the warehouse.' }, ...columns, ...AUDIT_COLUMNS]
    case 'camel':
      return [...renamed((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())), { name: '_syncedAt' }]
    case 'abbreviated':
      return renamed((name) => translateName(name, 'abbreviated').toUpperCase())
    case 'german':
    case 'spanish':
      return renamed((name) => translateName(name, layer.columns as 'german' | 'spanish'))
    case 'total':
      return buildTotals(subject, layer.name)
  }
}

const PERIOD_COLUMNS: Readonly<Record<string, string>> = { daily: 'day', weekly: 'week', monthly: 'month' }

const buildTotals = ({ columns, singular }: Subject, period: string): Column[] => {
  const sums = columns.filter(({ name }) => /amount|quantity|value|cost|units|points|minutes|weight|hours|price/.test(name))
  const groups = columns.filter(
    ({ name }) => name !== 'country_code' && /country|channel|status|currency|type|reason|method|region|carrier_id|store_id/.test(name),
  )
  return [
    ...(period === 'country' ? [] : [{ name: PERIOD_COLUMNS[period]! }]),
    { name: 'country_code' },
    ...groups,
    { name: `${singular}_count` },
    ...sums.flatMap(({ name }) => [{ name: `total_${name}` }, { name: `avg_${name}` }]),
    { name: 'previous_year_count' },
  ]
}

const readTerms = (): Term[] =>
  readFileSync(new URL('terms.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [title, text, subjects] = line.split(' | ')
      return { title: title!, text: text!, subjects: subjects!.split(', ') }
    })

const hash = (text: string): number => {
  let h = 2166136261
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  return (h ^ (h >>> 13)) >>> 0
}
/** Between 0 and 1, always the same for the same text. */
const chance = (text: string): number => hash(text) / 2 ** 32
