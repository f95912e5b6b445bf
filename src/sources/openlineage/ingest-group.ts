import { deleteTrees } from '../../catalog/resources/delete.ts'
import { markStale } from '../../catalog/resources/stale.ts'
import { ensureTags } from '../../catalog/tags/tags.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { type JobFlows, NO_FLOWS } from '../job-flows/flows.ts'
import { findOldRuns, findResourceIdsOfKeys, lockJobs } from '../job-flows/job-flow-rows.ts'
import { applyFieldSuggestions } from '../sync/field-suggestions.ts'
import { findUsersByEmail } from '../sync/find-users.ts'
import { replaceDuplicates } from '../sync/merge-duplicates.ts'
import { type LookedUpItems, pushItems } from '../sync/push-items.ts'
import { contextAsSource } from '../sync/reconcile.ts'
import { requireVisibleResources } from '../sync/sender-access.ts'
import { findKnownItems, type KnownItem, markMissing } from '../sync/sync-rows.ts'
import { queueCheckResults } from './checks.ts'
import type { Dataset, Event } from './event.ts'
import { collectDatasets, type EventDatasets } from './event-datasets.ts'
import { type LookedUpFlows, saveEventFlows } from './event-flows.ts'
import { parseAllTags, parseOwners } from './facets.ts'
import { foldEvents } from './fold-events.ts'
import { lockEventIntegration } from './integration.ts'
import { getDatasetItemKey } from './items.ts'
import { findKnownReports, findLastReports, rememberReports, toKnownReport, withKnownIds } from './known-datasets.ts'
import { hasColumnResults, queueMetrics } from './metrics.ts'
import { datasetKey, groupKey, jobKey, parseDatasetName, runKey } from './names.ts'
import { datasetName, resolveDatasets } from './resolve-datasets.ts'
import { findDuplicates, toFieldSuggestions } from './resolved-tables.ts'
import { type ResourceIds, toEventFlows, toIds } from './resource-ids.ts'

export interface GroupOptions {
  /** The integration that the caller names. */
  readonly named: string | undefined
  /** Whether resources may exist that no source has reported. If not and there is one, a unique index is violated. */
  readonly unreported: boolean
}

/**
 * Ingests events in one transaction, with the same result as one after another; those of different integrations in any order. Returns how many resources
 * it created at most.
 */
export const ingestGroup = async (ctx: Context, events: readonly Event[], options: GroupOptions): Promise<number> => {
  const ingested = await inTransaction(ctx, (ctx) => ingestAll(ctx, events, options))
  for (const { integration, jobs } of ingested) if (jobs.length > 0) await deleteOldRuns(ctx, integration, jobs)
  return ingested.reduce((sum, { created }) => sum + created, 0)
}

interface Ingested {
  readonly created: number
  /** Those that may have too many runs now. */
  readonly jobs: readonly string[]
}

const ingestAll = async (
  caller: Context,
  events: readonly Event[],
  { named, unreported }: GroupOptions,
): Promise<(Ingested & { readonly integration: string })[]> => {
  const integrations = new Map<string, string>()
  for (const namespace of [...new Set(events.map((event) => getOwner(event).namespace))].sort())
    integrations.set(namespace, await lockEventIntegration(caller, namespace, named))
  const integrationOf = (event: Event) => integrations.get(getOwner(event).namespace)!
  await lockJobs(
    caller.db,
    events.map((event) => ({ integration: integrationOf(event), key: getOwner(event).key })),
  )
  const ingested: (Ingested & { readonly integration: string })[] = []
  const datasetsOf = collectDatasets(events)
  for (const [integration, ofIntegration] of Map.groupBy(events, integrationOf))
    for (const some of splitAtDrops(ofIntegration, datasetsOf))
      ingested.push({ integration, ...(await ingestEvents(caller, { id: integration, unreported }, some, datasetsOf)) })
  return ingested
}

const getOwner = (event: Event): { namespace: string; key: string } => {
  const [output] = event.outputs
  return event.kind === 'dataset'
    ? { namespace: output!.namespace, key: datasetKey(output!.namespace, output!.name) }
    : { namespace: event.job.namespace, key: jobKey(event.job) }
}

/** A dataset may be dropped and reported again: an event that drops one is ingested on its own. */
const splitAtDrops = (events: readonly Event[], datasetsOf: ReadonlyMap<Event, EventDatasets>): Event[][] => {
  const groups: Event[][] = [[]]
  for (const event of events) {
    if (datasetsOf.get(event)!.dropped.length > 0) groups.push([event], [])
    else groups.at(-1)!.push(event)
  }
  return groups.filter((group) => group.length > 0)
}

