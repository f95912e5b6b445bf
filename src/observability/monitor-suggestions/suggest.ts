import { sql } from 'kysely'
import { findLinks, findNodeInfo } from '../../lineage/edges/links.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { formatText, translatable } from '../../platform/core/translatable.ts'
import { requirePermission, visibleTo } from '../../platform/permissions/permissions.ts'
import { isColumnNotNullSql } from '../monitor-model/monitor-rows.ts'
import type { Monitor } from '../monitor-model/schema.ts'
import { createMonitor } from '../monitors/create.ts'
import { type ColumnFacts, suggestMonitors } from './rules.ts'
import type { Accepted, Suggestion, SuggestionAccept, Suggestions } from './schema.ts'

export const getMonitorSuggestions = async (ctx: Context, resource_id: string): Promise<Suggestions> => {
  requirePermission(ctx.actor, 'monitors.config')
  const id = parseId(resource_id)
  if (!id) throw invalid({ resource_id: ['must be a UUID.'] })
  const table = await getTable(ctx, id)
  const [columns, downstream, existing] = await Promise.all([
    findColumnFacts(ctx, id),
    countDownstream(ctx, id),
    findMonitoredKeys(ctx, id),
  ])
  const suggestions = suggestMonitors({ ...table, columns, downstream }).filter(({ key }) => !existing.has(key))
  const profiled = columns.filter(({ profile }) => profile).length
  const based_on =
    profiled > 0
      ? translatable('the profiles of {profiled} of {n} columns', { profiled, n: columns.length })
      : columns.length > 0
        ? translatable('names and types of {n} columns', { n: columns.length })
        : null
  return { resource_id: id, suggestions, based_on: based_on && formatText(based_on), based_on_translatable: based_on }
}

/** Creates monitors from the accepted suggestions, or from all of them. */
export const acceptSuggestions = (ctx: Context, { resource_id, accept, notify_slack_channel }: SuggestionAccept): Promise<Accepted> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'monitors.write')
    const { suggestions } = await getMonitorSuggestions(ctx, resource_id)
    const unknown = accept?.find((key) => !suggestions.some((each) => each.key === key))
    if (unknown !== undefined) throw invalid({ accept: [`"${unknown}" is not a current suggestion. The monitor may already exist.`] })
    const monitors: Monitor[] = []
    for (const suggestion of suggestions.filter(({ key }) => !accept || accept.includes(key)))
      monitors.push(await createMonitor(ctx, { ...toMonitorSettings(suggestion), notify_slack_channel: notify_slack_channel ?? null }))
    return { monitors }
  })

const toMonitorSettings = ({ target, metric_type, name, metric_config, ...conditions }: Suggestion) => ({
  target,
  metric_type,
  name,
  metric_config,
  condition_auto_sensitivity: conditions.condition_auto_sensitivity,
  condition_manual_min: conditions.condition_manual_min,
  condition_manual_max: conditions.condition_manual_max,
})

const countDownstream = async (ctx: Context, id: string): Promise<number> => {
  const links = await findLinks(ctx, [id], { level: 'table', direction: 'down', limit: 1000 })
  const places = await findNodeInfo(
    ctx,
    links.map(({ other }) => other),
  )
  return [...places.values()].filter(({ visible }) => visible).length
}

interface TableRow {
  readonly id: string
  readonly entity_type: string
  readonly title: string
  readonly row_count: number | null
  readonly usage: number
}

const getTable = async (ctx: Context, id: string): Promise<TableRow> => {
  const { rows } = await sql<TableRow>`
    select r.id, r.entity_type, r.title, r.row_count, r.external_usage as usage from resources r where r.id = ${id} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db)
  const table = rows[0]
  if (!table) throw notFound('resource', id)
  if (table.entity_type !== 'table')
    throw invalid({ resource_id: [`${table.title} is a ${table.entity_type}. Monitors can be suggested for tables only.`] })
  return table
}

interface ColumnFactsRow extends Omit<ColumnFacts, 'profile'> {
  readonly rows: number | null
  readonly nulls: number
  readonly distinct: number | null
  readonly min: string | null
}

/** The columns with their profiles, if any. */
const findColumnFacts = async (ctx: Context, table: string): Promise<ColumnFacts[]> => {
  const { rows } = await sql<ColumnFactsRow>`
    select r.id, r.title, r.native_type, coalesce(r.details -> 'is_pk' = 'true', false) as is_pk, ${isColumnNotNullSql('r')} as always,
      p.rows_read as rows, p.nulls, p.distinct_values as distinct, p.min
    from resources r left join column_profiles p on p.resource_id = r.id
    where r.parent = ${table} and r.entity_type = 'column' and ${visibleTo(ctx.actor)}
    order by r.created_at, r.id limit 2000
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id, title, native_type, is_pk, always, rows, nulls, distinct, min }) => ({
    ...{ id, title, native_type, is_pk, always },
    ...(rows === null ? {} : { profile: { rows, nulls, distinct, min: toFiniteNumber(min) } }),
  }))
}

const toFiniteNumber = (text: string | null): number | null =>
  text !== null && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : null

/** Existing monitors, by the key their suggestion would have. */
const findMonitoredKeys = async (ctx: Context, table: string): Promise<Set<string>> => {
  const { rows } = await sql<{ key: string }>`
    select m.metric_type || ':' || m.target as key from monitors m
    where m.target in (select c.id from resources c where c.id = ${table}::uuid or (c.parent = ${table}::uuid and c.entity_type = 'column'))
  `.execute(ctx.db)
  return new Set(rows.map(({ key }) => key))
}
