import type { Dialect } from '../text/dialects.ts'
import type { Tokens } from '../text/tokens.ts'

/** The position of one statement. */
export interface Range {
  readonly from: number
  readonly end: number
}

/** SQL inside a string: the body of a function, an argument of EXECUTE IMMEDIATE. */
export interface Script {
  readonly statements: Range[]
  readonly bodies: number[]
  /** The body of a function, procedure or similar, which may contain no statement. */
  readonly routines: boolean
}

const ROUTINES = new Set(['PROCEDURE', 'PROC', 'FUNCTION', 'TRIGGER', 'TASK', 'EVENT', 'PACKAGE', 'MACRO'])
/** Words between statements, not inside them. */
const FRAMES = new Set([
  'BEGIN',
  'END',
  'IF',
  'ELSIF',
  'ELSEIF',
  'ELSE',
  'THEN',
  'WHILE',
  'LOOP',
  'REPEAT',
  'UNTIL',
  'FOR',
  'FOREACH',
  'DECLARE',
  'EXCEPTION',
  'WHEN',
  'DO',
  'RETURN',
  'CASE',
  'LET',
  'OPEN',
  'PRINT',
  'RAISE',
  'RAISERROR',
])
const VERBS = new Set([
  'SELECT',
  'SEL',
  'INSERT',
  'UPDATE',
  'DELETE',
  'MERGE',
  'WITH',
  'CREATE',
  'COPY',
  'TRUNCATE',
  'EXECUTE',
  'EXEC',
  'REPLACE',
  'DROP',
  'ALTER',
])
/** Words that may start a statement on a new line where semicolons are optional. */
const LOOSE = new Set([...VERBS, 'DECLARE', 'IF', 'WHILE', 'PRINT', 'RETURN', 'USE', 'BEGIN'])

type State = 'between' | 'header' | 'frame' | 'inside'

