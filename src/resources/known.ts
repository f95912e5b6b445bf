import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { NEWEST_FIRST, writtenSince } from '../lists/count.ts'
import type { Memory } from '../memory.ts'
import type { Matching } from './count.ts'

/**
 * Which resources were found stays true until one is written that is found, or was. `resource_changes` says which were written, and how
 * they were before: so an answer can be used again when none of them concerns it, and is never older than the question.
 */
export interface Known<T> {
  /** From before it was looked for. */
  readonly snapshot: string
  readonly at: number
  readonly found: T
}

export class Finds {
  /** What was written about just now soon is again: until then it is found each time, and not kept. */
  restMs = 1_000
  readonly restless = new LRUCache<string, number>({ max: 5_000 })
  readonly known = new LRUCache<string, Known<{ readonly size: number }>>({
    maxSize: MOST_FOUND,
    sizeCalculation: ({ found }) => found.size + 1,
  })
}

const MOST_FOUND = 200_000 // resources in all answers together, some 100 bytes each
const USABLE_FOR_MS = 4 * 60_000 // less than changes are kept (count.ts)
const MOST_CHANGES = 50 // each old row is read as a search reads it, some 50 µs

/** When the database may be another one. */
export const forgetFinds = (memory: Memory): void => memory.of(Finds).known.clear()

/** What was found under this key, if nothing written since concerns it: that is still to be asked. */
export const recall = <T>(ctx: Context, key: string): Known<T> | undefined => {
  const known = ctx.in_transaction ? undefined : ctx.memory.of(Finds).known.get(key)
  return known && performance.now() - known.at < USABLE_FOR_MS ? (known as Known<unknown> as Known<T>) : undefined
}

/** `size` says how many resources it holds. */
export const remember = (ctx: Context, key: string, known: Known<{ readonly size: number }>): void => {
  if (!ctx.in_transaction) ctx.memory.of(Finds).known.set(key, known)
}

/** It is no longer as it was found. */
export const forget = (ctx: Context, key: string): void => {
  const finds = ctx.memory.of(Finds)
  finds.known.delete(key)
  finds.restless.set(key, performance.now() + finds.restMs)
}

/** Whether it was forgotten a moment ago. */
export const isRestless = (ctx: Context, key: string): boolean => (ctx.memory.of(Finds).restless.get(key) ?? 0) > performance.now()

/** Whether anything at all was written since. */
export const anythingWritten = (then: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from (select from resource_changes c where ${writtenSince(then, 'c')} ${NEWEST_FIRST} limit 1) one)`

/** Whether what was written since concerns it. Asked by itself because it is long: planning it takes longer than everything else here. */
export const concerns = async (ctx: Context, then: string, matching: Matching): Promise<boolean> => {
  const { rows } = await sql<{ concerned: boolean }>`
    with written as materialized (
      select c.resource_id, c.old from resource_changes c where ${writtenSince(then, 'c')} ${NEWEST_FIRST} limit ${MOST_CHANGES + 1}
    )
    select (select count(*) from written) > ${MOST_CHANGES}
      or exists (select from written where resource_id is null)
      or exists (select from resources w where w.id in (select resource_id from written) and ${matching('w')})
      or exists (select from (select (c.old).* from written c where (c.old).id is not null) o where ${matching('o')}) as concerned
  `.execute(ctx.db, ctx.limits)
  return rows[0]!.concerned
}

/** Finds it, or knows it. `matching` says what it concerns: of written rows 'w', and of rows as they were 'o'. */
export const findOnce = async <T extends { readonly size: number }>(
  ctx: Context,
  key: string,
  matching: Matching,
  find: () => Promise<T>,
): Promise<T> => {
  const at = performance.now()
  const before = recall<T>(ctx, key)
  const { rows } = await sql<{ written: boolean; snapshot: string }>`
    select ${before ? anythingWritten(before.snapshot) : sql`true`} as written, pg_current_snapshot()::text as snapshot
  `.execute(ctx.db, ctx.limits)
  const { written, snapshot } = rows[0]!
  const same = before && !(written && (await concerns(ctx, before.snapshot, matching)))
  const found = same ? before.found : await find()
  remember(ctx, key, { snapshot, at, found })
  return found
}
