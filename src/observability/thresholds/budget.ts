import type { Rhythm } from './calendar.ts'

/** False alarms by chance per monitor and month at sensitivity 5. Patterns the model does not capture add to them. */
const PER_MONTH = 0.03

/** Accepted probability of a false alarm per run, both sides together. */
export const chancePerRun = ({ runs_per_month }: Rhythm): number => Math.min(0.2, PER_MONTH / runs_per_month)
