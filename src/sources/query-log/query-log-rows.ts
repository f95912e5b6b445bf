import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { UploadReport } from './schema.ts'
import type { Execution } from './statements.ts'

/** SQL of query logs. Private to this module. */

export const lockQueryLog = async (db: Db, integration: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`query log ${integration}`}, 0))`.execute(db)
}

export const findUpload = async (db: Db, integration: string, digest: Buffer): Promise<UploadReport | undefined> => {
  const { rows } = await sql<{ report: UploadReport }>`
    select report from query_log_uploads where integration = ${integration} and digest = ${digest}
  `.execute(db)
  return rows[0]?.report
}

export const saveUpload = async ({ db, now }: Context, integration: string, digest: Buffer, report: object): Promise<void> => {
  await sql`
    insert into query_log_uploads (integration, digest, uploaded_at, report)
    values (${integration}, ${digest}, ${now}::timestamptz, ${JSON.stringify(report)}::text::jsonb)
  `.execute(db)
}

export const countStatements = async (db: Db, integration: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from query_log_statements where integration = ${integration}`.execute(
    db,
  )
  return rows[0]!.n
}

/** Returns how many statements and executions were not known before. `allowed` bounds the new statements: executions of others are not saved. */
export const saveExecutions = async (
  db: Db,
  integration: string,
  executions: readonly Execution[],
  allowed: number,
): Promise<{ statements: number; executions: number; left_out: number }> => {
  const statements = new Map<string, Execution & { untimed: number }>()
  for (const each of executions) {
    const hash = each.hash.toString('hex')
    const untimed = (statements.get(hash)?.untimed ?? 0) + (each.at === null ? 1 : 0)
    statements.set(hash, { ...each, untimed })
  }
  const { rows } = await sql<{ statements: number; executions: number; left_out: number }>`
    with given as (
      select decode(s.hash, 'hex') as hash, s.sql, s.database, s.schema, s.untimed
      from json_to_recordset(${JSON.stringify(
        [...statements].map(([hash, { sql, database, schema, untimed }]) => ({ hash, sql, database, schema, untimed })),
      )}::text::json) as s(hash text, sql text, database text, schema text, untimed int)
    ), fresh as (
      select g.* from given g
      where not exists (select from query_log_statements q where q.integration = ${integration} and q.hash = g.hash) limit ${allowed}
    ), added as (
      insert into query_log_statements (integration, hash, sql, database, schema, untimed_calls)
      select ${integration}::uuid, hash, sql, database, schema, untimed from fresh returning hash
    ), counted as (
      update query_log_statements q set untimed_calls = q.untimed_calls + g.untimed
      from given g where q.integration = ${integration} and q.hash = g.hash and g.untimed > 0
    ), known as (
      select hash from added union all select q.hash from query_log_statements q join given g on g.hash = q.hash where q.integration = ${integration}
    ), runs as (
      select decode(e.hash, 'hex') as hash, e.at, e.user_name, e.duration_ms
      from json_to_recordset(${JSON.stringify(
        executions.flatMap(({ hash, at, user, duration_ms }) =>
          at === null ? [] : [{ hash: hash.toString('hex'), at, user_name: user, duration_ms }],
        ),
      )}::text::json) as e(hash text, at timestamptz, user_name text, duration_ms float8)
    ), run as (
      insert into query_log_executions (integration, hash, at, user_name, duration_ms)
      select ${integration}::uuid, r.hash, r.at, r.user_name, r.duration_ms from runs r join known k on k.hash = r.hash
      on conflict do nothing returning 1
    )
    select (select count(*)::int from added) as statements, (select count(*)::int from run) as executions,
      (select count(*)::int from given g where not exists (select from known k where k.hash = g.hash)) as left_out
  `.execute(db)
  return rows[0]!
}

/** How far this table was read; undefined if it is another one than the last time. */
export const findPosition = async (db: Db, integration: string, source: string): Promise<string | undefined> => {
  const { rows } = await sql<{ position: string }>`
    select position from query_log_positions where integration = ${integration} and source = ${source}
  `.execute(db)
  return rows[0]?.position
}

export const savePosition = async ({ db, now }: Context, integration: string, source: string, position: string): Promise<void> => {
  await sql`
    insert into query_log_positions (integration, source, position, read_at) values (${integration}, ${source}, ${position}, ${now}::timestamptz)
    on conflict (integration) do update set source = excluded.source, position = excluded.position, read_at = excluded.read_at
  `.execute(db)
}

/** Deletes executions this many days before the newest one, and statements that have no others. */
export const deleteOldExecutions = async (db: Db, integration: string, days: number): Promise<void> => {
  await sql`
    delete from query_log_executions e where e.integration = ${integration}
      and e.at < (select max(n.at) from query_log_executions n where n.integration = ${integration}) - ${days}::int * interval '1 day'
  `.execute(db)
  await sql`
    delete from query_log_statements s where s.integration = ${integration} and s.untimed_calls = 0
      and not exists (select from query_log_executions e where e.integration = s.integration and e.hash = s.hash)
  `.execute(db)
}

export interface LoggedStatement {
  readonly hash: string
  readonly sql: string
  readonly database: string | null
  readonly schema: string | null
  readonly executions: number
  /** In the last 24 hours of the log. */
  readonly calls: number
  readonly users: readonly string[] | null
  readonly last_at: string | null
  readonly mean_ms: number | null
}

const MAX_USERS = 20

/** The statements of a log in pages. Usage is that of the last day of the log, which may be long ago. */
export const nextStatements = async (db: Db, integration: string, after: string, limit: number): Promise<LoggedStatement[]> => {
  const { rows } = await sql<LoggedStatement>`
    with newest as (select max(at) as at from query_log_executions where integration = ${integration})
    select encode(s.hash, 'hex') as hash, s.sql, s.database, s.schema, (s.untimed_calls + coalesce(e.n, 0))::float8 as executions,
      (s.untimed_calls + coalesce(e.recent, 0))::float8 as calls, e.users, e.last_at, e.mean_ms
    from query_log_statements s left join lateral (
      select count(*) as n, count(*) filter (where e.at > n.at - interval '24 hours') as recent, max(e.at) as last_at, avg(e.duration_ms) as mean_ms,
        (array_agg(distinct e.user_name) filter (where e.user_name <> ''))[1:${sql.lit(MAX_USERS)}] as users
      from query_log_executions e, newest n where e.integration = s.integration and e.hash = s.hash
    ) e on true
    where s.integration = ${integration} and s.hash > decode(${after}, 'hex') order by s.hash limit ${sql.lit(limit)}
  `.execute(db)
  return rows
}
