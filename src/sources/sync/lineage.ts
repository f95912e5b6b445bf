import { saveChartLineage } from '../../lineage/queries/chart-lineage.ts'
import { parseAndSaveLineage, parseExecutedQuery } from '../../lineage/queries/from-query.ts'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { TableGrowth } from '../../platform/db/analyze-growth.ts'
import type { OutcomeCounter } from './report.ts'
import { type DefinedItem, nextDefinitions, saveLineageFingerprints } from './sync-rows.ts'
import { saveQueryReads } from './usage.ts'

const BATCH_SIZE = 100

/** Updates the lineage of everything that is defined by a query, where the query has changed. */
export const updateLineage = async (
  ctx: Context,
  integration: string,
  sync_id: string,
  tally: OutcomeCounter,
  signal?: AbortSignal,
): Promise<void> => {
  const edges = new TableGrowth('lineage_edges')
  for (let after = 0; ; ) {
    signal?.throwIfAborted()
    const defined = await nextDefinitions(ctx.db, integration, sync_id, after, BATCH_SIZE)
    if (defined.length === 0) return
    const charts = defined.filter(({ entity_type }) => entity_type === 'chart')
    for (const outcome of await updateCharts(ctx, charts)) tally.addLineage(outcome)
    for (const each of defined) if (each.entity_type !== 'chart') tally.addLineage(await updateItemLineage(ctx, integration, each))
    await edges.add(ctx.db, defined.length)
    after = defined.at(-1)!.number
  }
}

type Outcome = true | { readonly problem: string }

const toQuery = ({ definition: { sql, dialect, database, schema } }: DefinedItem) => ({
  ...{ sql, dialect, default_database: database, default_schema: schema },
})

/** Charts depend on no other item of their source. */
const updateCharts = async (ctx: Context, charts: readonly DefinedItem[]): Promise<Outcome[]> => {
  if (charts.length === 0) return []
  const outcomes = await saveChartLineage(
    ctx,
    charts.map((each) => ({ id: each.resource_id, query: toQuery(each) })),
  )
  const done = charts.filter((_, i) => {
    const outcome = outcomes[i]!
    return 'error' in outcome || !outcome.lineage.unresolved.some(({ type }) => type === 'table')
  })
  await saveLineageFingerprints(ctx.db, done)
  return outcomes.map((outcome) => ('error' in outcome ? { problem: outcome.error.message } : true))
}

/** SQL that cannot be parsed is not tried again until it changes. Existing lineage is replaced only when the definition replaces another. */
const updateItemLineage = async (ctx: Context, integration: string, defined: DefinedItem): Promise<Outcome> => {
  const { resource_id, entity_type, definition, before, reads_other_sources } = defined
  const query = toQuery(defined)
  try {
    // A query may fill other tables; everything else is filled by its own definition.
    if (entity_type === 'query') {
      const { reads_from } = definition
      const reads = await parseExecutedQuery(ctx, query, reads_from === undefined ? integration : (reads_from ?? undefined))
      await saveQueryReads(ctx, resource_id, reads)
      // Its tables may be added to the catalog later.
      if (reads_from !== undefined && reads.length === 0) return true
    } else {
      const { unresolved } = await parseAndSaveLineage(ctx, { ...query, table_id: resource_id }, { replace: before !== null })
      // Tables of other sources may be added to the catalog later: until all are there, it is tried again with every sync.
      if (reads_other_sources && unresolved.some(({ type }) => type === 'table')) return true
    }
    await saveLineageFingerprints(ctx.db, [defined])
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await saveLineageFingerprints(ctx.db, [defined])
    return { problem: error.message }
  }
}
