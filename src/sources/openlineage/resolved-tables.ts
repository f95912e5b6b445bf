import type { FieldSuggestion } from '../sync/field-suggestions.ts'
import type { DuplicateResource } from '../sync/merge-duplicates.ts'
import type { Dataset } from './event.ts'
import type { EventDatasets } from './event-datasets.ts'
import { parseFields, parseTags } from './facets.ts'
import { extractUserFields, type ResolvedReferences, resolveTags } from './items.ts'
import { datasetKey, parseDatasetName } from './names.ts'
import { mergeDatasetFacets } from './raw-facets.ts'
import { datasetName, type ResolvedDatasets } from './resolve-datasets.ts'

/** What events say about tables of other sources. Pure. */

type Names = Pick<ResolvedReferences, 'people' | 'tags'>

/** One suggestion for each resource: what a later event reports replaces what an earlier one did. */
export const toFieldSuggestions = (events: readonly EventDatasets[], resolved: ResolvedDatasets, names: Names): FieldSuggestion[] => {
  const merged = new Map<string, FieldSuggestion>()
  for (const suggestion of events.flatMap((event) => suggestFields(event, resolved, names))) {
    const before = merged.get(suggestion.resource_id)
    merged.set(suggestion.resource_id, { ...before, ...suggestion, fields: { ...before?.fields, ...suggestion.fields } })
  }
  return [...merged.values()]
}

const suggestFields = ({ all, uses }: EventDatasets, resolved: ResolvedDatasets, names: Names): FieldSuggestion[] =>
  [...new Map(all.map((dataset) => [datasetName(dataset), dataset])).values()].flatMap((dataset) => {
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

/** Datasets that were reported here before another source reported the same table. */
export const findDuplicates = (datasets: readonly Dataset[], resolved: ResolvedDatasets): DuplicateResource[] => {
  const duplicates = datasets.flatMap((dataset): DuplicateResource[] => {
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
  return [...new Map(duplicates.map((each) => [each.key, each])).values()]
}
