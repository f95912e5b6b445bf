import { sql } from 'kysely'
import type { ChannelName } from '../../platform/channels/channel.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import {
  DEFAULT_TEMPLATE,
  findUnknownPlaceholders,
  PLACEHOLDERS,
  TEMPLATE_CHANNELS,
  TEMPLATE_EVENTS,
  type Template,
  type TemplateChannel,
  type TemplateEvent,
} from './placeholders.ts'
import type { MessageTemplate, MessageTemplateEdit } from './schema.ts'

/** Texts of messages that admins edit, one for each kind of channel and event. */
interface TemplateRow extends Template {
  readonly channel: string
  readonly event: string
  readonly updated_at: string
}

export const listTemplates = async (ctx: Context): Promise<MessageTemplate[]> => {
  const { rows } = await sql<TemplateRow>`select t.channel, t.event, t.title, t.body, t.updated_at from message_templates t`.execute(ctx.db)
  return TEMPLATE_CHANNELS.flatMap((channel) =>
    TEMPLATE_EVENTS.map((event) =>
      toRecord(
        channel,
        event,
        rows.find((row) => row.channel === channel && row.event === event),
      ),
    ),
  )
}

/** Undefined: the default is sent. */
export const findTemplate = async (ctx: Context, channel: ChannelName, event: TemplateEvent): Promise<Template | undefined> => {
  const { rows } = await sql<Template>`
    select t.title, t.body from message_templates t where t.channel = ${channel} and t.event = ${event}`.execute(ctx.db)
  return rows[0]
}

export const saveTemplate = (
  ctx: Context,
  channel: TemplateChannel,
  event: TemplateEvent,
  edit: MessageTemplateEdit,
): Promise<MessageTemplate> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'notifications.manage')
    assertTemplateValid(edit, event)
    const template = { title: edit.title.trim(), body: edit.body }
    const before = await lockTemplate(ctx, channel, event)
    const { rows } = await sql<TemplateRow>`
      insert into message_templates (channel, event, title, body, created_at, updated_at)
      values (${channel}, ${event}, ${template.title}, ${template.body}, ${ctx.now}::timestamptz, ${ctx.now}::timestamptz)
      on conflict (channel, event) do update set title = excluded.title, body = excluded.body, updated_at = excluded.updated_at
      returning channel, event, title, body, updated_at
    `.execute(ctx.db)
    await recordChange(ctx, channel, event, before ?? DEFAULT_TEMPLATE, template)
    return toRecord(channel, event, rows[0])
  })

/** Back to the default. */
export const resetTemplate = (ctx: Context, channel: TemplateChannel, event: TemplateEvent): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'notifications.manage')
    const before = await lockTemplate(ctx, channel, event)
    if (!before) return
    await sql`delete from message_templates where channel = ${channel} and event = ${event}`.execute(ctx.db)
    await recordChange(ctx, channel, event, before, DEFAULT_TEMPLATE)
  })

const MAX_LINES = 50

export const assertTemplateValid = ({ title, body }: Template, event: TemplateEvent): void => {
  const known = Object.keys(PLACEHOLDERS[event])
    .map((name) => `{{${name}}}`)
    .join(', ')
  const toErrors = (text: string) =>
    findUnknownPlaceholders(text, event).map((name) => translatable('Unknown placeholder {name}. Available: {known}.', { name, known }))
  const errors = {
    title: [...toErrors(title), ...(/[\r\n]/.test(title) ? [translatable('must be a single line.')] : [])],
    body: [...toErrors(body), ...(body.split('\n').length > MAX_LINES ? [translatable('At most {max} lines.', { max: MAX_LINES })] : [])],
  }
  const found = Object.entries(errors).filter(([, list]) => list.length > 0)
  if (found.length > 0) throw invalid(Object.fromEntries(found))
}

const lockTemplate = async (ctx: Context, channel: string, event: string): Promise<Template | undefined> => {
  const { rows } = await sql<Template>`
    select t.title, t.body from message_templates t where t.channel = ${channel} and t.event = ${event} for update`.execute(ctx.db)
  return rows[0]
}

const toRecord = (channel: TemplateChannel, event: TemplateEvent, row: TemplateRow | undefined): MessageTemplate => ({
  channel,
  event,
  title: row?.title ?? DEFAULT_TEMPLATE.title,
  body: row?.body ?? DEFAULT_TEMPLATE.body,
  custom: row !== undefined,
  updated_at: row?.updated_at ?? null,
  placeholders: Object.entries(PLACEHOLDERS[event]).map(([name, description]) => ({ name, description })),
})

const recordChange = async (ctx: Context, channel: string, event: string, before: Template, after: Template): Promise<void> => {
  const changes = diffFields({ ...before }, { ...after }, ['title', 'body'])
  if (changes.length > 0)
    await recordActivity(ctx, {
      activity_type: 'message_template_updated',
      resource_type: 'message_template',
      resource_title: `${channel}, ${event}`,
      changes,
    })
}
