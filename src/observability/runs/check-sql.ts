import { analyse } from '../../sql/index.ts'
import { readStrictly, type StrictQuery } from '../../sql/strict.ts'
import { isFunctionAllowed } from './allowed-functions.ts'

/**
 * Checks a monitor's custom SQL before it is sent to a source: it must be a single query that calls only functions known to be harmless.
 * Which tables it may read is checked separately. The source also runs it in a read-only session. Pure.
 */
export type CheckedSql = StrictQuery | { readonly problem: string /** The SQL engine itself failed. */; readonly defect?: true }

const NO_FUNCTIONS: ReadonlySet<string> = new Set()

/** Checks the single SELECT of a custom metric. A trailing semicolon is allowed. */
export const checkSelect = (text: string, dialect: string, functions = NO_FUNCTIONS): CheckedSql => {
  const query = checkCalls(readStrictly(text, dialect, 'select'), dialect, functions)
  if ('problem' in query) return query
  const { statements, targets, problems, incomplete } = analyse(text, { dialect, milliseconds: 200 })
  if (incomplete === 'internal') return { problem: 'could not be checked because of an internal error in the SQL engine.', defect: true }
  if (problems.length > 0) return { problem: `cannot be parsed: ${problems[0]!.message}` }
  if (statements.length !== 1 || statements[0]!.kind !== 'select' || targets.length > 0) return { problem: 'must be a single SELECT.' }
  return query
}

/** Checks a condition that is inserted between brackets into a generated statement. */
export const checkCondition = (text: string, dialect: string, functions = NO_FUNCTIONS): CheckedSql =>
  checkCalls(readStrictly(text, dialect, 'condition'), dialect, functions)

const checkCalls = (query: CheckedSql, dialect: string, functions: ReadonlySet<string>): CheckedSql => {
  if ('problem' in query) return query
  const unknown = query.calls.find(({ parts }) => !isFunctionAllowed(parts, dialect, functions))
  if (!unknown) return query
  const name = unknown.parts.join('.')
  return {
    problem: `must not call ${name}: this function is not on the list of functions allowed in custom SQL. An admin can add it to allowed_functions of the integration.`,
  }
}