/** Finds the statements of a script: between semicolons, inside blocks and routines, and on separate lines where the dialect needs no semicolons. */
export const splitScript = (tokens: Tokens, dialect: Dialect, sql: string): Script => {
  const statements: Range[] = []
  const bodies: number[] = []
  let state = 'between' as State
  let start = 0
  let cases = 0
  let block = 0
  let awaits = false
  /** Declarations follow, each with its semicolon, up to BEGIN. */
  let declaring = false
  /** The start of the current routine, and the number of statements and bodies before it. */
  let routines = false
  let routine: { from: number; before: number } | undefined
  const close = (end: number): void => {
    if (state === 'inside' && end > start) statements.push({ from: start, end })
    state = 'between'
    cases = 0
    if (block === 0 && !declaring) closeRoutine(end)
  }
  /** A routine that contains no statement counts as one: it only computes, or is written in another language. */
  const closeRoutine = (end: number): void => {
    if (routine && statements.length + bodies.length === routine.before) statements.push({ from: routine.from, end })
    routine = undefined
  }
  const open = (i: number): void => {
    state = 'inside'
    start = i
    cases = 0
    // These must be followed by a query or another verb.
    const text = /^(?:EXECUTE|EXEC|UNLOAD)$/.test(tokens.word(i)) ? findText(tokens, i) : -1
    if (text > 0) bodies.push(text)
    awaits = /^(?:INSERT|WITH|CREATE|REPLACE|EXPLAIN|MERGE|ALTER)$/.test(tokens.word(i))
  }
  for (let i = 0; i < tokens.length; i = tokens.next(i)) {
    const { word, op, kind } = tokens.at(i)
    if (op === ';') {
      close(i)
      continue
    }
    const fresh = (at = i): boolean => at >= tokens.length || startsLine(tokens, sql, at)
    // A slash on a separate line ends a statement in SQL*Plus; `$$` does so in a script with DELIMITER $$.
    if ((op === '/' && fresh() && fresh(i + 1)) || (kind === 'param' && tokens.text(i) === '$$')) {
      close(i)
      continue
    }
    if (word === 'GO' && dialect.looseStatements && fresh() && (fresh(i + 1) || tokens.kind(i + 1) === 'number')) {
      block = 0
      close(i)
      if (!fresh(i + 1)) i++
      continue
    }
    if (state === 'inside') {
      if (word === 'CASE') cases++
      else if (word === 'END' && cases > 0) cases--
      else if (
        cases === 0 &&
        block > 0 &&
        ((word === 'END' && tokens.op(i - 1) !== '.') || (word === 'LOOP' && tokens.op(i - 1) !== '.'))
      ) {
        close(i)
        if (word === 'END') block--
        state = 'frame'
      } else if (
        dialect.looseStatements &&
        ((LOOSE.has(word) && fresh() && !isUpdateCheck(tokens, i)) || alwaysStartsStatement(tokens, i)) &&
        startsStatement(tokens, i, awaits)
      ) {
        close(i)
        i = begin(i)
      } else if (awaits && /^(?:SELECT|VALUES|UPDATE|DELETE|EXEC)$/.test(word) && tokens.word(start) !== 'MERGE') awaits = false
      continue
    }
    if (state === 'between') {
      i = begin(i)
      continue
    }
    if (state === 'header') {
      if (kind === 'string' && /^(?:AS|DO)$/.test(tokens.word(i - 1)) && isSqlBody(tokens, i)) bodies.push(i)
      else if (word === 'BEGIN') {
        block++
        declaring = false
        state = 'frame'
      } else if (
        (word === 'AS' && tokens.word(i - 1) !== 'EXECUTE') ||
        word === 'IS' ||
        // Oracle: FUNCTION f RETURN number IS.
        (word === 'RETURN' && dialect.name !== 'oracle') ||
        (word === 'ROW' && tokens.word(i - 1) === 'EACH') ||
        word === 'DO'
      ) {
        if (tokens.kind(i + 1) !== 'string') {
          state = 'frame'
          if (dialect.declareSections && (word === 'AS' || word === 'IS') && declares(tokens, i + 1)) {
            declaring = true
            state = 'between'
          }
        }
        if (tokens.opensQuery(i + 1)) open(i + 1)
      }
      continue
    }
    if (word === 'BEGIN') {
      block++
      declaring = false
    } else if (word === 'END' && block > 0) block--
    else if (op === ':=' && tokens.isName(i - 1)) open(i - 1)
    else if (word === 'WITH' && !tokens.isName(i + 1)) continue
    else if (VERBS.has(word) && tokens.op(i - 1) !== '.' && !(word === 'REPLACE' && tokens.op(i + 1) === '(') && !isUpdateCheck(tokens, i))
      open(i)
    else if (
      tokens.opensQuery(i) &&
      (/^(?:RETURN|QUERY|IN|FOR|AS|DEFAULT)$/.test(tokens.word(i - 1)) || tokens.op(i - 1) === ':=' || tokens.op(i - 1) === '=')
    )
      statements.push({ from: i, end: tokens.close(i, tokens.length - 1) + 1 })
  }
  close(tokens.length)
  return { statements, bodies, routines }

  /** The first token of something new: a statement, or a word between statements. */
  function begin(i: number): number {
    const word = tokens.word(i)
    if (word === 'DELIMITER') {
      let last = i
      while (last + 1 < tokens.length && !startsLine(tokens, sql, last + 1)) last++
      return last
    }
    const labelled = skipLabel(tokens, i)
    if (labelled > i) return labelled
    // A routine inside a package, or among declarations.
    if (dialect.declareSections && (word === 'PROCEDURE' || word === 'FUNCTION')) {
      state = 'header'
      return i
    }
    if (declaring) {
      if (word !== 'BEGIN' && word !== 'DECLARE' && !VERBS.has(word)) {
        state = 'frame'
        return i
      }
      declaring = false
    }
    // A template before a statement is not part of it.
    if (tokens.kind(i) === 'quoted' && tokens.text(i).startsWith('{{') && tokens.op(i + 1) === '') return i
    if (
      word === 'BEGIN' &&
      /^(?:TRANSACTION|TRAN|WORK|)$/.test(tokens.word(i + 1)) &&
      (tokens.op(i + 1) === ';' || tokens.word(i + 1) !== '' || i + 1 >= tokens.length)
    )
      open(i)
    else if (word === 'DO' && tokens.kind(i + 1) === 'string') {
      bodies.push(i + 1)
      state = 'frame'
    } else if (word === 'DECLARE' && tokens.word(i + 1) === 'GLOBAL') open(i)
    else if (FRAMES.has(word)) {
      state = 'frame'
      if (word === 'BEGIN') block++
      else if (word === 'END' && block > 0) block--
      else if (word === 'DECLARE') declaring = dialect.declareSections && tokens.kind(i + 1) !== 'param'
      if (word === 'RETURN' && tokens.opensQuery(i + 1)) open(i + 1)
    } else if (isRoutine(tokens, i)) {
      state = 'header'
      start = i
      routines = true
      routine = { from: i, before: statements.length + bodies.length }
    } else if (isCall(tokens, i, block > 0)) state = 'frame'
    else open(i)
    return i
  }
}

/** tsql: `IF UPDATE(column)` is a condition and does not write. Oracle has `UPDATE (SELECT …) SET`. */
const isUpdateCheck = (tokens: Tokens, i: number): boolean =>
  tokens.word(i) === 'UPDATE' && tokens.op(i + 1) === '(' && !tokens.opensQuery(i + 1)

