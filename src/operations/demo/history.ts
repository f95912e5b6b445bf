import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { saveFlows } from '../../sources/job-flows/job-flow-rows.ts'
import { saveFlow } from '../../sources/job-flows/save-flow.ts'
import { buildItemKey } from '../../sources/sync/item.ts'
import { createEntries, type Entry, entryId } from './entries.ts'
import { INTEGRATIONS } from './id.ts'
import { contextAsDemoIntegration } from './people.ts'
import type { Model } from './warehouse.ts'

/** What happened before the demo was opened: runs of jobs, row counts and usage of each day. Invented, the same for the same `ctx.now`. */
const DAY_MS = 86_400_000
const RUNS = 7
const FAILED_RUN = 3 // nights ago
const DAYS = 60

/** Returns the IDs of the runs. */
export const seedHistory = async (ctx: Context, models: readonly Model[]): Promise<ReadonlySet<string>> => {
  const runs = await seedRuns(
    ctx,
    models.filter(({ schema }) => schema === 'demo_marts'),
  )
  await seedRowCounts(ctx)
  await seedUsage(ctx)
  return runs
}

/** The nightly runs of the jobs that build the marts. */
const seedRuns = (ctx: Context, models: readonly Model[]): Promise<ReadonlySet<string>> =>
  inTransaction(contextAsDemoIntegration(ctx, 0), async (ctx) => {
    const entries: Entry[] = []
    for (const [i, { schema, name }] of models.entries()) {
      const [job, table] = [entryId('job', name), entryId('table', `${schema}.${name}`)]
      const inputs = await findUpstream(ctx, table)
      if (inputs.length === 0) continue
      const flows = { inputs, outputs: [table], columns: [] }
      await saveFlow(ctx, { key: buildItemKey('', 'job', 'shop', name), owner: job, job, after: flows })
      for (let night = 1; night <= RUNS; night++) {
        const id = entryId('run', `${name} ${night}`)
        entries.push(toRun(ctx, { id, job, night, index: i }))
        await saveFlows(ctx.db, new Map([[id, flows]]))
      }
    }
    return createEntries(ctx, entries)
  })

const findUpstream = async ({ db }: Context, table: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct e.upstream as id from lineage_edges e where e.downstream = ${table} and e.kind = 'table' order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

const toRun = (
  { now }: Context,
  { id, job, night, index }: { readonly id: string; readonly job: string; readonly night: number; readonly index: number },
): Entry => {
  const day = new Date(now.getTime() - night * DAY_MS).toISOString().slice(0, 10)
  const started = Date.parse(`${day}T02:00:00Z`) + index * 90_000
  const seconds = 40 + ((index * 37 + night * 13) % 110)
  const failed = night === FAILED_RUN && index === 0
  const times = { started_at: new Date(started).toISOString(), ended_at: new Date(started + seconds * 1000).toISOString() }
  return {
    id,
    entity_type: 'run',
    parent: job,
    title: `${day} 02:00`,
    published: true,
    databuilder_id: id,
    external_updated_at: times.ended_at,
    display_metadata: {
      ...times,
      ...(failed
        ? { state: 'FAILED', error: 'canceling statement due to lock timeout' }
        : { state: 'COMPLETED', rows_written: 1_000 + ((index * 977 + night * 61) % 4_000) }),
    },
    days_ago: night,
  }
}

/** Tables grew by a third; on one day a load was late. */
const seedRowCounts = async ({ db, now }: Context): Promise<void> => {
  await sql`
    insert into profile_history (resource_id, day, table_id, profiled_at, sampled, rows_read, row_count)
    select r.id, ${now}::timestamptz::date - n, r.id, ${now}::timestamptz - n * interval '1 day', 'random', least(r.row_count, 10000),
      round(r.row_count * (1 - 0.25 * (n + (n = 9)::int * 6) / ${DAYS}::int))
    from resources r cross join generate_series(1, ${DAYS}::int) n
    where r.integration = ${INTEGRATIONS.warehouse.id} and r.entity_type = 'table' and r.row_count > 0
    on conflict do nothing
  `.execute(db)
}

/** More on working days, and more from month to month. */
const seedUsage = async ({ db, now }: Context): Promise<void> => {
  await sql`
    insert into usage_history (resource_id, day, uses)
    select r.id, d.day, greatest(1, round(r.external_usage * (1.1 - n * 0.006 + 0.2 * sin(n * 1.7)) * case when extract(isodow from d.day) > 5 then 0.3 else 1 end))::int
    from resources r cross join generate_series(0, 89) n cross join lateral (select ${now}::timestamptz::date - n as day) d
    where r.integration = any(${[INTEGRATIONS.warehouse.id, INTEGRATIONS.dashboards.id]}::uuid[]) and r.entity_type in ('table', 'dashboard')
      and r.external_usage > 0
    on conflict do nothing
  `.execute(db)
}
