import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Client, escapeIdentifier } from 'pg'
import type { Context } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import type { Db } from '../../platform/db/connect.ts'
import { withDatabase } from '../../platform/db/database-url.ts'
import { connectToDemoDatabase, runOutsideTransaction } from './database.ts'
import { SCHEMAS } from './warehouse.ts'

const ROLE_SETTINGS = [
  'default_transaction_read_only = on',
  `statement_timeout = '2min'`,
  `lock_timeout = '5s'`,
  `idle_in_transaction_session_timeout = '1min'`,
  'search_path = pg_catalog',
]

/** Functions that execute text as SQL, wait, take locks, change settings, signal other sessions, or read something other than tables. */
const REVOKED_FUNCTIONS =
  '^(pg_(try_)?advisory.*|pg_sleep.*|.*_to_xml.*|ts_stat|ts_rewrite|set_config|nextval|setval|pg_notify|pg_(cancel|terminate)_backend|lo_.*|loread|lowrite|pg_export_snapshot|pg_ls_.*|pg_read_.*|pg_stat_file|query_to_.*|cursor_to_.*)$'

/**
 * Creates the role that reads the demo's source, or sets a new password: it can read the shop in its database and nothing else. Returns the
 * password.
 */
export const prepareRole = async (ctx: Context, name: string): Promise<string> => {
  const password = randomBytes(24).toString('hex')
  const role = escapeIdentifier(name)
  const { superuser, createrole, user } = await getRolePrivileges(ctx)
  const { rows } = await sql`select from pg_roles where rolname = ${name}`.execute(ctx.db)
  if (!superuser && !createrole)
    throw conflict(
      `The demo's source is not connected because the role ${escapeIdentifier(user)} is not allowed to create the role that reads it. Run "alter role ${escapeIdentifier(user)} createrole" as a superuser, then start the demo again.`,
    )
  const rights = 'login nocreatedb nocreaterole noinherit connection limit 20'
  await runOutsideTransaction(
    ctx,
    rows.length === 0 ? `create role ${role} ${rights} password '${password}'` : `alter role ${role} password '${password}'`,
  )
  if (superuser) await runOutsideTransaction(ctx, `alter role ${role} nosuperuser ${rights}`)
  // Needed to terminate its connections when its database is dropped.
  if (!superuser) await runOutsideTransaction(ctx, `grant ${role} to ${escapeIdentifier(user)}`)
  await runOutsideTransaction(ctx, `grant connect on database ${role} to ${role}`)
  for (const setting of superuser ? [...ROLE_SETTINGS, `temp_file_limit = '256MB'`] : ROLE_SETTINGS)
    await runOutsideTransaction(ctx, `alter role ${role} in database ${role} set ${setting}`)
  const demo = connectToDemoDatabase(ctx, name)
  try {
    await sql.raw(`grant usage on schema ${SCHEMAS.join(', ')} to ${role}`).execute(demo.db)
    await sql.raw(`grant select on all tables in schema ${SCHEMAS.join(', ')} to ${role}`).execute(demo.db)
    if (superuser) await revokeFunctions(demo.db)
  } finally {
    await demo.close()
  }
  return password
}

const getRolePrivileges = async ({ db }: Context) => {
  const { rows } = await sql<{ superuser: boolean; createrole: boolean; user: string }>`
    select r.rolsuper as superuser, r.rolcreaterole as createrole, r.rolname as user from pg_roles r where r.rolname = current_user
  `.execute(db)
  return rows[0]!
}

/** Functions are executable by PUBLIC by default, from which a single role cannot be excluded: so they are revoked from everyone but superusers. */
const revokeFunctions = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f' and p.proname ~ ${REVOKED_FUNCTIONS}
      and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0)
  `.execute(db)
  if (rows.length > 0) await sql.raw(`revoke execute on function ${rows.map(({ name }) => name).join(', ')} from public`).execute(db)
}

/** Why the role cannot connect; undefined if it can. */
export const findRoleProblem = async ({ runtime }: Context, name: string, password: string): Promise<string | undefined> => {
  const url = new URL(withDatabase(runtime.databases.background.url, name))
  for (const param of ['user', 'password']) url.searchParams.delete(param)
  url.username = encodeURIComponent(name)
  url.password = password
  const client = new Client({ connectionString: url.href, application_name: 'tablinum demo', connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return (error as Error).message || (error as { code?: string }).code || 'The connection failed.'
  } finally {
    await client.end().catch(() => {})
  }
}
