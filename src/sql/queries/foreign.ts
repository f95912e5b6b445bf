import { Findings } from '../relations/findings.ts'
import { NO_COMMON_TABLES, type ParserContext } from '../relations/parser-context.ts'
import { type Column, NO_SOURCES } from '../relations/relation.ts'
import { Tables } from '../relations/tables.ts'
import { findDialect } from '../text/dialects.ts'
import { lex } from '../text/lexer.ts'
import { isQuery, readQuery } from './query.ts'

/** Functions that pass a query as text to another system: `EXTERNAL_QUERY('connection', 'select …')`. */
const FOREIGN = new Set(['EXTERNAL_QUERY', 'OPENQUERY', 'DBLINK'])

/**
 * The tables of such a query belong to another system, so they are reported as unresolved and never matched with the catalog. Returns the
 * columns of the query when it names them all; undefined when the function is none of these.
 */
export const readForeignQuery = (
  r: ParserContext,
  call: string,
  open: number,
  close: number,
): { readonly columns: Column[] | undefined; readonly label: string } | undefined => {
  if (!FOREIGN.has(call)) return undefined
  const { tokens } = r
  const args = tokens.split(open + 1, close)
  const [connection] = args.length > 1 ? args : []
  const label = connection ? `${call}(${tokens.text(connection[0])})` : call
  const [text, stop] = args[connection ? 1 : 0] ?? [open, open]
  const inner = tokens.kind(text) === 'string' && stop === text + 1 ? readText(r, tokens.text(text)) : undefined
  for (const table of inner?.tables ?? []) r.found.miss(`${label}: ${table}`, 'dynamic', tokens.at(text))
  if (!inner?.tables.length) r.found.miss(label, 'dynamic', tokens.span(open - 1, close))
  const { start, end } = tokens.at(text)
  return { columns: inner?.names?.map((name) => ({ name, flow: NO_SOURCES, start, end })), label }
}

const readText = (r: ParserContext, text: string): { tables: string[]; names: string[] | undefined } | undefined => {
  const dialect = findDialect('ansi')!
  const { tokens } = lex(r.dialect.backslash ? text.replace(/\\([\s\S])/g, '$1') : text, dialect)
  r.budget.spend(tokens.length)
  const found = new Findings(r.budget)
  const reading: ParserContext = { tokens, dialect, tables: new Tables(dialect), budget: r.budget, found }
  if (!isQuery(reading, 0, tokens.length)) return undefined
  const relation = r.budget.deeper(() => readQuery(reading, 0, tokens.length, { commons: NO_COMMON_TABLES }))
  const names = relation.columns().flatMap(({ name }) => name ?? [])
  return {
    tables: [...found.sources.keys()].map(({ name }) => name.join('.')),
    names: relation.opens.length === 0 && names.length === relation.columns().length ? names : undefined,
  }
}
