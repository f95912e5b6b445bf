import { isDeepStrictEqual } from 'node:util'
import { type Context, inTransaction } from '../context.ts'
import { addressOf } from '../db/address.ts'
import { Refusal } from '../errors.ts'
import { isDemoConnection, isOwn } from '../integrations/own-database.ts'
import type { IntegrationRow } from '../integrations/store.ts'
import { sealFor, unsealOf } from '../integrations/vault.ts'
import { demoName, findDemoDatabase } from './database.ts'
import { findFormer } from './former.ts'
import { INTEGRATIONS } from './id.ts'
import { prepareRole, tryRole } from './role.ts'

const ID = INTEGRATIONS.warehouse.id

/**
 * Connects the demo's integration to its database, wherever the server is since this start, with a separate role. Without that database, e.g.
 * in a restored catalog, the integration is disconnected. An integration that a user connected to something else is not changed.
 */
export const reachDemo = (ctx: Context, log: (line: string) => void = () => {}): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const row = await ctx.db.selectFrom('integrations').selectAll().where('id', '=', ID).forNoKeyUpdate().executeTakeFirst()
    if (!row || (row.connection !== null && !isOwn(row.connection) && !isDemoConnection(row.connection))) return
    const name = await demoName(ctx)
    const wanted = (await findDemoDatabase(ctx, name)) === 'ours' ? connectionTo(ctx, name) : null
    if (!wanted && (await findFormer(ctx)))
      log("The demo's tables are still in Tablinum's own database, which cannot be used as a source. Start once with --demo to move them.")
    if (!wanted) return disconnect(ctx, row)
    const password = await knownPassword(ctx, row)
    if (password && isDeepStrictEqual(row.connection, wanted) && !(await tryRole(ctx, name, password))) return
    try {
      const password = await prepareRole(ctx, name)
      const problem = await tryRole(ctx, name, password)
      if (problem) throw new Refusal('conflict', `The demo's source is not connected because its role cannot log in: ${problem}`)
      // Not recorded in the history: the address of our own server is not a setting of the integration.
      const set = { connection: JSON.stringify(wanted), ...(await sealFor(ctx, ID, { password })) }
      await ctx.db.updateTable('integrations').set(set).where('id', '=', ID).execute()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      log(error.message)
      await disconnect(ctx, row)
    }
  })

const connectionTo = ({ runtime }: Context, name: string) => {
  const { host, port, ssl, ca } = addressOf(runtime.databases.background.url)
  return { host, port, database: name, user: name, include: 'demo_*.*', ...(ssl ? { ssl } : {}), ...(ca ? { ca } : {}) }
}

const knownPassword = async (ctx: Context, row: IntegrationRow): Promise<string | undefined> => {
  const { password } = await unsealOf(ctx, row).catch((error) => {
    if (error instanceof Refusal) return {} as Record<string, never> // sealed with another key: a new password is created
    throw error
  })
  return typeof password === 'string' ? password : undefined
}

const disconnect = async ({ db }: Context, { connection }: IntegrationRow): Promise<void> => {
  if (connection === null) return
  const nothing = { connection: null, secrets: null, secrets_key: null, secret_fields: null }
  await db.updateTable('integrations').set(nothing).where('id', '=', ID).execute()
}
