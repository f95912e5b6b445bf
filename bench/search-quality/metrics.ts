import type { Judgments } from './judgments.ts'

/** How good one answer is. */
export interface Score {
  readonly ndcg: number
  readonly reciprocalRank: number
  readonly success1: number
  readonly success3: number
  readonly zeroResults: number
}

export const PAGE = 10

/** A result counts as a success if it is very good (grade 2) or the answer (3), or the best there is for this query. */
export const score = (judgments: Judgments, results: readonly string[]): Score => {
  const gains = results.slice(0, PAGE).map((id) => judgments.get(id) ?? 0)
  const ideal = [...judgments.values()].sort((a, b) => b - a).slice(0, PAGE)
  const good = Math.min(2, ideal[0] ?? 0)
  const first = gains.findIndex((grade) => grade >= good)
  return {
    ndcg: discountedGain(gains) / discountedGain(ideal),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
    success1: first === 0 ? 1 : 0,
    success3: first >= 0 && first < 3 ? 1 : 0,
    zeroResults: results.length === 0 ? 1 : 0,
  }
}

const discountedGain = (grades: readonly number[]): number => grades.reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0)

export const mean = (scores: readonly Score[], key: keyof Score): number =>
  scores.reduce((sum, each) => sum + each[key], 0) / Math.max(1, scores.length)

export const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
