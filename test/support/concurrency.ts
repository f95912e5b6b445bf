import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Context, inTransaction } from '../../src/platform/context/context.ts'
import type { Db } from '../../src/platform/db/connect.ts'
import { eventually } from './eventually.ts'
import type { TestApp } from './test-app.ts'

/** How many sessions wait for a lock in this database. */
export const countLockWaiters = async (db: Db): Promise<number> => {
  const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

/**
 * Two concurrent writers: the first has written and not committed when the second starts, which therefore waits. Returns which one finished,
 * in order; a rejected one with its error code.
 */
export const runConcurrently = async (
  { ctx, db }: TestApp,
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
    await eventually(async () => expect(await countLockWaiters(db)).toBeGreaterThan(0))
    ended.push('first')
  })
  await later
  return ended
}
