import { readTable } from '../queries/factors.ts'
import { isQuery, readQuery } from '../queries/query.ts'
import { readName, readNameList, readTableName } from '../relations/names.ts'
import type { CommonTables, ParserContext } from '../relations/parser-context.ts'
import { Scope } from '../relations/scope.ts'
import { readTarget, writeResult } from './targets.ts'

const note = (r: ParserContext, i: number, end: number): void => {
  const name = readTableName(r, i, end)
  if (!name?.parts.length) return
  r.found.read(r.tables.get(name.parts), r.tokens.span(i, name.next - 1))
}

/** COPY t FROM file, COPY t TO file, COPY (query) TO file, COPY INTO t FROM (query). */
export const readCopy = (r: ParserContext, from: number, end: number, commons: CommonTables): 'copy' => {
  const { tokens } = r
  let i = from + 1
  if (tokens.op(i) === '(' && tokens.opensQuery(i)) {
    writeResult(r, readQuery(r, i, tokens.next(i), { commons }), undefined)
    return 'copy'
  }
  if (tokens.word(i) === 'INTO') i++
  const named = tokens.isName(i)
  const directionAt = tokens.find(i + 1, end, (at) => tokens.word(at) === 'FROM' || tokens.word(at) === 'TO')
  if (tokens.word(directionAt) === 'TO') {
    note(r, i, end)
    return 'copy'
  }
  const target = named ? readTarget(r, i, end) : undefined
  const names =
    target && tokens.op(target.next) === '(' ? readNameList(r, target.next + 1, tokens.close(target.next, end)) : target?.table.columns
  if (directionAt > 0 && tokens.opensQuery(directionAt + 1))
    writeResult(r, readQuery(r, directionAt + 2, tokens.close(directionAt + 1, end), { commons }), target?.table, names)
  else if (directionAt > 0 && !named && tokens.isName(directionAt + 1)) note(r, directionAt + 1, end)
  return 'copy'
}

/** Redshift: UNLOAD ('select …') TO 's3://…'; Athena: UNLOAD (select …) TO …. A string is parsed as a separate script. */
export const readUnload = (r: ParserContext, from: number, end: number, commons: CommonTables): 'copy' => {
  const { tokens } = r
  if (tokens.opensQuery(from + 1)) writeResult(r, readQuery(r, from + 2, tokens.close(from + 1, end), { commons }), undefined)
  return 'copy'
}

/** EXPORT DATA OPTIONS (…) AS select; EXPORT (select …) INTO …; EXPORT t INTO …. */
export const readCopyTo = (r: ParserContext, from: number, end: number, commons: CommonTables): 'copy' => {
  const { tokens } = r
  const query = tokens.find(from + 1, end, (i) => tokens.opensQuery(i) || (tokens.word(i) === 'AS' && isQuery(r, i + 1, end)))
  if (query > 0) {
    const start = tokens.word(query) === 'AS' ? query + 1 : query
    writeResult(r, readQuery(r, start, tokens.op(start) === '(' ? tokens.next(start) : end, { commons }), undefined)
  } else if (tokens.word(from + 1) === 'TABLE') note(r, from + 2, end)
  else if (tokens.isName(from + 1) && !/^(?:TO|DATA)$/.test(tokens.word(from + 1)) && readName(r, from + 1, end).next > 0)
    note(r, from + 1, end)
  return 'copy'
}

/** Databricks: APPLY CHANGES INTO t FROM stream(s) KEYS (…). */
export const readApply = (r: ParserContext, from: number, end: number, commons: CommonTables): 'merge' => {
  const { tokens } = r
  const into = tokens.findWord(from, end, 'INTO')
  const source = tokens.findWord(from, end, 'FROM')
  if (into > 0) readTarget(r, into + 1, end)
  if (source > 0) readTable(r, source + 1, end, new Scope(undefined), { commons })
  return 'merge'
}

/** LOAD DATA INPATH … INTO TABLE t; IMPORT INTO t FROM …; BULK INSERT t FROM …. */
export const readLoad = (r: ParserContext, from: number, end: number): 'copy' => {
  const { tokens } = r
  const into = tokens.find(
    from + 1,
    end,
    (i) =>
      tokens.word(i) === 'INTO' ||
      tokens.word(i) === 'INSERT' ||
      (tokens.word(i) === 'OVERWRITE' && tokens.isName(i + 1) && tokens.word(i + 1) !== 'INTO'),
  )
  if (into > 0 && tokens.isName(into + 1))
    readTarget(r, /^(?:TABLE|TEMP|TEMPORARY)$/.test(tokens.word(into + 1)) ? into + 2 : into + 1, end)
  return 'copy'
}
