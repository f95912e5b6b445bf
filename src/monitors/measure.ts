import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { mustBeAffordable } from '../integrations/estimate.ts'
import { type OpenSource, withSource } from '../integrations/open.ts'
import { foldStatement, type Outcome, readCustom } from './metrics.ts'
import type { Question } from './questions.ts'

const STATEMENT_MS = 60_000
const FOLDED = 100 // monitors combined into one statement

export interface Measured {
  readonly question: Question
  readonly outcome: Outcome
}

/**
 * Measures these monitors at one source, table by table, and passes the results to the callback after each statement; the callback returns
 * whether to continue. Read-only, outside any transaction. A failed measurement is also a result.
 */
export const measure = async (
  ctx: Context,
  integration: string | null,
  questions: readonly Question[],
  signal: AbortSignal,
  tell: (measured: readonly Measured[]) => Promise<boolean>,
): Promise<void> => {
  const told = new Set<string>()
  const say = (measured: readonly Measured[]): Promise<boolean> => {
    for (const { question } of measured) told.add(question.id)
    return tell(measured)
  }
  const broken = questions.filter(({ problem }) => problem !== undefined)
  if (broken.length > 0 && !(await say(broken.map((question) => ({ question, outcome: { error: question.problem! } }))))) return
  let left = questions.filter(({ problem }) => problem === undefined)
  // A connection that failed is not used again: the remaining monitors are measured one by one through a new connection.
  for (let alone = false; left.length > 0; alone = true) {
    try {
      const going = await withSource(ctx, integration, signal, (source) => askAll(source, left, alone, say))
      if (!going) return
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // The source could not be queried at all.
      await say(left.filter(({ id }) => !told.has(id)).map((question) => ({ question, outcome: { error: error.message } })))
      return
    }
    left = left.filter(({ id }) => !told.has(id))
  }
}

/** Returns whether to continue. A combined statement that failed reports nothing, because any one of its monitors may be the cause. */
const askAll = async (
  source: OpenSource,
  questions: readonly Question[],
  alone: boolean,
  say: (measured: readonly Measured[]) => Promise<boolean>,
): Promise<boolean> => {
  for (const some of groupsOf(source.dialect, questions, alone)) {
    const measured = await askTogether(source, some).catch((error: Error): Measured[] => {
      // A combined statement that timed out is not repeated one by one, which would take even longer.
      if (some.length > 1 && !TOO_LONG.test(error.message)) return []
      return some.map((question) => ({ question, outcome: { error: error.message.slice(0, LONGEST_MESSAGE).toWellFormed() } }))
    })
    if (measured.length > 0 && !(await say(measured))) return false
  }
  return true
}

const TOO_LONG = /took too long|timed out|was stopped|was cancelled/i
const LONGEST_MESSAGE = 2000

const groupsOf = (dialect: string, questions: readonly Question[], alone: boolean): Question[][] => {
  const keyOf = (each: Question) => {
    if (alone || each.metric_type === 'custom_sql' || hasMoved(dialect, each)) return each.id
    // In a large table each condition gets its own statement, so that the source can skip the other rows.
    return each.large ? `${each.relation} ${each.where ?? ''}` : each.relation
  }
  return [...Map.groupBy(questions, keyOf).values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / FOLDED) }, (_, i) => all.slice(i * FOLDED, (i + 1) * FOLDED)),
  )
}

/** The type of the integration has changed since the custom SQL was checked, so it was checked for another dialect. */
const hasMoved = (dialect: string, question: Question): boolean => question.dialect !== undefined && question.dialect !== dialect

const askTogether = async (source: OpenSource, questions: readonly Question[]): Promise<Measured[]> => {
  const { words, dialect, ask } = source
  const [first] = questions
  if (hasMoved(dialect, first!))
    return [{ question: first!, outcome: { error: 'The type of the integration has changed. Run the monitor again.' } }]
  if (first!.metric_type === 'custom_sql') {
    const select = first!.query_select ?? ''
    await mustBeAffordable(source, select, { rows: null })
    const { rows, truncated } = await ask(select, { timeout_ms: STATEMENT_MS, max_rows: 1 })
    return [{ question: first!, outcome: readCustom(rows, truncated) }]
  }
  const statement = foldStatement(words, first!.path, questions)
  const counts = questions.every(({ metric_type, where }) => metric_type === 'row_count' && where === undefined)
  await mustBeAffordable(source, statement.sql, { rows: first!.rows, counts })
  const { rows } = await ask(statement.sql, { timeout_ms: STATEMENT_MS, max_rows: 1 })
  const outcomes = statement.read(rows[0] ?? [])
  return questions.map((question) => ({ question, outcome: outcomes.get(question.id)! }))
}
