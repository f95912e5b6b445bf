import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { Db } from '../../platform/db/connect.ts'

/**
 * One sync per integration at a time, across all processes. The lock is tied to its connection, so a crashed process does not block others;
 * its transaction neither reads nor writes, so it does not hold back vacuum.
 */
export const withSyncLock = <T>(ctx: Context, integration: string, work: () => Promise<T>): Promise<T> =>
  ctx.db.transaction().execute(async (db) => {
    await requireNoSyncLock(db, integration)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(db) // idle for as long as the callback runs
    return work()
  })

/** Takes the lock until the end of this transaction. */
export const requireNoSyncLock = async (db: Db, integration: string): Promise<void> => {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`sync ${integration}`}, 0)) as mine
  `.execute(db)
  if (!rows[0]!.mine) throw conflict(translatable('Another sync of this integration is running.'))
}
