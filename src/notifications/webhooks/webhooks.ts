import { type Selectable, sql } from 'kysely'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import type { WebhooksTable } from '../../platform/db/tables/notify.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { mapPage, readPage } from '../../platform/lists/read-page.ts'
import { type AddressAllowlist, findAddressProblem, getHost } from '../../platform/outbound/address-policy.ts'
import { createWebhookSecret } from '../../platform/outbound/sign.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { sealSecret } from '../../platform/secrets/sealed-secret.ts'
import { startFollowing } from './follow.ts'
import type { NewWebhook, Webhook, WebhookCreate, WebhookEdit } from './schema.ts'

/** Management of webhooks. The secret is returned only when it is created or rotated. */
export type WebhookRow = Selectable<WebhooksTable>

const DEFAULT_EVENTS = ['incident_opened', 'incident_resolved']
const FIELDS = ['name', 'url', 'events', 'entity_types', 'integrations', 'enabled'] as const
const OLD_SECRET_VALIDITY = '1 day'

export const listWebhooks = async (ctx: Context, page: PageRequest) => {
  const webhooks = await readPage<WebhookRow>(ctx, page, {
    select: sql`w.*`,
    from: sql`webhooks w`,
    where: sql`true`,
    order: [desc('timestamp', 'w.created_at'), asc('id', 'w.id')],
  })
  return mapPage(webhooks, toWebhook)
}

export const getWebhook = async (ctx: Context, id: string): Promise<Webhook> => toWebhook(await getWebhookRow(ctx, id))

export const createWebhook = (ctx: Context, create: WebhookCreate, allowed: AddressAllowlist): Promise<NewWebhook> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'notifications.manage')
    assertUrlAllowed(create.url, allowed)
    const id = newId()
    const secret = createWebhookSecret()
    const webhook = applyWebhookEdit(
      { name: getHost(new URL(create.url)), url: create.url, events: DEFAULT_EVENTS, entity_types: [], integrations: [], enabled: true },
      create,
    )
    const times = { ...sinceNow(ctx), created_at: ctx.now, updated_at: ctx.now }
    await startFollowing(ctx)
    await ctx.db
      .insertInto('webhooks')
      .values({ id, ...toRow(webhook), ...(await sealSecret(ctx, id, secret)), ...times })
      .execute()
    await recordChange(ctx, 'created', { id, name: webhook.name }, {}, webhook)
    return { ...(await getWebhook(ctx, id)), secret }
  })

export const editWebhook = (ctx: Context, id: string, edit: WebhookEdit, allowed: AddressAllowlist): Promise<Webhook> =>
  inTransaction(ctx, async (ctx) => {
    const row = await lockWebhook(ctx, id)
    const before = toWebhook(row)
    const after = applyWebhookEdit(before, edit)
    if (after.url !== before.url) assertUrlAllowed(after.url, allowed)
    if (diffFields(before, after, FIELDS).length === 0) return before
    const isEnabling = after.enabled && !before.enabled
    if (isEnabling) await startFollowing(ctx)
    await ctx.db
      .updateTable('webhooks')
      .set({
        ...toRow(after),
        ...(isEnabling ? { ...sinceNow(ctx), failing_since: null, disabled_reason: null } : {}),
        updated_at: nextUpdatedAtSql(ctx.now),
      })
      .where('id', '=', id)
      .execute()
    await recordChange(ctx, 'updated', after, before, after)
    return getWebhook(ctx, id)
  })

export const deleteWebhook = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const before = toWebhook(await lockWebhook(ctx, id))
    await ctx.db.deleteFrom('webhooks').where('id', '=', id).execute()
    await recordChange(ctx, 'deleted', before, before, {})
  })

