import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { can, integrationsVisibleTo, visibleTo } from '../../platform/permissions/permissions.ts'
import type { NeedKind } from './schema.ts'

/**
 * The entries of each section: `id` (of a resource `r` the caller can see, or of something of it), `resource_id`, `since` and `text`, with the column of the ID and the
 * order. A person who owns little is served from what they own; one who owns very much from the entries in order, until there are enough.
 */
export interface Owner {
  readonly user_id: string
  readonly groups: readonly string[]
  /** What the person owns, if it is not too much to list. */
  readonly owned?: readonly string[]
}

interface Section {
  readonly id: string
  /** Ends with its conditions. */
  readonly query: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
}

const MAX_SEARCHED = 1_000 // owned resources that are searched in an array
const MAX_EXPANDED = 300 // owned resources whose columns are looked up first; of more, the entries are

/** Whether the person or one of their groups owns the resource with this ID. */
const ownsSql = ({ user_id, groups, owned }: Owner, id: RawBuilder<unknown>): RawBuilder<boolean> => {
  if (owned && owned.length <= MAX_SEARCHED) return sql<boolean>`${id} = any(${owned}::uuid[])`
  const own = sql<boolean>`exists (select from resource_refs f where f.target = ${user_id}::uuid and f.field = 'owners' and f.resource_id = ${id})`
  if (groups.length === 0) return own
  return sql<boolean>`(${own} or exists (
    select from resource_refs f where f.target = any(${groups}::uuid[]) and f.field = 'owners_groups' and f.resource_id = ${id}))`
}

/** Whether they own the resource `r` with this ID, or the table of this column. */
const ownsWithColumnsSql = (owner: Owner, id: RawBuilder<unknown>): RawBuilder<boolean> => {
  if (!owner.owned) return sql<boolean>`(${ownsSql(owner, id)} or r.entity_type = 'column' and ${ownsSql(owner, sql`r.parent`)})`
  // A set is hashed once, whatever the plan.
  const inList = (id: RawBuilder<unknown>) => sql`${id} in (select unnest(${owner.owned}::uuid[]))`
  return owner.owned.length <= MAX_EXPANDED
    ? sql<boolean>`${id} in (select unnest(${owner.owned}::uuid[])
        union all select c.id from resources c where c.parent = any(${owner.owned}::uuid[]) and c.entity_type = 'column')`
    : sql<boolean>`(${inList(id)} or r.entity_type = 'column' and ${inList(sql`r.parent`)})`
}

/** The IDs of everything the person owns. */
export const ownedIdsSql = ({ user_id, groups }: Pick<Owner, 'user_id' | 'groups'>): RawBuilder<unknown> => sql`(
  select f.resource_id from resource_refs f where f.target = ${user_id}::uuid and f.field = 'owners'
  ${groups.length === 0 ? sql`` : sql`union select f.resource_id from resource_refs f where f.target = any(${groups}::uuid[]) and f.field = 'owners_groups'`})`

const UNDOCUMENTED_SQL = sql<boolean>`coalesce(r.description, '') = '' and coalesce(r.definition, '') = ''`
const UNOWNED_TYPES = ['table', 'dashboard', 'document', 'glossary'] as const
const MAX_COUNTED = 1_000
const BY_USAGE = sql`r.external_usage desc, r.id`

