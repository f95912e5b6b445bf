import { sql } from 'kysely'
import { type Context, inTransaction } from '../context.ts'

const ROLE = 'tablinum_demo'

import { keyOf } from '../sync/item.ts'
import { entryId } from './entries.ts'
import { INTEGRATIONS } from './id.ts'
import { type Found, SCHEMAS } from './warehouse.ts'

const ID = INTEGRATIONS.warehouse.id

/**
 * The source of the shop is the database we live in, wherever that is since this start. It is asked as a role that may read the shop's
 * schemas and nothing of ours, whatever SQL somebody writes. Such a role has no password, so this is for a Postgres whose socket lets in
 * whoever may enter its folder, as the embedded one's does; elsewhere the source waits until an admin connects it.
 */
export const reachDemo = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ user: string | null }>`
      select i.connection ->> 'user' as user from integrations i where i.id = ${ID} for no key update
    `.execute(ctx.db)
    const [demo] = rows
    if (!demo || (demo.user !== null && demo.user !== ROLE)) return // there is none, or somebody connected it to something else
    const socket = (await isThere(ctx)) ? await findSocket(ctx) : null
    if (socket) await letIn(ctx)
    else if (demo.user === null) return
    const connection = socket && JSON.stringify({ ...socket, user: ROLE, include: 'demo_*.*' })
    await sql`
      update integrations set connection = ${connection}::text::jsonb
      where id = ${ID} and connection is distinct from ${connection}::text::jsonb
    `.execute(ctx.db)
  })

/** The rows of the shop do not come along in a backup, and somebody may have dropped them. */
const isThere = async ({ db }: Context): Promise<boolean> => {
  const { rows } = await sql`select from pg_namespace where nspname = any(${SCHEMAS}::text[])`.execute(db)
  return rows.length === SCHEMAS.length
}

interface Socket {
  readonly host: string
  readonly port: number
  readonly database: string
}

/** Where we are connected ourselves, when anybody who gets there is let in by name. */
const findSocket = async ({ db }: Context): Promise<Socket | null> => {
  const { rows } = await sql<{ super: boolean }>`
    select r.rolsuper and inet_server_addr() is null as super from pg_roles r where r.rolname = current_user
  `.execute(db)
  if (!rows[0]?.super) return null // others may not even read these settings
  const { rows: found } = await sql<Socket>`
    select trim(both '"' from split_part(current_setting('unix_socket_directories'), ',', 1)) as host,
      current_setting('port')::int as port, current_database() as database
    where exists (
      select from pg_hba_file_rules where type = 'local' and database = '{all}' and user_name = '{all}' and auth_method = 'trust')
  `.execute(db)
  return found[0] ?? null
}

const letIn = async ({ db }: Context): Promise<void> => {
  // Roles belong to the server: another database on it may have made this one, at this very moment.
  await sql
    .raw(
      `do $$ begin create role ${ROLE} login nosuperuser nocreatedb nocreaterole noinherit connection limit 20;
       exception when duplicate_object or unique_violation then null; end $$`,
    )
    .execute(db)
  await restrict(db)
  // To everybody, as there is nothing in it but what is invented: a dump that names our role could not be restored where there is none.
  const schemas = SCHEMAS.join(', ')
  await sql.raw(`grant usage on schema ${schemas} to public`).execute(db)
  await sql.raw(`grant select on all tables in schema ${schemas} to public`).execute(db)
}

/** Functions that run text as SQL, wait, take locks, change settings, signal others, or read what is no table. */
const CLOSED =
  '^(pg_(try_)?advisory.*|pg_sleep.*|.*_to_xml.*|ts_stat|ts_rewrite|set_config|nextval|setval|pg_notify|pg_(cancel|terminate)_backend|lo_.*|loread|lowrite|pg_export_snapshot|pg_ls_.*|pg_read_.*|pg_stat_file|query_to_.*|cursor_to_.*)$'

/**
 * What this role may not do in this database, whatever reaches it. Every function is everybody's by default, and a role cannot be left out of
 * everybody: so these are taken from all but the owner of the database, who is a superuser here and needs no grant.
 */
const restrict = async (db: Context['db']): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f' and p.proname ~ ${CLOSED}
      and has_function_privilege(${ROLE}, p.oid, 'execute')
  `.execute(db)
  if (rows.length > 0) await sql.raw(`revoke execute on function ${rows.map(({ name }) => name).join(', ')} from public`).execute(db)
  const { rows: here } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(db)
  for (const setting of [
    'default_transaction_read_only = on',
    `temp_file_limit = '256MB'`,
    `statement_timeout = '2min'`,
    `lock_timeout = '5s'`,
    `idle_in_transaction_session_timeout = '1min'`,
    'search_path = pg_catalog',
  ])
    await sql.raw(`alter role ${ROLE} in database ${here[0]!.name} set ${setting}`).execute(db)
}

/** The names by which the source knows what the demo says of it: as a first sync would have noted them, so that the next one finds them. */
export const noteOrigins = async ({ db }: Context, { database, schemas, tables }: Found): Promise<void> => {
  const said = (title: string, native_type: string, description: string | null) => ({ title, native_type, description })
  const origins = [
    { resource_id: entryId('database', 'shop'), key: keyOf(database), said: { title: database } },
    ...schemas.map(({ name, description }) => ({
      resource_id: entryId('schema', name),
      key: keyOf(database, name),
      said: { title: name, description },
    })),
    ...tables.flatMap(({ schema, name: table, kind, description, columns }) => [
      {
        resource_id: entryId('table', `${schema}.${table}`),
        key: keyOf(database, schema, table),
        said: said(table, kind, description),
      },
      ...columns.map(({ name, type, description }) => ({
        resource_id: entryId('column', `${schema}.${table}.${name}`),
        key: keyOf(database, schema, table, name),
        said: said(name, type, description),
      })),
    ]),
  ]
  await sql`
    insert into resource_origins (resource_id, integration, key, said, fingerprint)
    select resource_id, ${ID}::uuid, key, said, '' from json_to_recordset(${JSON.stringify(origins)}::text::json) as x(
      resource_id uuid, key text, said jsonb)
    on conflict do nothing
  `.execute(db)
}
