/** What a sync did, by kind. */
export const OUTCOMES = ['new', 'changed', 'kept', 'unchanged', 'stale', 'back', 'archived'] as const
export type Outcome = (typeof OUTCOMES)[number]
export type Counts = Record<Outcome, Record<string, number>>

export interface SyncReport extends Counts {
  readonly lineage: { read: number; unreadable: number }
}

export class Tally {
  readonly #counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, {}])) as Counts
  readonly lineage = { read: 0, unreadable: 0 }

  add(outcome: Outcome, entity_type: string, n = 1): void {
    const counts = this.#counts[outcome]
    counts[entity_type] = (counts[entity_type] ?? 0) + n
  }

  /** Everything that was found and neither new, changed nor kept against the source is unchanged. */
  of(found: ReadonlyMap<string, number>): SyncReport {
    for (const [entity_type, n] of found) {
      const told = (['new', 'changed', 'kept'] as const).reduce((sum, outcome) => sum + (this.#counts[outcome][entity_type] ?? 0), 0)
      if (n > told) this.#counts.unchanged[entity_type] = n - told
    }
    return { ...this.#counts, lineage: this.lineage }
  }
}

/** In words, for the job's log. */
export const inWords = ({ lineage, ...counts }: SyncReport): string => {
  const parts = OUTCOMES.flatMap((outcome) => {
    const kinds = Object.entries(counts[outcome]).map(([entity_type, n]) => `${n.toLocaleString('en')} ${plain(entity_type, n)}`)
    return kinds.length > 0 ? [`${WORDS[outcome]}: ${kinds.join(', ')}`] : []
  })
  const read = lineage.read + lineage.unreadable
  if (read > 0) parts.push(`lineage read from ${lineage.read} of ${read} definitions`)
  return parts.length === 0 ? 'The source is empty.' : `${parts.join('; ')}.`
}

const WORDS: Record<Outcome, string> = {
  new: 'New',
  changed: 'changed',
  kept: 'changed in the source, kept as people wrote it',
  unchanged: 'unchanged',
  stale: 'gone',
  back: 'back again',
  archived: 'archived',
}
const plain = (entity_type: string, n: number): string => {
  const noun = entity_type.replaceAll('_', ' ')
  return n === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
