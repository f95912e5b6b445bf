import { type Selectable, sql } from 'kysely'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import type { NotificationRulesTable } from '../../platform/db/tables/notify.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { asc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { findUnknownMembers } from './members.ts'
import type { NotificationRule, NotificationRuleCreate, NotificationRuleEdit, RulePreviewRequest } from './schema.ts'

/** Routing rules: an ordered list that admins edit. */
const SETTINGS = [
  'name',
  'enabled',
  'events',
  'min_severity',
  'tags',
  'teams',
  'owners',
  'below',
  'include_restricted',
  'channels',
  'recipients',
  'continues',
] as const
const FIELDS = [...SETTINGS, 'position'] as const
type RuleSettings = Pick<NotificationRule, (typeof SETTINGS)[number]>

const MAX_RULES = 200

export const listRules = (ctx: Context, page: PageRequest) =>
  readPage<NotificationRule>(ctx, page, {
    select: sql`r.*`,
    from: sql`notification_rules r`,
    where: sql`true`,
    order: [asc('number', 'r.position'), asc('id', 'r.id')],
  })

/** All rules in their order. */
export const findRules = async (ctx: Context): Promise<NotificationRule[]> => {
  const { rows } = await sql<NotificationRule>`select r.* from notification_rules r order by r.position`.execute(ctx.db)
  return rows
}

export const getRule = async (ctx: Context, id: string): Promise<NotificationRule> => {
  const row = await ctx.db.selectFrom('notification_rules').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('routing rule', id)
  return row as Selectable<NotificationRulesTable> as NotificationRule
}

export const createRule = (ctx: Context, { position, ...create }: NotificationRuleCreate): Promise<NotificationRule> =>
  inTransaction(ctx, async (ctx) => {
    const rules = await lockRules(ctx)
    if (rules.length >= MAX_RULES) throw invalid({ name: [translatable('There can be at most {max} routing rules.', { max: MAX_RULES })] })
    const rule = applyRuleEdit(
      { ...NO_CONDITIONS, name: create.name, enabled: true, channels: [], recipients: [], continues: false },
      create,
    )
    await assertChannelsExist(ctx, rule.channels)
    await assertMembersExist(ctx, rule.recipients)
    const id = newId()
    const last = rules.length + 1
    await ctx.db
      .insertInto('notification_rules')
      .values({ id, position: last, ...rule, created_at: ctx.now, updated_at: ctx.now })
      .execute()
    const at = await moveRule(ctx, [...rules, id], id, position ?? last)
    await recordChange(ctx, 'created', { id, name: rule.name }, {}, { ...rule, position: at })
    return getRule(ctx, id)
  })

export const editRule = (ctx: Context, id: string, { position, ...edit }: NotificationRuleEdit): Promise<NotificationRule> =>
  inTransaction(ctx, async (ctx) => {
    const rules = await lockRules(ctx)
    const before = await getRule(ctx, id)
    requireIfMatch(ctx, computeEtag(before))
    const after = applyRuleEdit(before, edit)
    if (edit.channels) await assertChannelsExist(ctx, after.channels)
    // One that was deleted since may stay.
    if (edit.recipients)
      await assertMembersExist(
        ctx,
        after.recipients.filter((each) => !before.recipients.includes(each)),
      )
    const at = position === undefined ? before.position : await moveRule(ctx, rules, id, position)
    if (diffFields(before, { ...after, position: at }, FIELDS).length === 0) return before
    await ctx.db
      .updateTable('notification_rules')
      .set({ ...pickSettings(after), updated_at: nextUpdatedAtSql(ctx.now) })
      .where('id', '=', id)
      .execute()
    await recordChange(ctx, 'updated', after, before, { ...after, position: at })
    return getRule(ctx, id)
  })

export const deleteRule = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const rules = await lockRules(ctx)
    const before = await getRule(ctx, id)
    requireIfMatch(ctx, computeEtag(before))
    await ctx.db.deleteFrom('notification_rules').where('id', '=', id).execute()
    await savePositions(
      ctx,
      rules.filter((each) => each !== id),
    )
    await recordChange(ctx, 'deleted', before, before, {})
  })

