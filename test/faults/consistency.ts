import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/connect.ts'
import { findWrongColumnCounts, findWrongResourceCounts } from '../observability/find-wrong-column-counts.ts'
import { findWrongLocations, findWrongVersions } from '../support/find-wrong-locations.ts'
import type { WriteLoad } from './write-load.ts'

/** What is lost or half done of the writes of these loads: nothing, whatever was killed. */
export const findInconsistencies = async (db: Db, ...loads: readonly WriteLoad[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string; title: string }>`select id, title from resources`.execute(db)
  const written = await countBulkEdits(db)
  return [
    ...loads.flatMap((load) => load.lost(rows)),
    ...loads.flatMap((load) =>
      load.bulks.flatMap(({ description, done }) => (done && !written.has(description) ? [`bulk ${description}`] : [])),
    ),
    ...(await findHalfDone(db, ...loads)),
  ]
}

/** Writes that are there in part: none, also in a backup that was made while they were written. */
export const findHalfDone = async (db: Db, ...loads: readonly WriteLoad[]): Promise<string[]> => {
  const written = await countBulkEdits(db)
  return [
    // A bulk edit wrote all its rows or none.
    ...loads.flatMap((load) =>
      load.bulks.flatMap(({ description, ids }) =>
        written.has(description) && written.get(description) !== ids.length
          ? [`bulk ${description}: ${written.get(description)} of ${ids.length}`]
          : [],
      ),
    ),
    ...(await findWrongVersions(db)).map((row) => `versions: ${JSON.stringify(row)}`),
    ...(await findWrongLocations(db)).map((row) => `location: ${JSON.stringify(row)}`),
    ...(await findWrongColumnCounts(db)).map((row) => `column counts: ${JSON.stringify(row)}`),
    ...(await findWrongResourceCounts(db)).map((row) => `resource counts: ${JSON.stringify(row)}`),
  ]
}

/** Rows that each bulk edit has changed, by its description. */
const countBulkEdits = async (db: Db): Promise<Map<string, number>> => {
  const { rows } = await sql<{ description: string; n: number }>`
    select c ->> 'to' as description, count(*)::int as n from activities a, jsonb_array_elements(a.changes) c where c ->> 'field' = 'description' group by 1
  `.execute(db)
  return new Map(rows.map(({ description, n }) => [description, n]))
}
