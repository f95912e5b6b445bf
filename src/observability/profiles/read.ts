import { findVisibleRows } from '../../catalog/records/visible-rows.ts'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { findProfiles, type ProfileWithColumn } from './profile-rows.ts'
import type { ColumnProfile, Profile } from './schema.ts'

/** The stored profile of a table or column. */
export const getProfile = async (ctx: Context, id: string): Promise<Profile> => {
  if (!(await findVisibleRows(ctx, [id])).has(id)) throw notFound('resource', id)
  return { resource_id: id, columns: (await findProfiles(ctx, id)).map(toProfile) }
}

const toProfile = (row: ProfileWithColumn): ColumnProfile => {
  // Flagged as PII since it was profiled: its stored values are hidden.
  const hidden = row.pii && row.withheld !== 'pii'
  const set = row.rows_read - row.nulls
  return {
    resource_id: row.resource_id,
    name: row.title,
    native_type: row.native_type,
    profiled_at: row.profiled_at,
    job: row.job,
    source: (row.source ?? 'profile') as ColumnProfile['source'],
    reported_by: row.visible_run,
    sampled: row.sampled as ColumnProfile['sampled'],
    rows_read: row.rows_read,
    nulls: row.nulls,
    null_percentage: percentage(row.nulls, row.rows_read),
    distinct_values: row.distinct_values,
    distinct_approximate: row.distinct_approximate,
    unique_percentage: row.distinct_values === null ? null : percentage(Math.min(row.distinct_values, set), set),
    withheld: hidden ? 'pii' : (row.withheld as ColumnProfile['withheld']),
    min: hidden ? null : row.min,
    max: hidden ? null : row.max,
    mean: hidden ? null : row.mean,
    histogram: hidden ? null : (row.histogram as ColumnProfile['histogram']),
    top_values: hidden ? null : (row.top_values as ColumnProfile['top_values']),
    quantiles: hidden ? null : (row.quantiles as ColumnProfile['quantiles']),
  }
}

const percentage = (part: number, whole: number): number | null => (whole === 0 ? null : Math.round((10_000 * part) / whole) / 100)