const ingestEvents = async (
  caller: Context,
  { id: integration, unreported }: { readonly id: string; readonly unreported: boolean },
  events: readonly Event[],
  datasetsOf: ReadonlyMap<Event, EventDatasets>,
): Promise<Ingested> => {
  const ctx = contextAsSource(caller, integration)
  const distinct = [...new Set(events.map((event) => datasetsOf.get(event)!))]
  const named = distinct.flatMap(({ all }) => all)
  // Only resources the caller can see.
  const resolved = await resolveDatasets(caller, named, integration)
  const facetSets = [
    ...named,
    ...events.flatMap((event) => (event.kind === 'dataset' ? [] : event.kind === 'job' ? [event.job] : [event.job, event.run])),
  ].map(({ facets }) => facets)
  const names = {
    people: await findUsersByEmail(ctx.db, [...new Set(facetSets.flatMap(parseOwners))]),
    tags: await findTags(ctx, [...new Set(facetSets.flatMap(parseAllTags))]),
  }
  const { digests, known } = await findKnownReports(ctx, integration, distinct, resolved, names)
  const fresh = distinct.filter((each) => !known.has(each))
  if (fresh.length > 0 || events.some(hasColumnResults)) await resolved.loadColumns(caller)
  const datasets = fresh.flatMap(({ all }) => all)
  const unresolved = datasets.filter((dataset) => !resolved.tables.has(datasetName(dataset)))
  const keys = new Set([...events.flatMap(findJobKeys), ...unresolved.map(getDatasetItemKey)])
  const looked = { keys, known: await findKnownItems(ctx.db, integration, [...keys], { unreported }), unreported }
  const { items, newRuns } = foldEvents(events, datasetsOf, resolved, { ...names, facts: toFacts(looked.known) }, known)
  const written = await pushItems(ctx, integration, items, looked)
  const ids = toIds(resolved, withKnownIds(written, known))
  const duplicates = findDuplicates(datasets, resolved)
  const dropped = distinct.flatMap(({ dropped }) => dropped.map(getDatasetItemKey))
  // In the same transaction, so that nothing is left of a rejected report.
  await requireVisibleResources(caller, integration, {
    ids: [...written.values(), ...[...known.values()].flatMap(({ ids }) => [...ids.values()])],
    keys: [...duplicates.map(({ key }) => key), ...dropped],
  })
  await replaceDuplicates(ctx, integration, duplicates)
  for (const event of events)
    if (event.kind === 'run' && event.type === 'COMPLETE') await markDropped(ctx, integration, datasetsOf.get(event)!.dropped)
  await applyFieldSuggestions(ctx, integration, 'openlineage', toFieldSuggestions(fresh, resolved, names))
  for (const event of events) if (event.kind === 'run') await queueCheckResults(ctx.db, event, ids)
  await queueMetrics(ctx.db, events, ids)
  const flowsOf = new Map([...known].map(([each, { flows }]) => [each, flows]))
  await saveEventFlows(ctx, toEventFlows(events, datasetsOf, flowsOf, ids), toLookedUpFlows(looked, ids.byKey))
  await rememberReports(ctx, digests, findLastReports(events, datasetsOf, known), (each) =>
    toKnownReport(each, flowsOf.get(each) ?? NO_FLOWS, resolved, ids),
  )
  const jobs = [...newRuns].flatMap(([key, n]) => {
    const before = looked.known.get(key)?.children_count ?? 0
    return before + n > MAX_RUNS + CLEANUP_BATCH ? [ids.byKey.get(key)!] : []
  })
  return { created: items.filter(({ key }) => !looked.known.has(key)).length, jobs }
}

/** Keys of the job and run of an event, which may already exist. */
const findJobKeys = (event: Event): string[] => [
  ...(event.kind === 'dataset' ? [] : [groupKey(event.job.namespace), jobKey(event.job)]),
  ...(event.kind === 'run' ? [runKey(event.run.id)] : []),
]

/** Existing facts by key, of what this integration has reported. */
const toFacts = (known: ReadonlyMap<string, KnownItem>): Map<string, Record<string, unknown>> =>
  new Map(
    [...known].flatMap(([key, { fingerprint, facts }]) => (fingerprint === null ? [] : [[key, (facts ?? {}) as Record<string, unknown>]])),
  )

const toLookedUpFlows = ({ keys, known }: LookedUpItems, ids: ResourceIds['byKey']): LookedUpFlows => ({
  resources: new Set([...keys].flatMap((key) => ids.get(key) ?? [])),
  flows: new Map([...known.values()].flatMap(({ resource_id, flows }) => (flows ? [[resource_id, flows as JobFlows]] : []))),
})

const findTags = async (ctx: Context, names: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  names.length > 0 ? ensureTags(ctx, names) : new Map()

/** Dropped datasets become stale until they are reported again. Tables of other sources are managed by those. */
const markDropped = async (ctx: Context, integration: string, dropped: readonly Dataset[]): Promise<void> => {
  if (dropped.length === 0) return
  const keys = dropped.map((dataset) => datasetKey(dataset.namespace, ...parseDatasetName(dataset).parts))
  const ids = await findResourceIdsOfKeys(ctx.db, integration, keys)
  await markStale(ctx, ids, true)
  await markMissing(ctx.db, ids, ctx.now)
}

const MAX_RUNS = 50
const CLEANUP_BATCH = 10 // deletes this many of a job at once

const deleteOldRuns = async (ctx: Context, integration: string, jobs: readonly string[]): Promise<void> => {
  await inTransaction(contextAsSource(ctx, integration), async (ctx) => {
    await deleteTrees(ctx, await findOldRuns(ctx.db, jobs, MAX_RUNS, CLEANUP_BATCH), newId())
  })
}
