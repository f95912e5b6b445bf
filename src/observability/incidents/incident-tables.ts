import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { TARGET_JSON_SQL, type TargetRow } from '../monitor-model/monitor-rows.ts'
import { findIncidentRows, type IncidentWithMonitor, incidentConditionsSql } from './incident-rows.ts'
import type { IncidentQuery } from './incident-schema.ts'

const MAX_INCIDENTS = 5 // of each table

interface GroupRow {
  readonly id: string
  readonly of: TargetRow
  readonly count: number
  readonly active: number
  readonly acknowledged: number
  readonly snoozed: number
  readonly severity: string
  readonly last_opened_at: string
  readonly newest: readonly string[]
}

type IncidentTableRow = Omit<GroupRow, 'newest'> & { readonly incidents: readonly IncidentWithMonitor[] }

const SEVERITY_RANK = sql`array_position(array['low', 'medium', 'high', 'critical'], n.severity)`

/** Incidents by table. A column whose table the caller may not see is a group of its own. */
const groupsSql = (ctx: Context, query: IncidentQuery): RawBuilder<unknown> => sql`(
  select coalesce(t.id, r.id) as id, count(*) as count,
    count(*) filter (where n.status = 'active') as active, count(*) filter (where n.status = 'acknowledged') as acknowledged,
    count(*) filter (where n.status <> 'resolved' and n.snoozed_until > ${ctx.now}::timestamptz) as snoozed,
    (array['low', 'medium', 'high', 'critical'])[max(${SEVERITY_RANK})] as severity, max(${SEVERITY_RANK} + case when n.status <> 'resolved' then 10 else 0 end) as rank, max(n.created_at) as last_opened_at,
    (array_agg(n.id order by n.created_at desc, n.id desc))[:${sql.lit(MAX_INCIDENTS)}] as newest
  from monitor_incidents n join resources r on r.id = n.target left join resources t on t.id = n.table_id and ${visibleTo(ctx.actor, 't')}
  where ${incidentConditionsSql(ctx, query)} group by 1
) g`

export const listIncidentTableRows = async (ctx: Context, query: IncidentQuery, page: PageRequest) => {
  const groups = groupsSql(ctx, query)
  const found = await readPage<GroupRow>(ctx, page, {
    select: sql`g.id, g.count, g.active, g.acknowledged, g.snoozed, g.severity, g.last_opened_at, g.newest, ${TARGET_JSON_SQL}`,
    from: sql`${groups} join resources r on r.id = g.id left join integrations i on i.id = r.integration`,
    countFrom: groups,
    where: sql`true`,
    order: [desc('number', 'g.rank'), desc('timestamp', 'g.last_opened_at'), desc('id', 'g.id')],
  })
  const incidents = await findIncidentRows(
    ctx,
    found.results.flatMap(({ newest }) => newest),
  )
  return {
    ...found,
    results: found.results.map(
      ({ newest, ...row }): IncidentTableRow => ({ ...row, incidents: newest.flatMap((id) => incidents.get(id) ?? []) }),
    ),
  }
}
