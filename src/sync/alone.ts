import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { conflict } from '../errors.ts'

/**
 * One at a time for each integration, over all instances. The lock goes with its connection, so a process that dies holds nothing up; its
 * transaction reads nothing and writes nothing, so it keeps no old rows alive.
 */
export const alone = <T>(ctx: Context, integration: string, work: () => Promise<T>): Promise<T> =>
  ctx.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`sync ${integration}`}, 0)) as mine
    `.execute(db)
    if (!rows[0]!.mine) throw conflict('Another sync of this integration is under way.')
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(db) // it waits for as long as the work takes
    return work()
  })
