import { normalQuantile } from './quantile.ts'

/**
 * Variation of a percentage compared with a random sample of the same number of rows. If most rows stay the same from run to run, it varies
 * far less, and a small row count does not explain a change of a few points.
 */
export type Sampling = { count: number; square: number }

export const createSampling = (): Sampling => ({ count: 0, square: 1 })

const MEMORY = 100
const PRIOR = 3 // runs for which it is assumed to be a random sample
const MARGIN = 2

const shareOf = (percentage: number, row_count: number): number => {
  const share = (Math.min(100, Math.max(0, percentage)) / 100) * row_count
  return (share + 0.5) / (row_count + 1)
}

const sdOf = (percentage: number, row_count: number): number => {
  const p = shareOf(percentage, row_count)
  return 100 * Math.sqrt((p * (1 - p)) / row_count)
}

export const recordSample = (sampling: Sampling, percentage: number, centre: number, row_count: number): void => {
  if (!(row_count > 0)) return
  const u = Math.min(3, Math.abs(percentage - centre) / sdOf(centre, row_count))
  sampling.count++
  sampling.square += (u * u - sampling.square) * Math.max(1 / MEMORY, 1 / (sampling.count + PRIOR))
}

/** How far chance alone moves a percentage of so few rows: a binomial quantile plus one row for the granularity. */
export const binomialReach = (percentage: number, row_count: number, per_run: number, sampling: Sampling): number => {
  if (!(row_count > 0)) return 100
  const variation = Math.min(1, MARGIN * Math.sqrt(sampling.square))
  return -normalQuantile(per_run / 2) * variation * sdOf(percentage, row_count) + 100 / row_count
}
