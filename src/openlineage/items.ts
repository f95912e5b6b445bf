import type { Item } from '../sync/item.ts'
import type { Bound } from './bind.ts'
import { nameOf } from './bind.ts'
import { columnFlowsOf } from './column-lineage.ts'
import type { Dataset, Event, JobEvent, RunEvent } from './event.ts'
import { datasetFacts, documentationOf, fieldsOf, jobFacts, numbersOf, ownersOf, type RunState, tagsOf, typeOf } from './facets.ts'
import { datasetKey, groupKey, jobKey, placeOf, runKey } from './names.ts'
import { rawOfDataset, rawOfJob } from './raw-facets.ts'

/** References resolved for an event. */
export interface Known {
  /** By e-mail address. */
  readonly people: ReadonlyMap<string, string>
  /** By name. */
  readonly tags: ReadonlyMap<string, string>
  readonly run: RunState | undefined
  /** The last run of the job. */
  readonly last: Readonly<Record<string, unknown>> | undefined
  /** Existing facts of jobs, runs and datasets, by key. */
  readonly facts: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

/** Converts an event to items, parents before children. Absent facets are not reported. */
export const itemsOf = (event: Event, bound: Bound, known: Known): Item[] => {
  const named = fieldsNamed(event)
  const uses = usesByName([...event.inputs, ...event.outputs])
  return [
    ...(event.kind === 'dataset' ? [] : jobItems(event, known)),
    ...[...event.inputs, ...event.outputs]
      .filter((dataset) => !bound.tables.has(nameOf(dataset)))
      .flatMap((dataset) => {
        const raw = rawOfDataset(known.facts.get(keyOf(dataset)), uses.get(nameOf(dataset))!)
        return datasetItems(dataset, known, named.get(nameOf(dataset)) ?? [], raw)
      }),
  ]
}

/** A run may read and write the same dataset. */
export const usesByName = (datasets: readonly Dataset[]): ReadonlyMap<string, Dataset[]> => Map.groupBy(datasets, nameOf)

export const keyOf = (dataset: Dataset): string => datasetKey(dataset.namespace, ...placeOf(dataset).parts)

/** Columns named only in column lineage, by dataset. */
const fieldsNamed = ({ outputs }: Event): Map<string, Set<string>> => {
  const named = new Map<string, Set<string>>()
  const add = (dataset: Pick<Dataset, 'namespace' | 'name'>, field: string) => {
    const key = nameOf(dataset)
    if (!named.has(key)) named.set(key, new Set())
    named.get(key)!.add(field)
  }
  for (const output of outputs)
    for (const { from, to } of columnFlowsOf(output.facets)) {
      add(from, from.field)
      if (to !== null) add(output, to)
    }
  return named
}

const jobItems = (event: RunEvent | JobEvent, known: Known): Item[] => {
  const { job } = event
  const { run, last } = known
  const key = jobKey(job)
  const items: Item[] = [
    {
      key: groupKey(job.namespace),
      entity_type: 'job_group',
      fields: { title: job.namespace, native_type: 'OpenLineage namespace' },
    },
    {
      key,
      parent: groupKey(job.namespace),
      entity_type: 'job',
      fields: { title: job.name, ...wordsOf(job.facets, known) },
      facts: {
        ...jobFacts(job.facets),
        ...rawOfJob(known.facts.get(key), event),
        ...(last ? { last_run: last } : {}),
      },
    },
  ]
  if (event.kind === 'run' && run)
    items.push({
      key: runKey(event.run.id),
      parent: key,
      entity_type: 'run',
      fields: { title: event.run.id },
      facts: run,
      reported: { external_updated_at: run.ended_at ?? run.started_at ?? event.time },
    })
  return items
}

/** The facets users can edit too. Absent facets are not reported. */
export const wordsOf = (facets: Dataset['facets'], { people, tags }: Pick<Known, 'people' | 'tags'>) => {
  const description = documentationOf(facets)
  const owners = ownersOf(facets).flatMap((email) => people.get(email) ?? [])
  return { ...(description ? { description } : {}), ...(owners.length > 0 ? { owners } : {}), ...taggedWith(tagsOf(facets), tags) }
}

export const taggedWith = (names: readonly string[], known: Known['tags']): { tags?: string[] } => {
  const tags = names.flatMap((name) => known.get(name) ?? [])
  return tags.length > 0 ? { tags } : {}
}

const datasetItems = (dataset: Dataset, known: Known, named: Iterable<string>, raw: Item['facts']): Item[] => {
  const { namespace, name, facets } = dataset
  const { parts } = placeOf(dataset)
  const items: Item[] = []
  const kinds = parts.length === 3 ? ['database', 'schema'] : ['database']
  if (parts.length === 1)
    items.push({ key: datasetKey(namespace), entity_type: 'database', fields: { title: namespace, native_type: 'OpenLineage namespace' } })
  else
    for (const [i, entity_type] of kinds.entries())
      items.push({
        key: datasetKey(namespace, ...parts.slice(0, i + 1)),
        ...(i > 0 ? { parent: datasetKey(namespace, ...parts.slice(0, i)) } : {}),
        entity_type,
        fields: { title: parts[i]! },
        facts: { namespace },
      })
  const key = datasetKey(namespace, ...parts)
  items.push({
    key,
    parent: parts.length === 1 ? datasetKey(namespace) : datasetKey(namespace, ...parts.slice(0, -1)),
    entity_type: 'table',
    fields: {
      title: parts.length === 1 ? name : parts.at(-1)!,
      ...(typeOf(facets) ? { native_type: typeOf(facets) } : {}),
      ...wordsOf(facets, known),
    },
    reported: numbersOf(dataset),
    facts: { ...datasetFacts(dataset), ...raw },
  })
  const fields = fieldsOf(facets)
  for (const { path, type, description, position } of fields)
    items.push({
      key: datasetKey(namespace, ...parts, ...path),
      parent: datasetKey(namespace, ...parts, ...path.slice(0, -1)),
      entity_type: 'column',
      fields: {
        title: path.at(-1)!,
        ...(type ? { native_type: type } : {}),
        ...(description ? { description } : {}),
        ...taggedWith(tagsOf(facets, path.join('.')), known.tags),
      },
      own: { sort_order: position },
    })
  const told = new Set(fields.map(({ path }) => path.join('.')))
  for (const field of named)
    if (!told.has(field))
      items.push({ key: datasetKey(namespace, ...parts, field), parent: key, entity_type: 'column', fields: { title: field } })
  return items
}
