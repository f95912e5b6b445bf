import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { requirePermission, visibleTo } from '../../platform/permissions/permissions.ts'
import { findFailedCondition } from './match-rules.ts'
import { toConditions } from './rules.ts'
import type { RulePreview, RulePreviewRequest } from './schema.ts'
import { findSubjectResources } from './subjects.ts'

const MAX_INCIDENTS = 100

/** Which of the last incidents would meet these conditions, with the resources as they are now. */
export const previewRule = async (ctx: Context, request: RulePreviewRequest): Promise<RulePreview> => {
  requirePermission(ctx.actor, 'notifications.manage')
  const { rows } = await sql<RulePreview['matched'][number]>`
    select n.subject_id as incident, coalesce(a.payload ->> 'name', '') as name, coalesce(a.payload ->> 'severity', 'medium') as severity,
      n.resource_id, r.title as resource_title, n.opened_at
    from notification_alerts n join activities a on a.id = n.activity_id join resources r on r.id = n.resource_id
    where n.phase = 'opened' and ${visibleTo(ctx.actor)} order by n.opened_at desc, n.activity_id limit ${MAX_INCIDENTS}
  `.execute(ctx.db, ctx.limits)
  const conditions = toConditions(request)
  const resources = await findSubjectResources(ctx, [...new Set(rows.map(({ resource_id }) => resource_id))])
  const matched = rows.filter(({ resource_id, severity }) => {
    const resource = resources.get(resource_id)
    return resource && findFailedCondition(conditions, { event: 'incident', severity, ...resource }) === undefined
  })
  return { checked: rows.length, matched }
}
