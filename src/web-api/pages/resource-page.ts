import { sql } from 'kysely'
import { countBacklinks } from '../../catalog/engagement/backlinks.ts'
import { getEntityTypeConfig } from '../../catalog/entity-types/entity-types.ts'
import { getResource } from '../../catalog/listing/read.ts'
import { listValues } from '../../catalog/properties/values.ts'
import type { Resource } from '../../catalog/records/schema.ts'
import { findOwnCode, queriesWithCodeSql } from '../../lineage/code/code.ts'
import { getGraph } from '../../lineage/graph/graph.ts'
import { getHealth } from '../../observability/health/health.ts'
import type { Context } from '../../platform/context/context.ts'
import { can, visibleTo } from '../../platform/permissions/permissions.ts'
import { findNames } from './names.ts'
import { type Crumb, FIRST_COLUMNS, type ResourcePage } from './schema.ts'
import { SORT_ORDER_SQL } from './tree.ts'

/** A resource with everything its page shows initially. */
export const getResourcePage = async (ctx: Context, id: string): Promise<ResourcePage> => {
  const resource = await getResource(ctx, id)
  const { owners, owners_groups, teams, tags, terms, collections, subscribers, integration, multiplayer_last_modified_by } = resource
  const replacement = resource.deprecation?.replacement_id
  const verification = resource.verified ? await findVerification(ctx, id) : null
  const [health, breadcrumbs, names, properties, { data_updated_at, ...tabs }] = await Promise.all([
    getHealth(ctx, id),
    findBreadcrumbs(ctx, id),
    findNames(
      ctx,
      [
        ...owners,
        ...owners_groups,
        ...teams,
        ...tags,
        ...terms,
        ...collections,
        ...subscribers,
        integration,
        multiplayer_last_modified_by,
        replacement,
        verification?.by,
      ],
      [...owners, ...owners_groups, multiplayer_last_modified_by, verification?.by ?? null],
    ),
    listValues(ctx, id),
    readTabs(ctx, resource),
  ])
  const me = ctx.actor.user_id ?? ''
  return {
    resource,
    health,
    breadcrumbs,
    names,
    properties,
    bookmarked: resource.bookmarked_by.includes(me),
    subscribed: subscribers.includes(me),
    data_updated_at: data_updated_at ?? resource.external_updated_at,
    verification,
    tabs,
  }
}

const findBreadcrumbs = async (ctx: Context, id: string): Promise<Crumb[]> => {
  const { rows } = await sql<Omit<Crumb, 'icon'> & { icon: string | null }>`
    with recursive above as (
      select r.parent, 0 as n from resources r where r.id = ${id}
      union all
      select r.parent, a.n + 1 from above a join resources r on r.id = a.parent where a.n < 50
    )
    select r.id, r.title, r.entity_type, r.icon from above a join resources r on r.id = a.parent where ${visibleTo(ctx.actor)} order by a.n desc
  `.execute(ctx.db, ctx.limits)
  return rows.map((row) => ({ ...row, icon: row.icon ?? getEntityTypeConfig(row.entity_type).icon }))
}

const MAX_VERSIONS = 1_000 // that are looked through

/** Null if it was created verified, or verified too many versions ago. */
const findVerification = async (ctx: Context, id: string): Promise<ResourcePage['verification']> => {
  const { rows } = await sql<NonNullable<ResourcePage['verification']>>`
    select a.performer_id as by, a.logged_at as at from (
      select a.performer_id, a.logged_at, a.version, a.changes from activities a
      where a.resource_id = ${id} and a.version is not null order by a.version desc limit ${sql.lit(MAX_VERSIONS)}
    ) a where a.changes @> '[{"field": "verified", "to": true}]' order by a.version desc limit 1
  `.execute(ctx.db, ctx.limits)
  return rows[0] ?? null
}

type TabCounts = ResourcePage['tabs']
const readTabs = async (ctx: Context, resource: Resource): Promise<TabCounts & Pick<ResourcePage, 'data_updated_at'>> => {
  const { id, children_count, version } = resource
  const seen = visibleTo(ctx.actor)
  const monitors = can(ctx.actor, 'monitors.read')
  const own = sql`(select ${id}::uuid as id union all select r.id from resources r where r.parent = ${id} and r.entity_type = 'column' and ${seen})`
  const [{ rows }, flows, backlinks] = await Promise.all([
    sql<Omit<TabCounts, 'children' | 'upstream' | 'downstream' | 'backlinks' | 'versions'> & Pick<ResourcePage, 'data_updated_at'>>`
      select
        (select count(*) from resources r where r.parent = ${id} and r.entity_type = 'column' and not r.stale and ${seen}) as columns,
        (select count(*) from resources r where r.parent = ${id} and r.entity_type = 'column' and r.stale and ${seen}) as columns_gone,
        (select count(*) from (
          select r.description from resources r where r.parent = ${id} and r.entity_type = 'column' and ${seen}
          order by ${SORT_ORDER_SQL}, r.id limit ${sql.lit(FIRST_COLUMNS)}
        ) r where r.description <> '') as first_columns_described,
        (select count(*) from resources r where r.entity_type = 'question' and r.base_entity_id = ${id} and ${seen}) as questions,
        (select count(*) from ${own} o join comments c on c.resource_id = o.id where c.thread = c.id and c.resolved_at is null) as discussions,
        ${monitors ? sql`(select count(*) from ${own} o join monitors m on m.target = o.id)` : sql`0`} as monitors,
        ${monitors ? sql`(select count(*) from ${own} o join monitor_incidents i on i.target = o.id where i.status <> 'resolved')` : sql`0`} as incidents,
        ${can(ctx.actor, 'catalog.write') ? sql`(select count(*) from ${own} o join change_suggestions s on s.resource_id = o.id where s.status = 'open')` : sql`0`} as suggestions,
        ${monitors ? sql`(select max(m.last_measured_at - make_interval(secs => 3600 * m.last_measurement_value)) from monitors m where m.target = ${id} and m.metric_type = 'freshness' and m.is_enabled and m.last_measurement_value between 0 and 1e6)` : sql`null`} as data_updated_at,
        (select count(distinct e.query) from lineage_edges e join lineage_queries q on q.id = e.query join resources r on r.id = e.upstream
          where e.downstream = ${id} and ${queriesWithCodeSql('q')} and ${seen}) as code,
        (select count(distinct e.query) from (
          select e.query, e.upstream as other from lineage_edges e where e.downstream = ${id} and e.query is not null
          union all select e.query, e.downstream from lineage_edges e where e.upstream = ${id} and e.query is not null
        ) e join resources r on r.id = e.other where ${seen}) as queries
    `.execute(ctx.db, ctx.limits),
    countDirectNeighbours(ctx, id),
    countBacklinks(ctx, id),
  ])
  const { code, ...counts } = rows[0]!
  return { children: children_count, ...counts, code: code + findOwnCode(resource).length, ...flows, backlinks, versions: version }
}

/** A graph limited to the resource itself contains the number of its neighbours. */
const countDirectNeighbours = async (ctx: Context, resource_id: string): Promise<{ upstream: number; downstream: number }> => {
  const { nodes } = await getGraph(ctx, { resource_id, depth: 1, limit: 1, level: 'table' })
  return { upstream: nodes[0]?.more_upstream ?? 0, downstream: nodes[0]?.more_downstream ?? 0 }
}
