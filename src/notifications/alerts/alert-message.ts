import {
  type ChannelName,
  type Message,
  type MessageEvent,
  type MessageIncident,
  type MessageSection,
  separatesIncidents,
} from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Actor } from '../../platform/permissions/permissions.ts'
import { can, canSee } from '../../platform/permissions/permissions.ts'
import { signChartUrl } from '../../platform/secrets/signed-url.ts'
import type { Alert, AlertItem } from '../deliveries/alert.ts'
import { toSingleLine, truncate } from '../deliveries/digest-message.ts'
import { DEFAULT_TEMPLATE, renderTemplate, type Template, type TemplateEvent, toPlaceholderValues } from '../templates/placeholders.ts'
import { findTemplate } from '../templates/templates.ts'
import { describeImpact } from './describe-impact.ts'

const MAX_FULL_ITEMS = 3 // with chart and impact; the others are text only

export interface AlertContext {
  /** Undefined for the Slack channel of a monitor. */
  readonly reader?: Actor
  /** The reader is a person, who can change their settings. */
  readonly personal: boolean
  readonly to: string
  readonly secret?: string
  readonly publicUrl?: string
  readonly channel: ChannelName
  /** Instead of the saved one. */
  readonly template?: Template
}

/** Builds the message with what the reader can see now; undefined if that is nothing. */
export const buildAlertMessage = async (
  ctx: Context,
  id: string,
  { phase, items, same_cause }: Alert,
  { reader, personal, to, secret, publicUrl, channel, template: draft }: AlertContext,
): Promise<Message | undefined> => {
  // Pagers and webhooks are notified of the end of an incident even if its resource has been deleted or hidden since: otherwise it would stay open there.
  const toHidden =
    separatesIncidents(channel) && (phase === 'acknowledged' || phase === 'resolved') ? toItemWithoutResource(phase) : undefined
  const visible = reader ? await filterVisible(ctx, reader, items, toHidden) : items
  const [first] = visible
  if (!first) return undefined
  const event = TEMPLATE_EVENT[phase]
  const template = draft ?? (event && (await findTemplate(ctx, channel, event)))
  const inFull = phase === 'opened' ? visible.slice(0, MAX_FULL_ITEMS) : []
  const sections = await Promise.all(
    visible.map(async (item): Promise<MessageSection> => {
      const { path, monitor, table_id } = item
      const full = inFull.includes(item)
      const impact = full && table_id ? await describeImpact(ctx, table_id, reader) : undefined
      const link = publicUrl && path ? `${publicUrl}${path}` : undefined
      const { title, lines } = renderTemplate(template ?? DEFAULT_TEMPLATE, toPlaceholderValues(item, { impact, link }))
      const address = publicUrl && monitor && full ? await signChartUrl(ctx, publicUrl, monitor) : undefined
      return {
        title: toSingleLine(title),
        link,
        lines: lines.map(toSingleLine).filter((line) => line !== ''),
        ...(address ? { image: { address, text: `Latest measurements: ${toSingleLine(title)}` } } : {}),
      }
    }),
  )
  const more = visible.length - 1
  return {
    id,
    to,
    secret,
    ...(phase === 'opened' && visible.length === 1 && !(personal && reader && !can(reader, 'monitors.write'))
      ? { actions_for: first.incident }
      : {}),
    ...(secret === undefined ? {} : { incident: toMessageIncident(id, phase, first) }),
    events: visible.map((item) => toMessageEvent(phase, item)),
    subject: truncate(
      `${sections[0]!.title}${more > 0 ? ` and ${more} more${same_cause ? ' downstream' : ''}` : first.lines[0] && !template ? `: ${first.lines[0]}` : ''}`,
    ),
    sections,
    ...(personal ? { reason: ALERT_REASONS[phase], settings_link: publicUrl && `${publicUrl}/settings/notifications` } : {}),
  }
}

const TEMPLATE_EVENT: Partial<Record<Alert['phase'], TemplateEvent>> = {
  opened: 'incident_opened',
  resolved: 'incident_resolved',
  changed: 'schema_changed',
}

const EVENT_TYPES: Record<Alert['phase'], string> = {
  opened: 'incident_opened',
  acknowledged: 'incident_acknowledged',
  resolved: 'incident_resolved',
  changed: 'schema_changed',
  notice: 'ping',
}

const toMessageEvent = (phase: Alert['phase'], { resource_id, resource_title, incident, severity }: AlertItem): MessageEvent => ({
  type: EVENT_TYPES[phase],
  resource_id,
  resource_title: resource_title ?? null,
  incident: incident ?? null,
  severity: severity ?? null,
})

const ALERT_REASONS: Record<Alert['phase'], string> = {
  opened: 'You receive this because you own or subscribe to this resource or a resource downstream of it.',
  resolved: 'You receive this because you own or subscribe to this resource or a resource downstream of it.',
  acknowledged: 'You receive this because you own or subscribe to this resource or a resource downstream of it.',
  changed: 'You receive this because you own or subscribe to this resource or a resource downstream of it.',
  notice: 'You receive this because you are an admin of this workspace.',
}

/** A notice is a test, which opens an alert of its own. */
const toMessageIncident = (
  id: string,
  phase: Alert['phase'],
  { incident = id, severity = 'low', resource_title, title }: AlertItem,
): MessageIncident => ({
  id: incident,
  action: phase === 'acknowledged' ? 'acknowledge' : phase === 'resolved' ? 'resolve' : 'open',
  severity,
  source: toSingleLine(resource_title ?? title),
})

/** Removes everything about the resource from an alert item, for an incident in this phase. */
const toItemWithoutResource =
  (phase: 'acknowledged' | 'resolved') =>
  ({ incident, activity, severity }: AlertItem): AlertItem => ({
    resource_id: null,
    title: phase === 'resolved' ? 'Incident resolved' : 'Incident acknowledged',
    lines: [],
    incident,
    activity,
    severity,
  })

const filterVisible = async (
  ctx: Context,
  reader: Actor,
  items: readonly AlertItem[],
  toHidden: (item: AlertItem) => AlertItem | undefined = () => undefined,
): Promise<AlertItem[]> => {
  const ids = items.flatMap(({ resource_id }) => resource_id ?? [])
  const rows =
    ids.length === 0 ? [] : await ctx.db.selectFrom('resources').select(['id', 'published', 'teams']).where('id', 'in', ids).execute()
  const visible = new Set(rows.filter((row) => canSee(reader, row)).map(({ id }) => id))
  return items.flatMap((item) => (item.resource_id === null || visible.has(item.resource_id) ? item : (toHidden(item) ?? [])))
}
