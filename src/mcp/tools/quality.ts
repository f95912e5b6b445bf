import { Type } from 'typebox'
import { evaluateGate } from '../../observability/gate/gate.ts'
import type { Incident } from '../../observability/incidents/incident-schema.ts'
import { listIncidents } from '../../observability/incidents/incidents.ts'
import type { Monitor } from '../../observability/monitor-model/schema.ts'
import { listMonitors } from '../../observability/monitors/read.ts'
import { queueRunsNow } from '../../observability/monitors/run-now.ts'
import { IdInput, Nullable, NullableString, OneOf } from '../../platform/core/schema-types.ts'
import { getItemBudget, PAGING, readItems, takeItems, toListAddress } from './answer.ts'
import { findTargetId, linkToResource, Target } from './target.ts'
import { ADDS, defineTool, READS_CATALOG } from './tool.ts'

const NullableNumber = Nullable(Type.Number())
const LIMIT = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most items to return.' }))

export const checkGateTool = defineTool({
  name: 'check_gate',
  title: 'Can this table be used now',
  description:
    'Whether a pipeline, report or answer should rely on a table or column right now: `pass`, `fail` or `unknown` (nothing measures it), with the open incidents, failed or overdue monitors as items. With upstream true, everything it is built from is checked too.',
  permission: 'monitors.read',
  annotations: READS_CATALOG,
  input: {
    id: Target('the table or column'),
    upstream: Type.Optional(Type.Boolean({ default: false, description: 'Also check everything upstream.' })),
    ...PAGING,
  },
  item: Type.Object({
    code: Type.String(),
    text: Type.String(),
    resource_id: NullableString(),
    resource: NullableString(),
    upstream: Type.Boolean(),
    monitor: NullableString(),
    incident: NullableString(),
    since: NullableString(),
    count: Type.Integer(),
  }),
  fields: { status: OneOf(['pass', 'fail', 'unknown']), summary: Type.String(), monitors_checked: Type.Integer() },
  run: async ({ ctx, baseUrl }, args) => {
    const id = await findTargetId(ctx, args.id)
    const { status, summary, monitors_checked, reasons, reasons_count, truncated } = await evaluateGate(ctx, {
      resource_id: id,
      upstream: args.upstream,
    })
    const found = takeItems(reasons, args, getItemBudget(args))
    return {
      ...found,
      total: reasons_count,
      total_exact: !truncated,
      link: linkToResource(baseUrl, id),
      ...{ status, summary, monitors_checked },
    }
  },
})

export const listMonitorsTool = defineTool({
  name: 'list_monitors',
  title: 'List monitors',
  description: 'What is measured about tables and columns (row count, freshness, nulls …), how often, the last value and its state.',
  permission: 'monitors.read',
  annotations: READS_CATALOG,
  input: {
    id: Type.Optional(Target('a table or column; default: all')),
    status: Type.Optional(OneOf(['pending', 'normal', 'incident', 'error'])),
    limit: LIMIT,
    ...PAGING,
  },
  item: Type.Object({
    id: Type.String(),
    name: Type.String(),
    metric: Type.String(),
    target: Type.String(),
    path: Type.String(),
    status: Type.String(),
    enabled: Type.Boolean(),
    every_hours: Type.Integer(),
    last_value: NullableNumber,
    last_measured_at: NullableString(),
    next_run_at: NullableString(),
    error: NullableString(),
    link: Type.String(),
  }),
  run: async ({ ctx, baseUrl }, args) => {
    const resource_id = args.id === undefined ? undefined : await findTargetId(ctx, args.id)
    const found = await readItems<Monitor>(args, {
      list: toListAddress('list_monitors', args),
      limit: args.limit ?? 20,
      budget: getItemBudget(args),
      read: (page) => listMonitors(ctx, { resource_id, status: args.status }, page),
      toItems: (rows) =>
        rows.map((each) => ({
          id: each.id,
          name: each.name,
          metric: each.metric_type,
          target: each.target,
          path: each.display_metadata.target.label,
          status: each.status,
          enabled: each.is_enabled,
          every_hours: each.frequency,
          last_value: each.last_measurement_value,
          last_measured_at: each.last_success_at,
          next_run_at: each.next_run_at,
          error: each.last_error_message,
          link: `${baseUrl}/monitors/${each.id}`,
        })),
    })
    return { ...found, total_exact: true, link: `${baseUrl}/monitors` }
  },
})

export const listIncidentsTool = defineTool({
  name: 'list_incidents',
  title: 'List incidents',
  description: 'Data problems that monitors found, newest first: what is wrong, by how much and since when. Default: only open ones.',
  permission: 'monitors.read',
  annotations: READS_CATALOG,
  input: {
    id: Type.Optional(Target('a table or column; default: all')),
    status: Type.Optional(OneOf(['open', 'active', 'acknowledged', 'resolved', 'all'], 'Default: open.')),
    limit: LIMIT,
    ...PAGING,
  },
  item: Type.Object({
    id: Type.String(),
    summary: Type.String(),
    status: Type.String(),
    target: Type.String(),
    path: Type.String(),
    monitor: Type.String(),
    value: Type.Number(),
    lower: NullableNumber,
    upper: NullableNumber,
    first_seen_at: Type.String(),
    last_seen_at: Type.String(),
    resolved_at: NullableString(),
    snoozed_until: NullableString(),
    assignee: NullableString(),
    upstream_incident: NullableString(),
    link: Type.String(),
  }),
  run: async ({ ctx, baseUrl }, args) => {
    const resource_id = args.id === undefined ? undefined : await findTargetId(ctx, args.id)
    const { status = 'open' } = args
    const found = await readItems<Incident>(args, {
      list: toListAddress('list_incidents', args),
      limit: args.limit ?? 20,
      budget: getItemBudget(args),
      read: (page) => listIncidents(ctx, { resource_id, status: status === 'all' ? undefined : status }, page),
      toItems: (rows) =>
        rows.map((each) => ({
          id: each.id,
          summary: each.summary,
          status: each.status,
          target: each.target,
          path: each.display_metadata.target.label,
          monitor: each.monitor,
          value: each.value,
          lower: each.lower_threshold,
          upper: each.upper_threshold,
          first_seen_at: each.first_seen_at,
          last_seen_at: each.last_seen_at,
          resolved_at: each.resolved_at,
          snoozed_until: each.snoozed_until,
          assignee: each.assignee,
          upstream_incident: each.upstream_incident,
          link: `${baseUrl}/incidents/${each.id}`,
        })),
    })
    return { ...found, total_exact: true, link: `${baseUrl}/incidents` }
  },
})

export const runMonitorsTool = defineTool({
  name: 'run_monitors',
  title: 'Run monitors now',
  description:
    'Measure these monitors now instead of at their next scheduled time. Returns the background job; read the results with list_monitors a little later.',
  permission: 'monitors.run',
  annotations: { ...ADDS, openWorldHint: true },
  input: { monitors: Type.Array(IdInput, { minItems: 1, maxItems: 100, description: 'IDs of monitors.' }) },
  item: Type.Object({ id: Type.String(), title: Type.String(), status: Type.String() }),
  run: async ({ ctx, baseUrl }, { monitors }) => {
    const { id, title, status } = await queueRunsNow(ctx, { monitors })
    return { items: [{ id, title, status }], total: 1, total_exact: true, cursor: null, link: `${baseUrl}/monitors` }
  },
})
