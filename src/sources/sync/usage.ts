import { sql } from 'kysely'
import { reportResources } from '../../catalog/resources/reported-fields.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { MAX_INTEGER } from '../../platform/core/integer.ts'
import { isSameValue } from '../../platform/core/same-value.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'

/** Usage of tables and columns, counted from the query history of their source. */

/** Saves what a query reads. */
export const saveQueryReads = async (ctx: Context, query_id: string, reads: readonly string[]): Promise<void> => {
  await sql`delete from query_reads where query_id = ${query_id} and resource_id <> all(${reads}::uuid[])`.execute(ctx.db)
  await sql`
    insert into query_reads (query_id, resource_id) select ${query_id}::uuid, id from unnest(${reads}::uuid[]) as r(id) on conflict do nothing
  `.execute(ctx.db)
}

const BATCH_SIZE = 1000
/** Each page counts all queries again (3 seconds with 200,000), so that it is large. */
const PAGE_SIZE = 200_000
const MAX_USERS = 20

/**
 * Counts usage in the last 24 hours: of the queries this sync reported, and of what they read. Most sources report running totals, so the
 * total of a day ago is subtracted; until there is one, usage is estimated from the time the source started counting. The usage of `uncounted`
 * resources stays as it is: their source did not report it this time.
 */
export const countUsage = async (ctx: Context, integration: string, sync_id: string, uncounted: readonly string[] = []): Promise<void> => {
  await saveUsage(ctx, integration, sync_id)
  // No statement is open while another one writes: a sync has two connections at most, and no snapshot of it holds back vacuum.
  for (let after: string | undefined; ; ) {
    const used = await findUsage(ctx, { integration, uncounted, after })
    for (let at = 0; at < used.length; at += BATCH_SIZE) await reportResources(ctx, used.slice(at, at + BATCH_SIZE).flatMap(toReport))
    if (used.length < PAGE_SIZE) return
    after = used.at(-1)!.id
  }
}

const toReport = ({ id, entity_type, uses, users, external_usage, external_users }: ResourceUsage) => {
  const usage = roundUsage(uses)
  // For queries, the source reports the users itself.
  const people = entity_type === 'query' || !users ? undefined : [...users].sort()
  const reported = {
    ...(usage === external_usage ? {} : { external_usage: usage }),
    ...(people && !isSameValue(people, external_users) ? { external_users: people } : {}),
  }
  return Object.keys(reported).length === 0 ? [] : [{ id, reported }]
}

/** Two significant digits: exact numbers would change with every sync. */
const roundUsage = (uses: number): number => Math.min(Math.round(Number(uses.toPrecision(2))), MAX_INTEGER)

/** Saves only changed counts: a source without new queries writes nothing. */
const saveUsage = (ctx: Context, integration: string, sync_id: string): Promise<void> =>
  inTransaction(ctx, async ({ db, now }) => {
    await sql`
      insert into query_uses (query_id, counted_at, integration, calls, since, hours, users)
      select o.resource_id, ${now}::timestamptz, ${integration}::uuid, (s.used ->> 'calls')::bigint, (s.used ->> 'since')::timestamptz,
        (s.used ->> 'hours')::int, case when s.used ? 'users' then array(select jsonb_array_elements_text(s.used -> 'users')) end
      from sync_items s join resource_origins o on o.integration = ${integration} and o.key = s.key
        left join lateral (select u.* from query_uses u where u.query_id = o.resource_id order by u.counted_at desc limit 1) u on true
      where s.sync_id = ${sync_id} and s.used is not null
        and (u.calls, u.since, u.hours) is distinct from ((s.used ->> 'calls')::bigint, (s.used ->> 'since')::timestamptz, (s.used ->> 'hours')::int)
      on conflict (query_id, counted_at) do nothing
    `.execute(db)
    // Of the counts older than a day, the last one is enough.
    await sql`
      delete from query_uses u where u.integration = ${integration} and u.counted_at < ${now}::timestamptz - interval '24 hours'
        and (exists (select from query_uses n where n.query_id = u.query_id and n.counted_at > u.counted_at and n.counted_at <= ${now}::timestamptz - interval '24 hours')
          or not exists (select from resources r where r.id = u.query_id))
    `.execute(db)
  })

/** Rows of deleted resources. */
export const deleteOrphanedReads = ({ db }: Context): Promise<void> =>
  deleteInBatches(
    db,
    'query_reads',
    sql`not exists (select from resources r where r.id = query_reads.query_id)
      or not exists (select from resources r where r.id = query_reads.resource_id)`,
  )

interface ResourceUsage {
  readonly id: string
  readonly entity_type: string
  readonly uses: number
  readonly users: readonly string[] | null
  readonly external_usage: number
  readonly external_users: readonly string[] | null
}

interface UsagePage {
  readonly integration: string
  readonly uncounted: readonly string[]
  readonly after: string | undefined
}

/** The next queries, and tables and columns of the same source that they read: there may be more than should be in memory. */
const findUsage = async ({ db, now }: Context, { integration, uncounted, after }: UsagePage): Promise<readonly ResourceUsage[]> => {
  const isNext = (id: string) => (after === undefined ? sql`` : sql`where ${sql.ref(id)} > ${after}`)
  const { rows } = await sql<ResourceUsage>`
    with counted as (
      select distinct on (u.query_id) u.query_id, u.calls, u.hours, u.counted_at, u.users,
        first_value(u.calls) over first as first_calls, first_value(u.since) over first as since, first_value(u.counted_at) over first as first_at
      from query_uses u where u.integration = ${integration}
      window first as (partition by u.query_id order by u.counted_at)
      order by u.query_id, u.counted_at desc
    ), used as (
      select c.query_id, c.users, case
        when c.hours is not null then case when c.counted_at > ${now}::timestamptz - interval '24 hours' then c.calls * least(1, 24.0 / greatest(c.hours, 1)) else 0 end
        when c.calls < c.first_calls then c.calls -- the counter was reset
        when c.counted_at > c.first_at + interval '48 hours' -- counted after days in which it was reported as unchanged
          then (c.calls - c.first_calls) * 86400 / extract(epoch from c.counted_at - c.first_at)
        when c.first_at <= ${now}::timestamptz - interval '24 hours' then c.calls - c.first_calls
        else c.calls - c.first_calls + c.first_calls * coalesce(least(1, 86400 / greatest(extract(epoch from c.first_at - c.since), 1)), 1) end as uses
      from counted c where c.query_id <> all(${uncounted}::uuid[])
    ), touched as (
      select u.query_id as id, u.uses, u.users from used u ${isNext('u.query_id')}
      union all
      select q.resource_id, u.uses, u.users from used u join query_reads q on q.query_id = u.query_id ${isNext('q.resource_id')}
    ), summed as (
      select t.id, sum(t.uses) as uses from touched t group by t.id
    ), people as (
      select p.id, (array_agg(p.name order by p.uses desc, p.name))[1:${sql.lit(MAX_USERS)}] as users
      from (select t.id, n.name, sum(t.uses) as uses from touched t, unnest(t.users) as n(name) group by t.id, n.name) p group by p.id
    )
    select r.id, r.entity_type, s.uses::float8 as uses, p.users, r.external_usage, r.external_users
    from summed s join resources r on r.id = s.id left join people p on p.id = s.id
    where r.integration = ${integration} or (
      -- A query log counts for tables of other sources, unless those count their queries themselves.
      exists (select from integrations i where i.id = ${integration} and i.type = 'query_log')
      and not exists (select from query_uses o where o.integration = r.integration)
    )
    order by r.id limit ${sql.lit(PAGE_SIZE)}
  `.execute(db)
  return rows
}
