import { sql } from 'kysely'
import { NUMBER_NAMES, type Numbers } from '../../observability/insights/metrics.ts'
import { insertSnapshots, recordDailyInsights, type Snapshot } from '../../observability/insights/snapshots.ts'
import type { Context } from '../../platform/context/context.ts'

/** Ninety days of insights: today's numbers are counted, those of the past are invented from them. */
const DAYS = 90
const DAY_MS = 86_400_000

/** How much smaller a number was ninety days ago; negative: larger. */
const GROWTH: Partial<Record<keyof Numbers, number>> = {
  tables: 0.12,
  columns: 0.12,
  tables_described: 0.45,
  columns_described: 0.4,
  tables_owned: 0.35,
  tables_verified: 1,
  columns_with_terms: 1,
  tables_ok: 0.8,
  tables_deprecated: 1,
  tables_incident: 1,
  tables_unused: -0.8,
  unused_rows: -0.5,
  unused_bytes: -0.5,
  rows: 0.2,
  bytes: 0.2,
  queries: 0.35,
  views: 0.5,
}

export const seedInsights = async (ctx: Context): Promise<void> => {
  await recordDailyInsights(ctx)
  const { rows } = await sql<Snapshot>`
    select to_char(day, 'YYYY-MM-DD') as day, visibility, scope, scope_id, numbers from insight_snapshots where day = (${ctx.now}::timestamptz at time zone 'UTC')::date
  `.execute(ctx.db)
  for (let ago = 1; ago < DAYS; ago++) {
    const day = new Date(ctx.now.getTime() - ago * DAY_MS)
    await insertSnapshots(
      ctx,
      rows.map((today) => ({ ...today, day: day.toISOString().slice(0, 10), numbers: toPastNumbers(today.numbers, ago, day) })),
    )
  }
}

/** In steps, since people describe several tables at a time; fewer queries on weekends. */
const toPastNumbers = (today: Numbers, ago: number, day: Date): Numbers => {
  const step = Math.ceil(ago / 4) * 4
  const past = Object.fromEntries(
    NUMBER_NAMES.flatMap((name) => {
      const value = today[name]
      if (value === undefined) return []
      const weekend = name === 'queries' && [0, 6].includes(day.getUTCDay()) ? 0.4 : 1
      return [[name, Math.round(value * weekend * (1 - (GROWTH[name] ?? 0) * (step / DAYS)))]]
    }),
  ) as Record<keyof Numbers, number>
  for (const name of NUMBER_NAMES) {
    const all = name.startsWith('tables_') ? past.tables : name.startsWith('columns_') ? past.columns : undefined
    if (all !== undefined && past[name] !== undefined) past[name] = Math.min(past[name], all)
  }
  return past
}
