import { deleteTrees } from '../../catalog/resources/delete.ts'
import { markStale } from '../../catalog/resources/stale.ts'
import { ensureTags } from '../../catalog/tags/tags.ts'
import { saveDerivedEdges } from '../../lineage/edges/derived.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { isUniqueViolation } from '../../platform/db/unique-violation.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { findFlowTargets, flowEdges, hasNoFlows, type JobFlows, mergeFlows, NO_FLOWS, toFlowEvidence } from '../job-flows/flows.ts'
import { findFacts, findFlows, findOldRuns, findResourceIdsOfKeys, lockJob, saveFlows } from '../job-flows/job-flow-rows.ts'
import { applyFieldSuggestions } from '../sync/field-suggestions.ts'
import { findUsersByEmail } from '../sync/find-users.ts'
import { type DuplicateResource, replaceDuplicates } from '../sync/merge-duplicates.ts'
import { pushItems } from '../sync/push-items.ts'
import { contextAsSource } from '../sync/reconcile.ts'
import { markMissing } from '../sync/sync-rows.ts'
import { queueCheckResults } from './checks.ts'
import { findImpliedInputs, parseColumnFlows } from './column-lineage.ts'
import type { Dataset, Event } from './event.ts'
import { applyRunEvent, findLastRun, isDropped, isFinished, parseAllTags, parseFields, parseOwners, parseTags } from './facets.ts'
import { getOrCreateIntegration } from './integration.ts'
import { extractUserFields, getDatasetItemKey, groupByDataset, type ResolvedReferences, resolveTags, toItems } from './items.ts'
import { datasetKey, jobKey, parseDatasetName, runKey } from './names.ts'
import { mergeDatasetFacets, mergeRunFacets } from './raw-facets.ts'
import { datasetName, type ResolvedDatasets, resolveDatasets } from './resolve-datasets.ts'

const MAX_ATTEMPTS = 5

/** Ingests events one after another, each in its own transaction. Repeated or reordered events have the same result. */
export const ingestEvents = async (ctx: Context, events: readonly Event[], integration?: string): Promise<void> => {
  requirePermission(ctx.actor, 'catalog.write')
  for (const event of events) await ingestWithRetry({ ...ctx, if_match: undefined }, event, integration)
}

const ingestWithRetry = async (ctx: Context, event: Event, named: string | undefined): Promise<void> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      const job = await inTransaction(ctx, (ctx) => ingestEvent(ctx, event, named))
      if (job) await deleteOldRuns(ctx, job)
      return
    } catch (error) {
      // Two jobs reported the same new dataset at the same time: the retry finds it.
      if (!isUniqueViolation(error) || attempt === MAX_ATTEMPTS) throw error
    }
}

/** Returns the job if the event is the first one of a run. */
const ingestEvent = async (caller: Context, received: Event, named: string | undefined): Promise<string | undefined> => {
  const dropped = received.outputs.filter((output) => received.kind !== 'dataset' && isDropped(output))
  const outputs = received.outputs.filter((output) => !dropped.includes(output))
  const event = { ...received, outputs, inputs: [...received.inputs, ...findMentionedDatasets({ ...received, outputs })] }
  const { namespace } = event.kind === 'dataset' ? event.outputs[0]! : event.job
  const integration = await getOrCreateIntegration(caller, namespace, named)
  const ctx = contextAsSource(caller)
  const datasets = [...event.inputs, ...event.outputs]
  await lockJob(ctx.db, integration, event.kind === 'dataset' ? datasetKey(namespace, event.outputs[0]!.name) : jobKey(event.job))
  // Only resources the caller can see.
  const resolved = await resolveDatasets(caller, datasets, integration)
  const facts = await findFacts(ctx.db, integration, findItemKeys(event, resolved))
  const before = event.kind === 'run' ? facts.get(runKey(event.run.id)) : undefined
  const run = event.kind === 'run' ? applyRunEvent(before, event, mergeRunFacets(before, event)) : undefined
  const last = event.kind === 'run' ? findLastRun(facts.get(jobKey(event.job)), run) : undefined
  const facetSets = [...datasets, ...(event.kind === 'dataset' ? [] : [event.job])].map(({ facets }) => facets)
  const names = {
    people: await findUsersByEmail(ctx.db, facetSets.flatMap(parseOwners)),
    tags: await findTags(ctx, facetSets.flatMap(parseAllTags)),
  }
  const ids = await pushItems(ctx, integration, toItems(event, resolved, { ...names, run, last, facts }))
  await replaceDuplicates(ctx, integration, findDuplicates(datasets, resolved))
  if (event.kind === 'run' && event.type === 'COMPLETE') await markDropped(ctx, integration, dropped)
  await applyFieldSuggestions(ctx, integration, 'openlineage', toFieldSuggestions(datasets, resolved, names))
  if (event.kind === 'run')
    await queueCheckResults(ctx.db, event, {
      table: (dataset) => tableId(dataset, resolved, ids),
      column: (dataset, name) => columnId(dataset, name, resolved, ids),
    })
  const job = event.kind === 'dataset' ? undefined : ids.get(jobKey(event.job))
  await writeFlows(ctx, event, toFlows(event, resolved, ids), {
    job,
    run: event.kind === 'run' ? ids.get(runKey(event.run.id)) : undefined,
    ids,
    bound: resolved,
  })
  return event.kind === 'run' && !before ? job : undefined
}