const SECTIONS: Readonly<Record<NeedKind, (ctx: Context, owner: Owner) => Section | undefined>> = {
  incidents: ({ actor, now }, owner) =>
    can(actor, 'monitors.read')
      ? {
          id: 'n.id',
          query: sql`select n.id, r.id as resource_id, n.first_seen_at as since, n.name as text
            from monitor_incidents n join resources r on r.id = n.target
            where n.status <> 'resolved' and (n.snoozed_until is null or n.snoozed_until <= ${now}::timestamptz) and ${visibleTo(actor)}
              and (n.assignee = ${owner.user_id}::uuid or ${ownsSql(owner, sql`n.target`)} or ${ownsSql(owner, sql`n.table_id`)})`,
          order: sql`array_position(array['critical', 'high', 'medium', 'low'], n.severity), n.first_seen_at desc, n.id`,
        }
      : undefined,
  questions: ({ actor }, owner) => ({
    id: 'r.id',
    query: sql`select r.id, r.base_entity_id as resource_id, r.created_at as since, r.title as text from resources r
      where r.entity_type = 'question' and r.question_status = 'open' and not r.archived and ${visibleTo(actor)}
        and (r.question_assigned_to = ${owner.user_id}::uuid or ${ownsSql(owner, sql`r.base_entity_id`)}
          or ${ownsSql(owner, sql`(select b.parent from resources b where b.id = r.base_entity_id and b.entity_type = 'column')`)})`,
    order: sql`r.created_at, r.id`,
  }),
  discussions: ({ actor }, owner) => ({
    id: 'c.id',
    query: sql`select c.id, r.id as resource_id, l.created_at as since, l.text
      from comments c join resources r on r.id = c.resource_id cross join lateral (
        select o.created_at, o.text, o.created_by from comments o where o.thread = c.id order by o.created_at desc, o.id desc limit 1
      ) l
      where c.thread = c.id and c.resolved_at is null and l.created_by is distinct from ${owner.user_id}::uuid and ${visibleTo(actor)}
        and ${ownsWithColumnsSql(owner, sql`c.resource_id`)}`,
    order: sql`c.thread_at desc, c.id`,
  }),
  suggestions: ({ actor }, owner) =>
    can(actor, 'catalog.write')
      ? {
          id: 's.id',
          query: sql`select s.id, r.id as resource_id, s.created_at as since, s.value as text
            from change_suggestions s join resources r on r.id = s.resource_id
            where s.status = 'open' and ${visibleTo(actor)} and ${ownsWithColumnsSql(owner, sql`s.resource_id`)}
              and (s.based_on = '{}' or cardinality(s.based_on) = (select count(*) from resources g where g.id = any(s.based_on) and ${visibleTo(actor, 'g')}))`,
          order: sql`s.created_at desc, s.id`,
        }
      : undefined,
  pii: ({ actor }, owner) =>
    can(actor, 'catalog.write')
      ? {
          id: 's.id',
          query: sql`select s.id, r.id as resource_id, s.created_at as since, s.class as text
            from pii_suggestions s join resources r on r.id = s.resource_id
            where s.status = 'open' and not r.pii and ${visibleTo(actor)} and ${ownsWithColumnsSql(owner, sql`s.resource_id`)}`,
          order: sql`s.confidence desc, s.id`,
        }
      : undefined,
  syncs: ({ actor }) =>
    can(actor, 'integrations.manage')
      ? {
          id: 'i.id',
          query: sql`select i.id, null::uuid as resource_id, i.updated_at as since, i.last_sync_error as text
            from integrations i where i.last_sync_status = 'FAILED' and ${integrationsVisibleTo(actor)}`,
          order: sql`lower(i.name), i.id`,
        }
      : undefined,
  backups: ({ actor }) =>
    can(actor, 'server.manage')
      ? {
          id: 'b.id',
          query: sql`select b.id, null::uuid as resource_id, b.finished_at as since, b.error as text from backups b
            where b.method = 'schedule' and b.error is not null and exists (select from backup_schedule)
              and not exists (select from backups n where n.method = 'schedule' and n.started_at > b.started_at and n.finished_at is not null)`,
          order: sql`b.id`,
        }
      : undefined,
  undocumented: ({ actor }, owner) =>
    can(actor, 'catalog.write')
      ? {
          id: 'r.id',
          query: sql`select r.id, r.id as resource_id, r.created_at as since, null as text
            from resources r where ${ownsSql(owner, sql`r.id`)} and r.entity_type = 'table' and r.external_usage > 0
              and not r.archived and not r.stale and ${UNDOCUMENTED_SQL} and ${visibleTo(actor)}`,
          order: BY_USAGE,
        }
      : undefined,
  unowned: ({ actor }) =>
    can(actor, 'catalog.write') && actor.teams.length > 0
      ? {
          id: 'r.id',
          // By type, each in the order of its index until there are enough: the columns of a team are many more than its tables.
          query: sql`select r.id, r.id as resource_id, r.created_at as since, null as text
            from unnest(${UNOWNED_TYPES}::text[]) t(entity_type) cross join lateral (
              select r.id, r.created_at, r.external_usage from resources r
              where r.entity_type = t.entity_type and r.teams && ${actor.teams}::uuid[] and r.owners is null and r.owners_groups is null
                and not r.archived and not r.stale and ${visibleTo(actor)}
              order by ${BY_USAGE} limit ${sql.lit(2 * MAX_COUNTED)}
            ) r where true`,
          order: BY_USAGE,
        }
      : undefined,
}

/** The first entries of a section and how many there are, without those the person hid. Undefined if it is not for the caller. */
export const sectionSql = (ctx: Context, owner: Owner, kind: NeedKind, limit: number): RawBuilder<unknown> | undefined => {
  const section = SECTIONS[kind](ctx, owner)
  if (!section) return undefined
  const { id, query, order } = section
  return sql`
    select s.*, count(*) over () as count from (
      select e.*, row_number() over () as n from (
        ${query} and not exists (
          select from needs_you_hidden h where h.user_id = ${owner.user_id}::uuid and h.kind = ${kind} and h.item_id = ${sql.ref(id)}
            and (h.until is null or h.until > ${ctx.now}::timestamptz)
        ) order by ${order} limit ${sql.lit(MAX_COUNTED)}
      ) e
    ) s order by s.n limit ${limit}`
}
