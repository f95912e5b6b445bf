import { normalQuantile } from './quantile.ts'

/**
 * How a percentage varies against what chance would do to a sample of so many rows. Rows that stay from run to run are no new sample: there
 * it varies far less, and a few points more are not to be excused by few rows.
 */
export type Sampling = { count: number; square: number }

export const createSampling = (): Sampling => ({ count: 0, square: 1 })

const MEMORY = 100
const PRIOR = 3 // runs for which it is taken for a sample
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

/** How far chance alone moves a percentage measured on so few rows: a binomial quantile, and one row for its coarseness. */
export const binomialReach = (percentage: number, row_count: number, per_run: number, sampling: Sampling): number => {
  if (!(row_count > 0)) return 100
  const variation = Math.min(1, MARGIN * Math.sqrt(sampling.square))
  return -normalQuantile(per_run / 2) * variation * sdOf(percentage, row_count) + 100 / row_count
}
