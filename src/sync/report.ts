import type { SchemaChange } from './schema-changes.ts'

/** What a sync did. `facts`: only facts changed (keys, indexes, row counts, sizes, usage), which have no versions and are not reset by an undo. */
export const OUTCOMES = ['new', 'changed', 'facts', 'kept', 'unchanged', 'stale', 'back', 'archived'] as const
export type Outcome = (typeof OUTCOMES)[number]
export type Counts = Record<Outcome, Record<string, number>>

export interface SyncReport extends Counts {
  readonly lineage: { read: number; unreadable: number }
  /** Column changes of tables that existed before; the first 100 tables. */
  readonly schema_changes: readonly SchemaChange[]
}

export class Tally {
  readonly #counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, {}])) as Counts
  readonly lineage = { read: 0, unreadable: 0 }
  schema_changes: readonly SchemaChange[] = []

  add(outcome: Outcome, entity_type: string, n = 1): void {
    const counts = this.#counts[outcome]
    counts[entity_type] = (counts[entity_type] ?? 0) + n
  }

  /** Whether columns may have been added, removed or changed. */
  get anyColumns(): boolean {
    return (['new', 'changed', 'stale', 'back'] as const).some((outcome) => this.#counts[outcome].column !== undefined)
  }

  /** Everything found that is not new, changed or kept is unchanged. */
  of(found: ReadonlyMap<string, number>): SyncReport {
    for (const [entity_type, n] of found) {
      const told = (['new', 'changed', 'facts', 'kept'] as const).reduce(
        (sum, outcome) => sum + (this.#counts[outcome][entity_type] ?? 0),
        0,
      )
      if (n > told) this.#counts.unchanged[entity_type] = n - told
    }
    return { ...this.#counts, lineage: this.lineage, schema_changes: this.schema_changes }
  }
}

/** Summary for the log of the job. */
export const inWords = ({ lineage, schema_changes, ...counts }: SyncReport): string => {
  const parts = OUTCOMES.flatMap((outcome) => {
    const kinds = Object.entries(counts[outcome]).map(([entity_type, n]) => `${n.toLocaleString('en')} ${plain(entity_type, n)}`)
    return kinds.length > 0 ? [`${WORDS[outcome]}: ${kinds.join(', ')}`] : []
  })
  const read = lineage.read + lineage.unreadable
  if (read > 0) parts.push(`lineage read from ${lineage.read} of ${read} definitions`)
  const said = parts.length === 0 ? 'The source is empty.' : `${parts.join('; ')}.`
  return [said, ...schema_changes.slice(0, MOST_LINES).map((each) => `${each.table}: ${columnsInWords(each)}.`)].join('\n')
}

const MOST_LINES = 20 // tables named in the job log; the report has more

/** `added channel; removed discount; changed the type of tax from numeric to text` */
const columnsInWords = ({ added, removed, retyped, renamed }: SchemaChange): string =>
  [
    ...(added.length > 0 ? [`added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
    ...renamed.map(({ from, to }) => `renamed ${from} to ${to}`),
    ...retyped.map(({ name, from, to }) => `changed the type of ${name} from ${from ?? 'unknown'} to ${to ?? 'unknown'}`),
  ].join('; ')

const WORDS: Record<Outcome, string> = {
  new: 'New',
  changed: 'changed',
  facts: 'facts refreshed',
  kept: 'changed in the source, kept (edited here)',
  unchanged: 'unchanged',
  stale: 'stale',
  back: 'back',
  archived: 'archived',
}
const plain = (entity_type: string, n: number): string => {
  const noun = entity_type.replaceAll('_', ' ')
  return n === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
