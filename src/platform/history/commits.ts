import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/**
 * The order in which activities became visible. `logged_at` is when a request started, and a transaction that started early may commit late;
 * so followers of the log go from snapshot to snapshot of the database, and within one by transaction and ID.
 */
export const readCurrentSnapshot = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(db)
  return rows[0]!.snapshot
}

const parseSnapshot = (snapshot: string) => {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':')
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: running === '' ? [] : running.split(',').map(BigInt) }
}

/** Transaction IDs belong to a server. A database restored on another server may contain IDs that server has not reached. */
export const isForeignSnapshot = (seen: string, current: string): boolean => parseSnapshot(seen).xmin > parseSnapshot(current).xmax

/**
 * The ranges of transaction IDs that `target` may see and `seen` may not. Running transactions are left out, so that the million rows of a
 * running import are not even scanned.
 */
export const xidRangesBetween = (seen: string, target: string): { from: string; below: string }[] => {
  const { xmax, running } = parseSnapshot(target)
  const ranges: { from: string; below: string }[] = []
  let from = parseSnapshot(seen).xmin
  for (const each of [...running.sort((a, b) => (a < b ? -1 : 1)), xmax]) {
    if (each > from) ranges.push({ from: String(from), below: String(each) })
    if (each >= from) from = each + 1n
  }
  return ranges
}

/** The ranges that remain after the cursor's position. */
export const findRemainingXidRanges = ({
  seen,
  target,
  at_xid,
}: {
  seen: string
  target: string | null
  at_xid: string | null
}): { from: string; below: string }[] =>
  xidRangesBetween(seen, target!).flatMap(({ from, below }) =>
    at_xid !== null && BigInt(below) <= BigInt(at_xid)
      ? []
      : [{ from: at_xid !== null && BigInt(at_xid) > BigInt(from) ? at_xid : from, below }],
  )

export const inXidRangesSql = (ranges: readonly { from: string; below: string }[]) =>
  sql`unnest(${ranges.map(({ from }) => from)}::text[]::xid8[], ${ranges.map(({ below }) => below)}::text[]::xid8[]) as x(from_xid, below_xid)`
