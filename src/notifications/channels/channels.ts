import { type Selectable, sql } from 'kysely'
import type { ChannelName } from '../../platform/channels/channel.ts'
import { OPSGENIE_URL } from '../../platform/channels/opsgenie.ts'
import { PAGERDUTY_URL } from '../../platform/channels/pagerduty.ts'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { conflict, invalid, notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import type { NotificationChannelsTable } from '../../platform/db/tables/notify.ts'
import { diffFields } from '../../platform/history/diff.ts'
import type { Change } from '../../platform/history/record.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage, readPage } from '../../platform/lists/read-page.ts'
import { type AddressAllowlist, findAddressProblem } from '../../platform/outbound/address-policy.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { sealSecret } from '../../platform/secrets/sealed-secret.ts'
import type { NotificationChannel, NotificationChannelCreate, NotificationChannelEdit } from './schema.ts'

/** Notification channels: where rules send incidents. Secrets are write-only. */
export type NotificationChannelRow = Selectable<NotificationChannelsTable> & { readonly type: ChannelName }

/** What this server knows about sending. */
export interface ChannelOptions {
  readonly allowed: AddressAllowlist
  readonly available: (type: ChannelName) => boolean
}

const FIELDS = ['name', 'type', 'address', 'enabled'] as const

type ListedRow = NotificationChannelRow & { readonly last_sent_at: string | null; readonly last_error: string | null }
const SELECT = sql`c.*, l.last_sent_at, l.last_error`
/** `deliveries_channel` finds the latest message of each channel. */
const FROM = sql`
  notification_channels c left join lateral (
    select max(d.sent_at) as last_sent_at, (array_agg(d.error order by d.created_at desc))[1] as last_error
    from (select * from deliveries d where d.channel_id = c.id order by d.created_at desc limit 20) d
  ) l on true`

export const listNotificationChannels = async (ctx: Context, page: PageRequest, options: ChannelOptions) => {
  const rows = await readPage<ListedRow>(ctx, page, {
    select: SELECT,
    from: FROM,
    where: sql`true`,
    order: [desc('timestamp', 'c.created_at'), asc('id', 'c.id')],
  })
  return mapPage(rows, (row) => toNotificationChannel(row, options))
}

export const getNotificationChannel = async (ctx: Context, id: string, options: ChannelOptions): Promise<NotificationChannel> => {
  const { rows } = await sql<ListedRow>`select ${SELECT} from ${FROM} where c.id = ${id}`.execute(ctx.db)
  if (!rows[0]) throw notFound('notification channel', id)
  return toNotificationChannel(rows[0], options)
}

export const createNotificationChannel = (
  ctx: Context,
  { name, type, enabled = true, ...input }: NotificationChannelCreate,
  options: ChannelOptions,
): Promise<NotificationChannel> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'notifications.manage')
    const id = newId()
    const { address, secret } = parseDestination(type, input, options.allowed)
    const channel = { name: name.trim(), type, address, enabled }
    await ctx.db
      .insertInto('notification_channels')
      .values({
        id,
        ...channel,
        ...(secret === undefined ? {} : await sealSecret(ctx, id, secret)),
        created_at: ctx.now,
        updated_at: ctx.now,
      })
      .execute()
    await recordChange(ctx, 'created', { id, name: channel.name }, diffFields({}, channel, FIELDS))
    return getNotificationChannel(ctx, id, options)
  })

export const editNotificationChannel = (
  ctx: Context,
  id: string,
  edit: NotificationChannelEdit,
  options: ChannelOptions,
): Promise<NotificationChannel> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lockChannel(ctx, id)
    const { name = before.name, enabled = before.enabled, ...input } = edit
    const moves = input.address !== undefined || input.url !== undefined || input.key !== undefined
    const { address, secret }: ParsedDestination = moves
      ? parseDestination(before.type, keepUrl(before, input), options.allowed)
      : { address: before.address }
    const after = { name: name.trim(), type: before.type, address, enabled }
    const changes: Change[] = [
      ...diffFields(before, after, FIELDS),
      ...(secret === undefined ? [] : [{ field: 'secret', from: null, to: null }]), // its values are never logged
    ]
    if (changes.length === 0) return getNotificationChannel(ctx, id, options)
    await ctx.db
      .updateTable('notification_channels')
      .set({
        ...after,
        ...(secret === undefined ? {} : await sealSecret(ctx, id, secret)),
        updated_at: nextUpdatedAtSql(ctx.now),
      })
      .where('id', '=', id)
      .execute()
    await recordChange(ctx, 'updated', { id, name: after.name }, changes)
    return getNotificationChannel(ctx, id, options)
  })

