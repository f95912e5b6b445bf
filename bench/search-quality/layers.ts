import type { Subject } from './model.ts'

/** How the tables about one subject are named in each system, and what people write about them there. */
export interface Layer {
  readonly name: string
  /** 0: the table to use. 1: another good answer. 2: a leftover. */
  readonly rank: 0 | 1 | 2
  /** Share of the subjects that have one. */
  readonly share: number
  /** Share of these tables that are described. */
  readonly described: number
  readonly columns: 'plain' | 'mart' | 'wide' | 'total' | 'camel' | 'abbreviated' | 'german' | 'spanish'
  /** `database.schema.table`, or undefined if this subject cannot have one. */
  readonly path: (subject: Subject, pick: Pick) => string | undefined
  /** Sentences to choose from; `{gist}`, `{what}` (the plural in words), `{one}` (the singular) and `{label}` (the domain) are replaced. */
  readonly texts: readonly string[]
}
export type Pick = <T>(choices: readonly T[], salt: string) => T

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const pascal = (name: string): string => camel(`_${name}`)
const isFact = ({ kind }: Subject): boolean => kind === 'fct'

const appTable = ({ domain, singular, plural }: Subject): string => {
  if (domain.name === 'customer') return `tbl${pascal(singular)}`
  if (domain.name === 'store') return pascal(singular)
  return domain.name === 'web' ? camel(plural) : plural
}
const rawTable = ({ domain, singular, plural }: Subject): string => {
  if (domain.source === 'salesforce') return `${pascal(singular)}__c`
  if (domain.source === 'netsuite' || domain.source === 'workday') return camel(plural)
  return domain.source === 'sap' ? `ZT_${singular.toUpperCase()}` : plural
}

const total = (name: string, table: (subject: Subject, pick: Pick) => string, share: number, texts: readonly string[]): Layer => ({
  name,
  rank: 1,
  share,
  described: 0.6,
  columns: 'total',
  path: (subject, pick) => (isFact(subject) ? `dwh.${subject.domain.name}.${table(subject, pick)}` : undefined),
  texts,
})

