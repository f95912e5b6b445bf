import type { QueryDatabase } from '../bi/item-parts.ts'
import { type ExploreField, parseTableName } from './looker-explore.ts'
import type { Note } from './lookml-model-scope.ts'
import { toPlainSql } from './lookml-plain-text.ts'
import type { LookmlBlock } from './parse-lookml.ts'

/** A dimension, measure or dimension group of a view. */
export interface LookmlField {
  readonly name: string
  readonly kind: ExploreField['kind']
  /** `string`, `time`, `measure`: as a column of the view. */
  readonly type: string
  readonly label: string | undefined
  readonly description: string | undefined
  readonly primaryKey: boolean
  readonly sql: string
  /** What explores show of it: each time frame of a group. */
  readonly members: readonly { readonly name: string; readonly type: string }[]
}

export type ViewSource =
  | { readonly kind: 'table'; readonly path: readonly string[]; readonly text: string }
  | { readonly kind: 'sql'; readonly sql: string }
  /** Fields of an explore by the columns they become. */
  | { readonly kind: 'explore'; readonly explore: string; readonly columns: ReadonlyMap<string, string> }

export interface LookmlView {
  readonly name: string
  readonly file: string
  readonly label: string | undefined
  readonly description: string | undefined
  readonly fields: ReadonlyMap<string, LookmlField>
  /** Undefined if it is not known without Looker. */
  readonly source: ViewSource | undefined
}

export const getText = ({ values }: LookmlBlock, key: string): string | undefined => values.get(key)?.at(-1) || undefined
export const isYes = (block: LookmlBlock, key: string): boolean => getText(block, key) === 'yes'

const TIMEFRAMES = ['raw', 'time', 'date', 'week', 'month', 'quarter', 'year']
const INTERVALS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']
/** Their names are not their columns: a count has none. */
const WITHOUT_SQL = ['count', 'list', 'location', 'duration', 'distance']

export const readView = (file: string, block: LookmlBlock, database: QueryDatabase, note: Note): LookmlView => {
  const templated = new Set<string>()
  const toSql = (name: string, text: string): string => {
    const plain = toPlainSql(text)
    if (plain.templated) templated.add(name)
    return plain.text
  }
  const fields = new Map<string, LookmlField>()
  for (const each of block.blocks) {
    if (!['dimension', 'measure', 'dimension_group'].includes(each.key) || each.name === '') continue
    const field = readField(each, (text) => toSql(each.name, text))
    if (fields.has(field.name)) note(`${file}: the second ${field.name} of the view ${block.name} is left out.`)
    else fields.set(field.name, field)
  }
  const source = readSource(block, database, (text) => toSql('its table', text))
  if (!source) note(`${file}: the table of the view ${block.name} is only known when it is queried, or in a form that is not read.`)
  if (templated.size > 0)
    note(`${file}: templates of the view ${block.name} have their defaults: ${[...templated].slice(0, 5).join(', ')}.`)
  return { name: block.name, file, label: getText(block, 'label'), description: getText(block, 'description'), fields, source }
}

const readField = (block: LookmlBlock, toSql: (text: string) => string): LookmlField => {
  const { key, name } = block
  const isMeasure = key === 'measure'
  const type = getText(block, 'type') ?? (key === 'dimension_group' ? 'time' : 'string')
  const texts = [...listSql(block), ...block.blocks.filter((each) => each.key === 'case').flatMap((each) => each.blocks.flatMap(listSql))]
  const sql = toSql(texts.join('\n'))
  return {
    ...{ name, kind: isMeasure ? 'measure' : 'dimension', type: isMeasure ? 'measure' : type },
    ...{ label: getText(block, 'label'), description: getText(block, 'description'), primaryKey: isYes(block, 'primary_key') },
    // Looker takes the column of the same name.
    sql: sql === '' && !isMeasure && !WITHOUT_SQL.includes(type) ? `\${TABLE}.${name}` : sql,
    members: key === 'dimension_group' ? listMembers(block, type) : [{ name, type: isMeasure ? 'measure' : type }],
  }
}

const SQL_KEYS = ['sql', 'sql_start', 'sql_end', 'sql_latitude', 'sql_longitude']
const listSql = (block: LookmlBlock): string[] => SQL_KEYS.flatMap((key) => getText(block, key) ?? [])

const listMembers = (block: LookmlBlock, type: string): LookmlField['members'] => {
  const isDuration = type === 'duration'
  const parts = new Set(block.values.get(isDuration ? 'intervals' : 'timeframes') ?? (isDuration ? INTERVALS : TIMEFRAMES))
  return [...parts].map((part) =>
    isDuration ? { name: `${part}s_${block.name}`, type: `duration_${part}` } : { name: `${block.name}_${part}`, type: `date_${part}` },
  )
}

const SAME_TABLE = /^\$\{\s*[\w-]+\.SQL_TABLE_NAME\s*\}$/

/** A view without a table is that of its name. */
const readSource = (block: LookmlBlock, database: QueryDatabase, toSql: (text: string) => string): ViewSource | undefined => {
  const derived = block.blocks.find(({ key }) => key === 'derived_table')
  if (derived) {
    const sql = getText(derived, 'sql')
    if (sql) return toSqlSource(toSql(sql))
    const source = derived.blocks.find(({ key }) => key === 'explore_source')
    return source && { kind: 'explore', explore: source.name, columns: readColumns(source) }
  }
  const text = toSql(getText(block, 'sql_table_name') ?? block.name)
    .replace(/--.*$/gm, '')
    .trim()
  const nested = /^\(([\s\S]*)\)(?:\s+(?:as\s+)?\w+)?$/i.exec(text)?.[1]
  if (nested !== undefined) return toSqlSource(nested)
  if (SAME_TABLE.test(text)) return { kind: 'sql', sql: `select * from ${text}` }
  // What is left of a name without its template may begin with a dot.
  const name = text.replace(/^\.+|\.+$/g, '')
  const path = name === '' || name === 'null' ? undefined : parseTableName(name, database)
  return path && { kind: 'table', path, text: name.replace(/\s+as\s+\S+$/i, '') }
}

const toSqlSource = (sql: string): ViewSource | undefined => {
  const whole = sql.trim().replace(/;\s*$/, '')
  return whole === '' ? undefined : { kind: 'sql', sql: whole }
}

const readColumns = (source: LookmlBlock): Map<string, string> =>
  new Map(
    source.blocks.flatMap((column) => {
      if (column.key !== 'column') return []
      const field = getText(column, 'field') ?? column.name
      return [[column.name, field.includes('.') ? field : `${source.name}.${field}`] as const]
    }),
  )

/** The field of a view that a field of an explore shows: `created_date` is a time frame of `created`. */
export const findField = ({ fields }: Pick<LookmlView, 'fields'>, name: string): LookmlField | undefined => {
  const own = fields.get(name)
  if (own) return own
  for (const field of fields.values()) {
    if (field.members.some((each) => each.name === name)) return field
  }
  // Looker has more time frames than the file lists, e.g. of fields that other fields refer to.
  const groups = [...fields.values()].filter(
    ({ name: group, type, members }) =>
      members[0]?.name !== group && (type === 'duration' ? name.endsWith(`_${group}`) : name.startsWith(`${group}_`)),
  )
  return groups.sort((a, b) => b.name.length - a.name.length)[0]
}
