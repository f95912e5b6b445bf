import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { MetricConfig } from '../monitor-model/schema.ts'
import type { MeasuredValue } from './measure.ts'
import type { MetricQuery } from './metric-queries.ts'

/** The changes a `schema` monitor does not count unless it says otherwise. */
const ALLOWED_BY_DEFAULT: NonNullable<MetricConfig['allowed']> = ['added', 'reordered']

const OVERLAP = '1 minute' // an entry is dated before its transaction commits; counting it twice is better than never

/** Number of changed columns that are not allowed, since the last run. */
export const countSchemaChanges = async (ctx: Context, queries: readonly MetricQuery[]): Promise<MeasuredValue[]> => {
  const requests = queries.map(({ id, relation, monitor }) => ({
    id,
    table_id: relation,
    last: monitor.last_measured_at,
    created_at: monitor.created_at,
    allowed: (monitor.metric_config as MetricConfig).allowed ?? ALLOWED_BY_DEFAULT,
  }))
  const { rows } = await sql<{ id: string; count: number }>`
    select w.id, count(c.change) as count
    from json_to_recordset(${JSON.stringify(requests)}::text::json) as w(id uuid, table_id uuid, last timestamptz, created_at timestamptz, allowed jsonb)
      left join schema_changes s on s.table_id = w.table_id and s.at > coalesce(w.last - ${OVERLAP}::interval, w.created_at)
      left join lateral jsonb_array_elements(s.changes) c(change) on not w.allowed ? (c.change ->> 'kind')
    group by w.id
  `.execute(ctx.db)
  const counts = new Map(rows.map(({ id, count }) => [id, count]))
  return queries.map((query) => ({ query, outcome: { value: counts.get(query.id) ?? 0 } }))
}
