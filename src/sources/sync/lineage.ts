import { mapConcurrently } from '../../../connector/src/paging.ts'
import { parseAndSaveChartLineage, parseAndSaveLineage, parseExecutedQuery } from '../../lineage/queries/from-query.ts'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { OutcomeCounter } from './report.ts'
import { type DefinedItem, nextDefinitions, saveLineageFingerprint } from './sync-rows.ts'
import { saveQueryReads } from './usage.ts'

const BATCH_SIZE = 100
const CONCURRENT_CHARTS = 4

/** Updates the lineage of everything that is defined by a query, where the query has changed. */
export const updateLineage = async (
  ctx: Context,
  integration: string,
  sync_id: string,
  tally: OutcomeCounter,
  signal?: AbortSignal,
): Promise<void> => {
  for (let after = 0; ; ) {
    signal?.throwIfAborted()
    const defined = await nextDefinitions(ctx.db, integration, sync_id, after, BATCH_SIZE)
    if (defined.length === 0) return
    // Charts depend on no other item of their source.
    const limit = defined.every(({ entity_type }) => entity_type === 'chart') ? CONCURRENT_CHARTS : 1
    for await (const read of mapConcurrently(defined, limit, (each) => updateItemLineage(ctx, integration, each))) tally.addLineage(read)
    after = defined.at(-1)!.number
  }
}

/** SQL that cannot be parsed is not tried again until it changes. Existing lineage is replaced only when the definition replaces another. */
const updateItemLineage = async (ctx: Context, integration: string, defined: DefinedItem): Promise<true | { readonly problem: string }> => {
  const { resource_id, entity_type, definition, lineage, before, reads_other_sources } = defined
  const { sql, dialect, database, schema } = definition
  const query = { sql, dialect, default_database: database, default_schema: schema }
  try {
    // A query may fill other tables; everything else is filled by its own definition.
    if (entity_type === 'query') {
      const { reads_from } = definition
      const reads = await parseExecutedQuery(ctx, query, reads_from === undefined ? integration : (reads_from ?? undefined))
      await saveQueryReads(ctx, resource_id, reads)
      // Its tables may be added to the catalog later.
      if (reads_from !== undefined && reads.length === 0) return true
    } else {
      const { unresolved } =
        entity_type === 'chart'
          ? await parseAndSaveChartLineage(ctx, query, resource_id)
          : await parseAndSaveLineage(ctx, { ...query, table_id: resource_id }, { replace: before !== null })
      // Tables of other sources may be added to the catalog later: until all are there, it is tried again with every sync.
      if (reads_other_sources && unresolved.some(({ type }) => type === 'table')) return true
    }
    await saveLineageFingerprint(ctx.db, resource_id, lineage)
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await saveLineageFingerprint(ctx.db, resource_id, lineage)
    return { problem: error.message }
  }
}
