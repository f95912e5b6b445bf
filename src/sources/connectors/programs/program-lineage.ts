import type { FlowColumn, FlowEnd, FlowMessage, LineageSource } from '../../../../connector/src/protocol.ts'
import type { ResolvedNames } from '../../../lineage/queries/resolve-tables.ts'
import type { Context } from '../../../platform/context/context.ts'
import { hasNoFlows, type JobFlows, mergeFlows, NO_FLOWS } from '../../job-flows/flows.ts'
import { findFlows } from '../../job-flows/job-flow-rows.ts'
import { type FlowUpdate, saveAllFlows, saveFlow } from '../../job-flows/save-flow.ts'
import type { UnlistedScopes } from '../../sync/removals.ts'
import { findResourceIdsByKey } from '../../sync/sync-rows.ts'
import { type Counterparts, getDialect, resolveTableNames } from './counterparts.ts'
import type { ItemVersions } from './item-versions.ts'
import type { ReportedLineage } from './reported-lineage.ts'

export interface LineageCounts {
  readonly read: number
  /** Tables that no integration has, by name. */
  readonly unknown: ReadonlySet<string>
}

const BATCH_SIZE = 200
const JOBS_BATCH_SIZE = 50
const OUTDATED_BATCH_SIZE = 1_000

interface LineageOptions {
  readonly unlisted: UnlistedScopes
  readonly counterparts: Counterparts
  readonly versions: ItemVersions
  /** Throws if the sync is to end. */
  readonly afterBatch: () => Promise<void>
}

/** Writes the reported lineage where it changed and deletes what is no longer reported, except of what could not be listed or is unchanged. */
export const saveReportedLineage = async (
  ctx: Context,
  integration: string,
  reported: ReportedLineage,
  { unlisted, counterparts, versions, afterBatch }: LineageOptions,
): Promise<LineageCounts> => {
  const unknown = new Set<string>()
  let read = 0
  await reported.flush()
  for await (const batch of reported.readInto(BATCH_SIZE)) {
    const sources = batch.flatMap((each) => each.reported)
    const keys = [...batch.map(({ key }) => key), ...sources.flatMap(listKeys)]
    const own = await findResourceIdsByKey(ctx.db, integration, [...new Set(keys)])
    const ids = { get: (key: string) => counterparts.getId(key) ?? own.get(key) }
    const tables = await resolveTableNames(
      ctx,
      integration,
      sources.filter((each) => 'table' in each),
    )
    const stored = await findFlows(
      ctx.db,
      batch.flatMap(({ key }) => own.get(key) ?? []),
    )
    const updates: FlowUpdate[] = []
    const empty: string[] = []
    for (const { key, reported: from } of batch) {
      const owner = own.get(key)
      if (!owner) continue
      const missing = new MissingEnds(unknown)
      const after = toFlows(owner, from, ids, tables, missing)
      if (missing.any) versions.forget(key)
      if (hasNoFlows(after)) empty.push(key)
      else updates.push({ key, owner, before: stored.get(owner) ?? NO_FLOWS, after, replace: true })
    }
    await saveAllFlows(ctx, updates)
    await reported.forget(empty)
    read += updates.length
    await afterBatch()
  }
  for await (const batch of reported.readThrough(JOBS_BATCH_SIZE)) {
    for (const { key, reported: flows } of batch)
      if (await saveJobFlows(ctx, integration, { key, flows, counterparts, versions, unknown })) read += 1
      else await reported.forget([key])
    await afterBatch()
  }
  const isKept: OutdatedOptions['isKept'] = (each) => unlisted.covers(each) || versions.isUnchanged(each.key)
  await deleteOutdatedFlows(ctx, integration, reported, { isKept, afterBatch })
  await reported.complete()
  return { read, unknown }
}

interface OutdatedOptions {
  readonly isKept: (resource: { readonly key: string; readonly entity_type: string }) => boolean
  readonly afterBatch: () => Promise<void>
}

const deleteOutdatedFlows = async (
  ctx: Context,
  integration: string,
  reported: ReportedLineage,
  { isKept, afterBatch }: OutdatedOptions,
): Promise<void> => {
  for (let after = ''; ; ) {
    const unreported = await reported.findUnreportedFlows(after, OUTDATED_BATCH_SIZE)
    if (unreported.length === 0) return
    after = unreported.at(-1)!.key
    const outdated = unreported.filter((each) => !isKept(each))
    const stored = await findFlows(
      ctx.db,
      outdated.map(({ resource_id }) => resource_id),
    )
    const updates = outdated.map(({ resource_id, key }) => {
      const before = stored.get(resource_id) ?? NO_FLOWS
      return { key, owner: resource_id, before, after: NO_FLOWS, ...(before.pairs ? { integration } : {}) }
    })
    await saveAllFlows(ctx, updates)
    await afterBatch()
  }
}

/** Tables and items that lineage names and that are not in the catalog. */
class MissingEnds {
  readonly #unknown: Set<string>
  any = false

