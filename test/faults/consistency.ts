import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/connect.ts'
import { findWrongLocations, findWrongVersions } from '../tree.ts'
import type { WriteLoad } from './write-load.ts'

/** What is lost or half done of the writes of these loads: nothing, whatever was killed. */
export const findInconsistencies = async (db: Db, ...loads: readonly WriteLoad[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string; title: string }>`select id, title from resources`.execute(db)
  const { rows: bulks } = await sql<{ description: string; n: number }>`
    select c ->> 'to' as description, count(*)::int as n from activities a, jsonb_array_elements(a.changes) c where c ->> 'field' = 'description' group by 1
  `.execute(db)
  const written = new Map(bulks.map(({ description, n }) => [description, n]))
  return [
    ...loads.flatMap((load) => load.lost(rows)),
    // A bulk edit wrote all its rows or none; an acknowledged one wrote all.
    ...loads.flatMap((load) =>
      load.bulks.flatMap(({ description, ids, done }) =>
        (done || written.has(description)) && written.get(description) !== ids.length
          ? [`bulk ${description}: ${written.get(description)} of ${ids.length}`]
          : [],
      ),
    ),
    ...(await findWrongVersions(db)).map((row) => `versions: ${JSON.stringify(row)}`),
    ...(await findWrongLocations(db)).map((row) => `location: ${JSON.stringify(row)}`),
  ]
}
