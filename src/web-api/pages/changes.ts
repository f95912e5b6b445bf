import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { xidRangesBetween } from '../../platform/history/commits.ts'

/** An activity committed between two snapshots, with what determines who may receive it. */
export interface WrittenActivity {
  readonly xid: string
  readonly id: string
  readonly activity_type: string
  readonly resource_id: string
  readonly related: readonly string[] | null
  /** Visibility of the resource: its current state, or its state when it was deleted. */
  readonly published: boolean
  readonly teams: readonly string[] | null
}

export const readCurrentPosition = async (db: Db): Promise<{ snapshot: string; access: string }> => {
  const { rows } = await sql<{ snapshot: string; access: string }>`
    select pg_current_snapshot()::text as snapshot, version::text as access from access_version`.execute(db)
  return rows[0]!
}

const changeFromSql = (field: string) => sql`jsonb_path_query_first(a.changes, ${`$[*] ? (@.field == "${field}").from`}::text::jsonpath)`

/**
 * Reads the next `most` activities after the given one. Activities about tokens, users and the like concern no resource and are left out,
 * and so are deletions without recorded visibility.
 */
export const readWrittenActivities = async (
  db: Db,
  seen: string,
  target: string,
  limit: number,
  after?: Pick<WrittenActivity, 'xid' | 'id'>,
): Promise<{ written: WrittenActivity[]; last: Pick<WrittenActivity, 'xid' | 'id'> | undefined }> => {
  const ranges = xidRangesBetween(seen, target)
  const rest = after ? sql`and (a.xid, a.id) > (${after.xid}::text::xid8, ${after.id}::uuid)` : sql``
  // The inner limit makes Postgres use the index on xid, although it cannot estimate the range.
  const { rows } = await sql<Omit<WrittenActivity, 'published'> & { published: boolean | null }>`
    select a.xid::text as xid, a.id, a.activity_type, a.resource_id, a.related_resource_ids as related,
      case when r.id is not null then r.published when a.version is not null and a.activity_type like '%\\_deleted' then coalesce((${changeFromSql('published')})::boolean, false) end as published,
      case when r.id is not null then r.teams
        else array(select jsonb_array_elements_text(coalesce(nullif(${changeFromSql('teams')}, 'null'), '[]')))::uuid[] end as teams
    from (
      select a.* from unnest(${ranges.map(({ from }) => from)}::text[]::xid8[], ${ranges.map(({ below }) => below)}::text[]::xid8[]) as x(from_xid, below_xid)
      cross join lateral (
        select a.* from activities a
        where a.xid >= x.from_xid and a.xid < x.below_xid and not pg_visible_in_snapshot(a.xid, ${seen}::text::pg_snapshot) ${rest}
          and a.activity_type <> 'pii_viewed' -- nothing was changed: pages would reload, which would be recorded again
        order by a.xid, a.id limit ${limit}
      ) a order by a.xid, a.id limit ${limit}
    ) a left join lateral (select r.id, r.published, r.teams from resources r where r.id = a.resource_id offset 0) r on true
    order by a.xid, a.id
  `.execute(db)
  const last = rows.length === limit ? rows.at(-1) : undefined
  return { last, written: rows.flatMap((row) => (row.published === null ? [] : [{ ...row, published: row.published }])) }
}

/** A value per user that changes whenever their unread notifications change. */
export const findInboxVersions = async (db: Db, user_ids: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql<{ user_id: string; mark: string }>`
    select user_id, count(*) || ' ' || max(updated_at) as mark from notifications
    where user_id = any(${user_ids}::uuid[]) and read_at is null group by user_id`.execute(db)
  return new Map(rows.map(({ user_id, mark }) => [user_id, mark]))
}

/** Jobs as sent in the event stream: without their log. */
export const findJobs = async (db: Db, ids: readonly string[]) => {
  const { rows } = await sql<{ id: string; user: string | null }>`
    select id, title, status, progress, failed, has_artifact, user_id as "user", coalesce(started, created_at) as started, completed, created_at, updated_at
    from background_jobs where id = any(${ids}::uuid[])`.execute(db)
  return rows
}
