/** How a resource matches, best first. `context` and `partial` are found by find-ranked.ts; `usage` is the tier of an empty search. */
export const TIERS = [
  'exact_title',
  'title_prefix',
  'title_phrase',
  'title_words',
  'description',
  'documentation',
  'context',
  'partial',
  'usage',
] as const
export type Tier = (typeof TIERS)[number]

export interface Hit {
  readonly id: string
  readonly tier: Tier
}

export interface RankedHits {
  readonly hits: readonly Hit[]
  /** Whether these are all matches. */
  readonly all: boolean
  /** How many of them, at the start, are named by their path. */
  readonly by_path: number
}
