import type { Context } from '../context.ts'
import { putDerivedEdges } from '../lineage/derived.ts'
import { findGivenByOthers, takeGiven } from './store.ts'

/** Deletes the lineage that only the SQL of a deleted project reported. Works in batches; returns how many tables were affected. */
export const withdrawLineage = async (ctx: Context, integration: string, most: number): Promise<number> => {
  const given = await takeGiven(ctx.db, integration, most)
  const others = await findGivenByOthers(
    ctx.db,
    given.map(({ target }) => target),
  )
  for (const { target, hashes } of given)
    await putDerivedEdges(
      ctx,
      { query: { sql: '', dialect: 'dbt', engine_version: 'dbt', statements: [] }, targets: [target], edges: [] },
      { replace: [], instead_of: hashes.filter((hash) => !others.get(target)?.has(hash)) },
    )
  return given.length
}
