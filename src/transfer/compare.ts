import type { Context } from '../context.ts'
import type { Change } from '../history/record.ts'
import { kindOf } from '../resources/kinds.ts'
import type { ResourceRow } from '../resources/record.ts'
import { differences, type ReportedFields, readRows } from '../resources/report.ts'
import type { ResourceChange } from '../resources/schema.ts'
import { forgetLines, nextLines, type PlannedLine } from './store.ts'

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
}

const BATCH = 1000
const MOST_DIFFERENCES = 100
const LONGEST_TEXT = 500

/** Compares lines with existing resources and removes lines without changes from the plan. */
export const compareKnown = async (ctx: Context, import_id: string): Promise<Comparison> => {
  const found: Difference[] = []
  const toggled = new Set<string>()
  let [updated, unchanged] = [0, 0]
  let after = { level: -1, line: 0 }
  for (;;) {
    const lines = await nextLines(ctx.db, import_id, after, 'known', BATCH)
    if (lines.length === 0) return { updated, unchanged, differences: found }
    after = lines.at(-1)!
    const rows = await readRows(
      ctx,
      lines.map(({ id }) => id),
    )
    const same: number[] = []
    for (const line of lines) {
      const row = rows.get(line.id)
      if (!row) continue // deleted or no longer visible: writing it will fail
      const { edited, reported } = differences(ctx, row, wantedOf(line))
      const changes = [...edited, ...reported]
      if (kindOf(row.entity_type).publishes && edited.some(({ field }) => field === 'published')) toggled.add(row.id)
      if (changes.length > 0) {
        updated += 1
        if (found.length < MOST_DIFFERENCES) found.push(differenceOf(line.line, row, changes))
      } else {
        unchanged += 1
        // Publishing a table publishes its columns, so unchanged columns must be written again afterwards.
        if (!(row.parent && toggled.has(row.parent))) same.push(line.line)
      }
    }
    await forgetLines(ctx.db, same)
  }
}

/** The fields that a line sets on an existing resource. */
export const wantedOf = ({ placed, parent, data: { fields, own, reported } }: PlannedLine) => ({
  data: (placed ? { ...fields, parent } : fields) as ResourceChange,
  own,
  reported: reported as ReportedFields,
})

const differenceOf = (line: number, { id, databuilder_id, title }: ResourceRow, changes: readonly Change[]): Difference => ({
  line,
  change: 'updated',
  id,
  databuilder_id,
  title,
  changes: changes.map(({ field, from, to }) => ({ field, from: shortened(from), to: shortened(to) })),
})

const shortened = (value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT).toWellFormed()}…` : value

/** The first new resources, up to `room`. */
export const newOnes = async (ctx: Context, import_id: string, room: number): Promise<Difference[]> => {
  const found: Difference[] = []
  let after = { level: -1, line: 0 }
  while (found.length < room) {
    const lines = await nextLines(ctx.db, import_id, after, 'all', MOST_DIFFERENCES)
    if (lines.length === 0) break
    after = lines.at(-1)!
    for (const { line, known, data } of lines)
      if (!known && found.length < room) {
        const { databuilder_id = null } = data.reported as { databuilder_id?: string | null }
        found.push({ line, change: 'created', id: null, databuilder_id, title: (data.fields.title as string) ?? null, changes: [] })
      }
  }
  return found
}

export const roomFor = (differences: readonly Difference[]): number => MOST_DIFFERENCES - differences.length
