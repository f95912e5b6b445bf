import type { Budget } from './budget.ts'
import { normalQuantile } from './quantile.ts'

/** How far chance alone moves a percentage measured on so few rows: a binomial quantile, and one row for its coarseness. */
export const binomialReach = (percentage: number, row_count: number, budget: Budget): number => {
  if (!(row_count > 0)) return 100
  const share = (Math.min(100, Math.max(0, percentage)) / 100) * row_count
  const p = (share + 0.5) / (row_count + 1)
  return 100 * (-normalQuantile(budget.per_run / 2) * Math.sqrt((p * (1 - p)) / row_count) + 1 / row_count)
}
