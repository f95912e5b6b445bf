import type { SchemaChange } from './schema-changes.ts'

/** What a sync did. `facts`: only facts changed (keys, indexes, row counts, sizes, usage), which have no versions and are not reset by an undo. */
export const SYNC_OUTCOMES = ['new', 'changed', 'facts', 'kept', 'unchanged', 'stale', 'back', 'archived'] as const
export type SyncOutcome = (typeof SYNC_OUTCOMES)[number]
export type OutcomeCounts = Record<SyncOutcome, Record<string, number>>

export interface SyncReport extends OutcomeCounts {
  readonly lineage: { read: number; unreadable: number }
  /** Column changes of tables that existed before; the first 100 tables. */
  readonly schema_changes: readonly SchemaChange[]
}

export class OutcomeCounter {
  readonly #counts = Object.fromEntries(SYNC_OUTCOMES.map((outcome) => [outcome, {}])) as OutcomeCounts
  readonly lineage = { read: 0, unreadable: 0 }
  schema_changes: readonly SchemaChange[] = []
  /** Why definitions could not be read, and how many. */
  readonly problems = new Map<string, number>()

  addLineage(result: true | { readonly problem: string }): void {
    this.lineage[result === true ? 'read' : 'unreadable'] += 1
    if (result !== true && (this.problems.has(result.problem) || this.problems.size < MAX_PROBLEMS))
      this.problems.set(result.problem, (this.problems.get(result.problem) ?? 0) + 1)
  }

  add(outcome: SyncOutcome, entity_type: string, n = 1): void {
    const counts = this.#counts[outcome]
    counts[entity_type] = (counts[entity_type] ?? 0) + n
  }

  /** Everything found that is not new, changed or kept is unchanged. */
  toReport(found: ReadonlyMap<string, number>): SyncReport {
    for (const [entity_type, n] of found) {
      const reported = (['new', 'changed', 'facts', 'kept'] as const).reduce(
        (sum, outcome) => sum + (this.#counts[outcome][entity_type] ?? 0),
        0,
      )
      if (n > reported) this.#counts.unchanged[entity_type] = n - reported
    }
    return { ...this.#counts, lineage: this.lineage, schema_changes: this.schema_changes }
  }
}

const MAX_PROBLEMS = 1000
const MAX_PROBLEM_LINES = 20

/** The most frequent reasons why lineage could not be read, for the log of the job. */
export const formatLineageProblems = (problems: ReadonlyMap<string, number>): string[] =>
  [...problems]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_PROBLEM_LINES)
    .map(([problem, n]) => `Lineage could not be read from ${n.toLocaleString('en')} ${n === 1 ? 'definition' : 'definitions'}: ${problem}`)

/** Summary for the log of the job. */
export const formatSyncReport = ({ lineage, schema_changes, ...counts }: SyncReport): string => {
  const parts = SYNC_OUTCOMES.flatMap((outcome) => {
    const kinds = Object.entries(counts[outcome]).map(([entity_type, n]) => `${n.toLocaleString('en')} ${formatNoun(entity_type, n)}`)
    return kinds.length > 0 ? [`${OUTCOME_LABELS[outcome]}: ${kinds.join(', ')}`] : []
  })
  const read = lineage.read + lineage.unreadable
  if (read > 0) parts.push(`lineage read from ${lineage.read} of ${read} definitions`)
  const summary = parts.length === 0 ? 'The source is empty.' : `${parts.join('; ')}.`
  return [summary, ...schema_changes.slice(0, MAX_TABLE_LINES).map((each) => `${each.table}: ${formatColumnChanges(each)}.`)].join('\n')
}

const MAX_TABLE_LINES = 20 // tables named in the job log; the report has more

/** `added channel; removed discount; changed the type of tax from numeric to text` */
const formatColumnChanges = ({ added, removed, retyped, renamed, reordered, nullability }: SchemaChange): string =>
  [
    ...(added.length > 0 ? [`added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
    ...renamed.map(({ from, to }) => `renamed ${from} to ${to}`),
    ...retyped.map(({ name, from, to }) => `changed the type of ${name} from ${from ?? 'unknown'} to ${to ?? 'unknown'}`),
    ...nullability.map(({ name, nullable }) => `made ${name} ${nullable ? 'nullable' : 'not null'}`),
    ...(reordered.length > 0 ? [`moved ${reordered.join(', ')}`] : []),
  ].join('; ')

const OUTCOME_LABELS: Record<SyncOutcome, string> = {
  new: 'New',
  changed: 'changed',
  facts: 'facts refreshed',
  kept: 'changed in the source, kept (edited here)',
  unchanged: 'unchanged',
  stale: 'stale',
  back: 'back',
  archived: 'archived',
}
const formatNoun = (entity_type: string, n: number): string => {
  const noun = entity_type.replaceAll('_', ' ')
  return n === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