/** For one day deliveries have both signatures, so that receivers have time to switch. */
export const rotateSecret = (ctx: Context, id: string): Promise<NewWebhook> =>
  inTransaction(ctx, async (ctx) => {
    const row = await lockWebhook(ctx, id)
    const secret = createWebhookSecret()
    await ctx.db
      .updateTable('webhooks')
      .set({
        ...(await sealSecret(ctx, id, secret)),
        old_secret: row.secret,
        old_secret_until: sql`${ctx.now}::timestamptz + ${OLD_SECRET_VALIDITY}::interval`,
        updated_at: nextUpdatedAtSql(ctx.now),
      })
      .where('id', '=', id)
      .execute()
    // The secret itself is never logged.
    await recordActivity(ctx, {
      activity_type: 'webhook_updated',
      ...toActivityTarget(row),
      changes: [{ field: 'secret', from: null, to: null }],
    })
    return { ...(await getWebhook(ctx, id)), secret }
  })

/** Disables a webhook automatically, because deliveries have failed for days or the receiver returned 410. */
export const disableWebhook = async (ctx: Context, { id, name }: Pick<WebhookRow, 'id' | 'name'>, reason: string): Promise<boolean> => {
  const { rows } = await sql`
    update webhooks set enabled = false, disabled_reason = ${reason}, updated_at = ${nextUpdatedAtSql(ctx.now)} where id = ${id} and enabled returning id
  `.execute(ctx.db)
  if (rows.length === 0) return false
  const changes = [
    { field: 'enabled', from: true, to: false },
    { field: 'disabled_reason', from: null, to: reason },
  ]
  await recordActivity(ctx, { activity_type: 'webhook_disabled', ...toActivityTarget({ id, name }), changes })
  return true
}

/** Only activities committed from now on are sent. */
const sinceNow = (ctx: Context) => ({ since: ctx.now, since_snapshot: sql<string>`pg_current_snapshot()` })

export const getWebhookRow = async (ctx: Context, id: string): Promise<WebhookRow> => {
  const row = await ctx.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('webhook', id)
  return row
}

const lockWebhook = async (ctx: Context, id: string): Promise<WebhookRow> => {
  requirePermission(ctx.actor, 'notifications.manage')
  const row = await ctx.db.selectFrom('webhooks').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw notFound('webhook', id)
  requireIfMatch(ctx, computeEtag(row))
  return row
}

const assertUrlAllowed = (url: string, allowed: AddressAllowlist): void => {
  const problem = findAddressProblem(url, allowed)
  if (problem) throw invalid({ url: [problem] })
}

type WebhookSettings = Pick<Webhook, (typeof FIELDS)[number]>

/** Absent = unchanged, null = cleared. */
const applyWebhookEdit = <T extends WebhookSettings>(before: T, edit: WebhookEdit): T => ({
  ...before,
  name: edit.name?.trim() ?? before.name,
  url: edit.url ?? before.url,
  events: edit.events ? [...new Set(edit.events)].sort() : before.events,
  entity_types: edit.entity_types === undefined ? before.entity_types : [...new Set(edit.entity_types ?? [])].sort(),
  integrations:
    edit.integrations === undefined ? before.integrations : [...new Set((edit.integrations ?? []).map((each) => parseId(each)!))].sort(),
  enabled: edit.enabled ?? before.enabled,
})

const toRow = ({ name, url, events, entity_types, integrations, enabled }: WebhookSettings) => ({
  ...{ name, url, events, enabled },
  entity_types: entity_types.length > 0 ? entity_types : null,
  integrations: integrations.length > 0 ? integrations : null,
})

const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  created_at: row.created_at,
  updated_at: row.updated_at,
  name: row.name,
  url: row.url,
  events: row.events,
  entity_types: row.entity_types ?? [],
  integrations: row.integrations ?? [],
  enabled: row.enabled,
  disabled_reason: row.disabled_reason,
  last_delivered_at: row.last_delivered_at,
  failing_since: row.failing_since,
})

const toActivityTarget = ({ id, name }: { id: string; name: string }) => ({
  resource_id: id,
  resource_type: 'webhook',
  resource_title: name,
})

const recordChange = (ctx: Context, verb: string, webhook: { id: string; name: string }, before: object, after: object): Promise<void> =>
  recordActivity(ctx, { activity_type: `webhook_${verb}`, ...toActivityTarget(webhook), changes: diffFields(before, after, FIELDS) })
