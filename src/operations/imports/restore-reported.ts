import { sql } from 'kysely'
import type { ResourceRow } from '../../catalog/records/record.ts'
import { findVisibleRows, lockVisibleRows, type ReportedFields, reportResources } from '../../catalog/resources/report.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { isSameValue } from '../../platform/core/same-value.ts'
import { type ImportRow, nextReportedValues, type ReportedChange } from './import-rows.ts'
import type { UndoReport } from './undo-report.ts'
import { nameOf, type UndoRun } from './undo-run.ts'

/** Returns reported values, which have no history. `databuilder_id` stays if another resource has the former one by now. */
export const restoreReported = async (ctx: Context, { of, dry_run, report, step }: UndoRun): Promise<void> => {
  for (let after = -1; ; ) {
    const batch = await nextReportedValues(ctx.db, of.id, after)
    if (!batch) return
    after = batch.number
    await inTransaction(ctx, async (ctx) => {
      const ids = batch.changes.map(({ id }) => id)
      const rows = await (dry_run ? findVisibleRows(ctx, ids) : lockVisibleRows(ctx, ids))
      const taken = await findTakenKeys(ctx, of, batch.changes)
      const reports = batch.changes.flatMap((change) => {
        const row = rows.get(change.id)
        return row ? planReported(row, change, taken, report) : []
      })
      if (!dry_run) await reportResources(ctx, reports, rows)
    })
    await step()
  }
}

const planReported = (
  row: ResourceRow,
  { before, after }: ReportedChange,
  taken: ReadonlySet<string>,
  report: UndoReport,
): { id: string; reported: ReportedFields }[] => {
  const now = row as unknown as Readonly<Record<string, unknown>>
  const reported: Record<string, unknown> = {}
  for (const [field, to] of Object.entries(before)) {
    if (isSameValue(now[field], to)) continue
    const reason = !isSameValue(now[field], after[field])
      ? 'changed'
      : field === 'databuilder_id' && taken.has(to as string)
        ? 'invalid'
        : null
    if (reason) report.kept({ ...nameOf(row), field, reason, imported: after[field], now: now[field] })
    else reported[field] = to
  }
  if (Object.keys(reported).length === 0) return []
  const changes = Object.entries(reported).map(([field, to]) => ({ field, from: now[field] ?? null, to }))
  report.restored({ ...nameOf(row), changes })
  return [{ id: row.id, reported: reported as ReportedFields }]
}

const findTakenKeys = async (ctx: Context, { integration }: ImportRow, changes: readonly ReportedChange[]): Promise<Set<string>> => {
  const keys = changes.flatMap(({ before }) => (typeof before.databuilder_id === 'string' ? [before.databuilder_id] : []))
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select r.databuilder_id as key from resources r where r.integration = ${integration} and r.databuilder_id = any(${keys}::text[])
  `.execute(ctx.db)
  return new Set(rows.map(({ key }) => key))
}
