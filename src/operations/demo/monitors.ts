import { recordMeasurements } from '../../observability/evaluation/push.ts'
import { createMonitor } from '../../observability/monitors/create.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Severity } from '../../platform/core/severity.ts'
import { entryId } from './entries.ts'

/** Monitors with two months of history. Their values are pushed, so they need no source. */
interface MonitorStory {
  readonly table: string
  readonly name: string
  readonly severity?: Severity
  /** The value this many days ago; 0 is today. */
  readonly value: (ago: number) => number
}

const DAYS = 60
const DAY_MS = 86_400_000

/** Repeatable noise from -1 to 1. */
const repeatableNoise = (n: number): number => 2 * (Math.abs(Math.sin(12.9898 * (n + 1)) * 43_758.5453) % 1) - 1
const roundTo = (value: number, decimals = 0): number => Number(value.toFixed(decimals))

const MONITOR_STORIES: readonly MonitorStory[] = [
  {
    table: 'demo_marts.fct_orders',
    name: 'Orders loaded each night',
    severity: 'high',
    // Last night only a part of the orders was loaded.
    value: (ago) => (ago === 0 ? 412 : roundTo(1720 + 60 * repeatableNoise(ago))),
  },
  {
    table: 'demo_raw.payments',
    name: 'Payments that failed, %',
    // Two weeks ago the provider had an outage, which was resolved.
    value: (ago) => roundTo(ago === 14 ? 11.4 : 2.1 + 0.3 * repeatableNoise(ago + 7), 2),
  },
  {
    table: 'demo_marts.dim_customer',
    name: 'Customers without an e-mail address, %',
    value: (ago) => roundTo(0.8 + 0.1 * repeatableNoise(ago + 3), 2),
  },
  {
    table: 'demo_marts.daily_revenue',
    name: 'Minutes until the table was ready',
    value: (ago) => roundTo(24 + 4 * repeatableNoise(ago + 11), 1),
  },
]

export const seedMonitors = async (ctx: Context): Promise<void> => {
  const midnight = Math.floor(ctx.now.getTime() / DAY_MS) * DAY_MS
  for (const { table, name, severity, value } of MONITOR_STORIES) {
    const target = entryId('table', table)
    const { id } = await createMonitor(ctx, {
      target,
      metric_type: 'pushed',
      name,
      severity,
      key: `demo.${table}`,
      schedule: { cadence: 'daily' },
    })
    await recordMeasurements(
      ctx,
      Array.from({ length: DAYS }, (_, i) => DAYS - 1 - i).map((ago) => ({
        monitor: id,
        value: value(ago),
        measured_at: new Date(midnight - ago * DAY_MS).toISOString(),
      })),
    )
  }
}
