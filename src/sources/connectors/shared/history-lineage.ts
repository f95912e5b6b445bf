import type { Context } from '../../../platform/context/context.ts'
import { hasNoFlows, type JobFlows, mergeFlows, NO_FLOWS } from '../../job-flows/flows.ts'
import { findFlows, findResourcesWithFlows } from '../../job-flows/job-flow-rows.ts'
import { type FlowUpdate, saveAllFlows } from '../../job-flows/save-flow.ts'
import { buildItemKey } from '../../sync/item.ts'
import { findResourceIdsByKey } from '../../sync/sync-rows.ts'
import type { DiscoveryContext } from './connector.ts'

/** A column that a warehouse saw being written from another one. The parts of each name are database, schema, table and column. */
export interface ColumnPair {
  readonly from: readonly string[]
  readonly to: readonly string[]
}

const BATCH_SIZE = 200

/**
 * Saves the column lineage that a warehouse recorded itself, beside what is read from the SQL of views and queries, and deletes what it no longer
 * reports. Names of tables that were not synced are left out. Returns the number of tables with lineage.
 */
const saveColumnPairs = async (ctx: Context, integration: string, pairs: readonly ColumnPair[]): Promise<number> => {
  const byTarget = [...Map.groupBy(pairs, ({ to }) => buildItemKey(...to.slice(0, -1)))]
  const current = new Set<string>()
  for (let start = 0; start < byTarget.length; start += BATCH_SIZE) {
    const batch = byTarget.slice(start, start + BATCH_SIZE)
    const names = batch.flatMap(([, some]) => some.flatMap(({ from, to }) => [from, from.slice(0, -1), to, to.slice(0, -1)]))
    const ids = await findResourceIdsByKey(ctx.db, integration, [...new Set(names.map((name) => buildItemKey(...name)))])
    const stored = await findFlows(
      ctx.db,
      batch.flatMap(([key]) => ids.get(key) ?? []),
    )
    const updates: FlowUpdate[] = []
    for (const [key, some] of batch) {
      const owner = ids.get(key)
      const after = owner ? toFlows(owner, some, ids) : NO_FLOWS
      if (!owner || hasNoFlows(after)) continue
      current.add(owner)
      updates.push({ key, owner, before: stored.get(owner) ?? NO_FLOWS, after })
    }
    await saveAllFlows(ctx, updates)
  }
  const outdated = (await findResourcesWithFlows(ctx.db, integration)).filter(({ resource_id }) => !current.has(resource_id))
  for (let start = 0; start < outdated.length; start += BATCH_SIZE) {
    const batch = outdated.slice(start, start + BATCH_SIZE)
    const stored = await findFlows(
      ctx.db,
      batch.map(({ resource_id }) => resource_id),
    )
    const updates = batch.map(({ resource_id: owner, key }) => ({ key, owner, before: stored.get(owner) ?? NO_FLOWS, after: NO_FLOWS }))
    await saveAllFlows(ctx, updates)
  }
  return current.size
}

const toFlows = (owner: string, pairs: readonly ColumnPair[], ids: ReadonlyMap<string, string>): JobFlows => {
  const find = (name: readonly string[]) => ids.get(buildItemKey(...name))
  const inputs = pairs.flatMap(({ from }) => find(from.slice(0, -1)) ?? []).filter((id) => id !== owner)
  const columns = pairs.flatMap(({ from, to }) => {
    const [upstream, downstream] = [find(from), find(to)]
    return upstream && downstream && upstream !== downstream ? [[upstream, downstream, 'expression'] as const] : []
  })
  return mergeFlows({ inputs, outputs: inputs.length > 0 ? [owner] : [], columns }, NO_FLOWS)
}

/** Reads and saves it after everything else; without access to the warehouse's records, that is said in the log. */
export const syncColumnPairs = async (
  { ctx, signal, log }: DiscoveryContext,
  integration: string,
  read: () => Promise<readonly ColumnPair[]>,
): Promise<{ read: number; unreadable: number }> => {
  if (!ctx) return { read: 0, unreadable: 0 }
  let pairs: readonly ColumnPair[]
  try {
    pairs = await read()
  } catch (error) {
    if (signal.aborted) throw error
    await log(`Could not read the column lineage: ${(error as Error).message}`)
    return { read: 0, unreadable: 0 }
  }
  return { read: await saveColumnPairs(ctx, integration, pairs), unreadable: 0 }
}
