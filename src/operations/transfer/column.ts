import { type RawBuilder, sql } from 'kysely'

/** Export columns and their formatting. Postgres builds the text of whole lines; Node only forwards it. */
export type ColumnKind = 'text' | 'id' | 'boolean' | 'number' | 'decimal' | 'timestamp' | 'ids' | 'texts' | 'json'

export interface ExportColumn {
  readonly name: string
  readonly kind: ColumnKind
  readonly value: RawBuilder<unknown>
  /** The value needs a lookup per row. */
  readonly costly?: boolean
}

export const FORMATS = ['csv', 'jsonl', 'xlsx'] as const
export type Format = (typeof FORMATS)[number]
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** What Postgres writes. Node turns the cells of a CSV into a workbook. */
type CopyFormat = Exclude<Format, 'xlsx'>

/** The rows of `from` for COPY: one JSON object per line for JSONL, one cell per column for CSV. */
export const linesSql = (format: CopyFormat, columns: readonly ExportColumn[], from: RawBuilder<unknown>): RawBuilder<unknown> => {
  if (format === 'csv') return sql`select ${sql.join(columns.map(cellSql))} from ${from}`
  // By number: the name of a column can have more than the 63 bytes of a name in Postgres.
  const values = sql.join(columns.map((column, i) => sql`${jsonSql(column)} as ${sql.id(`c${i}`)}`))
  // Values are used twice below. `offset 0` computes each once, which has a small cost itself.
  const barrier = columns.some(({ costly }) => costly) ? sql`offset 0` : sql``
  return sql`select concat(${sql.join(columns.map(memberSql))}, '}') from (select ${values} from ${from} ${barrier}) x`
}

/** JSON contains no control characters, so COPY never quotes a line. */
export const COPY_OPTIONS: Record<CopyFormat, string> = {
  csv: 'format csv',
  jsonl: `format csv, delimiter e'\\x02', quote e'\\x01'`,
}

/** A JSON object member with its separator. Built by hand because `row_to_json` resolves the type of every column again for every row. */
const memberSql = ({ name, kind }: ExportColumn, i: number): RawBuilder<unknown> => {
  const value = sql.id('x', `c${i}`)
  const start = `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`
  const none = LISTS.includes(kind) ? '[]' : 'null'
  return sql`case when ${value} is null then ${sql.lit(start + none)} else ${textSql(kind, value, start)} end`
}

const textSql = (kind: ColumnKind, value: RawBuilder<unknown>, start: string): RawBuilder<unknown> => {
  if (UNQUOTED.includes(kind)) return sql`${sql.lit(start)} || ${value}::text`
  if (UNESCAPED.includes(kind)) return sql`${sql.lit(`${start}"`)} || ${value}::text || '"'`
  return sql`${sql.lit(start)} || to_json(${value})::text`
}

const LISTS: readonly ColumnKind[] = ['ids', 'texts']
const UNQUOTED: readonly ColumnKind[] = ['boolean', 'number', 'json']
const UNESCAPED: readonly ColumnKind[] = ['id', 'timestamp', 'decimal'] // never contain characters that JSON escapes

/** As in the API: timestamps with milliseconds and Z. */
const jsonSql = ({ kind, value }: ExportColumn): RawBuilder<unknown> => (kind === 'timestamp' ? timestampSql(value) : value)

/**
 * Lists of IDs are joined with `;`; lists of texts are JSON, because texts can contain anything. An empty string ("") differs from no value
 * ().
 */
const cellSql = ({ kind, value }: ExportColumn): RawBuilder<unknown> => {
  if (kind === 'timestamp') return timestampSql(value)
  if (kind === 'text') return guardFormulaSql(value)
  if (kind === 'ids') return sql`array_to_string(${value}, ';')`
  if (kind === 'texts') return sql`to_json(${value})`
  return kind === 'boolean' ? sql`${value}::text` : value
}

const timestampSql = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * Spreadsheets execute a cell that starts like a formula. Such a text is prefixed with an apostrophe, which marks it as text; the import
 * removes it again (`stripFormulaGuard`), so nothing is lost.
 */
const FORMULA_STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', "'"]
const guardFormulaSql = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when left(${text}, 1) in (${sql.join(FORMULA_STARTS.map((start) => sql.lit(start)))}) then '''' || ${text} else ${text} end`

export const stripFormulaGuard = (text: string): string => (text[0] === "'" && FORMULA_STARTS.includes(text[1]!) ? text.slice(1) : text)
