import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { parseTimestamp } from '../../platform/core/timestamp.ts'
import type { Db } from '../../platform/db/connect.ts'
import { findTexts, type StoredChange, type StoredSnapshot } from '../../platform/history/texts.ts'
import { type Actor, can, visibleTo } from '../../platform/permissions/permissions.ts'
import { getResource } from '../listing/read.ts'
import { type ResourceRow, toResource } from '../records/record.ts'
import { isDeletion, replayVersions, type VersionEntry } from '../records/replay.ts'
import { findResourceRow } from '../records/resource-rows.ts'
import type { Resource } from '../records/schema.ts'
import { computeLocation, type ResourceLocation } from '../records/tree.ts'
import { trashEntriesSql } from '../trash/trash-rows.ts'

export const AsOfQuery = Type.Object({
  as_of: Type.Optional(
    Type.String({
      description:
        'Returns the resource as it was at this time. Fields without history (usage, row count, bookmarks) have their current values.',
      examples: ['2026-01-15T08:30:00Z'],
    }),
  ),
})

export const parseAsOf = (as_of: string): string => {
  const at = parseTimestamp(as_of)
  if (!at) throw invalid({ as_of: ['must be an ISO 8601 timestamp, e.g. 2026-01-15T08:30:00Z.'] })
  return at
}

/**
 * Returns a past state of a resource. Versioned fields and what is derived from them are replayed from the versions; fields without history
 * (usage, row count, bookmarks) have their current values.
 */
export const getResourceAsOf = async (ctx: Context, id: string, at: string): Promise<Resource> => {
  if (Date.parse(at) >= ctx.now.getTime()) return getResource(ctx, id)
  const [{ today }, entries] = await Promise.all([
    getVersionedResource(ctx, id),
    loadVersionEntries(ctx.db, id, sql`h.logged_at <= ${at}::timestamptz`),
  ])
  const past = replayVersions(id, today, entries)
  if (!past || past.deleted) throw notFound('resource', id)
  return loadRecordAt(ctx, past.row, at)
}

/** A resource whose history the caller can read. `today` is undefined if it has been deleted since. */
export interface VersionedResource {
  readonly today: ResourceRow | undefined
}

export const findVersionedResource = async (ctx: Context, id: string): Promise<VersionedResource | undefined> => {
  const today = await findResourceRow(ctx.db, ctx.actor, id)
  if (today) return { today }
  const { rows } = await sql<{ open: boolean }>`
    select ${deletedVisibleTo(ctx.actor, 'd')} or exists (select ${trashEntriesSql(ctx.actor)} and t.resource_id = ${id}) as open
    from (select h.* from activities h where h.resource_id = ${id} and h.version is not null order by h.version desc limit 1) d
    where d.activity_type like '%\\_deleted'
  `.execute(ctx.db)
  return rows[0]?.open ? { today } : undefined
}

export const getVersionedResource = async (ctx: Context, id: string): Promise<VersionedResource> => {
  const resource = await findVersionedResource(ctx, id)
  if (!resource) throw notFound('resource', id)
  return resource
}

/**
 * Who can read the history of a deleted resource, given its deletion activity under this alias: callers who could edit it. Membership of a
 * closed team at that time is not recorded, and the team may be deleted too, so anything outside open teams is for admins only. Resources
 * in the trash are also visible to those who would see them today.
 */
const deletedVisibleTo = (actor: Actor, alias: string): RawBuilder<boolean> => {
  if (!can(actor, 'catalog.write')) return sql<boolean>`false`
  if (actor.role === 'admin') return sql<boolean>`true`
  return sql<boolean>`not exists (
    select from jsonb_to_recordset(${sql.ref(`${alias}.changes`)}) as c(field text, "from" jsonb)
    cross join jsonb_array_elements_text(case when c.field = 'teams' then c."from" end) as t(id) left join teams on teams.id = t.id::uuid
    where teams.closed is not false
  )`
}

interface StoredEntry extends Omit<VersionEntry, 'changes' | 'snapshot'> {
  readonly changes: readonly StoredChange[]
  readonly snapshot: StoredSnapshot | null
}

/** The versions needed to replay the last one that matches `upTo`, in order, starting with the last snapshot before it. */
export const loadVersionEntries = async (db: Db, id: string, upTo: RawBuilder<unknown>): Promise<VersionEntry[]> => {
  const { rows } = await sql<StoredEntry>`
    with last as (
      select h.version from activities h where h.resource_id = ${id} and h.version is not null and ${upTo} order by h.version desc limit 1
    )
    select a.version, a.activity_type, a.performer_id, a.logged_at, coalesce(a.changes, '[]') as changes, a.snapshot from activities a
    where a.resource_id = ${id} and a.version <= (select version from last) and a.version >= coalesce((
      select s.version from activities s where s.resource_id = ${id} and s.version <= (select version from last) and s.snapshot is not null
      order by s.version desc limit 1
    ), 0)
    order by a.version
  `.execute(db)
  return withLastTexts(db, id, rows)
}

