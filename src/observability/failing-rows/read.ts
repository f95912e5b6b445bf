import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { can, requirePermission } from '../../platform/permissions/permissions.ts'
import { getIncidentRow } from '../incidents/incident-rows.ts'
import { findPendingColumns } from '../pii/pii-suggestion-rows.ts'
import { getSourceTableById } from '../source-tables/source-table.ts'
import type { FailingRows } from './schema.ts'

interface SampleRow {
  readonly measurement: string
  readonly measured_at: string
  readonly table_id: string
  readonly column_ids: readonly string[]
  readonly rows: FailingRowsSample['rows']
  readonly counts: number[] | null
  readonly truncated: boolean
  /** How many columns the monitor compares. */
  readonly compared: number
}
type FailingRowsSample = NonNullable<FailingRows['sample']>

/** The latest sample of the rows behind an incident, for those who can preview its table, with the columns that they may see now. */
export const getFailingRows = async (ctx: Context, incident: string): Promise<FailingRows> => {
  requirePermission(ctx.actor, 'monitors.read')
  await getIncidentRow(ctx, incident)
  const { rows: found } = await sql<SampleRow>`
    select f.measurement, s.measured_at, f.table_id, f.column_ids, f.rows, f.counts, f.truncated,
      case when jsonb_typeof(m.metric_config -> 'columns') = 'array' then jsonb_array_length(m.metric_config -> 'columns') else 1 end as compared
    from monitor_measurements s join failing_rows f on f.measurement = s.id join monitors m on m.id = s.monitor
    where s.incident = ${incident} order by s.measured_at desc limit 1
  `.execute(ctx.db, ctx.limits)
  const [sample] = found
  if (!sample) return { incident, sample: null }
  const table = await getSourceTableById(ctx, sample.table_id)
  if (!table.preview_enabled)
    throw conflict(
      translatable('Previews are turned off for {integration}. An admin can turn them on in the settings of the integration.', {
        integration: table.integration_name,
      }),
    )
  const suspected = await findPendingColumns(
    ctx.db,
    table.columns.map(({ id }) => id),
  )
  const pending = can(ctx.actor, 'catalog.write') ? new Set<string>() : suspected
  const columns = table.columns.flatMap((column) => {
    const at = sample.column_ids.indexOf(column.id)
    return at < 0 || column.pii || pending.has(column.id) ? [] : [{ at, ...column }]
  })
  columns.sort((a, b) => a.at - b.at)
  const { measurement, measured_at, rows, counts, truncated, compared } = sample
  const shown = new Set(columns.map(({ id }) => id))
  // A sample with counts has only the compared columns, any other one all columns.
  const withheld =
    counts === null ? table.columns.some(({ id, pii }) => (pii || suspected.has(id)) && !shown.has(id)) : columns.length < compared
  return {
    incident,
    sample: {
      ...{ measurement, measured_at, counts, truncated, withheld },
      columns: columns.map(({ id, name, title, native_type }) => ({ resource_id: id, name, title, native_type })),
      rows: rows.map((row) => columns.map(({ at }) => row[at] ?? null)),
    },
  }
}
