import { sql } from 'kysely'
import { recordMeasurements } from '../../observability/evaluation/push.ts'
import { editIncident, listIncidents } from '../../observability/incidents/incidents.ts'
import { createMonitor } from '../../observability/monitors/create.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Severity } from '../../platform/core/severity.ts'
import { parsePageRequest } from '../../platform/lists/page.ts'
import { entryId } from './entries.ts'
import { contextAsPerson, type Person } from './people.ts'

/** Monitors with two months of history. Their values are pushed, so they need no source. */
interface MonitorStory {
  readonly table: string
  readonly name: string
  readonly severity?: Severity
  /** The value this many days ago; 0 is today. */
  readonly value: (ago: number) => number
  /** Its incident is known and snoozed. */
  readonly snoozed?: { readonly by: Person; readonly days: number; readonly comment: string }
}

const DAYS = 60
const DAY_MS = 86_400_000

/** Repeatable noise from -1 to 1. */
const repeatableNoise = (n: number): number => 2 * (Math.abs(Math.sin(12.9898 * (n + 1)) * 43_758.5453) % 1) - 1
const roundTo = (value: number, decimals = 0): number => Number(value.toFixed(decimals))

const MONITOR_STORIES: readonly MonitorStory[] = [
  {
    table: 'demo_ops.stock_movements',
    name: 'Stock movements booked each day',
    severity: 'low',
    // The warehouse is closed for stocktaking, which is known.
    value: (ago) => (ago === 0 ? 38 : roundTo(240 + 12 * repeatableNoise(ago + 5))),
    snoozed: { by: 'ada', days: 3, comment: 'Stocktaking: the warehouse books again in three days.' },
  },
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
  for (const { table, name, severity, value, snoozed } of MONITOR_STORIES) {
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
    await dateIncidents(ctx, id)
    if (snoozed) await snoozeIncident(contextAsPerson(ctx, snoozed.by, 0), id, snoozed)
  }
}

/** They were opened and resolved when the values were measured, not when the demo was created. */
const dateIncidents = async ({ db }: Context, monitor: string): Promise<void> => {
  await sql`update monitor_incidents set created_at = first_seen_at where monitor = ${monitor}`.execute(db)
  await sql`
    update incident_actions a set created_at = case a.type when 'notification_initial' then n.first_seen_at else n.resolved_at end
    from monitor_incidents n where n.id = a.incident and n.monitor = ${monitor}
  `.execute(db)
}

const snoozeIncident = async (ctx: Context, monitor: string, { days, comment }: NonNullable<MonitorStory['snoozed']>): Promise<void> => {
  const { results } = await listIncidents(ctx, { monitor, status: 'open' }, parsePageRequest({}, ''))
  const snoozed_until = new Date(ctx.now.getTime() + days * DAY_MS).toISOString()
  for (const { id } of results) await editIncident(ctx, id, { comment, snoozed_until })
}
