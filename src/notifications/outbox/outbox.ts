import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { findRemainingXidRanges, inXidRangesSql, xidRangesBetween } from '../../platform/history/commits.ts'
import { afterSql, type LogStep } from './follow-log.ts'

/** An entry of the outbox that may have recipients, with everything needed to find them. The outbox is the table `activities`. */
export interface OutboxEntry {
  readonly id: string
  readonly xid: string
  readonly deleted: boolean
  readonly performer_id: string | null
  readonly resource_id: string
  readonly resource_type: string
  readonly resource_title: string
  readonly logged_at: string
  readonly audience: Audience
  /** Previous owners, if the owners changed. */
  readonly former: Audience
  /** For a resource deleted together with its container: the audience of the container. */
  readonly container: Audience & Partial<VisibilitySnapshot>
  readonly version: number | null
  /** Current visibility. */
  readonly now: VisibilitySnapshot
}

export interface Audience {
  readonly users?: readonly string[] | null
  readonly groups?: readonly string[] | null
  readonly subscribers?: readonly string[] | null
}

export interface VisibilitySnapshot {
  readonly published: boolean
  readonly teams: readonly string[] | null
}

/**
 * The entries (`a`) between two snapshots. `offset 0` keeps other conditions out of the subquery, so that the index on xid is used: the
 * planner cannot know how few entries there are and would choose another index.
 */
const entriesBetweenSql = ({ seen, target }: LogStep) => sql`
    ${inXidRangesSql(xidRangesBetween(seen, target))}
    cross join lateral (
      select a.* from activities a
      where a.xid >= x.from_xid and a.xid < x.below_xid and not pg_visible_in_snapshot(a.xid, ${seen}::text::pg_snapshot)
      offset 0
    ) a`

const hasFieldsPath = (fields: readonly string[], more = '') =>
  sql`${`$[*].field ? (${fields.map((field) => `@ == "${field}"`).join(' || ')}${more})`}::text::jsonpath`
const NOTIFIED_FIELDS_PATH = hasFieldsPath(
  ['description', 'definition', 'owners', 'owners_groups', 'tags', 'terms', 'collections', 'deprecation'],
  ' || @ starts with "custom_property:"',
)
const OWNER_FIELDS_PATH = hasFieldsPath(['owners', 'owners_groups'])
const DEPRECATION_PATH = hasFieldsPath(['deprecation'])
const AUDIENCE_FIELDS_PATH = hasFieldsPath(['owners', 'owners_groups', 'subscribers'])
const previousValueSql = (alias: string, field: string) =>
  sql`jsonb_path_query_first(${sql.ref(`${alias}.changes`)}, ${`$[*] ? (@.field == "${field}").from`}::text::jsonpath)`
const previousAudienceSql = (alias: string) =>
  sql`jsonb_build_object('users', ${previousValueSql(alias, 'owners')}, 'groups', ${previousValueSql(alias, 'owners_groups')}, 'subscribers', ${previousValueSql(alias, 'subscribers')})`
const previousVisibilitySql = (alias: string) =>
  sql`jsonb_build_object('published', coalesce(${previousValueSql(alias, 'published')}, 'false'), 'teams', ${previousValueSql(alias, 'teams')})`
const IS_DELETION_SQL = sql`(a.activity_type like '%\\_deleted' and a.version is not null)`

/** Whether people are notified of entries like this one (`a`), if they concern anyone. */
export const isNotifiedSql = sql<boolean>`
  case when a.recipients is not null or a.activity_type = 'schema_changed' then true
    when a.activity_type like '%\\_created' then false
    when ${IS_DELETION_SQL} then true
    else coalesce(jsonb_path_exists(a.changes, ${NOTIFIED_FIELDS_PATH}), false) end`

/** A schema change is also for the owners of the tables it may break. */
const SCHEMA_AUDIENCE_SQL = sql`(
  with broken as (
    select b.owners, b.owners_groups from resources b where b.id in (select (x ->> 'table_id')::uuid from jsonb_array_elements(a.payload -> 'breaks') x)
    union all select r.owners, r.owners_groups
  )
  select jsonb_build_object('users', (select jsonb_agg(distinct u.id) from broken, unnest(broken.owners) u(id)),
    'groups', (select jsonb_agg(distinct g.id) from broken, unnest(broken.owners_groups) g(id)), 'subscribers', r.subscribers))`

const MAX_DEPENDENTS = 1_000

/** A deprecation is also for the owners of what reads the resource directly. */
const DEPRECATION_AUDIENCE_SQL = sql`(
  with dependents as (
    select d.owners, d.owners_groups, t.owners as table_owners, t.owners_groups as table_groups
    from (select e.downstream from lineage_edges e where e.upstream between r.id and r.id limit ${sql.lit(MAX_DEPENDENTS)}) e
      join resources d on d.id = e.downstream left join resources t on t.id = d.parent and d.entity_type = 'column'
    union all select r.owners, r.owners_groups, null, null
  )
  select jsonb_build_object('users', (select jsonb_agg(distinct u.id) from dependents, unnest(dependents.owners || dependents.table_owners) u(id)),
    'groups', (select jsonb_agg(distinct g.id) from dependents, unnest(dependents.owners_groups || dependents.table_groups) g(id)),
    'subscribers', r.subscribers))`

