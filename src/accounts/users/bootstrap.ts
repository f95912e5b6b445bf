import { sql } from 'kysely'
import { hashToken, newToken, tokenHint } from '../../platform/authentication/token-hash.ts'
import { newId } from '../../platform/core/id.ts'
import type { Db } from '../../platform/db/connect.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import { recordActivities } from '../../platform/history/record.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'

export interface BootstrapResult {
  readonly workspace_id: string
  /** The admin's token, if this start created it: it is shown only now. */
  readonly token?: string
  /** The token in the environment was revoked earlier and stays revoked. */
  readonly revoked?: true
}

const BOOTSTRAP_LOCK = 7_264_502

/**
 * The first start creates the workspace, an admin and a token, or uses the token from the environment. A different token in the environment
 * later replaces it, and the previous one is revoked.
 */
export const bootstrapWorkspace = (db: Db, adminToken: string | undefined, now: Date): Promise<BootstrapResult> =>
  db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK}::bigint)`.execute(db)
    const workspace = await db.selectFrom('workspaces').select('id').executeTakeFirst()
    if (workspace) {
      const revoked = adminToken !== undefined && !(await saveEnvironmentToken(db, adminToken, now))
      return { workspace_id: workspace.id, ...(revoked ? { revoked } : {}) }
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
    if (adminToken !== undefined) {
      await saveEnvironmentToken(db, adminToken, now)
      return { workspace_id }
    }
    const token = newToken()
    await insertAdminToken(db, token, now, { name: 'First token' })
    return { workspace_id, token }
  })

/** Returns whether the token can be used. Tokens created with the previous one now belong to the new one. */
const saveEnvironmentToken = async (db: Db, token: string, now: Date): Promise<boolean> => {
  const existing = await db
    .selectFrom('tokens')
    .select(['id', 'revoked_at', 'from_environment'])
    .where('hash', '=', hashToken(token))
    .executeTakeFirst()
  if (existing && existing.revoked_at !== null) return false
  if (existing?.from_environment) return true
  const { rows: previous } = await sql<{ id: string; name: string; user_id: string }>`
    update tokens set revoked_at = ${now}::timestamptz, updated_at = ${nextUpdatedAtSql(now)}
    where from_environment and revoked_at is null returning id, name, user_id
  `.execute(db)
  if (existing) await db.updateTable('tokens').set({ from_environment: true }).where('id', '=', existing.id).execute()
  const id = existing?.id ?? (await insertAdminToken(db, token, now, { name: 'Token from the environment', from_environment: true }))
  for (const { id: before } of previous)
    await sql`update tokens set created_by_token = ${id} where created_by_token = ${before} and id <> ${id}`.execute(db)
  const changes = [{ field: 'revoked_at', from: null, to: now.toISOString() }]
  await recordActivities(
    { db, actor: SYSTEM, now, in_transaction: true },
    previous.map(({ id, name, user_id }) => ({
      activity_type: 'token_revoked',
      resource_id: id,
      resource_type: 'token',
      resource_title: name,
      related_resource_ids: [user_id],
      related_resource_type: 'user',
      changes,
    })),
  )
  return true
}

interface NamedToken {
  readonly name: string
  readonly from_environment?: boolean
}

/** The token belongs to the first active admin. */
const insertAdminToken = async (db: Db, token: string, now: Date, named: NamedToken): Promise<string> => {
  const admin = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const id = newId()
  await db
    .insertInto('tokens')
    .values({
      id,
      user_id: admin.id,
      ...named,
      hint: tokenHint(token),
      hash: hashToken(token),
      scope: 'admin',
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}