export const deleteNotificationChannel = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lockChannel(ctx, id)
    const { rows } = await sql<{ name: string }>`
      select r.name from notification_rules r where ${id}::uuid = any(r.channels) order by r.position limit 1`.execute(ctx.db)
    if (rows[0])
      throw conflict(
        translatable('The routing rule “{name}” sends to this channel. Remove it from the rule first.', { name: rows[0].name }),
      )
    await ctx.db.deleteFrom('notification_channels').where('id', '=', id).execute()
    await recordChange(ctx, 'deleted', before, diffFields(before, {}, FIELDS))
  })

export const getChannelRow = async (ctx: Context, id: string): Promise<NotificationChannelRow> => {
  const { rows } = await sql<NotificationChannelRow>`select c.* from notification_channels c where c.id = ${id}`.execute(ctx.db)
  if (!rows[0]) throw notFound('notification channel', id)
  return rows[0]
}

const lockChannel = async (ctx: Context, id: string): Promise<NotificationChannelRow> => {
  requirePermission(ctx.actor, 'notifications.manage')
  const { rows } = await sql<NotificationChannelRow>`
    select c.* from notification_channels c where c.id = ${id} for update`.execute(ctx.db)
  if (!rows[0]) throw notFound('notification channel', id)
  requireIfMatch(ctx, computeEtag(rows[0]))
  return rows[0]
}

type DestinationInput = Pick<NotificationChannelCreate, 'address' | 'url' | 'key'>

const DEFAULT_URLS: Partial<Record<ChannelName, string>> = { pagerduty: PAGERDUTY_URL, opsgenie: OPSGENIE_URL }
const NEEDED: Record<ChannelName, keyof DestinationInput> = {
  email: 'address',
  slack: 'address',
  teams: 'url',
  pagerduty: 'key',
  opsgenie: 'key',
  webhook: 'key',
}
const EMAIL_PATTERN = /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/
const SLACK_PATTERN = /^[A-Z][A-Z0-9]{1,30}$/

/** A new key for the same URL; a new URL needs the key again, so that it is never sent to another destination. */
const keepUrl = ({ type, address }: NotificationChannelRow, input: DestinationInput): DestinationInput =>
  hasUrl(type) && input.url === undefined ? { ...input, url: address } : input

/** Its URL is not secret and can be chosen. */
const hasUrl = (type: ChannelName): boolean => DEFAULT_URLS[type] !== undefined || type === 'webhook'

/** Where a channel sends to: what is shown of it, and what is secret. */
interface ParsedDestination {
  readonly address: string
  readonly secret?: string
}

const parseDestination = (type: ChannelName, input: DestinationInput, allowed: AddressAllowlist): ParsedDestination => {
  const needed = NEEDED[type]
  if (input[needed] === undefined)
    throw invalid({
      [needed]: [
        needed === 'key'
          ? translatable('is required for {type}, also to change its URL.', { type })
          : translatable('is required for {type}.', { type }),
      ],
    })
  for (const field of ['address', 'url', 'key'] as const)
    if (input[field] !== undefined && field !== needed && !(field === 'url' && hasUrl(type)))
      throw invalid({ [field]: [translatable('does not apply to {type}.', { type })] })
  if (type === 'email' && !EMAIL_PATTERN.test(input.address!)) throw invalid({ address: [translatable('must be an e-mail address.')] })
  if (type === 'slack' && !SLACK_PATTERN.test(input.address!))
    throw invalid({ address: [translatable('must be the ID of a Slack channel, e.g. C024BE7LH.')] })
  if (needed === 'address') return { address: input.address! }
  const url = input.url ?? DEFAULT_URLS[type]
  if (url === undefined) throw invalid({ url: [translatable('is required for {type}.', { type })] })
  const problem = findAddressProblem(url, allowed)
  if (problem) throw invalid({ url: [problem] })
  if (type === 'teams') return { address: new URL(url).host, secret: url }
  if (type === 'webhook') return { address: new URL(url).href, secret: parseSigningSecret(input.key!) }
  return { address: new URL(url).origin, secret: input.key!.trim() }
}

const MIN_SECRET_LENGTH = 16

const parseSigningSecret = (key: string): string => {
  const secret = key.trim()
  if (secret.length < MIN_SECRET_LENGTH)
    throw invalid({ key: [translatable('must have at least {min} characters.', { min: MIN_SECRET_LENGTH })] })
  return secret
}

const toNotificationChannel = (row: ListedRow, { available }: ChannelOptions): NotificationChannel => {
  const { id, created_at, updated_at, name, type, address, enabled, last_sent_at, last_error } = row
  return { id, created_at, updated_at, name, type, address, enabled, available: available(type), last_sent_at, last_error }
}

const recordChange = (ctx: Context, verb: string, { id, name }: { id: string; name: string }, changes: readonly Change[]): Promise<void> =>
  recordActivity(ctx, {
    activity_type: `notification_channel_${verb}`,
    resource_id: id,
    resource_type: 'notification_channel',
    resource_title: name,
    changes,
  })
