import type { Context } from '../context.ts'
import { putDerivedEdges } from '../lineage/derived.ts'
import { findGivenByOthers, takeGiven } from './store.ts'

/** A project that is deleted takes the lineage with it that only its own SQL told. Some at a time; answers with of how many tables it told some. */
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