/** Dropped datasets become stale until they are reported again. Tables of other sources are managed by those. */
const markDropped = async (ctx: Context, integration: string, dropped: readonly Dataset[]): Promise<void> => {
  if (dropped.length === 0) return
  const keys = dropped.map((dataset) => datasetKey(dataset.namespace, ...parseDatasetName(dataset).parts))
  const ids = await findResourceIdsOfKeys(ctx.db, integration, keys)
  await markStale(ctx, ids, true)
  await markMissing(ctx.db, ids, ctx.now)
}

/** Keys of what the event describes and that may already have facts. */
const findItemKeys = (event: Event, resolved: ResolvedDatasets): string[] => [
  ...(event.kind === 'dataset' ? [] : [jobKey(event.job)]),
  ...(event.kind === 'run' ? [runKey(event.run.id)] : []),
  ...[...event.inputs, ...event.outputs].filter((dataset) => !resolved.tables.has(datasetName(dataset))).map(getDatasetItemKey),
]

const findTags = async (ctx: Context, names: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  names.length > 0 ? ensureTags(ctx, names) : new Map()

/** Datasets named only in column lineage are inputs as well. */
const findMentionedDatasets = ({ inputs, outputs }: Event): Dataset[] => {
  const named = new Set([...inputs, ...outputs].map(datasetName))
  const found = new Map<string, Dataset>()
  for (const output of outputs)
    for (const { namespace, name } of findImpliedInputs(output)) {
      const dataset = { namespace, name, facets: {}, use: {} }
      if (!named.has(datasetName(dataset))) found.set(datasetName(dataset), dataset)
    }
  return [...found.values()]
}

const toFieldSuggestions = (
  datasets: readonly Dataset[],
  resolved: ResolvedDatasets,
  names: Pick<ResolvedReferences, 'people' | 'tags'>,
) => {
  const uses = groupByDataset(datasets)
  return [...new Map(datasets.map((dataset) => [datasetName(dataset), dataset])).values()].flatMap((dataset) => {
    const table = resolved.tables.get(datasetName(dataset))
    if (!table) return []
    const userFields = extractUserFields(dataset.facets, names)
    const columns = parseFields(dataset.facets).flatMap(({ path, description }) => {
      const fields = { ...(description ? { description } : {}), ...resolveTags(parseTags(dataset.facets, path.join('.')), names.tags) }
      const column = path.length === 1 && Object.keys(fields).length > 0 ? resolved.column(table, path[0]!) : undefined
      return column ? [{ resource_id: column.id, fields }] : []
    })
    const facts = mergeDatasetFacets(undefined, uses.get(datasetName(dataset))!)
    const suggestion = { resource_id: table.id, fields: userFields, ...(Object.keys(facts).length > 0 ? { facts } : {}) }
    return [...(Object.keys(userFields).length > 0 || suggestion.facts ? [suggestion] : []), ...columns]
  })
}

/** Datasets that were reported here before another source reported the same table. */
const findDuplicates = (datasets: readonly Dataset[], resolved: ResolvedDatasets): DuplicateResource[] =>
  datasets.flatMap((dataset) => {
    const table = resolved.tables.get(datasetName(dataset))
    if (!table) return []
    const path = [dataset.namespace, ...parseDatasetName(dataset).parts] as const
    return [
      { key: datasetKey(...path), id: table.id },
      ...parseFields(dataset.facets).map((field) => ({
        key: datasetKey(...path, ...field.path),
        ...(field.path.length === 1 ? { id: resolved.column(table, field.path[0]!)?.id } : {}),
      })),
    ]
  })

type Ids = ReadonlyMap<string, string>

const tableId = (dataset: Pick<Dataset, 'namespace' | 'name'>, resolved: ResolvedDatasets, ids: Ids): string | undefined =>
  resolved.tables.get(datasetName(dataset))?.id ?? ids.get(datasetKey(dataset.namespace, ...parseDatasetName(dataset).parts))

const columnId = (
  dataset: Pick<Dataset, 'namespace' | 'name'>,
  field: string,
  resolved: ResolvedDatasets,
  ids: Ids,
): string | undefined => {
  const table = resolved.tables.get(datasetName(dataset))
  return table ? resolved.column(table, field)?.id : ids.get(datasetKey(dataset.namespace, ...parseDatasetName(dataset).parts, field))
}

const toFlows = (event: Event, resolved: ResolvedDatasets, ids: Ids): JobFlows => {
  const tables = (datasets: readonly Dataset[]) => datasets.flatMap((dataset) => tableId(dataset, resolved, ids) ?? [])
  const columns = event.outputs.flatMap((output) =>
    parseColumnFlows(output.facets).flatMap(({ from, to, kind }) => {
      const [upstream, downstream] = [
        columnId(from, from.field, resolved, ids),
        to === null ? tableId(output, resolved, ids) : columnId(output, to, resolved, ids),
      ]
      return upstream && downstream && upstream !== downstream ? [[upstream, downstream, kind] as const] : []
    }),
  )
  return mergeFlows({ inputs: tables(event.inputs), outputs: tables(event.outputs), columns }, NO_FLOWS)
}

interface FlowTarget {
  readonly job: string | undefined
  readonly run: string | undefined
  readonly bound: ResolvedDatasets
  readonly ids: Ids
}

/**
 * A run that completes replaces the flows of its job with those of all its events; until then its flows are added to the known ones, and a
 * failed run changes nothing. So the graph does not change with every start.
 */
const writeFlows = async (ctx: Context, event: Event, eventFlows: JobFlows, { job, run, bound, ids }: FlowTarget): Promise<void> => {
  const owner = job ?? tableId(event.outputs[0]!, bound, ids)
  if (!owner) return
  const stored = await findFlows(ctx.db, [owner, ...(run ? [run] : [])])
  const before = stored.get(owner) ?? NO_FLOWS
  const runFlows = run ? mergeFlows(stored.get(run) ?? NO_FLOWS, eventFlows) : eventFlows
  const ended = event.kind !== 'run' || isFinished(event.type)
  // What a finished run read and wrote stays known; its column flows are those of the job.
  const kept = ended ? { ...runFlows, columns: [] } : runFlows
  if (run && !hasNoFlows(kept) && !isSameFlows(kept, stored.get(run) ?? NO_FLOWS)) await saveFlows(ctx.db, run, kept)
  const final = event.kind !== 'run' || event.type === 'COMPLETE'
  if (hasNoFlows(runFlows) || (ended && !final)) return
  const after = final ? runFlows : mergeFlows(before, runFlows)
  if (isSameFlows(after, before) || (!final && (after.inputs.length === 0 || after.outputs.length === 0))) return
  await saveFlows(ctx.db, owner, after)
  const sql = event.kind === 'dataset' ? toFlowEvidence('dataset', event.outputs[0]!) : toFlowEvidence('job', event.job)
  await saveDerivedEdges(
    ctx,
    {
      query: { sql, dialect: 'openlineage', engine_version: 'openlineage', statements: [{ kind: 'job', start: 0, end: sql.length, job }] },
      targets: [...new Set([...findFlowTargets(before, job), ...findFlowTargets(after, job)])],
      edges: flowEdges(after, job, sql.length),
    },
    { replace: [] },
  )
}

const isSameFlows = (one: JobFlows, other: JobFlows): boolean => JSON.stringify(one) === JSON.stringify(other)

const MAX_RUNS = 50
const CLEANUP_BATCH = 10 // deletes this many at once

const deleteOldRuns = (ctx: Context, job: string): Promise<void> =>
  findOldRuns(ctx.db, job, MAX_RUNS, CLEANUP_BATCH).then((old) =>
    old.length === 0
      ? undefined
      : inTransaction(contextAsSource(ctx), async (ctx) => {
          await deleteTrees(ctx, await findOldRuns(ctx.db, job, MAX_RUNS, CLEANUP_BATCH), newId())
        }),
  )
