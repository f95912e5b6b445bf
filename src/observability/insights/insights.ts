import { sql } from 'kysely'
import { userNameSql } from '../../accounts/shared/names.ts'
import { teamsKnownTo } from '../../catalog/query-language/named-targets.ts'
import type { Context } from '../../platform/context/context.ts'
import { toCsvLine } from '../../platform/core/csv.ts'
import { integrationsVisibleTo, visibleTo } from '../../platform/permissions/permissions.ts'
import { countIncidents, countIncidentsByDay } from './count-incidents.ts'
import { countGroups, countNumbers, type GroupBy } from './count-numbers.ts'
import { getMetric, METRIC_NAMES, metricFilter, NUMBER_NAMES, type Numbers } from './metrics.ts'
import type { InsightGroups, InsightGroupsQuery, Insights, InsightsQuery, InsightTrends } from './schema.ts'
import { parseScope, type Scope } from './scope.ts'
import { findSnapshots, visibilityOf } from './snapshots.ts'

/** Documentation, ownership, health, usage and incidents of what the caller can see. */
export const getInsights = async (ctx: Context, query: InsightsQuery): Promise<Insights> => {
  const scope = parseScope(query)
  const [numbers, incidents] = await Promise.all([countNumbers(ctx, scope), countIncidents(ctx, scope, startOf(ctx, query))])
  return {
    as_of: ctx.now.toISOString(),
    metrics: toMetrics(scope, numbers),
    usage: { queries: numbers.queries ?? 0, views: numbers.views ?? 0 },
    incidents,
  }
}

const SIZES = { tables: '', tables_stale: 'stale_', tables_unused: 'unused_' } as const

const toMetrics = (scope: Scope, numbers: Numbers): Insights['metrics'] =>
  METRIC_NAMES.filter((name) => numbers[name] !== undefined).map((name) => {
    const prefix = getMetric(name).sized ? SIZES[name as keyof typeof SIZES] : undefined
    const size = prefix === undefined ? {} : { rows: numbers[`${prefix}rows`] ?? 0, bytes: numbers[`${prefix}bytes`] ?? 0 }
    return { name, count: numbers[name]!, ...size, filter: JSON.stringify(metricFilter(scope, name)) }
  })

/** Midnight (UTC) of the first day. Today is one of the days. */
const startOf = ({ now }: Context, { days = 90 }: Pick<InsightsQuery, 'days'>): Date =>
  new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - (days - 1) * DAY_MS)
const DAY_MS = 86_400_000

export const getInsightTrends = async (ctx: Context, query: InsightsQuery): Promise<InsightTrends> => {
  const scope = parseScope(query)
  const since = startOf(ctx, query)
  const [days, incidents] = await Promise.all([findSnapshots(ctx, scope, since), countIncidentsByDay(ctx, scope, since)])
  return { counted: visibilityOf(ctx.actor), days, incidents }
}

const MAX_GROUPS = 200

export const listInsightGroups = async (ctx: Context, { by = 'integration', ...query }: InsightGroupsQuery): Promise<InsightGroups> => {
  const groups = [...(await countGroups(ctx, parseScope(query), by, MAX_GROUPS + 1))].slice(0, MAX_GROUPS + 1)
  const names = await findGroupNames(
    ctx,
    by,
    groups.map(([id]) => id!),
  )
  return {
    truncated: groups.length > MAX_GROUPS,
    results: groups
      .slice(0, MAX_GROUPS)
      .map(([id, numbers]) => ({ id: id!, name: null, integration_id: null, ...names.get(id!), numbers })),
  }
}

interface GroupName {
  readonly name: string
  readonly integration_id?: string
}

/** Owners of visible resources are known to everyone who sees these. */
const findGroupNames = async (ctx: Context, by: GroupBy, ids: readonly string[]): Promise<Map<string, GroupName>> => {
  const named = {
    team: sql`select t.id, t.name from teams t where t.id = any(${ids}::uuid[]) and ${teamsKnownTo(ctx)}`,
    integration: sql`select i.id, i.name from integrations i where i.id = any(${ids}::uuid[]) and ${integrationsVisibleTo(ctx.actor)}`,
    owner: sql`
      select u.id, ${userNameSql(ctx.actor, 'u')} as name from users u where u.id = any(${ids}::uuid[])
      union all select g.id, g.name from groups g where g.id = any(${ids}::uuid[])`,
    schema: sql`select r.id, r.title_full as name, r.integration as integration_id from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}`,
  }
  const { rows } = await sql<GroupName & { id: string }>`${named[by]}`.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, ...name }) => [id, name]))
}

export const insightsToCsv = ({ metrics }: Insights): string =>
  [
    ['metric', 'count', 'rows', 'bytes'],
    ...metrics.map(({ name, count, rows, bytes }) => [
      name,
      ...[count, rows, bytes].map((each) => (each === undefined ? '' : String(each))),
    ]),
  ]
    .map(toCsvLine)
    .join('')

const numberCells = (numbers: Numbers): string[] => NUMBER_NAMES.map((name) => (numbers[name] === undefined ? '' : String(numbers[name])))

/** One line for each day, also for days without a snapshot. */
export const trendsToCsv = ({ days, incidents }: InsightTrends): string => {
  const byDay = new Map(days.map(({ day, numbers }) => [day, numbers]))
  return [
    ['day', ...NUMBER_NAMES, 'incidents_opened', 'incidents_resolved', 'median_hours_to_resolve'],
    ...incidents.map(({ day, opened, resolved, median_hours_to_resolve: hours }) => [
      day,
      ...numberCells(byDay.get(day) ?? {}),
      String(opened),
      String(resolved),
      hours === null ? '' : String(hours),
    ]),
  ]
    .map(toCsvLine)
    .join('')
}

export const groupsToCsv = ({ results }: InsightGroups): string =>
  [['id', 'name', ...NUMBER_NAMES], ...results.map(({ id, name, numbers }) => [id, name ?? '', ...numberCells(numbers)])]
    .map(toCsvLine)
    .join('')