/** Their IDs in order. One lock for all of them, because a move changes the position of others. */
const lockRules = async (ctx: Context): Promise<string[]> => {
  requirePermission(ctx.actor, 'notifications.manage')
  await sql`select pg_advisory_xact_lock(hashtextextended('notification_rules', 0))`.execute(ctx.db)
  return (await findRules(ctx)).map(({ id }) => id)
}

/** Moves a rule to a position among all others, and returns where it is then. */
const moveRule = async (ctx: Context, rules: readonly string[], id: string, position: number): Promise<number> => {
  const at = Math.min(position, rules.length)
  const order = rules.filter((each) => each !== id)
  order.splice(at - 1, 0, id)
  await savePositions(ctx, order)
  return at
}

const savePositions = async (ctx: Context, order: readonly string[]): Promise<void> => {
  await sql`
    update notification_rules r set position = o.position, updated_at = ${nextUpdatedAtSql(ctx.now, 'r.updated_at')}
    from unnest(${order}::uuid[]) with ordinality o(id, position) where r.id = o.id and r.position <> o.position
  `.execute(ctx.db)
}

const NO_CONDITIONS: Omit<RuleSettings, 'name' | 'enabled' | 'channels' | 'recipients' | 'continues'> = {
  events: ['incident'],
  min_severity: null,
  tags: [],
  teams: [],
  owners: [],
  below: [],
  include_restricted: false,
}

export const toConditions = (request: RulePreviewRequest) => applyRuleEdit(NO_CONDITIONS as RuleSettings, request)

const toIds = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => parseId(id)!))]

const applyRuleEdit = <T extends RuleSettings>(before: T, edit: NotificationRuleEdit): T => ({
  ...before,
  name: edit.name?.trim() ?? before.name,
  enabled: edit.enabled ?? before.enabled,
  events: edit.events ? [...new Set(edit.events)].sort() : before.events,
  min_severity: edit.min_severity === undefined ? before.min_severity : edit.min_severity,
  include_restricted: edit.include_restricted ?? before.include_restricted,
  continues: edit.continues ?? before.continues,
  tags: edit.tags ? toIds(edit.tags) : before.tags,
  teams: edit.teams ? toIds(edit.teams) : before.teams,
  owners: edit.owners ? toIds(edit.owners) : before.owners,
  below: edit.below ? toIds(edit.below) : before.below,
  channels: edit.channels ? toIds(edit.channels) : before.channels,
  recipients: edit.recipients ? toIds(edit.recipients) : before.recipients,
})

const pickSettings = (rule: RuleSettings): RuleSettings =>
  Object.fromEntries(SETTINGS.map((field) => [field, rule[field]])) as unknown as RuleSettings

/** The rows are locked, so that a channel is not deleted at the same time. */
const assertChannelsExist = async (ctx: Context, ids: readonly string[]): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select c.id from notification_channels c where c.id = any(${ids}::uuid[]) for key share`.execute(ctx.db)
  const missing = ids.filter((id) => !rows.some((row) => row.id === id))
  if (missing.length > 0) throw invalid({ channels: [translatable('There is no notification channel {id}.', { id: missing[0]! })] })
}

const assertMembersExist = async (ctx: Context, ids: readonly string[]): Promise<void> => {
  const [unknown] = await findUnknownMembers(ctx, ids)
  if (unknown) throw invalid({ recipients: [translatable('There is no user, group or team {id}.', { id: unknown })] })
}

const recordChange = (
  ctx: Context,
  verb: string,
  { id, name }: { id: string; name: string },
  before: object,
  after: object,
): Promise<void> =>
  recordActivity(ctx, {
    activity_type: `notification_rule_${verb}`,
    resource_id: id,
    resource_type: 'notification_rule',
    resource_title: name,
    changes: diffFields(before, after, FIELDS),
  })
