import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/**
 * The order in which entries of history became visible. `logged_at` is when a request began, and a transaction that began early may commit
 * late; so whoever follows the log goes from snapshot to snapshot of the database, and within one by transaction and ID.
 */
export const currentSnapshot = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(db)
  return rows[0]!.snapshot
}

const numbersOf = (snapshot: string) => {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':')
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: running === '' ? [] : running.split(',').map(BigInt) }
}

/** Transactions are numbered by the server. A database that was restored on another one holds numbers from a future that will not come. */
export const isFromElsewhere = (seen: string, current: string): boolean => numbersOf(seen).xmin > numbersOf(current).xmax

/**
 * The numbers of transactions that the target may see and `seen` may not, as ranges from … up to. Those still running are left out:
 * the million rows of an import under way are not even looked at.
 */
export const rangesBetween = (seen: string, target: string): { from: string; below: string }[] => {
  const { xmax, running } = numbersOf(target)
  const ranges: { from: string; below: string }[] = []
  let from = numbersOf(seen).xmin
  for (const each of [...running.sort((a, b) => (a < b ? -1 : 1)), xmax]) {
    if (each > from) ranges.push({ from: String(from), below: String(each) })
    if (each >= from) from = each + 1n
  }
  return ranges
}

/** What is left of them from a place on. */
export const rangesFrom = ({
  seen,
  target,
  at_xid,
}: {
  seen: string
  target: string | null
  at_xid: string | null
}): { from: string; below: string }[] =>
  rangesBetween(seen, target!).flatMap(({ from, below }) =>
    at_xid !== null && BigInt(below) <= BigInt(at_xid)
      ? []
      : [{ from: at_xid !== null && BigInt(at_xid) > BigInt(from) ? at_xid : from, below }],
  )

export const within = (ranges: readonly { from: string; below: string }[]) =>
  sql`unnest(${ranges.map(({ from }) => from)}::text[]::xid8[], ${ranges.map(({ below }) => below)}::text[]::xid8[]) as x(from_xid, below_xid)`
