import type { Context } from '../../platform/context/context.ts'
import type { JobFlows } from '../job-flows/flows.ts'
import { hashText } from '../sync/item.ts'
import type { Dataset, Event } from './event.ts'
import type { EventDatasets } from './event-datasets.ts'
import { parseAllTags, parseFields, parseOwners } from './facets.ts'
import type { ResolvedReferences } from './items.ts'
import type { IngestedReport } from './known-reports.ts'
import { datasetKey, parseDatasetName } from './names.ts'
import { datasetName, type ResolvedDatasets } from './resolve-datasets.ts'
import type { ResourceIds } from './resource-ids.ts'

type Names = Pick<ResolvedReferences, 'people' | 'tags'>

/** Which datasets of these events need not be ingested again, with the digests of all. */
export const findKnownReports = async (
  ctx: Context,
  integration: string,
  reports: readonly EventDatasets[],
  resolved: ResolvedDatasets,
  names: Names,
): Promise<{ digests: ReadonlyMap<EventDatasets, string>; known: ReadonlyMap<EventDatasets, IngestedReport> }> => {
  const digests = new Map(reports.map((report) => [report, digestReport(integration, report, resolved, names)]))
  const found = await ctx.runtime.knownReports.find(ctx.db, digests.values())
  // What another event of the group reports about a dataset may have to be replaced by what is known, or the other way round.
  const changing = new Set(reports.flatMap((each) => (found.has(digests.get(each)!) ? [] : [...each.uses.keys()])))
  const known = new Map<EventDatasets, IngestedReport>()
  for (const [each, digest] of digests) {
    const report = found.get(digest)
    if (report && each.uses.keys().every((name) => !changing.has(name))) known.set(each, report)
  }
  return { digests, known }
}

/** Identifies what is said about datasets and what its names refer to. */
const digestReport = (integration: string, { text, all }: EventDatasets, resolved: ResolvedDatasets, { people, tags }: Names): string => {
  const references = all.map((dataset) => [
    resolved.tables.get(datasetName(dataset))?.id,
    ...parseOwners(dataset.facets).map((email) => people.get(email)),
    ...parseAllTags(dataset.facets).map((tag) => tags.get(tag)),
  ])
  return hashText(`${integration} ${JSON.stringify(references)} ${text}`)
}

/** The reports that hold after these events: what they say about a dataset is what the last event says about it. */
export const findLastReports = (
  events: readonly Event[],
  datasetsOf: ReadonlyMap<Event, EventDatasets>,
  known: { has(datasets: EventDatasets): boolean },
): EventDatasets[] => {
  const reports = new Set<EventDatasets>()
  const last = new Map<string, EventDatasets>()
  for (const event of events) {
    const datasets = datasetsOf.get(event)!
    if (known.has(datasets)) continue
    reports.add(datasets)
    for (const name of datasets.uses.keys()) last.set(name, datasets)
  }
  const sayTheSame = (one: EventDatasets, other: EventDatasets, name: string) =>
    one === other || JSON.stringify(one.uses.get(name)) === JSON.stringify(other.uses.get(name))
  return [...reports].filter((each) => each.uses.keys().every((name) => sayTheSame(each, last.get(name)!, name)))
}

export const rememberReports = async (
  ctx: Context,
  digests: ReadonlyMap<EventDatasets, string>,
  reports: readonly EventDatasets[],
  toReport: (datasets: EventDatasets) => IngestedReport | undefined,
): Promise<void> => {
  const ingested = reports.flatMap((each) => {
    const report = toReport(each)
    return report ? [[digests.get(each)!, report] as const] : []
  })
  await ctx.runtime.knownReports.add(ctx.db, new Map(ingested))
}

/** What to remember of a report; undefined if it has to be ingested every time. */
export const toKnownReport = (
  { all, dropped, namedFields }: EventDatasets,
  flows: JobFlows,
  resolved: ResolvedDatasets,
  resources: ResourceIds,
): IngestedReport | undefined => {
  if (dropped.length > 0) return undefined
  const tables = new Set<string>()
  const ids = new Map<string, string>()
  for (const dataset of all) {
    const table = resources.table(dataset)
    const fields = parseFields(dataset.facets)
    // Fields within columns are not part of the state that is compared.
    if (!table || fields.some(({ path }) => path.length > 1)) return undefined
    tables.add(table)
    if (resolved.tables.has(datasetName(dataset))) continue
    ids.set(toKey(dataset), table)
    for (const name of [...fields.map(({ path }) => path[0]!), ...(namedFields.get(datasetName(dataset)) ?? [])]) {
      const column = resources.column(dataset, name)
      if (column) ids.set(toKey(dataset, name), column)
    }
  }
  return { tables: [...tables], flows, ids }
}

const toKey = (dataset: Dataset, ...field: readonly string[]): string =>
  datasetKey(dataset.namespace, ...parseDatasetName(dataset).parts, ...field)

/** Resource IDs by key: of what was written, and of what is known. */
export const withKnownIds = (
  written: ReadonlyMap<string, string>,
  known: ReadonlyMap<EventDatasets, IngestedReport>,
): { get(key: string): string | undefined } => ({
  get: (key) => {
    const id = written.get(key)
    if (id !== undefined) return id
    for (const { ids } of known.values()) {
      const id = ids.get(key)
      if (id !== undefined) return id
    }
    return undefined
  },
})
