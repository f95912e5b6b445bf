import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { NEWEST_FIRST, writtenSince } from '../lists/count.ts'
import type { Matching } from '../resources/count.ts'

/**
 * What a search found stays true until a resource is written that it finds, or found. `resource_changes` says which were written, and
 * how they were before: so an answer can be used again when none of them concerns it, and is never older than the question.
 */
interface Known {
  readonly snapshot: string
  readonly at: number
  readonly found: unknown
}

class Finds {
  readonly known = new LRUCache<string, Known>({ max: 2_000 })
}

const USABLE_FOR_MS = 4 * 60_000 // less than changes are kept (resources/count.ts)
const MOST_CHANGES = 50 // each old row is read as the search reads it, some 50 µs

/** Finds it, or knows it. `matching` says what it concerns: of written rows 'w', and of rows as they were 'o'. */
export const findOnce = async <T>(ctx: Context, key: string, matching: Matching, find: () => Promise<T>): Promise<T> => {
  if (ctx.in_transaction) return find()
  const { known } = ctx.memory.of(Finds)
  const before = known.get(key)
  const at = performance.now()
  if (before && at - before.at < USABLE_FOR_MS) {
    const { concerned, snapshot } = await lookAtChanges(ctx, before.snapshot, matching)
    if (!concerned) {
      known.set(key, { ...before, snapshot, at })
      return before.found as T
    }
  }
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(ctx.db, ctx.limits)
  const found = await find()
  known.set(key, { snapshot: rows[0]!.snapshot, at, found })
  return found
}

const lookAtChanges = async (ctx: Context, then: string, matching: Matching): Promise<{ concerned: boolean; snapshot: string }> => {
  const { rows } = await sql<{ written: boolean; snapshot: string }>`
    select exists (select from (select from resource_changes c where ${writtenSince(then, 'c')} ${NEWEST_FIRST} limit 1) one) as written, pg_current_snapshot()::text as snapshot
  `.execute(ctx.db, ctx.limits)
  const { written, snapshot } = rows[0]!
  // Asked by itself because it is long: planning it takes longer than everything else here.
  return { concerned: written && (await concerns(ctx, then, matching)), snapshot }
}

const concerns = async (ctx: Context, then: string, matching: Matching): Promise<boolean> => {
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
