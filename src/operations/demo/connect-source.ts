import { isDeepStrictEqual } from 'node:util'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { parseDatabaseUrl } from '../../platform/db/database-url.ts'
import { isDemoConnection, isInternalConnection } from '../../sources/credentials/demo-connection.ts'
import type { IntegrationRow } from '../../sources/integrations/integration-rows.ts'
import { sealCredentials, unsealCredentials } from '../../sources/integrations/vault.ts'
import { demoName, findDemoDatabase } from './database.ts'
import { INTEGRATIONS } from './id.ts'
import { findRoleProblem, prepareRole } from './role.ts'

const WAREHOUSE_ID = INTEGRATIONS.warehouse.id

/**
 * Connects the demo's integration to its database, wherever the server is since this start, with a separate role. Without that database, e.g.
 * in a restored catalog, the integration is disconnected. An integration that a user connected to something else is not changed.
 */
export const connectDemoSource = (ctx: Context, log: (line: string) => void = () => {}): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const row = await ctx.db.selectFrom('integrations').selectAll().where('id', '=', WAREHOUSE_ID).forNoKeyUpdate().executeTakeFirst()
    if (!row || (row.connection !== null && !isInternalConnection(row.connection) && !isDemoConnection(row.connection))) return
    const name = await demoName(ctx)
    const expected = (await findDemoDatabase(ctx, name)) === 'ours' ? toConnection(ctx, name) : null
    if (!expected) return disconnect(ctx, row)
    const password = await findPassword(ctx, row)
    if (password && isDeepStrictEqual(row.connection, expected) && !(await findRoleProblem(ctx, name, password))) return
    try {
      const password = await prepareRole(ctx, name)
      const problem = await findRoleProblem(ctx, name, password)
      if (problem) throw new ApiError('conflict', `The demo's source is not connected because its role cannot log in: ${problem}`)
      // Not recorded in the history: the address of our own server is not a setting of the integration.
      const set = { connection: JSON.stringify(expected), ...(await sealCredentials(ctx, WAREHOUSE_ID, { password })) }
      await ctx.db.updateTable('integrations').set(set).where('id', '=', WAREHOUSE_ID).execute()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      log(error.message)
      await disconnect(ctx, row)
    }
  })

const toConnection = ({ runtime }: Context, name: string) => {
  const { host, port, ssl, ca } = parseDatabaseUrl(runtime.databases.background.url)
  return { host, port, database: name, user: name, include: 'demo_*.*', ...(ssl ? { ssl } : {}), ...(ca ? { ca } : {}) }
}

const findPassword = async (ctx: Context, row: IntegrationRow): Promise<string | undefined> => {
  const { password } = await unsealCredentials(ctx, row).catch((error) => {
    if (error instanceof ApiError) return {} as Record<string, never> // sealed with another key: a new password is created
    throw error
  })
  return typeof password === 'string' ? password : undefined
}

const disconnect = async ({ db }: Context, { connection }: IntegrationRow): Promise<void> => {
  if (connection === null) return
  const nothing = { connection: null, secrets: null, secrets_key: null, secret_fields: null }
  await db.updateTable('integrations').set(nothing).where('id', '=', WAREHOUSE_ID).execute()
}
