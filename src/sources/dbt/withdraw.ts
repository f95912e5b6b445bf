import { saveDerivedEdges } from '../../lineage/edges/derived.ts'
import type { Context } from '../../platform/context/context.ts'
import { findSourceQueriesOfOthers, popSourceQueries } from './dbt-rows.ts'

/** Deletes the lineage that only the SQL of a deleted project reported. Works in batches; returns how many tables were affected. */
export const withdrawLineage = async (ctx: Context, integration: string, limit: number): Promise<number> => {
  const queries = await popSourceQueries(ctx.db, integration, limit)
  const others = await findSourceQueriesOfOthers(
    ctx.db,
    queries.map(({ target }) => target),
  )
  for (const { target, hashes } of queries)
    await saveDerivedEdges(
      ctx,
      { query: { sql: '', dialect: 'dbt', engine_version: 'dbt', statements: [] }, targets: [target], edges: [] },
      { replace: [], instead_of: hashes.filter((hash) => !others.get(target)?.has(hash)) },
    )
  return queries.length
}
