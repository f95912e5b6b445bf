import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { type Context, inTransaction } from '../src/context.ts'
import type { Db } from '../src/db/connect.ts'
import type { House } from './house.ts'

/** How many connections wait for a lock in this database. */
export const waitingIn = async (db: Db): Promise<number> => {
  const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

/**
 * Runs two concurrent writers: the first has written but not committed when the second starts, so the second waits. Returns which finished,
 * in order; a rejected one with its error code.
 */
export const oneInTheOther = async (
  { ctx, db }: House,
  first: (ctx: Context) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<string[]> => {
  const ended: string[] = []
  let later: Promise<unknown> | undefined
  await inTransaction(ctx, async (inner) => {
    await first(inner)
    later = second().then(
      () => ended.push('second'),
      (error) => ended.push(error.code),
    )
    await vi.waitFor(async () => expect(await waitingIn(db)).toBeGreaterThan(0), { timeout: 20_000, interval: 20 })
    ended.push('first')
  })
  await later
  return ended
}
