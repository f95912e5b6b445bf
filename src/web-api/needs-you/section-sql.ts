import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { can, integrationsVisibleTo, visibleTo } from '../../platform/permissions/permissions.ts'
import type { NeedKind } from './schema.ts'

/**
 * The entries of each section as `id`, `resource_id` (of a resource `r` the caller can see), `since` and `text`, the most urgent first.
 * Ownership is read from `resource_refs`, either from the person's own rows or by looking up the few rows a section starts from.
 */
export interface Owner {
  readonly user_id: string
  readonly groups: readonly string[]
}

/** Whether the person or one of their groups owns the resource with this ID. */
const ownsSql = ({ user_id, groups }: Owner, id: RawBuilder<unknown>): RawBuilder<boolean> => {
  const owned = sql<boolean>`exists (select from resource_refs f where f.target = ${user_id}::uuid and f.field = 'owners' and f.resource_id = ${id})`
  if (groups.length === 0) return owned
  return sql<boolean>`(${owned} or exists (
    select from resource_refs f where f.target = any(${groups}::uuid[]) and f.field = 'owners_groups' and f.resource_id = ${id}))`
}

/** The IDs of everything the person owns. */
const ownedIdsSql = ({ user_id, groups }: Owner): RawBuilder<unknown> => sql`(
  select f.resource_id from resource_refs f where f.target = ${user_id}::uuid and f.field = 'owners'
  ${groups.length === 0 ? sql`` : sql`union select f.resource_id from resource_refs f where f.target = any(${groups}::uuid[]) and f.field = 'owners_groups'`})`

const UNDOCUMENTED_SQL = sql<boolean>`coalesce(r.description, '') = '' and coalesce(r.definition, '') = ''`
const UNOWNED_TYPES = ['table', 'dashboard', 'document', 'glossary'] as const

const SECTIONS: Readonly<Record<NeedKind, (ctx: Context, owner: Owner) => RawBuilder<unknown> | undefined>> = {
  incidents: ({ actor }, owner) =>
    can(actor, 'monitors.read')
      ? sql`select n.id, r.id as resource_id, n.first_seen_at as since, n.name as text,
          row_number() over (order by array_position(array['critical', 'high', 'medium', 'low'], n.severity), n.first_seen_at desc, n.id) as n
        from monitor_incidents n join resources r on r.id = n.target
        where n.status <> 'resolved' and ${visibleTo(actor)}
          and (n.assignee = ${owner.user_id}::uuid or ${ownsSql(owner, sql`n.target`)} or ${ownsSql(owner, sql`n.table_id`)})`
      : undefined,
  questions: ({ actor }, owner) => sql`
    select r.id, r.id as resource_id, r.created_at as since, r.title as text, row_number() over (order by r.created_at, r.id) as n from resources r
    where r.entity_type = 'question' and r.question_status = 'open' and not r.archived and ${visibleTo(actor)}
      and (r.question_assigned_to = ${owner.user_id}::uuid or ${ownsSql(owner, sql`r.base_entity_id`)}
        or ${ownsSql(owner, sql`(select b.parent from resources b where b.id = r.base_entity_id and b.entity_type = 'column')`)})`,
  discussions: ({ actor }, owner) => sql`
    select c.id, r.id as resource_id, l.created_at as since, l.text, row_number() over (order by l.created_at desc, c.id) as n
    from comments c join resources r on r.id = c.resource_id cross join lateral (
      select o.created_at, o.text, o.created_by from comments o where o.thread = c.id order by o.created_at desc, o.id desc limit 1
    ) l
    where c.thread = c.id and c.resolved_at is null and l.created_by is distinct from ${owner.user_id}::uuid and ${visibleTo(actor)}
      and (${ownsSql(owner, sql`r.id`)} or r.entity_type = 'column' and ${ownsSql(owner, sql`r.parent`)})`,
  suggestions: ({ actor }, owner) =>
    can(actor, 'catalog.write')
      ? sql`select s.id, r.id as resource_id, s.created_at as since, s.value as text, row_number() over (order by s.created_at desc, s.id) as n
        from change_suggestions s join resources r on r.id = s.resource_id
        where s.status = 'open' and ${visibleTo(actor)}
          and (s.based_on = '{}' or cardinality(s.based_on) = (select count(*) from resources g where g.id = any(s.based_on) and ${visibleTo(actor, 'g')}))
          and (${ownsSql(owner, sql`r.id`)} or r.entity_type = 'column' and ${ownsSql(owner, sql`r.parent`)})`
      : undefined,
  pii: ({ actor }, owner) =>
    can(actor, 'catalog.write')
      ? sql`select s.id, r.id as resource_id, s.created_at as since, s.class as text, row_number() over (order by s.confidence desc, s.id) as n
        from pii_suggestions s join resources r on r.id = s.resource_id
        where s.status = 'open' and not r.pii and ${visibleTo(actor)} and (${ownsSql(owner, sql`r.id`)} or ${ownsSql(owner, sql`r.parent`)})`
      : undefined,
  syncs: ({ actor }) =>
    can(actor, 'integrations.manage')
      ? sql`select i.id, null::uuid as resource_id, i.updated_at as since, i.last_sync_error as text, row_number() over (order by lower(i.name), i.id) as n
        from integrations i where i.last_sync_status = 'FAILED' and ${integrationsVisibleTo(actor)}`
      : undefined,
  undocumented: ({ actor }, owner) =>
    can(actor, 'catalog.write')
      ? sql`select r.id, r.id as resource_id, r.created_at as since, null as text, row_number() over (order by r.external_usage desc, r.id) as n
        from resources r where r.id in ${ownedIdsSql(owner)} and r.entity_type = 'table' and r.external_usage + r.internal_usage > 0
          and not r.archived and not r.stale and ${UNDOCUMENTED_SQL} and ${visibleTo(actor)}`
      : undefined,
  unowned: ({ actor }) =>
    can(actor, 'catalog.write') && actor.teams.length > 0
      ? sql`select r.id, r.id as resource_id, r.created_at as since, null as text, row_number() over (order by r.external_usage desc, r.id) as n
        from resources r
        where r.id in (select f.resource_id from resource_refs f where f.target = any(${actor.teams}::uuid[]) and f.field = 'teams')
          and r.entity_type = any(${UNOWNED_TYPES}::text[]) and r.owners is null and r.owners_groups is null and not r.archived and not r.stale and ${visibleTo(actor)}`
      : undefined,
}

const MAX_COUNTED = 1_000

/** The first entries of a section and how many there are, without those the person hid. Undefined if it is not for the caller. */
export const sectionSql = (ctx: Context, owner: Owner, kind: NeedKind, limit: number): RawBuilder<unknown> | undefined => {
  const entries = SECTIONS[kind](ctx, owner)
  return (
    entries &&
    sql`select s.*, count(*) over () as count from (
      select e.* from (${entries}) e where not exists (
        select from needs_you_hidden h where h.user_id = ${owner.user_id}::uuid and h.kind = ${kind} and h.item_id = e.id
          and (h.until is null or h.until > ${ctx.now}::timestamptz)
      ) order by e.n limit ${sql.lit(MAX_COUNTED)}
    ) s order by s.n limit ${limit}`
  )
}
