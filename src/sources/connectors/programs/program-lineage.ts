import type { LineageSource, TableSource } from '../../../../connector/src/protocol.ts'
import { type ResolvedNames, resolveTables } from '../../../lineage/queries/resolve-tables.ts'
import type { Context } from '../../../platform/context/context.ts'
import { hasNoFlows, type JobFlows, mergeFlows, NO_FLOWS } from '../../job-flows/flows.ts'
import { findFlows, findResourcesWithFlows } from '../../job-flows/job-flow-rows.ts'
import { saveFlow } from '../../job-flows/save-flow.ts'
import { findResourceIdsByKey } from '../../sync/sync-rows.ts'

/** What the lineage messages of a run say, by the key of the item. */
export type ReportedLineage = ReadonlyMap<string, readonly LineageSource[]>

export interface LineageCounts {
  readonly read: number
  /** Tables that no integration has, by name. */
  readonly unknown: ReadonlySet<string>
}

const BATCH_SIZE = 200
const ANY_DIALECT = 'postgres'

/** Writes the reported lineage where it changed and, after a complete run, deletes what is no longer reported. */
export const saveReportedLineage = async (
  ctx: Context,
  integration: string,
  lineage: ReportedLineage,
  complete: boolean,
): Promise<LineageCounts> => {
  const current = new Set<string>()
  const unknown = new Set<string>()
  const entries = [...lineage]
  for (let start = 0; start < entries.length; start += BATCH_SIZE) {
    const batch = entries.slice(start, start + BATCH_SIZE)
    const sources = batch.flatMap(([, from]) => from)
    const keys = [...batch.map(([to]) => to), ...sources.flatMap(listKeys)]
    const ids = await findResourceIdsByKey(ctx.db, integration, [...new Set(keys)])
    const tables = await resolveSources(
      ctx,
      integration,
      sources.filter((each) => 'table' in each),
    )
    const stored = await findFlows(
      ctx.db,
      batch.flatMap(([to]) => ids.get(to) ?? []),
    )
    for (const [key, from] of batch) {
      const owner = ids.get(key)
      if (!owner) continue
      const after = toFlows(owner, from, ids, tables, unknown)
      if (hasNoFlows(after)) continue
      current.add(owner)
      await saveFlow(ctx, key, { owner, before: stored.get(owner), after, replace: true })
    }
  }
  if (complete) await deleteOutdatedFlows(ctx, integration, current)
  return { read: current.size, unknown }
}

const deleteOutdatedFlows = async (ctx: Context, integration: string, current: ReadonlySet<string>): Promise<void> => {
  const outdated = (await findResourcesWithFlows(ctx.db, integration)).filter(({ resource_id }) => !current.has(resource_id))
  for (let start = 0; start < outdated.length; start += BATCH_SIZE) {
    const batch = outdated.slice(start, start + BATCH_SIZE)
    const stored = await findFlows(
      ctx.db,
      batch.map(({ resource_id }) => resource_id),
    )
    for (const { resource_id, key } of batch)
      await saveFlow(ctx, key, { owner: resource_id, before: stored.get(resource_id), after: NO_FLOWS })
  }
}

/** Tables by dialect and name; names are looked up with one statement for each dialect. */
const resolveSources = async (ctx: Context, integration: string, sources: readonly TableSource[]): Promise<Map<string, ResolvedNames>> => {
  const found = new Map<string, ResolvedNames>()
  for (const [dialect, named] of Map.groupBy(sources, getDialect)) {
    const names = named.map(({ table }) => table)
    const binding = await resolveTables(ctx, names, dialect, { without: integration })
    await binding.loadColumns(ctx)
    found.set(dialect, binding)
  }
  return found
}

/** The keys of items that a source names. */
const listKeys = (source: LineageSource): string[] => [
  ...('item' in source ? [source.item, ...(source.columns ?? [])] : []),
  ...(source.into === undefined ? [] : [source.into]),
]

const getDialect = ({ dialect }: TableSource): string => dialect ?? ANY_DIALECT

const toFlows = (
  owner: string,
  from: readonly LineageSource[],
  ids: ReadonlyMap<string, string>,
  tables: ReadonlyMap<string, ResolvedNames>,
  unknown: Set<string>,
): JobFlows => {
  const inputs: string[] = []
  const columns: JobFlows['columns'][number][] = []
  for (const source of from) {
    const into = source.into === undefined ? owner : ids.get(source.into)
    const addColumn = (id: string | undefined) => {
      if (id && into) columns.push([id, into, 'expression'])
    }
    if ('item' in source) {
      const id = ids.get(source.item)
      if (!id || id === owner) continue
      inputs.push(id)
      for (const key of source.columns ?? []) addColumn(ids.get(key))
      continue
    }
    const binding = tables.get(getDialect(source))!
    const { table } = binding.get(source.table)
    if (!table) {
      unknown.add(source.table.join('.'))
      continue
    }
    inputs.push(table.id)
    for (const name of source.columns ?? []) addColumn(binding.column(table, name)?.id)
  }
  return mergeFlows({ inputs, outputs: inputs.length > 0 ? [owner] : [], columns }, NO_FLOWS)
}
