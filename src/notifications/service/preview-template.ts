import { sql } from 'kysely'
import type { Message } from '../../platform/channels/channel.ts'
import { renderText } from '../../platform/channels/mail-text.ts'
import { renderSlackText } from '../../platform/channels/slack.ts'
import { renderTeamsText } from '../../platform/channels/teams.ts'
import type { Context } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { requirePermission, visibleTo } from '../../platform/permissions/permissions.ts'
import { toAlertItem } from '../alerts/alert-item.ts'
import { buildAlertMessage } from '../alerts/alert-message.ts'
import { findLatestAlert } from '../alerts/latest-alert-rows.ts'
import type { Alert, AlertItem } from '../deliveries/alert.ts'
import type { TemplateChannel, TemplateEvent } from '../templates/placeholders.ts'
import type { TemplatePreview, TemplatePreviewRequest } from '../templates/schema.ts'
import { assertTemplateValid } from '../templates/templates.ts'

const PHASES: Record<TemplateEvent, Alert['phase']> = {
  incident_opened: 'opened',
  incident_resolved: 'resolved',
  schema_changed: 'changed',
}

/** Renders a template with the newest incident or schema change that the caller sees. Nothing is sent. */
export const previewTemplate = async (
  ctx: Context,
  { channel, event, ...template }: TemplatePreviewRequest,
  publicUrl: string | undefined,
): Promise<TemplatePreview> => {
  requirePermission(ctx.actor, 'notifications.manage')
  assertTemplateValid(template, event)
  const phase = PHASES[event]
  const row = await findLatestAlert(ctx, event, sql`${visibleTo(ctx.actor)}`)
  const item = row ? toAlertItem({ ...row, phase: phase as 'opened' }) : EXAMPLES[event]
  const alert: Alert = { phase, same_cause: false, items: [item] }
  const message = (await buildAlertMessage(ctx, newId(), alert, {
    reader: ctx.actor,
    personal: false,
    to: '',
    publicUrl,
    channel,
    template,
  }))!
  const [section] = message.sections
  return {
    incident: item.incident ?? null,
    resource_title: row ? (item.resource_title ?? null) : null,
    subject: message.subject,
    title: section!.title,
    lines: [...section!.lines],
    link: section!.link ?? null,
    text: RENDERERS[channel](message),
  }
}

const RENDERERS: Record<TemplateChannel, (message: Message) => string> = {
  slack: renderSlackText,
  teams: renderTeamsText,
  email: ({ sections }) => renderText({ sections }).replace(/\n+-- \s*$/, ''),
  pagerduty: ({ subject, sections }) => [subject, ...sections.flatMap(({ lines }) => lines)].join('\n'),
  opsgenie: ({ subject, sections }) => [subject, ...sections.flatMap(({ lines }) => lines)].join('\n'),
}

const INCIDENT: AlertItem = {
  resource_id: null,
  resource_title: 'orders',
  severity: 'high',
  title: 'Incident (high): orders, Row count',
  lines: ['Row count of orders is 120, below 1,000, since 2026-01-02 03:00 UTC.'],
  path: '/incidents',
  values: { monitor: 'Row count', value: '120', expected: 'at least 1,000', since: '2026-01-02 03:00', by: '' },
}

/** While nothing has happened yet. */
const EXAMPLES: Record<TemplateEvent, AlertItem> = {
  incident_opened: INCIDENT,
  incident_resolved: { ...INCIDENT, title: 'Resolved (high): orders, Row count', lines: ['Back in the expected range.'] },
  schema_changed: {
    resource_id: null,
    resource_title: 'orders',
    title: 'Schema changed: orders',
    lines: ['Removed: coupon', 'May break 2 resources downstream.'],
    path: '/',
    values: { breaks: '2' },
  },
}
