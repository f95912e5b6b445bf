import { analyse, findDialect } from '../sql/index.ts'
import { lex } from '../sql/text/lexer.ts'
import type { Token } from '../sql/text/tokens.ts'

/**
 * Checks the SQL that people write into a monitor before any source sees it. Sources are asked in read-only sessions as well: this is the
 * first of two locks, and the one that can say what is wrong. Pure: undefined when it may be asked.
 */
const WRITES = new Set(
  'INSERT UPDATE DELETE MERGE REPLACE UPSERT TRUNCATE DROP ALTER CREATE GRANT REVOKE INTO COPY CALL EXEC EXECUTE LOCK ATTACH DETACH VACUUM PRAGMA INSTALL HANDLER'.split(
    ' ',
  ),
)
/** Words that are also functions or plain names: they write only where a statement begins. */
const ALSO_NAMES = new Set('REPLACE INSERT COPY CALL LOCK HANDLER EXECUTE'.split(' '))
/** Functions that reach out of the query, wait, or change something in a read-only session, too. */
const REACHES_OUT =
  /^(dblink\w*|lo_\w+|pg_(read|ls|stat_file|terminate|cancel|reload|rotate|switch|sleep|advisory|try_advisory|promote|notify|logical|create|drop|file)\w*|set_config|nextval|setval|\w+_to_xml\w*|xp_\w+|sp_\w+|sys_exec|load_(file|extension)|sleep\w*|benchmark|(get|release)_\w*locks?|read_(csv|text|blob|parquet|json)\w*|url|file|remote\w*|s3\w*|mysql|postgresql|executable|external_query)$/i

interface Read {
  readonly tokens: readonly Token[]
  readonly problem: string | undefined
}

const read = (text: string, dialect: string): Read => {
  const { tokens, loose } = lex(text, findDialect(dialect) ?? findDialect('ansi')!)
  if (loose.length > 0) return { tokens: [], problem: 'has a bracket, a string, a name or a comment that is not closed.' }
  return { tokens: tokens.list.filter(({ kind }) => kind !== 'end'), problem: undefined }
}

const problemOf = (tokens: readonly Token[]): string | undefined => {
  for (const [i, { kind, op, word, text }] of tokens.entries()) {
    if (op === ';') return 'must be one statement, without semicolons.'
    const calls = tokens[i + 1]?.op === '('
    if (WRITES.has(word) && !(ALSO_NAMES.has(word) && (calls || !begins(tokens, i)))) return `must only read: ${word} is not allowed.`
    if (calls && (kind === 'word' || kind === 'quoted') && REACHES_OUT.test(text)) return `must not call ${text}.`
    if (kind === 'param') return 'must not have parameters.'
  }
  return undefined
}

/** Whether a statement begins here: at the start, or as what a common table or a bracket holds. */
const begins = (tokens: readonly Token[], i: number): boolean => i === 0 || tokens[i - 1]?.op === '(' || tokens[i - 1]?.op === ')'

const LONGEST = 100_000

/** One SELECT, as a custom metric is. A semicolon at its end is forgiven. */
export const checkSelect = (text: string, dialect: string): string | undefined => {
  if (text.length > LONGEST) return `must be at most ${LONGEST.toLocaleString('en')} characters.`
  const { tokens, problem } = read(text, dialect)
  if (problem) return problem
  const whole = tokens.at(-1)?.op === ';' ? tokens.slice(0, -1) : tokens
  if (whole.length === 0) return 'must not be empty.'
  const first = whole.find(({ op }) => op !== '(')?.word
  if (first !== 'SELECT' && first !== 'WITH') return 'must be one SELECT.'
  const bad = problemOf(whole)
  if (bad) return bad
  const { statements, targets, problems } = analyse(text, { dialect, milliseconds: 200 })
  if (problems.length > 0) return `cannot be read: ${problems[0]!.message}`
  if (statements.length !== 1 || statements[0]!.kind !== 'select' || targets.length > 0) return 'must be one SELECT.'
  return undefined
}

/** Without what ends it, so that it can stand in a place of its own. */
export const selectOf = (text: string): string => text.trim().replace(/;$/, '').trimEnd()

/** A condition, as it stands between brackets in a statement of ours: comments could open those. */
export const checkCondition = (text: string, dialect: string): string | undefined => {
  if (text.length > LONGEST) return `must be at most ${LONGEST.toLocaleString('en')} characters.`
  const { tokens, problem } = read(text, dialect)
  if (problem) return problem
  if (tokens.length === 0) return 'must not be empty.'
  if (tokens[0]!.word === 'WHERE') return 'must be the condition alone, without WHERE.'
  if (/^(SELECT|WITH|VALUES|TABLE)$/.test(tokens[0]!.word)) return 'must be a condition, not a statement.'
  let at = 0
  for (const { start, end } of [...tokens, { start: text.length, end: text.length }]) {
    if (text.slice(at, start).trim() !== '') return 'must not have comments.'
    at = end
  }
  return problemOf(tokens)
}
