import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { runInBatches } from '../../platform/db/in-batches.ts'
import { COUNTED_COLUMNS } from './count.ts'

const GROUP = sql.join(COUNTED_COLUMNS.map((column) => sql.ref(column)))

/**
 * Runs every hour. The rows of a combination in `resource_counts` are differences, and are replaced by one row with their sum. Rows are only inserted and
 * deleted, never updated, so their `ctid` stays valid; of two processes at once, each adds up the rows that it has deleted.
 */
export const compactResourceCounts = ({ db }: Context): Promise<void> =>
  runInBatches(async (limit) => {
    const { rows } = await sql<{ n: number }>`
      with several as materialized (
        select array_agg(ctid) as rows from resource_counts group by ${GROUP} having count(*) > 1 or sum(n) = 0 limit ${limit}
      ), gone as (
        delete from resource_counts where ctid = any(array(select unnest(s.rows) from several s)) returning *
      ), summed as (
        insert into resource_counts (${GROUP}, n) select ${GROUP}, sum(n) from gone group by ${GROUP} having sum(n) <> 0
      )
      select count(*) as n from several`.execute(db)
    return rows[0]!.n
  })
