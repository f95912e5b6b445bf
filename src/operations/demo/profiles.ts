import { sql } from 'kysely'
import { type ProfileRow, saveProfiles } from '../../observability/profiles/profile-rows.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { entryId } from './entries.ts'
import { isPersonal } from './tables.ts'
import type { Warehouse } from './warehouse.ts'

/** Profiles of the columns of a few tables, counted from their rows, and the days before. */
const PROFILED = ['demo_marts.fct_orders', 'demo_marts.daily_revenue', 'demo_marts.dim_product', 'demo_marts.dim_customer']
const DAYS = 60
const MAX_TOP_VALUES = 10
/** Without an order, or without a value that says something. */
const WITHOUT_RANGE = new Set(['boolean', 'jsonb', 'json', 'uuid'])

interface CountedColumn {
  readonly name: string
  readonly rows: number
  readonly nulls: number
  readonly distinct_values: number
  readonly top_values: readonly { readonly value: string; readonly count: number }[] | null
}

export const seedProfiles = async (ctx: Context, demo: Db, { tables }: Warehouse): Promise<void> => {
  for (const { schema, name, columns } of tables.filter(({ schema, name }) => PROFILED.includes(`${schema}.${name}`))) {
    const key = `${schema}.${name}`
    const counted = await countColumns(demo, key)
    const ranges = await findRanges(
      demo,
      key,
      columns.flatMap(({ name, type }) => (WITHOUT_RANGE.has(type) ? [] : [name])),
    )
    const profiled = { table_id: entryId('table', key), profiled_at: ctx.now.toISOString(), job: null, source: null, reported_by: null }
    const rows = counted.map(({ name, rows, nulls, distinct_values, top_values }): ProfileRow => {
      const personal = isPersonal(name)
      const unique = distinct_values > 0.9 * (rows - nulls)
      return {
        ...profiled,
        resource_id: entryId('column', `${key}.${name}`),
        sampled: 'all',
        rows_read: rows,
        nulls,
        distinct_values,
        distinct_approximate: false,
        withheld: personal ? 'pii' : null,
        min: personal ? null : (ranges.get(name)?.min ?? null),
        max: personal ? null : (ranges.get(name)?.max ?? null),
        mean: null,
        histogram: null,
        top_values: personal || unique ? null : top_values,
        quantiles: null,
      }
    })
    await saveProfiles(ctx.db, rows)
    await seedProfileHistory(ctx, rows)
  }
}

const countColumns = async (db: Db, table: string): Promise<readonly CountedColumn[]> => {
  const { rows } = await sql<CountedColumn>`
    with counted as (
      select e.key as name, e.value, count(*) as n from ${sql.table(table)} t cross join lateral jsonb_each_text(to_jsonb(t)) e group by 1, 2
    ), ranked as (
      select c.*, row_number() over (partition by c.name order by c.value is null, c.n desc, c.value) as place from counted c
    )
    select name, sum(n) as rows, coalesce(sum(n) filter (where value is null), 0) as nulls, count(value) as distinct_values,
      json_agg(json_build_object('value', value, 'count', n) order by n desc, value) filter (where value is not null and place <= ${sql.lit(MAX_TOP_VALUES)}) as top_values
    from ranked group by name
  `.execute(db)
  return rows
}

const findRanges = async (
  db: Db,
  table: string,
  columns: readonly string[],
): Promise<Map<string, { min: string | null; max: string | null }>> => {
  const bounds = columns.flatMap((name) => [sql`min(${sql.ref(name)})::text`, sql`max(${sql.ref(name)})::text`])
  const { rows } = await sql<{ bounds: (string | null)[] }>`select array[${sql.join(bounds)}] as bounds from ${sql.table(table)}`.execute(
    db,
  )
  return new Map(columns.map((name, i) => [name, { min: rows[0]!.bounds[2 * i]!, max: rows[0]!.bounds[2 * i + 1]! }]))
}

/** Fewer rows before, and therefore fewer values; the share of nulls moves a little. */
const seedProfileHistory = async ({ db, now }: Context, rows: readonly ProfileRow[]): Promise<void> => {
  const values = rows.map(({ resource_id, table_id, rows_read, nulls, distinct_values }) => ({
    ...{ resource_id, table_id, rows_read, nulls, distinct_values },
  }))
  await sql`
    insert into profile_history (resource_id, day, table_id, profiled_at, sampled, rows_read, nulls, distinct_values, distinct_approximate)
    select x.resource_id, ${now}::timestamptz::date - n, x.table_id, ${now}::timestamptz - n * interval '1 day', 'all', s.rows_read,
      least(s.rows_read, round(x.nulls * (1 - 0.3 * n / ${DAYS}::int) * (1 + 0.1 * sin(n * 1.3)))), round(x.distinct_values * (1 - 0.2 * n / ${DAYS}::int)), false
    from json_to_recordset(${JSON.stringify(values)}::text::json) as x(resource_id uuid, table_id uuid, rows_read bigint, nulls bigint, distinct_values bigint)
    cross join generate_series(0, ${DAYS}::int) n cross join lateral (select round(x.rows_read * (1 - 0.25 * n / ${DAYS}::int)) as rows_read) s
    on conflict do nothing
  `.execute(db)
}
