import type { Rhythm } from './calendar.ts'

/** False alarms we accept per monitor and month at sensitivity 5; each step of sensitivity doubles or halves them. */
const PER_MONTH = 0.03

export const DEFAULT_SENSITIVITY = 5

export type Budget = {
  /** The chance of a false alarm we accept for one run, both sides together. */
  readonly per_run: number
  /** The least widths shrink and grow a little with the sensitivity too. */
  readonly ease: number
}

export const budgetOf = (sensitivity: number, { runs_per_month }: Rhythm): Budget => {
  const steps = Math.min(10, Math.max(1, Number.isFinite(sensitivity) ? sensitivity : DEFAULT_SENSITIVITY)) - DEFAULT_SENSITIVITY
  return { per_run: Math.min(0.2, (PER_MONTH * 2 ** steps) / runs_per_month), ease: 1.25 ** -steps }
}
