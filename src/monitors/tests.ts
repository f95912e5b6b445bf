import { sql } from 'kysely'
import { SYSTEM } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import type { JobWork } from '../jobs/run.ts'
import type { ChecksTold } from '../openlineage/checks.ts'
import { readTimestamp } from '../timestamp.ts'
import { createMonitor } from './create.ts'
import { recordMeasurements } from './push.ts'

/** How a test of somebody else's went, of dbt for example. */
interface TestRun {
  /** What the test is known by, over all integrations: `dbt:<integration>:<unique_id>`. */
  readonly key: string
  readonly name: string
  /** The table or column it tests. */
  readonly target: string
  /** Rows that failed; none when it passed. */
  readonly failures: number
  readonly at: Date
}

const AT_ONCE = 500

/**
 * A test becomes a monitor whose values are pushed: how many rows failed, with a limit of none. A run that was told before changes nothing, so
 * the same results may come again. Whoever calls has decided who may.
 */
const recordTests = async (ctx: Context, runs: readonly TestRun[]): Promise<void> => {
  for (let i = 0; i < runs.length; i += AT_ONCE) await inTransaction(ctx, (ctx) => recordSome(ctx, runs.slice(i, i + AT_ONCE)))
}

const recordSome = async (ctx: Context, runs: readonly TestRun[]): Promise<void> => {
  const { rows } = await sql<{ key: string; seen: boolean }>`
    select m.key, exists (select from resources r where r.id = m.target) as seen from monitors m where m.key = any(${runs.map(({ key }) => key)}::text[])
  `.execute(ctx.db)
  const known = new Map(rows.map(({ key, seen }) => [key, seen]))
  for (const { key, name, target } of runs) {
    if (known.has(key)) continue
    await createMonitor(ctx, {
      target,
      metric_type: 'pushed',
      key,
      name: name.slice(0, 500),
      condition_auto_sensitivity: null,
      condition_manual_max: 0,
      subscribe: false,
    })
    known.set(key, true)
  }
  // A monitor whose target is gone waits for it to come back.
  await recordMeasurements(
    ctx,
    runs
      .filter(({ key }) => known.get(key))
      .map(({ key, failures, at }) => ({
        key,
        value: failures,
        measured_at: new Date(Math.min(at.getTime(), ctx.now.getTime())).toISOString(),
      })),
  )
}

interface Told {
  readonly key: string
  readonly name: string
  readonly target: string
  readonly status: string
  readonly failures: number | null
  readonly at: string
}

/** The tests an integration told of that ran, and what they test: the table they met, else the project's own, else the test itself. */
const findTold = async (ctx: Context, integration: string): Promise<Told[]> => {
  const { rows } = await sql<Told>`
    select 'dbt:' || t.integration || ':' || t.databuilder_id as key, t.title as name, coalesce(met.id, own.id, t.id) as target,
      t.display_metadata -> 'result' ->> 'status' as status, (t.display_metadata -> 'result' ->> 'failures')::float8 as failures,
      t.display_metadata -> 'result' ->> 'executed_at' as at
    from resources t
    left join resources met on met.id::text = t.display_metadata ->> 'tested_id'
    left join resources own on own.integration = t.integration and own.databuilder_id = t.display_metadata ->> 'tested_key'
    where t.integration = ${integration} and t.entity_type = 'test' and not t.stale and t.display_metadata -> 'result' ->> 'executed_at' is not null
  `.execute(ctx.db)
  return rows
}

/** Passed, warned or failed: what was skipped or could not run measured nothing. */
const failuresOf = ({ status, failures }: Told): number | undefined => {
  if (/^(pass|success)$/i.test(status)) return 0
  if (/^warn$/i.test(status)) return 0 // the project itself says that so many are no failure
  return /^fail$/i.test(status) ? Math.max(1, failures ?? 1) : undefined
}

/** After a sync: what its tests found becomes measurements. */
const followTests = async (ctx: Context, integration: string): Promise<number> => {
  const source = await ctx.db.selectFrom('integrations').select('type').where('id', '=', integration).executeTakeFirst()
  if (source?.type !== 'dbt') return 0
  const runs = (await findTold(ctx, integration)).flatMap((told) => {
    const failures = failuresOf(told)
    const at = readTimestamp(told.at)
    return failures === undefined || !at ? [] : [{ key: told.key, name: told.name, target: told.target, failures, at: new Date(at) }]
  })
  await recordTests({ ...ctx, actor: SYSTEM }, runs)
  return runs.length
}

/** What a run of somebody else's checked. Of a table whose tests dbt tells with its artifacts, dbt's events tell nothing new. */
export const recordChecks = async (ctx: Context, { checks, by_dbt }: ChecksTold): Promise<void> => {
  const { rows } = await sql<{ id: string; told: boolean }>`
    select r.id, exists (select from monitors m where m.target = r.id and m.key like 'dbt:%') as told
    from resources r where r.id = any(${checks.flatMap(({ table, target }) => [table, target])}::uuid[])
  `.execute(ctx.db)
  const there = new Map(rows.map(({ id, told }) => [id, told]))
  const runs = checks.filter(({ table, target }) => there.has(target) && !(by_dbt && there.get(table)))
  await recordTests(
    { ...ctx, actor: SYSTEM },
    runs.map(({ key, name, target, failures, at }) => ({ key, name, target, failures, at: new Date(at) })),
  )
}

/** A sync, and then its tests. */
export const withTests =
  (work: JobWork): JobWork =>
  async (ctx, payload, report) => {
    await work(ctx, payload, report)
    const n = await followTests(ctx, (payload as { integration_id: string }).integration_id)
    if (n > 0) await report(99, `${n.toLocaleString('en')} test results are measurements of their monitors.`)
  }
