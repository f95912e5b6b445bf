import { type RawBuilder, sql } from 'kysely'
import { userNameSql } from '../../accounts/shared/names.ts'
import { getResource } from '../../catalog/listing/read.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Order } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { type Page, readPage } from '../../platform/lists/read-page.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { ExampleQuery } from './schema.ts'

/**
 * Queries that read a table, for people who want to know how others use it: verified and saved ones first, then by how many people run them
 * and how often. A sync that sees more runs than the one before records the time.
 */
export const listExampleQueries = async (ctx: Context, table_id: string, page: PageRequest): Promise<Page<ExampleQuery>> => {
  const { id, title, search_metadata } = await getResource(ctx, table_id)
  const name = search_metadata.schema ? `${search_metadata.schema}.${title}` : title
  return readPage<ExampleQuery>(ctx, page, {
    select: sql`r.id, r.title, r.definition as sql, r.description, r.verified, a.id as author,
      case when a.id is null then null else ${userNameSql(ctx.actor, 'a')} end as author_name,
      coalesce(r.external_users, '{}') as people, ${EXECUTIONS_SQL} as executions, ${LAST_RUN_SQL} as last_run_at,
      exists (select from query_reads x where x.query_id = r.id and x.resource_id = ${id}) as parsed`,
    from: sql`resources r left join lateral (
        select u.* from activities c join users u on u.id = c.performer_id
        where c.resource_id = r.id and c.activity_type = 'resource_created' and c.performer_type in ('USER', 'API') limit 1
      ) a on true`,
    countFrom: sql`resources r`,
    where: sql`r.entity_type = 'query' and not r.archived and not r.stale and ${visibleTo(ctx.actor)} and r.id in (${readersSql(id, name)})`,
    order: ORDER,
  })
}

/** Queries whose parsed SQL reads the table; those that were not parsed, if they name it. */
const readersSql = (id: string, name: string): RawBuilder<unknown> => sql`
  select x.query_id from query_reads x where x.resource_id = ${id}
  union
  select q.id from resources q where q.entity_type = 'query' and q.definition ~* ${`\\m${escapePattern(name)}\\M`}
    and not exists (select from query_reads x where x.query_id = q.id)`

/** Quotes around the parts of a name are optional. */
const escapePattern = (name: string): string =>
  name
    .split('.')
    .map((part) => part.replace(/[^\p{L}\p{N}_]/gu, '\\$&'))
    .join('["`\\]]?\\.["`\\[]?')

const EXECUTIONS_SQL = sql`coalesce((r.details ->> 'freq')::bigint, r.external_usage)`
const LAST_RUN_SQL = sql`(select max(u.counted_at) from query_uses u where u.query_id = r.id)`
const SCORE_SQL = sql`round(1000 * (4 * r.verified::int + 2 * coalesce(r.details ->> 'type' = 'saved', false)::int
  + 1.5 * ln(1 + coalesce(cardinality(r.external_users), 0)) + ln(1 + ${EXECUTIONS_SQL})))::bigint`

const ORDER: Order = [
  { name: 'score', type: 'number', value: SCORE_SQL, descending: true },
  { name: 'last_run_at', type: 'timestamp', value: LAST_RUN_SQL, descending: true, nullable: true },
  { name: 'r.id', type: 'id', value: sql`r.id` },
]
