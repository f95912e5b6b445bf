import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { runInBatches } from '../../platform/db/in-batches.ts'

/**
 * Runs every hour: replaces the rows of a table in `column_counts`, which are differences, by their sum. Its row IDs stay valid because rows are only
 * inserted and deleted; of two processes at once, each adds up what it has deleted.
 */
export const compactColumnCounts = ({ db }: Context): Promise<void> =>
  runInBatches(async (limit) => {
    const { rows } = await sql<{ n: number }>`
      with several as materialized (
        select array_agg(c.ctid) as rows from column_counts c group by c.parent, c.integration, c.published, c.teams
        having count(*) > 1 or (sum(c.columns), sum(c.columns_described), sum(c.columns_with_terms), sum(c.columns_pii)) = (0, 0, 0, 0)
        limit ${limit}
      ), gone as (
        delete from column_counts where ctid = any(array(select unnest(s.rows) from several s)) returning *
      ), summed as (
        insert into column_counts (parent, integration, published, teams, columns, columns_described, columns_with_terms, columns_pii)
        select g.parent, g.integration, g.published, g.teams, sum(g.columns), sum(g.columns_described), sum(g.columns_with_terms), sum(g.columns_pii)
        from gone g group by g.parent, g.integration, g.published, g.teams
        having (sum(g.columns), sum(g.columns_described), sum(g.columns_with_terms), sum(g.columns_pii)) <> (0, 0, 0, 0)
      )
      select count(*) as n from several`.execute(db)
    return rows[0]!.n
  })
