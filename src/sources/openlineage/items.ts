import type { Item } from '../sync/item.ts'
import type { Dataset, JobEvent, RunEvent } from './event.ts'
import type { EventDatasets } from './event-datasets.ts'
import {
  parseDatasetFacts,
  parseDatasetType,
  parseDocumentation,
  parseFields,
  parseJobFacts,
  parseOwners,
  parseTags,
  type RunState,
} from './facets.ts'
import { datasetKey, groupKey, jobKey, parseDatasetName, runKey } from './names.ts'
import { parseStatistics } from './parse-metrics.ts'
import { mergeDatasetFacets, mergeJobFacets } from './raw-facets.ts'
import { datasetName } from './resolve-datasets.ts'

/** References resolved for an event. */
export interface ResolvedReferences {
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

export const getDatasetItemKey = (dataset: Dataset): string => datasetKey(dataset.namespace, ...parseDatasetName(dataset).parts)

/** The job of an event and its run. Absent facets are not reported. */
export const toJobItems = (event: RunEvent | JobEvent, references: ResolvedReferences): Item[] => {
  const { job } = event
  const { run, last } = references
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
      fields: { title: job.name, ...extractUserFields(job.facets, references) },
      facts: {
        ...parseJobFacts(job.facets),
        ...mergeJobFacets(references.facts.get(key), event),
        ...(last ? { last_run: last } : {}),
      },
    },
  ]
  if (event.kind === 'run' && run)
    items.push({
      key: runKey(event.run.id),
      parent: key,
      entity_type: 'run',
      fields: { title: event.run.id, ...resolveTags(parseTags(event.run.facets), references.tags) },
      facts: run,
      reported: { external_updated_at: run.ended_at ?? run.started_at ?? event.time },
    })
  return items
}

/** The facets users can edit too. Absent facets are not reported. */
export const extractUserFields = (facets: Dataset['facets'], { people, tags }: Pick<ResolvedReferences, 'people' | 'tags'>) => {
  const description = parseDocumentation(facets)
  const owners = parseOwners(facets).flatMap((email) => people.get(email) ?? [])
  return { ...(description ? { description } : {}), ...(owners.length > 0 ? { owners } : {}), ...resolveTags(parseTags(facets), tags) }
}

export const resolveTags = (names: readonly string[], references: ResolvedReferences['tags']): { tags?: string[] } => {
  const tags = names.flatMap((name) => references.get(name) ?? [])
  return tags.length > 0 ? { tags } : {}
}

/** A dataset of an event with its columns, parents before children. Absent facets are not reported. */
export const toDatasetItems = (
  dataset: Dataset,
  { uses, namedFields }: EventDatasets,
  references: Omit<ResolvedReferences, 'run' | 'last'>,
): Item[] => {
  const { namespace, name, facets } = dataset
  const raw = mergeDatasetFacets(references.facts.get(getDatasetItemKey(dataset)), uses.get(datasetName(dataset))!)
  const named = namedFields.get(datasetName(dataset)) ?? []
  const { parts } = parseDatasetName(dataset)
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
      ...(parseDatasetType(facets) ? { native_type: parseDatasetType(facets) } : {}),
      ...extractUserFields(facets, references),
    },
    reported: parseStatistics(dataset),
    facts: { ...parseDatasetFacts(dataset), ...raw },
  })
  const fields = parseFields(facets)
  for (const { path, type, description, position } of fields)
    items.push({
      key: datasetKey(namespace, ...parts, ...path),
      parent: datasetKey(namespace, ...parts, ...path.slice(0, -1)),
      entity_type: 'column',
      fields: {
        title: path.at(-1)!,
        ...(type ? { native_type: type } : {}),
        ...(description ? { description } : {}),
        ...resolveTags(parseTags(facets, path.join('.')), references.tags),
      },
      own: { sort_order: position },
    })
  const reportedFields = new Set(fields.map(({ path }) => path.join('.')))
  for (const field of named)
    if (!reportedFields.has(field))
      items.push({ key: datasetKey(namespace, ...parts, field), parent: key, entity_type: 'column', fields: { title: field } })
  return items
}
