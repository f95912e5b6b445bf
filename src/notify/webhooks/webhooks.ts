import { type Selectable, sql } from 'kysely'
import { mustBeAble } from '../../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../../context.ts'
import type { WebhooksTable } from '../../db/tables/notify.ts'
import { invalid, notFound } from '../../errors.ts'
import { etagOf } from '../../etag.ts'
import { diff } from '../../history/diff.ts'
import { recordActivity } from '../../history/record.ts'
import { newId, readId } from '../../id.ts'
import { asc, desc } from '../../lists/order.ts'
import type { PageRequest } from '../../lists/page.ts'
import { mapPage, readPage } from '../../lists/read-page.ts'
import { type Allowed, hostOf, problemWith } from '../../outbound/addresses.ts'
import { beginFollowing } from './follow.ts'
import type { NewWebhook, Webhook, WebhookCreate, WebhookEdit } from './schema.ts'
import { sealSecret } from './secrets.ts'
import { newSecret } from './sign.ts'

/** Management of webhooks. The secret is returned only when it is created or rotated. */
export type WebhookRow = Selectable<WebhooksTable>

const DEFAULT_EVENTS = ['incident_opened', 'incident_resolved']
const FIELDS = ['name', 'url', 'events', 'entity_types', 'integrations', 'enabled'] as const
const OLD_SECRET = '1 day'

export const listWebhooks = async (ctx: Context, page: PageRequest) => {
  const webhooks = await readPage<WebhookRow>(ctx, page, {
    select: sql`w.*`,
    from: sql`webhooks w`,
    where: sql`true`,
    order: [desc('timestamp', 'w.created_at'), asc('id', 'w.id')],
  })
  return mapPage(webhooks, toWebhook)
}

export const readWebhook = async (ctx: Context, id: string): Promise<Webhook> => toWebhook(await getRow(ctx, id))

export const createWebhook = (ctx: Context, create: WebhookCreate, allowed: Allowed): Promise<NewWebhook> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'notifications.manage')
    mustBeAllowed(create.url, allowed)
    const id = newId()
    const secret = newSecret()
    const webhook = applyEdit(
      { name: hostOf(new URL(create.url)), url: create.url, events: DEFAULT_EVENTS, entity_types: [], integrations: [], enabled: true },
      create,
    )
    const times = { ...sinceNow(ctx), created_at: ctx.now, updated_at: ctx.now }
    await beginFollowing(ctx)
    await ctx.db
      .insertInto('webhooks')
      .values({ id, ...toRow(webhook), ...(await sealSecret(ctx, id, secret)), ...times })
      .execute()
    await tell(ctx, 'created', { id, name: webhook.name }, {}, webhook)
    return { ...(await readWebhook(ctx, id)), secret }
  })

export const editWebhook = (ctx: Context, id: string, edit: WebhookEdit, allowed: Allowed): Promise<Webhook> =>
  inTransaction(ctx, async (ctx) => {
    const row = await lock(ctx, id)
    const before = toWebhook(row)
    const after = applyEdit(before, edit)
    if (after.url !== before.url) mustBeAllowed(after.url, allowed)
    if (diff(before, after, FIELDS).length === 0) return before
    const on = after.enabled && !before.enabled
    if (on) await beginFollowing(ctx)
    await ctx.db
      .updateTable('webhooks')
      .set({ ...toRow(after), ...(on ? { ...sinceNow(ctx), failing_since: null, disabled_reason: null } : {}), updated_at: writtenAt(ctx) })
      .where('id', '=', id)
      .execute()
    await tell(ctx, 'updated', after, before, after)
    return readWebhook(ctx, id)
  })

export const removeWebhook = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const before = toWebhook(await lock(ctx, id))
    await ctx.db.deleteFrom('webhooks').where('id', '=', id).execute()
    await tell(ctx, 'deleted', before, before, {})
  })

/** For one day deliveries have both signatures, so that receivers have time to switch. */
export const rotateSecret = (ctx: Context, id: string): Promise<NewWebhook> =>
  inTransaction(ctx, async (ctx) => {
    const row = await lock(ctx, id)
    const secret = newSecret()
    await ctx.db
      .updateTable('webhooks')
      .set({
        ...(await sealSecret(ctx, id, secret)),
        old_secret: row.secret,
        old_secret_until: sql`${ctx.now}::timestamptz + ${OLD_SECRET}::interval`,
        updated_at: writtenAt(ctx),
      })
      .where('id', '=', id)
      .execute()
    // The secret itself is never logged.
    await recordActivity(ctx, { activity_type: 'webhook_updated', ...nameOf(row), changes: [{ field: 'secret', from: null, to: null }] })
    return { ...(await readWebhook(ctx, id)), secret }
  })

/** Disables a webhook automatically, because deliveries have failed for days or the receiver returned 410. */
export const disableWebhook = async (ctx: Context, { id, name }: Pick<WebhookRow, 'id' | 'name'>, reason: string): Promise<boolean> => {
  const { rows } = await sql`
    update webhooks set enabled = false, disabled_reason = ${reason}, updated_at = ${writtenAt(ctx)} where id = ${id} and enabled returning id
  `.execute(ctx.db)
  if (rows.length === 0) return false
  const changes = [
    { field: 'enabled', from: true, to: false },
    { field: 'disabled_reason', from: null, to: reason },
  ]
  await recordActivity(ctx, { activity_type: 'webhook_disabled', ...nameOf({ id, name }), changes })
  return true
}

/** Only activities committed from now on are sent. */
const sinceNow = (ctx: Context) => ({ since: ctx.now, since_snapshot: sql<string>`pg_current_snapshot()` })

const writtenAt = (ctx: Context) => sql<Date>`greatest(${ctx.now}::timestamptz, updated_at + interval '1 millisecond')`

export const getRow = async (ctx: Context, id: string): Promise<WebhookRow> => {
  const row = await ctx.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('webhook', id)
  return row
}

const lock = async (ctx: Context, id: string): Promise<WebhookRow> => {
  mustBeAble(ctx.actor, 'notifications.manage')
  const row = await ctx.db.selectFrom('webhooks').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw notFound('webhook', id)
  mustMatch(ctx, etagOf(row))
  return row
}

const mustBeAllowed = (url: string, allowed: Allowed): void => {
  const problem = problemWith(url, allowed)
  if (problem) throw invalid({ url: [problem] })
}

type Settings = Pick<Webhook, (typeof FIELDS)[number]>

/** Absent = unchanged, null = cleared. */
const applyEdit = <T extends Settings>(before: T, edit: WebhookEdit): T => ({
  ...before,
  name: edit.name?.trim() ?? before.name,
  url: edit.url ?? before.url,
  events: edit.events ? [...new Set(edit.events)].sort() : before.events,
  entity_types: edit.entity_types === undefined ? before.entity_types : [...new Set(edit.entity_types ?? [])].sort(),
  integrations:
    edit.integrations === undefined ? before.integrations : [...new Set((edit.integrations ?? []).map((each) => readId(each)!))].sort(),
  enabled: edit.enabled ?? before.enabled,
})

const toRow = ({ name, url, events, entity_types, integrations, enabled }: Settings) => ({
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

const nameOf = ({ id, name }: { id: string; name: string }) => ({ resource_id: id, resource_type: 'webhook', resource_title: name })

const tell = (ctx: Context, verb: string, webhook: { id: string; name: string }, before: object, after: object): Promise<void> =>
  recordActivity(ctx, { activity_type: `webhook_${verb}`, ...nameOf(webhook), changes: diff(before, after, FIELDS) })
