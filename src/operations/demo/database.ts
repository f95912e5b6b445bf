import { sql } from 'kysely'
import { escapeIdentifier } from 'pg'
import type { Context } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { connect, type Database, type Db } from '../../platform/db/connect.ts'
import { withDatabase } from '../../platform/db/database-url.ts'
import { DEMO_SUFFIX } from '../../sources/credentials/demo-connection.ts'

/** Written as the comment of the database. Only a database with it is ever written to or dropped. */
export const DEMO_COMMENT = 'Example data of the Tablinum demo. Tablinum drops it together with its integration.'

const MAX_NAME_BYTES = 63 // bytes; Postgres truncates longer names
const INSUFFICIENT_PRIVILEGE = '42501'
const DUPLICATE_DATABASE = '42P04'

/** The name of the demo's database and role, derived from our own database, so that two catalogs on one server do not clash. */
export const demoName = async ({ db }: Pick<Context, 'db'>): Promise<string> => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const bytes = Buffer.from(rows[0]!.name).subarray(0, MAX_NAME_BYTES - DEMO_SUFFIX.length)
  return `${bytes.toString().replace(/\uFFFD+$/, '')}${DEMO_SUFFIX}`
}

/** For statements that cannot run in a transaction, or must be visible to others before ours commits. */
export const runOutsideTransaction = async ({ runtime }: Context, statement: string): Promise<void> => {
  await sql.raw(statement).execute(runtime.databases.background.db)
}

/** Whether the database exists, and whether it is ours. */
export const findDemoDatabase = async ({ db }: Pick<Context, 'db'>, name: string): Promise<'ours' | 'unknown' | undefined> => {
  const { rows } = await sql<{ comment: string | null }>`
    select shobj_description(d.oid, 'pg_database') as comment from pg_database d where d.datname = ${name}
  `.execute(db)
  if (rows.length === 0) return undefined
  return rows[0]!.comment === DEMO_COMMENT ? 'ours' : 'unknown'
}

/** Connects to the demo's database as its owner. The caller closes it. */
export const connectToDemoDatabase = ({ runtime }: Context, name: string): Database =>
  connect(withDatabase(runtime.databases.background.url, name), { poolSize: 1, statementTimeoutMs: 0, name: 'tablinum demo' })

/** The same, creating the database if needed. An empty one that an operator created is used. */
export const openDemo = async (ctx: Context): Promise<Database> => {
  const name = await demoName(ctx)
  const found = await findDemoDatabase(ctx, name)
  if (!found) await createDemoDatabase(ctx, name)
  const demo = connectToDemoDatabase(ctx, name)
  try {
    if (found === 'unknown' && !(await isEmptyDatabase(demo.db)))
      throw conflict(
        `The demo needs the database ${escapeIdentifier(name)}, which exists and is not empty. Rename or drop it, then start the demo again.`,
      )
    await runOutsideTransaction(ctx, `comment on database ${escapeIdentifier(name)} is '${DEMO_COMMENT}'`)
    await runOutsideTransaction(ctx, `revoke connect, temporary on database ${escapeIdentifier(name)} from public`)
    return demo
  } catch (error) {
    await demo.close()
    throw error
  }
}

const createDemoDatabase = async (ctx: Context, name: string): Promise<void> => {
  try {
    // Not from the default template, to which an operator may have added objects.
    await runOutsideTransaction(
      ctx,
      `create database ${escapeIdentifier(name)} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
    )
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === DUPLICATE_DATABASE) return // created by another instance at the same time
    if (code !== INSUFFICIENT_PRIVILEGE) throw error
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(ctx.db)
    const role = escapeIdentifier(rows[0]!.role)
    throw conflict(
      `The demo needs a separate database, which the role ${role} is not allowed to create. Run "create database ${escapeIdentifier(name)} owner ${role}" as a superuser, then start the demo again.`,
    )
  }
}

const isEmptyDatabase = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname <> 'information_schema' and n.nspname !~ '^pg_' limit 1
  `.execute(db)
  return rows.length === 0
}

/** Also ends connections to it. */
export const dropDemoDatabase = async (ctx: Context): Promise<boolean> => {
  const name = await demoName(ctx)
  if ((await findDemoDatabase(ctx, name)) !== 'ours') return false
  await runOutsideTransaction(ctx, `drop database if exists ${escapeIdentifier(name)} with (force)`)
  await runOutsideTransaction(ctx, `drop role if exists ${escapeIdentifier(name)}`).catch((error: { code?: string }) => {
    if (error.code !== INSUFFICIENT_PRIVILEGE) throw error // it was created by another role and can no longer read anything
  })
  return true
}
