import { getEntityTypeConfig } from '../../catalog/entity-types/entity-types.ts'
import type { ResourceRow } from '../../catalog/records/record.ts'
import type { ResourceChange } from '../../catalog/records/schema.ts'
import { findVisibleRows } from '../../catalog/records/visible-rows.ts'
import { diffReport, type ReportedFields } from '../../catalog/resources/reported-fields.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Change } from '../../platform/history/record.ts'
import { deletePlannedLines, type LineProblem, type PlannedLine, readNextLines } from './import-line-rows.ts'
import { compareValues, type ImportProperties } from './import-values.ts'

/** A change that an import would make. */
export interface Difference {
  readonly line: number
  readonly change: 'created' | 'updated'
  readonly id: string | null
  readonly databuilder_id: string | null
  readonly title: string | null
  readonly changes: Change[]
}

export interface Comparison {
  readonly updated: number
  readonly unchanged: number
  readonly differences: Difference[]
  readonly problems: readonly LineProblem[]
}

const BATCH_LINES = 1000
const MAX_DIFFERENCES = 100
const MAX_DIFF_TEXT_LENGTH = 500

/** Compares lines with existing resources and removes lines without changes from the plan. */
export const compareExisting = async (ctx: Context, import_id: string, properties: ImportProperties): Promise<Comparison> => {
  const found: Difference[] = []
  const problems: LineProblem[] = []
  const toggled = new Set<string>()
  let [updated, unchanged] = [0, 0]
  let after = { level: -1, line: 0 }
  for (;;) {
    const lines = await readNextLines(ctx.db, import_id, after, 'known', BATCH_LINES)
    if (lines.length === 0) return { updated, unchanged, differences: found, problems }
    after = lines.at(-1)!
    const rows = await findVisibleRows(
      ctx,
      lines.map(({ id }) => id),
    )
    const values = await compareValues(ctx, properties, lines, rows)
    problems.push(...values.problems)
    const same: number[] = []
    for (const line of lines) {
      const row = rows.get(line.id)
      if (!row) continue // deleted or no longer visible: writing it will fail
      const { edited, reported } = diffReport(ctx, row, toDesiredFields(line))
      const changes = [...edited, ...reported, ...(values.changes.get(line.line) ?? [])]
      if (getEntityTypeConfig(row.entity_type).publishes_children && edited.some(({ field }) => field === 'published')) toggled.add(row.id)
      if (changes.length > 0) {
        updated += 1
        if (found.length < MAX_DIFFERENCES) found.push(toDifference(line.line, row, changes))
      } else {
        unchanged += 1
        // Publishing a table publishes its columns, so unchanged columns must be written again afterwards.
        if (!(row.parent && toggled.has(row.parent))) same.push(line.line)
      }
    }
    await deletePlannedLines(ctx.db, same)
  }
}

/** The fields that a line sets on an existing resource. */
export const toDesiredFields = ({ placed, parent, data: { fields, own, reported } }: PlannedLine) => ({
  data: (placed ? { ...fields, parent } : fields) as ResourceChange,
  own,
  reported: reported as ReportedFields,
})

const toDifference = (line: number, { id, databuilder_id, title }: ResourceRow, changes: readonly Change[]): Difference => ({
  line,
  change: 'updated',
  id,
  databuilder_id,
  title,
  changes: changes.map(({ field, from, to }) => ({ field, from: truncateValue(from), to: truncateValue(to) })),
})

const truncateValue = (value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_DIFF_TEXT_LENGTH ? `${value.slice(0, MAX_DIFF_TEXT_LENGTH).toWellFormed()}…` : value

/** The first new resources, up to `limit`. */
export const firstNewLines = async (ctx: Context, import_id: string, limit: number): Promise<Difference[]> => {
  const found: Difference[] = []
  let after = { level: -1, line: 0 }
  while (found.length < limit) {
    const lines = await readNextLines(ctx.db, import_id, after, 'all', MAX_DIFFERENCES)
    if (lines.length === 0) break
    after = lines.at(-1)!
    for (const { line, known, data } of lines)
      if (!known && found.length < limit) {
        const { databuilder_id = null } = data.reported as { databuilder_id?: string | null }
        found.push({ line, change: 'created', id: null, databuilder_id, title: (data.fields.title as string) ?? null, changes: [] })
      }
  }
  return found
}

export const countRemainingDifferences = (differences: readonly Difference[]): number => MAX_DIFFERENCES - differences.length