/** `again:`, `<<again>>`: the last token of a label before a statement, or `i` without a label. */
const skipLabel = (tokens: Tokens, i: number): number => {
  if (tokens.op(i) === '<' && tokens.op(i + 1) === '<' && tokens.op(i + 3) === '>' && tokens.op(i + 4) === '>') return i + 4
  return tokens.isName(i) && tokens.op(i + 1) === ':' && tokens.at(i).end === tokens.at(i + 1).start ? i + 1 : i
}

/** After AS or IS of a routine: declarations, not its first statement. */
const declares = (tokens: Tokens, i: number): boolean =>
  tokens.isName(i) && !VERBS.has(tokens.word(i)) && !FRAMES.has(tokens.word(i)) && tokens.word(i) !== 'LANGUAGE'

/** A call of a procedure inside a block, `package.name(…);` or `package.name;`. */
const isCall = (tokens: Tokens, i: number, inBlock: boolean): boolean => {
  if (!inBlock || !tokens.isName(i) || VERBS.has(tokens.word(i))) return false
  let at = i + 1
  while (tokens.op(at) === '.' && tokens.isName(at + 1)) at += 2
  const dotted = at > i + 1
  if (tokens.op(at) === '(' && !tokens.opensQuery(at)) return tokens.op(tokens.next(at)) === ';'
  return dotted && tokens.op(at) === ';'
}

/** CREATE [OR REPLACE] … PROCEDURE, and not the table of that name. */
const isRoutine = (tokens: Tokens, i: number): boolean => {
  if (!/^(?:CREATE|ALTER|REPLACE)$/.test(tokens.word(i))) return false
  for (let at = i + 1; at < i + 8; at++) {
    const word = tokens.word(at)
    if (ROUTINES.has(word)) return tokens.word(i) !== 'ALTER' || !/^(?:TASK|EVENT|TRIGGER)$/.test(word)
    if (word === 'TABLE' && tokens.word(at + 1) === 'FUNCTION') continue
    if (word === '' || /^(?:TABLE|VIEW|INDEX|SCHEMA|DATABASE|MODEL|STREAM)$/.test(word)) return false
  }
  return false
}

const startsLine = (tokens: Tokens, sql: string, i: number): boolean =>
  i === 0 || sql.slice(tokens.at(i - 1).end, tokens.at(i).start).includes('\n')

/** INSERT INTO and DELETE FROM always start a statement. */
const alwaysStartsStatement = (tokens: Tokens, i: number): boolean =>
  (tokens.word(i) === 'INSERT' && tokens.word(i + 1) === 'INTO') || (tokens.word(i) === 'DELETE' && tokens.word(i + 1) === 'FROM')

/** Whether the verb at `i` opens a statement, or belongs to the one before it. */
const startsStatement = (tokens: Tokens, i: number, awaits: boolean): boolean => {
  const word = tokens.word(i)
  const before = tokens.at(i - 1)
  if (before.op === '(' || before.op === ',' || before.op === '=' || before.op === '.') return false
  if (/^(?:THEN|UNION|ALL|EXCEPT|INTERSECT|AS|FOR|ON|OR|AND|NOT|AFTER|OF|INSTEAD|WITH|RETURN|EXPLAIN|ELSE|BEGIN)$/.test(before.word))
    return false
  if (word === 'WITH') return tokens.isName(i + 1) && tokens.word(i + 2) === 'AS'
  if (awaits && /^(?:SELECT|SEL|INSERT|UPDATE|DELETE|MERGE|EXEC|EXECUTE|WITH)$/.test(word)) return false
  return true
}

/** The SQL literal passed to EXECUTE IMMEDIATE, EXEC sp_executesql or UNLOAD. Other procedures take values. */
const findText = (tokens: Tokens, i: number): number => {
  let at = i + 1
  if (tokens.word(at) === 'IMMEDIATE') at++
  while (tokens.isName(at) && tokens.op(at + 1) === '.') at += 2
  if (/^(?:SP_EXECUTESQL|FORMAT)$/.test(tokens.text(at).toUpperCase())) at++
  if (tokens.op(at) === '(') at++
  // EXEC sp_executesql @stmt = N'…'
  if (tokens.kind(at) === 'param' && tokens.op(at + 1) === '=') at += 2
  return tokens.kind(at) !== 'string' || /^[-+|]/.test(tokens.op(at + 1)) ? -1 : at
}

/** A routine's body is SQL unless its language says otherwise. */
const isSqlBody = (tokens: Tokens, body: number): boolean => {
  for (let at = Math.max(0, body - 60); at < body + 30 && at < tokens.length; at++)
    if (tokens.word(at) === 'LANGUAGE') return /^(?:SQL|PLPGSQL|PLSQL|SPL|EDBSPL)$/i.test(tokens.text(at + 1))
  return true
}
