import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { newId } from '../id.ts'
import { hashOf, hintOf, newToken } from './tokens.ts'

export interface Bootstrapped {
  readonly workspace_id: string
  /** The admin's token, when this start made one: it is shown now and never again. */
  readonly token?: string
}

const FIRST_START = 7_264_502

/** The first start creates the workspace, an admin and a token. A token given by the environment works from then on, whenever it is given. */
export const bootstrap = (db: Db, adminToken: string | undefined, now: Date): Promise<Bootstrapped> =>
  db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${FIRST_START}::bigint)`.execute(db)
    const workspace = await db.selectFrom('workspaces').select('id').executeTakeFirst()
    if (workspace) {
      if (adminToken) await keepAdminToken(db, adminToken, now)
      return { workspace_id: workspace.id }
    }
    const times = { created_at: now, updated_at: now }
    const workspace_id = newId()
    await db
      .insertInto('workspaces')
      .values({ id: workspace_id, name: 'Tablinum', ...times })
      .execute()
    await db
      .insertInto('users')
      .values({ id: newId(), email: 'admin@localhost', first_name: 'Admin', role: 'admin', ...times })
      .execute()
    const token = adminToken ?? newToken()
    await keepAdminToken(db, token, now)
    return { workspace_id, token: adminToken ? undefined : token }
  })

const keepAdminToken = async (db: Db, token: string, now: Date): Promise<void> => {
  const admin = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .orderBy('created_at')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('tokens')
    .values({
      id: newId(),
      user_id: admin.id,
      name: 'First token',
      hint: hintOf(token),
      hash: hashOf(token),
      scope: 'admin',
      created_at: now,
      updated_at: now,
    })
    .onConflict((c) => c.column('hash').doNothing()) // revoked stays revoked
    .execute()
}