  /** Collects the names of tables over all items. */
  constructor(unknown: Set<string>) {
    this.#unknown = unknown
  }

  addTable(path: readonly string[]): void {
    this.any = true
    this.#unknown.add(path.join('.'))
  }

  addItem(): void {
    this.any = true
  }
}

interface CarriedByJob {
  readonly key: string
  readonly flows: readonly FlowMessage[]
  readonly counterparts: Counterparts
  readonly versions: ItemVersions
  readonly unknown: Set<string>
}

/** False if nothing is carried or OpenLineage events report the job. */
const saveJobFlows = async (
  ctx: Context,
  integration: string,
  { key, flows, counterparts, versions, unknown }: CarriedByJob,
): Promise<boolean> => {
  if (counterparts.getId(key)) return false
  const ends = flows.flatMap(({ from, to }) => [...from, ...to])
  const keys = ends.flatMap((end) => ('item' in end ? [end.item] : []))
  const columnKeys = flows.flatMap(({ columns = [] }) => columns.flatMap(({ from, to }) => [from, to]))
  const own = await findResourceIdsByKey(ctx.db, integration, [...new Set([key, ...keys, ...columnKeys])])
  const tables = await resolveTableNames(
    ctx,
    integration,
    ends.filter((each) => 'table' in each),
  )
  const owner = own.get(key)
  if (!owner) return false
  const ids = { get: (key: string) => counterparts.getId(key) ?? own.get(key) }
  const missing = new MissingEnds(unknown)
  const after = toCarriedFlows(owner, flows, ids, tables, missing)
  if (missing.any) versions.forget(key)
  const before = (await findFlows(ctx.db, [owner])).get(owner)
  await saveFlow(ctx, { key, owner, job: owner, before: before ?? NO_FLOWS, after, integration })
  return !hasNoFlows(after)
}

interface Ids {
  get(key: string): string | undefined
}

const toCarriedFlows = (
  owner: string,
  flows: readonly FlowMessage[],
  ids: Ids,
  tables: ReadonlyMap<string, ResolvedNames>,
  missing: MissingEnds,
): JobFlows => {
  const find = (end: FlowEnd): string | undefined => {
    if ('item' in end) {
      const id = ids.get(end.item)
      if (!id) missing.addItem()
      return id
    }
    const { table } = tables.get(getDialect(end))!.get(end.table)
    if (!table) missing.addTable(end.table)
    return table?.id
  }
  const findColumn = (end: FlowEnd, name: string): string | undefined => {
    if ('item' in end) return ids.get(name)
    const binding = tables.get(getDialect(end))!
    return binding.column(binding.get(end.table).table, name)?.id
  }
  const pairs = new Map<string, readonly [string, string]>()
  const columns: JobFlows['columns'][number][] = []
  for (const flow of flows) {
    const [from, to] = [flow.from, flow.to].map((ends) => (ends.length === 0 ? [owner] : ends.flatMap((end) => find(end) ?? [])))
    for (const upstream of from!)
      for (const downstream of to!) if (upstream !== downstream) pairs.set(`${upstream} ${downstream}`, [upstream, downstream])
    for (const column of flow.columns ?? []) columns.push(...toColumnFlow(column, flow, findColumn))
  }
  const sorted = [...pairs.values()].sort(([a, b], [c, d]) => (a + b < c + d ? -1 : 1))
  const merged = mergeFlows({ inputs: sorted.map(([from]) => from), outputs: sorted.map(([, to]) => to), columns }, NO_FLOWS)
  return { ...merged, pairs: sorted }
}

const toColumnFlow = (
  { from, to }: FlowColumn,
  flow: FlowMessage,
  findColumn: (end: FlowEnd, name: string) => string | undefined,
): JobFlows['columns'][number][] => {
  const [upstream, downstream] = [findColumn(flow.from[0]!, from), findColumn(flow.to[0]!, to)]
  return upstream && downstream && upstream !== downstream ? [[upstream, downstream, 'identity']] : []
}

/** The keys of items that a source names. */
const listKeys = (source: LineageSource): string[] => [
  ...('item' in source ? [source.item, ...(source.columns ?? [])] : []),
  ...(source.into === undefined ? [] : [source.into]),
]

const toFlows = (
  owner: string,
  from: readonly LineageSource[],
  ids: Ids,
  tables: ReadonlyMap<string, ResolvedNames>,
  missing: MissingEnds,
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
      if (!id) missing.addItem()
      if (!id || id === owner) continue
      inputs.push(id)
      for (const key of source.columns ?? []) addColumn(ids.get(key))
      continue
    }
    const binding = tables.get(getDialect(source))!
    const { table } = binding.get(source.table)
    if (!table) {
      missing.addTable(source.table)
      continue
    }
    inputs.push(table.id)
    for (const name of source.columns ?? []) addColumn(binding.column(table, name)?.id)
  }
  return mergeFlows({ inputs, outputs: inputs.length > 0 ? [owner] : [], columns }, NO_FLOWS)
}