/** Loads only the last value of each long text. Earlier values keep their hash, which differs exactly when the texts differ. */
const withLastTexts = async (db: Db, id: string, entries: readonly StoredEntry[]): Promise<VersionEntry[]> => {
  const last = new Map(Object.entries(entries[0]?.snapshot?.texts ?? {}))
  for (const { activity_type, changes } of entries)
    for (const { field, from_text, to_text } of changes) {
      const hash = isDeletion(activity_type) ? from_text : to_text // a deletion keeps the previous value
      if (hash) last.set(field, hash)
      else last.delete(field)
    }
  const texts = await findTexts(db, id, [...new Set(last.values())])
  const getText = (hash: string) => texts.get(hash) ?? hash
  return entries.map(({ snapshot, changes, ...entry }) => ({
    ...entry,
    ...(snapshot ? { snapshot: { ...snapshot.fields, ...mapValues(snapshot.texts, getText) } } : {}),
    changes: changes.map(({ from_text, to_text, ...change }) => ({
      ...change,
      ...(from_text ? { from: getText(from_text) } : {}),
      ...(to_text ? { to: getText(to_text) } : {}),
    })),
  }))
}

const mapValues = (texts: Readonly<Record<string, string>>, value: (text: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, value(text)]))

/** Builds the full record of a past row, with its location and number of children at that time. */
export const loadRecordAt = async (ctx: Context, row: ResourceRow, at: string): Promise<Resource> => {
  const [above, children_count] = await Promise.all([findLocationAt(ctx.db, row.parent, at), countChildrenAt(ctx, row.id, at)])
  return toResource(ctx.actor, { ...row, ...computeLocation(above, row.entity_type, row.title) }, ctx.workspace_id, children_count)
}

/** The last instant before this one, at which a resource deleted at `at` still existed. */
export const instantBefore = (at: string): string => new Date(Date.parse(at) - 1).toISOString().replace('Z', '999Z')

const MAX_DEPTH = 100
const LOCATION_FIELDS = ['title', 'entity_type', 'parent']

/** The last values of these fields at that time for the resource given by this expression, starting with the last snapshot before it. */
const valuesAtSql = (id: RawBuilder<unknown>, at: string, fields: readonly string[]): RawBuilder<unknown> => sql`
  select distinct on (c.field) c.field, c.value
  from activities h cross join lateral (
    select c.field, c.to as value from jsonb_to_recordset(h.changes) as c(field text, "to" text)
    union all
    select f.key, f.value from jsonb_each_text(h.snapshot -> 'fields') f
  ) c
  where h.resource_id = ${id} and h.version is not null and h.logged_at <= ${at}::timestamptz and c.field = any(${fields}::text[])
    and h.version >= coalesce((
      select s.version from activities s
      where s.resource_id = ${id} and s.version is not null and s.snapshot is not null and s.logged_at <= ${at}::timestamptz
      order by s.version desc limit 1
    ), 0)
  order by c.field, h.version desc`

/** Computes the location from the titles of the ancestors at that time. */
const findLocationAt = async (db: Db, id: string | null, at: string): Promise<ResourceLocation | undefined> => {
  if (!id) return undefined
  const { rows } = await sql<{ title: string; entity_type: string }>`
    with recursive above as (
      select 0 as depth, ${id}::uuid as id, null as title, null as entity_type
      union all
      select a.depth + 1, p.parent::uuid, p.title, p.entity_type from above a cross join lateral (
        select max(f.value) filter (where f.field = 'title') as title, max(f.value) filter (where f.field = 'entity_type') as entity_type,
          max(f.value) filter (where f.field = 'parent') as parent
        from (${valuesAtSql(sql`a.id`, at, LOCATION_FIELDS)}) f
      ) p
      where a.id is not null and a.depth < ${MAX_DEPTH}
    )
    select title, entity_type from above where title is not null order by depth desc
  `.execute(db)
  return rows.reduce<ResourceLocation | undefined>((above, { title, entity_type }) => computeLocation(above, entity_type, title), undefined)
}

/** The number of children at that time, counting those the caller can see today or whose history they can read. */
const countChildrenAt = async (ctx: Context, id: string, at: string): Promise<number> => {
  // Most resources never had children, and planning the count takes longer than the rest of the request.
  const { rows: any } = await sql<{ had: boolean }>`
    select exists (select from resources r where r.parent = ${id}) or exists (select from activities a where a.parent_left = ${id}) as had
  `.execute(ctx.db)
  if (!any[0]!.had) return 0
  const { rows } = await sql<{ count: number }>`
    with candidates as (
      select r.id from resources r where r.parent = ${id}
      union
      select a.resource_id from activities a where a.parent_left = ${id} and a.version is not null
    )
    select count(*) as count from candidates k
    cross join lateral (select v.value as parent from (${valuesAtSql(sql`k.id`, at, ['parent'])}) v) then_
    left join resources r on r.id = k.id
    left join lateral (
      select h.changes from activities h where r.id is null and h.resource_id = k.id and h.version is not null order by h.version desc limit 1
    ) d on true
    where then_.parent = ${id}::text and case when r.id is null then ${deletedVisibleTo(ctx.actor, 'd')} else ${visibleTo(ctx.actor, 'r')} end
  `.execute(ctx.db, ctx.limits)
  return rows[0]!.count
}
