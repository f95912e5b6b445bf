import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { databaseUrl } from '../db/address.ts'
import { connect, type Database, type Db } from '../db/connect.ts'
import { conflict } from '../errors.ts'
import { DEMO_SUFFIX } from '../integrations/own-database.ts'

/** Written as the comment of the database. Only a database with it is ever written to or dropped. */
export const DEMO_COMMENT = 'Example data of the Tablinum demo. Tablinum drops it together with its integration.'

const LONGEST_NAME = 63 // bytes; Postgres cuts the rest
const NOT_ALLOWED = '42501'
const EXISTS = '42P04'

/** What the demo's database and the role that reads it are called: named after our own database, so that two catalogs on one server do not meet. */
export const demoName = async ({ db }: Pick<Context, 'db'>): Promise<string> => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const bytes = Buffer.from(rows[0]!.name).subarray(0, LONGEST_NAME - DEMO_SUFFIX.length)
  return `${bytes.toString().replace(/\uFFFD+$/, '')}${DEMO_SUFFIX}`
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Statements that must not be in a transaction, and those whose effect others must see before ours ends. */
export const runOutside = async ({ runtime }: Context, statement: string): Promise<void> => {
  await sql.raw(statement).execute(runtime.databases.background.db)
}

/** Whether it is there: as ours, or as somebody's. */
export const findDemoDatabase = async ({ db }: Pick<Context, 'db'>, name: string): Promise<'ours' | 'unknown' | undefined> => {
  const { rows } = await sql<{ comment: string | null }>`
    select shobj_description(d.oid, 'pg_database') as comment from pg_database d where d.datname = ${name}
  `.execute(db)
  if (rows.length === 0) return undefined
  return rows[0]!.comment === DEMO_COMMENT ? 'ours' : 'unknown'
}

/** Connects to the demo's database as its owner. Close it. */
export const connectDemo = ({ runtime }: Context, name: string): Database =>
  connect(databaseUrl(runtime.databases.background.url, name), { poolSize: 1, statementTimeoutMs: 0, name: 'tablinum demo' })

/** The same, after creating it where it is not there. An empty one that an operator has created is taken. */
export const openDemo = async (ctx: Context): Promise<Database> => {
  const name = await demoName(ctx)
  const found = await findDemoDatabase(ctx, name)
  if (!found) await create(ctx, name)
  const demo = connectDemo(ctx, name)
  try {
    if (found === 'unknown' && !(await isEmpty(demo.db)))
      throw conflict(
        `The demo needs the database ${quoted(name)}, which exists and is not empty. Rename or drop it, then start the demo again.`,
      )
    await runOutside(ctx, `comment on database ${quoted(name)} is '${DEMO_COMMENT}'`)
    await runOutside(ctx, `revoke connect, temporary on database ${quoted(name)} from public`)
    return demo
  } catch (error) {
    await demo.close()
    throw error
  }
}

const create = async (ctx: Context, name: string): Promise<void> => {
  try {
    // Not from the template of the server, where an operator may keep anything.
    await runOutside(ctx, `create database ${quoted(name)} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === EXISTS) return // made by another instance at this moment
    if (code !== NOT_ALLOWED) throw error
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(ctx.db)
    const role = quoted(rows[0]!.role)
    throw conflict(
      `The demo needs a database of its own, which the role ${role} may not create: run "create database ${quoted(name)} owner ${role}" as a superuser, then start the demo again.`,
    )
  }
}

const isEmpty = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname <> 'information_schema' and n.nspname !~ '^pg_' limit 1
  `.execute(db)
  return rows.length === 0
}

/** Ends what is connected to it, too. */
export const dropDemoDatabase = async (ctx: Context): Promise<boolean> => {
  const name = await demoName(ctx)
  if ((await findDemoDatabase(ctx, name)) !== 'ours') return false
  await runOutside(ctx, `drop database if exists ${quoted(name)} with (force)`)
  await runOutside(ctx, `drop role if exists ${quoted(name)}`).catch((error: { code?: string }) => {
    if (error.code !== NOT_ALLOWED) throw error // it was created by somebody else, and has nothing left to read
  })
  return true
}