/** The next entries that may have recipients. Entries without an audience (most of a large import) are skipped here. */
export const readOutboxEntries = async (db: Db, step: LogStep, limit: number): Promise<OutboxEntry[]> => {
  // Read in order and no further than needed, so that each step of a large bulk edit reads only its own entries.
  const { rows } = await sql<OutboxEntry>`
    with next as materialized (
      select t.id, t.xid, t.deleted from ${inXidRangesSql(findRemainingXidRanges(step))} cross join lateral (
        select a.id, a.xid, ${IS_DELETION_SQL} as deleted
        from (
          select a.* from activities a
          where a.xid >= x.from_xid and a.xid < x.below_xid and not pg_visible_in_snapshot(a.xid, ${step.seen}::text::pg_snapshot)
          order by a.xid, a.id offset 0
        ) a left join lateral (
          select (r.owners is not null or r.owners_groups is not null or r.subscribers is not null) as followed
          from resources r where r.id = a.resource_id offset 0
        ) r on true
        where ${afterSql(step)} and a.logged_at >= ${step.since}::timestamptz and a.resource_id is not null
          and case when a.recipients is not null then r.followed is not null
            when a.activity_type like '%\\_created' then false
            when ${IS_DELETION_SQL} then jsonb_path_exists(a.changes, ${AUDIENCE_FIELDS_PATH})
            when a.activity_type = 'schema_changed' then coalesce(r.followed or jsonb_path_exists(a.payload, '$.breaks[0]'), false)
            else jsonb_path_exists(a.changes, ${NOTIFIED_FIELDS_PATH}) and (r.followed or (r.followed is not null and (jsonb_path_exists(a.changes, ${OWNER_FIELDS_PATH}) or jsonb_path_exists(a.changes, ${DEPRECATION_PATH})))) end
        order by a.xid, a.id limit ${limit}
      ) t order by t.xid, t.id limit ${limit}
    )
    select a.id, a.xid::text as xid, n.deleted, a.performer_id, a.resource_id, a.version, coalesce(a.resource_type, 'resource') as resource_type,
      coalesce(a.resource_title, '') as resource_title, a.logged_at,
      case when n.deleted then ${previousAudienceSql('a')}
        when a.recipients is not null then jsonb_build_object('users', a.recipients)
        when a.activity_type = 'schema_changed' then ${SCHEMA_AUDIENCE_SQL}
        when jsonb_path_exists(a.changes, ${DEPRECATION_PATH}) then ${DEPRECATION_AUDIENCE_SQL}
        else jsonb_build_object('users', r.owners, 'groups', r.owners_groups, 'subscribers', r.subscribers) end as audience,
      case when n.deleted or a.recipients is not null then '{}' else jsonb_build_object('users', ${previousValueSql('a', 'owners')}, 'groups', ${previousValueSql('a', 'owners_groups')}) end as former,
      case when n.deleted and p.id is not null then ${previousAudienceSql('p')} || ${previousVisibilitySql('p')} else '{}' end as container,
      case when n.deleted then ${previousVisibilitySql('a')} else jsonb_build_object('published', r.published, 'teams', r.teams) end as now
    from next n join activities a on a.id = n.id
      left join resources r on r.id = a.resource_id
      left join activities p on p.id = a.parent_id
    order by n.xid, n.id
  `.execute(db)
  return rows
}

/** A later entry that changed the visibility of the resource, with the previous values. */
export interface VisibilityChange extends Pick<OutboxEntry, 'id' | 'resource_id' | 'version' | 'logged_at'> {
  readonly published: boolean | null
  /** One element, which may be null; empty if the teams did not change. */
  readonly teams: readonly (readonly string[] | null)[]
}

/** Later visibility changes of these resources, oldest first. Usually empty, because the follower is only seconds behind. */
export const readVisibilityChanges = async (db: Db, entries: readonly OutboxEntry[]): Promise<VisibilityChange[]> => {
  const since = new Map<string, string>()
  for (const { resource_id, logged_at } of entries)
    if ((since.get(resource_id) ?? logged_at) >= logged_at) since.set(resource_id, logged_at)
  const { rows } = await sql<VisibilityChange>`
    select v.id, v.resource_id, v.version, v.logged_at, (${previousValueSql('v', 'published')})::boolean as published,
      case when jsonb_path_exists(v.changes, ${hasFieldsPath(['teams'])}) then jsonb_build_array(${previousValueSql('v', 'teams')}) else '[]' end as teams
    from unnest(${[...since.keys()]}::uuid[], ${[...since.values()]}::timestamptz[]) as s(resource_id, logged_at)
      join activities v on v.resource_id = s.resource_id and v.logged_at >= s.logged_at
    where v.activity_type not like '%\\_created' and jsonb_path_exists(v.changes, ${hasFieldsPath(['published', 'teams'])})
    order by v.logged_at, v.version, v.id
  `.execute(db)
  return rows
}

/** Deleted resources stay visible only in the inboxes of users who could see them at that time. */
export const markDeletedInInboxes = async (db: Db, step: LogStep): Promise<void> => {
  await sql`
    update notifications n set gone = true, published = d.published, teams = d.teams
    from (
      select a.resource_id, coalesce((${previousValueSql('a', 'published')})::boolean, false) as published,
        array(select jsonb_array_elements_text(coalesce(nullif(${previousValueSql('a', 'teams')}, 'null'), '[]')))::uuid[] as teams
      from ${entriesBetweenSql(step)}
      where ${IS_DELETION_SQL} and not exists (select from resources r where r.id = a.resource_id)
    ) d
    where n.resource_id = d.resource_id
  `.execute(db)
}
