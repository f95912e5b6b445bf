import { isQuery, readQuery } from '../queries/query.ts'
import { readName, readTableName } from '../relations/names.ts'
import type { CommonTables, ParserContext } from '../relations/parser-context.ts'
import type { StatementKind } from './statement.ts'
import { readDefinition, readTarget, writeResult } from './targets.ts'

/** ALTER: data moves when tables are swapped, and when a view gets a new query. */
export const readAlter = (r: ParserContext, from: number, end: number, commons: CommonTables): StatementKind => {
  const { tokens, tables, found } = r
  let i = from + 1
  while (/^(?:MATERIALIZED|DYNAMIC|SECURE)$/.test(tokens.word(i))) i++
  const view = tokens.word(i) === 'VIEW'
  if (!view && tokens.word(i) !== 'TABLE') return 'alter'
  i++
  while (/^(?:IF|EXISTS|ONLY)$/.test(tokens.word(i))) i++
  const name = readTableName(r, i, end)
  if (!name?.parts.length) return 'alter'
  if (view) {
    const columns = tokens.op(name.next) === '(' && !tokens.opensQuery(name.next) ? readDefinition(r, name.next, end) : undefined
    const as = tokens.find(name.next, end, (at) => tokens.word(at) === 'AS' && isQuery(r, at + 1, end))
    if (as < 0) return 'alter'
    const target = readTarget(r, i, end)
    writeResult(r, readQuery(r, as + 1, end, { commons }), target?.table, columns)
    return 'create_view'
  }
  if (/^(?:UPDATE|DELETE)$/.test(tokens.word(name.next))) {
    // ClickHouse: ALTER TABLE t UPDATE a = b WHERE …
    readTarget(r, i, end)
    return tokens.word(name.next) === 'UPDATE' ? 'update' : 'delete'
  }
  // SWAP WITH t, EXCHANGE PARTITION … WITH TABLE t, APPEND FROM t, ATTACH/REPLACE PARTITION … FROM t, SWITCH TO t
  const other = tokens.find(name.next, end, (at) => {
    const next = tokens.word(at + 1)
    return (
      (tokens.word(at) === 'WITH' && (tokens.word(at - 1) === 'SWAP' || next === 'TABLE')) ||
      (tokens.word(at) === 'FROM' && /^(?:APPEND|ID|ALL)$|^$/.test(tokens.word(at - 1)) && tokens.isName(at + 1))
    )
  })
  if (other > 0) {
    readTarget(r, i, end)
    const at = tokens.word(other + 1) === 'TABLE' ? other + 2 : other + 1
    const source = readName(r, at, end)
    if (source.parts.length > 0) found.read(tables.get(source.parts), tokens.span(at, source.next - 1))
    return 'alter'
  }
  const to = tokens.find(
    name.next,
    end,
    (at) => tokens.word(at) === 'TO' && (tokens.word(at - 1) === 'SWITCH' || tokens.word(at - 3) === 'SWITCH'),
  )
  if (to > 0 && tokens.isName(to + 1)) {
    found.read(tables.get(name.parts), tokens.span(i, name.next - 1))
    readTarget(r, to + 1, end)
  }
  return 'alter'
}

/** DROP TABLE a, b: a table that a script creates and drops again is not a result. */
export const readDrop = (r: ParserContext, from: number, end: number): StatementKind => {
  const { tokens, tables, found } = r
  let i = from + 1
  while (/^(?:TEMP|TEMPORARY|MATERIALIZED|EXTERNAL|DYNAMIC)$/.test(tokens.word(i))) i++
  if (!/^(?:TABLE|VIEW)$/.test(tokens.word(i))) return 'drop'
  i++
  while (/^(?:IF|EXISTS)$/.test(tokens.word(i))) i++
  for (const [a, b] of tokens.split(i, end)) {
    const name = readTableName(r, a, b)
    if (name?.parts.length) found.dropped.push(tables.get(name.parts))
  }
  return 'drop'
}
