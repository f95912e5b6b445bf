import type { Rhythm } from './calendar.ts'

/** False alarms that chance may cause per monitor and month at sensitivity 5. What we do not understand of the values adds to them. */
const PER_MONTH = 0.03

/** The chance of a false alarm we accept for one run, both sides together. */
export const chancePerRun = ({ runs_per_month }: Rhythm): number => Math.min(0.2, PER_MONTH / runs_per_month)
