import type { Item } from '../sync/item.ts'
import type { Event } from './event.ts'
import type { EventDatasets } from './event-datasets.ts'
import { applyRunEvent, findLastRun } from './facets.ts'
import { type ResolvedReferences, toDatasetItems, toJobItems } from './items.ts'
import { jobKey, runKey } from './names.ts'
import { mergeRunFacets } from './raw-facets.ts'
import { datasetName, type ResolvedDatasets } from './resolve-datasets.ts'

export interface FoldedEvents {
  /** What the events report together, parents before children. */
  readonly items: readonly Item[]
  /** How many runs were not known before, by the key of their job. */
  readonly newRuns: ReadonlyMap<string, number>
}

type Facts = Readonly<Record<string, unknown>>

/** The items that a list of events leaves behind: the same as if each were written before the next one is read. Known datasets have none. Pure. */
export const foldEvents = (
  events: readonly Event[],
  datasetsOf: ReadonlyMap<Event, EventDatasets>,
  resolved: ResolvedDatasets,
  { people, tags, facts }: Pick<ResolvedReferences, 'people' | 'tags' | 'facts'>,
  known: { has(datasets: EventDatasets): boolean },
): FoldedEvents => {
  const items = new Map<string, Item>()
  const current = new Map<string, Facts>(facts)
  const lastReport = new Map<string, EventDatasets>()
  const newRuns = new Map<string, number>()
  const references = { people, tags, facts: current }
  const add = (item: Item) => {
    const before = items.get(item.key)
    items.set(item.key, before ? mergeItems(before, item) : item)
    if (item.facts) current.set(item.key, { ...current.get(item.key), ...item.facts })
  }
  for (const event of events) {
    const datasets = datasetsOf.get(event)!
    if (event.kind === 'run') {
      const before = current.get(runKey(event.run.id))
      if (!before) newRuns.set(jobKey(event.job), (newRuns.get(jobKey(event.job)) ?? 0) + 1)
      const run = applyRunEvent(before, event, mergeRunFacets(before, event))
      const last = findLastRun(current.get(jobKey(event.job)), run)
      for (const item of toJobItems(event, { ...references, run, last })) add(item)
    } else if (event.kind === 'job') for (const item of toJobItems(event, { ...references, run: undefined, last: undefined })) add(item)
    if (known.has(datasets)) continue
    const names = [...datasets.uses.keys()]
    if (names.every((name) => lastReport.get(name) === datasets)) continue // nothing new about them
    for (const dataset of datasets.all)
      if (!resolved.tables.has(datasetName(dataset))) for (const item of toDatasetItems(dataset, datasets, references)) add(item)
    for (const name of names) lastReport.set(name, datasets)
  }
  return { items: [...items.values()], newRuns }
}

/** Fields that the later report omits keep the value of the earlier one. */
const mergeItems = (one: Item, other: Item): Item => ({
  ...one,
  ...other,
  fields: { ...one.fields, ...other.fields },
  ...(one.own || other.own ? { own: { ...one.own, ...other.own } } : {}),
  ...(one.reported || other.reported ? { reported: { ...one.reported, ...other.reported } } : {}),
  ...(one.facts || other.facts ? { facts: { ...one.facts, ...other.facts } } : {}),
})
