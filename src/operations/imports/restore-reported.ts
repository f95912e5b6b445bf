import { sql } from 'kysely'
import type { ResourceRow } from '../../catalog/records/record.ts'
import { findVisibleRows, lockVisibleRows } from '../../catalog/records/visible-rows.ts'
import { type ReportedFields, reportResources } from '../../catalog/resources/reported-fields.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { isSameValue } from '../../platform/core/same-value.ts'
import type { Change } from '../../platform/history/record.ts'
import { type ImportRow, nextReportedValues, type ReportedChange } from './import-rows.ts'
import type { RestoredResource } from './restore-edits.ts'
import { nameOf, type UndoRun } from './undo-run.ts'

/** Returns reported values, which have no history. `databuilder_id` is kept if another resource has the former one by now. */
export const restoreReported = async (ctx: Context, { row: importRow, dry_run, report, step }: UndoRun): Promise<void> => {
  for (let after = -1; ; ) {
    const batch = await nextReportedValues(ctx, importRow.id, after)
    if (!batch) return
    after = batch.number
    const ids = batch.changes.map(({ id }) => id)
    // Reported afterwards, because a transaction may be repeated.
    const plans = dry_run
      ? await planBatch(ctx, importRow, await findVisibleRows(ctx, ids), batch.changes)
      : await inTransaction(ctx, async (ctx) => {
          const rows = await lockVisibleRows(ctx, ids)
          const plans = await planBatch(ctx, importRow, rows, batch.changes)
          const changed = plans.filter(({ changes }) => changes.length > 0)
          await reportResources(
            ctx,
            changed.map(({ row, reported }) => ({ id: row.id, reported })),
            rows,
          )
          return plans
        })
    for (const { row, changes, kept } of plans) {
      report.addKept(...kept.map((each) => ({ ...nameOf(row), ...each })))
      report.addRestored({ ...nameOf(row), changes: [...changes] })
    }
    await step()
  }
}

interface ReportedPlan extends Pick<RestoredResource, 'row' | 'changes' | 'kept'> {
  readonly reported: ReportedFields
}

const planBatch = async (
  ctx: Context,
  importRow: ImportRow,
  rows: ReadonlyMap<string, ResourceRow>,
  changes: readonly ReportedChange[],
): Promise<ReportedPlan[]> => {
  const takenKeys = await findTakenKeys(ctx, importRow, changes)
  return changes.flatMap((change) => {
    const row = rows.get(change.id)
    return row ? [planReported(row, change, takenKeys)] : []
  })
}

const planReported = (row: ResourceRow, { before, after }: ReportedChange, takenKeys: ReadonlySet<string>): ReportedPlan => {
  const current = row as unknown as Readonly<Record<string, unknown>>
  const changes: Change[] = []
  const kept: ReportedPlan['kept'][number][] = []
  for (const [field, to] of Object.entries(before)) {
    const now = current[field] ?? null
    if (isSameValue(now, to)) continue
    if (!isSameValue(now, after[field])) kept.push({ field, reason: 'changed', imported: after[field], now })
    else if (field === 'databuilder_id' && takenKeys.has(to as string)) kept.push({ field, reason: 'invalid', imported: after[field], now })
    else changes.push({ field, from: now, to })
  }
  return { row, changes, kept, reported: Object.fromEntries(changes.map(({ field, to }) => [field, to])) }
}

const findTakenKeys = async (ctx: Context, { integration }: ImportRow, changes: readonly ReportedChange[]): Promise<Set<string>> => {
  const keys = changes.flatMap(({ before }) => (typeof before.databuilder_id === 'string' ? [before.databuilder_id] : []))
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select r.databuilder_id as key from resources r where r.integration = ${integration} and r.databuilder_id = any(${keys}::text[])
  `.execute(ctx.db, ctx.limits)
  return new Set(rows.map(({ key }) => key))
}
