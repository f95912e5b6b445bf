import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { parseTimestamp } from '../../platform/core/timestamp.ts'
import type { JobHandler } from '../../platform/jobs/run.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'
import type { CheckResults } from '../../sources/openlineage/checks.ts'
import { recordMeasurements } from '../evaluation/push.ts'
import { createMonitor } from './create.ts'

/** The result of an external test, e.g. of dbt. */
interface TestResult {
  /** Unique across all integrations: `dbt:<integration>:<unique_id>`. */
  readonly key: string
  readonly name: string
  /** The table or column it tests. */
  readonly target: string
  /** Number of failed rows; 0 if it passed. */
  readonly failures: number
  readonly at: Date
}

const BATCH_SIZE = 500

/**
 * A test becomes a monitor with pushed values: the number of failed rows, with a maximum of 0. Results that were recorded before are
 * ignored, so the same ones may be sent again. The caller has checked permissions.
 */
const recordTests = async (ctx: Context, runs: readonly TestResult[]): Promise<void> => {
  for (let i = 0; i < runs.length; i += BATCH_SIZE) await inTransaction(ctx, (ctx) => recordTestBatch(ctx, runs.slice(i, i + BATCH_SIZE)))
}

const recordTestBatch = async (ctx: Context, runs: readonly TestResult[]): Promise<void> => {
  const { rows } = await sql<{ key: string; seen: boolean }>`
    select m.key, exists (select from resources r where r.id = m.target) as seen from monitors m where m.key = any(${runs.map(({ key }) => key)}::text[])
  `.execute(ctx.db)
  const isTargetPresent = new Map(rows.map(({ key, seen }) => [key, seen]))
  for (const { key, name, target } of runs) {
    if (isTargetPresent.has(key)) continue
    await createMonitor(ctx, {
      target,
      metric_type: 'pushed',
      key,
      name: name.slice(0, 500),
      condition_auto_sensitivity: null,
      condition_manual_max: 0,
      subscribe: false,
    })
    isTargetPresent.set(key, true)
  }
  // A monitor whose target is in the trash is skipped until the target is restored.
  await recordMeasurements(
    ctx,
    runs
      .filter(({ key }) => isTargetPresent.get(key))
      .map(({ key, failures, at }) => ({
        key,
        value: failures,
        measured_at: new Date(Math.min(at.getTime(), ctx.now.getTime())).toISOString(),
      })),
  )
}

interface ReportedTest {
  readonly key: string
  readonly name: string
  readonly target: string
  readonly status: string
  readonly failures: number | null
  readonly at: string
}

/** The executed tests of an integration with their target: the matched warehouse table, else the project's own table, else the test itself. */
const findReportedTests = async (ctx: Context, integration: string): Promise<ReportedTest[]> => {
  const { rows } = await sql<ReportedTest>`
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

/** Number of failures; undefined for tests that were skipped or could not run. */
const countFailures = ({ status, failures }: ReportedTest): number | undefined => {
  if (/^(pass|success)$/i.test(status)) return 0
  if (/^warn$/i.test(status)) return 0 // the project's own thresholds say that this is not a failure
  return /^fail$/i.test(status) ? Math.max(1, failures ?? 1) : undefined
}

/** Records the test results of a sync as measurements. */
const recordSyncedTests = async (ctx: Context, integration: string): Promise<number> => {
  const source = await ctx.db.selectFrom('integrations').select('type').where('id', '=', integration).executeTakeFirst()
  if (source?.type !== 'dbt' && source?.type !== 'dbt_cloud') return 0
  const runs = (await findReportedTests(ctx, integration)).flatMap((test) => {
    const failures = countFailures(test)
    const at = parseTimestamp(test.at)
    return failures === undefined || !at ? [] : [{ key: test.key, name: test.name, target: test.target, failures, at: new Date(at) }]
  })
  await recordTests({ ...ctx, actor: SYSTEM }, runs)
  return runs.length
}

/** Records check results from OpenLineage events. Events of dbt are ignored for tables whose tests already come from dbt artifacts. */
export const recordCheckResults = async (ctx: Context, { checks, by_dbt }: CheckResults): Promise<void> => {
  const { rows } = await sql<{ id: string; covered: boolean }>`
    select r.id, exists (select from monitors m where m.target = r.id and m.key like 'dbt:%') as covered
    from resources r where r.id = any(${checks.flatMap(({ table, target }) => [table, target])}::uuid[])
  `.execute(ctx.db)
  const isCoveredByDbt = new Map(rows.map(({ id, covered }) => [id, covered]))
  const runs = checks.filter(({ table, target }) => isCoveredByDbt.has(target) && !(by_dbt && isCoveredByDbt.get(table)))
  await recordTests(
    { ...ctx, actor: SYSTEM },
    runs.map(({ key, name, target, failures, at }) => ({ key, name, target, failures, at: new Date(at) })),
  )
}

/** Runs a sync job, then records its test results. */
export const withTestResults =
  (work: JobHandler): JobHandler =>
  async (ctx, payload, report) => {
    await work(ctx, payload, report)
    const n = await recordSyncedTests(ctx, (payload as { integration_id: string }).integration_id)
    if (n > 0) await report(99, `Recorded ${n.toLocaleString('en')} test ${n === 1 ? 'result' : 'results'}.`)
  }
