import { analyse } from '../sql/index.ts'
import { readStrictly, type StrictQuery } from '../sql/strict.ts'
import { isAllowed } from './functions.ts'

/**
 * Checks the SQL that people write into a monitor before any source sees it: one query, which calls only functions that are known to be
 * harmless. Which tables it may read is for `reads.ts` to decide. The source runs it in a read-only session as well. Pure.
 */
export type Checked = StrictQuery | { readonly problem: string /** The engine failed with an error of its own. */; readonly defect?: true }

const NONE: ReadonlySet<string> = new Set()

/** One SELECT, as a custom metric is. A semicolon at its end is forgiven. */
export const readSelect = (text: string, dialect: string, functions = NONE): Checked => {
  const query = withKnownCalls(readStrictly(text, dialect, 'select'), dialect, functions)
  if ('problem' in query) return query
  const { statements, targets, problems, incomplete } = analyse(text, { dialect, milliseconds: 200 })
  if (incomplete === 'internal') return { problem: 'could not be checked because of an error in the SQL engine.', defect: true }
  if (problems.length > 0) return { problem: `cannot be read: ${problems[0]!.message}` }
  if (statements.length !== 1 || statements[0]!.kind !== 'select' || targets.length > 0) return { problem: 'must be one SELECT.' }
  return query
}

/** A condition, as it stands between brackets in a statement of ours. */
export const readCondition = (text: string, dialect: string, functions = NONE): Checked =>
  withKnownCalls(readStrictly(text, dialect, 'condition'), dialect, functions)

const withKnownCalls = (query: Checked, dialect: string, functions: ReadonlySet<string>): Checked => {
  if ('problem' in query) return query
  const unknown = query.calls.find(({ parts }) => !isAllowed(parts, dialect, functions))
  if (!unknown) return query
  const name = unknown.parts.join('.')
  return {
    problem: `must not call ${name}: this function is not on the list of those that custom SQL may call. An admin can add it to allowed_functions of the integration.`,
  }
}