export const LAYERS: readonly Layer[] = [
  {
    name: 'mart',
    rank: 0,
    share: 1,
    described: 1,
    columns: 'mart',
    path: (subject) => `dwh.${subject.domain.name}.${isFact(subject) ? `fct_${subject.plural}` : `dim_${subject.singular}`}`,
    texts: [],
  },
  {
    name: 'app',
    rank: 1,
    share: 1,
    described: 0.5,
    columns: 'plain',
    path: (subject) => `${subject.domain.app}.${appTable(subject)}`,
    texts: [
      '{Gist}, as the application stores them.',
      'Written by the application. Do not query during business hours.',
      'Live data: {gist}.',
    ],
  },
  {
    name: 'raw',
    rank: 1,
    share: 0.95,
    described: 0.15,
    columns: 'camel',
    path: (subject) => `raw.${subject.domain.source}.${rawTable(subject)}`,
    texts: ['Unchanged copy of the source, loaded every hour.', 'Landing zone. Nothing is cleaned here.', 'As delivered by the connector.'],
  },
  {
    name: 'staging',
    rank: 1,
    share: 1,
    described: 0.4,
    columns: 'plain',
    path: (subject) => `dwh.staging.stg_${subject.domain.source}__${subject.plural}`,
    texts: [
      'Types and names put right, duplicates removed; otherwise as in the source.',
      'First step after the landing zone: {gist}.',
      'Cleaned {what} with time zones in UTC.',
      'Deleted rows are filtered out.',
    ],
  },
  {
    name: 'intermediate',
    rank: 1,
    share: 0.9,
    described: 0.3,
    columns: 'plain',
    path: ({ plural }, pick) =>
      `dwh.intermediate.int_${plural}_${pick(['deduplicated', 'enriched', 'joined', 'mapped', 'unioned', 'filtered'], 'int')}`,
    texts: [
      'Helper on the way to the mart; do not use directly.',
      '{Gist} with keys of the warehouse added.',
      'Joins {what} with reference data.',
    ],
  },
  total('daily', ({ plural }, pick) => pick([`agg_${plural}_daily`, `${plural}_per_day`, `daily_${plural}`], 'daily'), 0.9, [
    'Figures for each day, for the trend charts.',
    '{Gist}: numbers and sums day by day.',
    'One row per calendar day and country.',
    'Feeds the morning report.',
  ]),
  total('weekly', ({ plural }) => `agg_${plural}_weekly`, 0.5, [
    'Calendar weeks, Monday to Sunday.',
    '{Gist}, week by week, against the plan.',
  ]),
  total('monthly', ({ plural }, pick) => pick([`agg_${plural}_monthly`, `${plural}_by_month`, `monthly_${plural}`], 'monthly'), 0.7, [
    '{Gist}, summed up for the month-end review.',
    'Month totals with the previous year beside them.',
    'Frozen after closing of the month.',
  ]),
  total('country', ({ plural }) => `rpt_${plural}_by_country`, 0.4, [
    'Split by market for the country managers.',
    '{Gist} in each market.',
  ]),
  {
    name: 'history',
    rank: 1,
    share: 0.8,
    described: 0.35,
    columns: 'plain',
    path: ({ singular, plural }, pick) =>
      `dwh.snapshots.${pick([`${plural}_snapshot`, `snp_${plural}`, `${singular}_history`], 'history')}`,
    texts: [
      'Earlier states, one row per change.',
      'How a row looked at any day in the past.',
      'Slowly changing copy with validity periods.',
    ],
  },
  {
    name: 'view',
    rank: 1,
    share: 0.9,
    described: 0.4,
    columns: 'plain',
    path: ({ domain, plural }) => `bi.${domain.name}.v_${plural}`,
    texts: ['For self-service: {gist}, with readable names.', 'Used by the dashboards of {label}.', 'Only the columns everybody may see.'],
  },
  {
    name: 'wide',
    rank: 1,
    share: 0.5,
    described: 0.5,
    columns: 'wide',
    path: ({ domain, plural }) => `bi.${domain.name}.${plural}_wide`,
    texts: ['Everything about {what} in one place, ready for pivot tables.', 'Flat table for analysts: {gist} with all attributes joined.'],
  },
  {
    name: 'change stream',
    rank: 1,
    share: 0.45,
    described: 0.3,
    columns: 'camel',
    path: ({ singular }) => `lake.events.${camel(singular)}Changed`,
    texts: ['Messages from the event bus.', 'One message per change, at least once.'],
  },
  {
    name: 'legacy',
    rank: 1,
    share: 0.9,
    described: 0.3,
    columns: 'abbreviated',
    path: ({ domain, abbreviation }) => `legacy.${domain.legacySchema}.T_${abbreviation}`,
    texts: ['Mainframe extract, frozen in 2018.', 'Old host system; kept for audits.', 'Predecessor of the present application.'],
  },
  {
    name: 'legacy history',
    rank: 2,
    share: 0.3,
    described: 0.1,
    columns: 'abbreviated',
    path: ({ domain, abbreviation }) => `legacy.${domain.legacySchema}.T_${abbreviation}_HIST`,
    texts: ['Closed years of the old host system.'],
  },
  {
    name: 'german',
    rank: 1,
    share: 1,
    described: 0.9,
    columns: 'german',
    path: ({ domain, german }) => german && `erp_de.${domain.name === 'hr' ? 'personal' : 'wawi'}.tbl_${german.singular}`,
    texts: [],
  },
  {
    name: 'spanish',
    rank: 1,
    share: 1,
    described: 0.9,
    columns: 'spanish',
    path: ({ domain, spanish }) => spanish && `tienda_es.${domain.name === 'hr' ? 'personal' : 'gestion'}.${spanish.plural}`,
    texts: [],
  },
  ...['2019', '2020', '2021'].map(
    (year): Layer => ({
      name: `archive ${year}`,
      rank: 2,
      share: 0.45,
      described: 0.1,
      columns: 'plain',
      path: (subject) => (isFact(subject) ? `archive.y${year}.${subject.plural}_${year}` : undefined),
      texts: ['Moved here to save storage.', `Closed year ${year}. Read only.`],
    }),
  ),
  {
    name: 'backup',
    rank: 2,
    share: 0.35,
    described: 0.05,
    columns: 'plain',
    path: ({ plural }, pick) => `sandbox.scratch.${plural}_bak_${pick(['20210304', '20220817', '20231102', '20240119'], 'backup')}`,
    texts: ['Copy before the migration. May be deleted.'],
  },
  {
    name: 'temporary',
    rank: 2,
    share: 0.3,
    described: 0,
    columns: 'plain',
    path: ({ singular }, pick) => `sandbox.scratch.tmp_${singular}_${pick(['test', 'v2', 'new', 'old', 'fix'], 'temporary')}`,
    texts: [],
  },
  {
    name: 'features',
    rank: 1,
    share: 0.3,
    described: 0.5,
    columns: 'plain',
    path: ({ singular }) => `ml.features.${singular}_features`,
    texts: ['Inputs for models, refreshed at night.', 'Numbers computed from {gist}, for training and scoring.'],
  },
  {
    name: 'development',
    rank: 2,
    share: 0.4,
    described: 0,
    columns: 'plain',
    path: (subject) => `dwh_dev.${subject.domain.name}.${isFact(subject) ? `fct_${subject.plural}` : `dim_${subject.singular}`}`,
    texts: [],
  },
  {
    name: 'audit',
    rank: 2,
    share: 0.35,
    described: 0.2,
    columns: 'plain',
    path: ({ domain, singular }) => `${domain.app}.${singular}_audit`,
    texts: ['Who changed what in the application.', 'Log of the triggers.'],
  },
  {
    name: 'quarantine',
    rank: 2,
    share: 0.4,
    described: 0.3,
    columns: 'plain',
    path: ({ plural }) => `dwh.quarantine.${plural}_rejected`,
    texts: ['Rows that failed a check, with the reason.', 'Bad rows wait here until somebody repairs them.'],
  },
  {
    name: 'export',
    rank: 1,
    share: 0.3,
    described: 0.4,
    columns: 'plain',
    path: ({ plural }) => `exchange.partners.${plural}_export`,
    texts: ['File interface to partners, sent at six in the morning.', 'What leaves the house about {what}.'],
  },
]
