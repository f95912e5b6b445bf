import type { Json } from '../../platform/core/json-value.ts'
import type { Dataset, Facets, JobEvent, RunEvent } from './event.ts'
import { toJsonObject } from './json-values.ts'

/**
 * Stores facets that are not shown elsewhere unchanged: the query in the warehouse, stack traces, and all custom facets. Within
 * limits, because a facet can contain anything. Pure.
 */

/** Facets that are shown elsewhere: as columns, lineage, owners, tags, checks, profiles and facts. */
const HANDLED_FACETS = {
  run: new Set(['nominalTime', 'processing_engine', 'parent', 'parentRun', 'lineage', 'test']),
  job: new Set(['documentation', 'ownership', 'sql', 'sourceCode', 'sourceCodeLocation', 'tags', 'lineage']),
  dataset: new Set([
    ...['schema', 'columnLineage', 'lineage', 'documentation', 'ownership', 'symlinks', 'storage', 'datasetType', 'dataSource', 'version'],
    ...['lifecycleStateChange', 'tags', 'dataQualityAssertions', 'dataQualityMetrics', 'outputStatistics'],
  ]),
} as const

const MAX_FACETS = 50
const MAX_FACETS_BYTES = 65_536 // of all facets of a run, job or dataset together
const MAX_TEXT_LENGTH = 10_000
const MAX_NAME_LENGTH = 200
const MAX_DEPTH = 20

export const mergeRunFacets = (before: unknown, { run }: RunEvent): Json => mergeFacets(before, [run.facets], HANDLED_FACETS.run)
export const mergeJobFacets = (before: unknown, { job }: RunEvent | JobEvent): Json => mergeFacets(before, [job.facets], HANDLED_FACETS.job)
export const mergeDatasetFacets = (before: unknown, uses: readonly Dataset[]): Json =>
  mergeFacets(
    before,
    uses.flatMap(({ facets, use }) => [facets, use]),
    HANDLED_FACETS.dataset,
  )

/** `{ facets }` with the previous and new ones merged, or nothing when there are none. */
const mergeFacets = (before: unknown, added: readonly Facets[], handled: ReadonlySet<string>): Json => {
  const stored = Object.entries(toJsonObject(toJsonObject(before).facets)).filter(([name]) => !handled.has(name))
  const facets = new Map(stored.map(([name, facet]) => [name, toStorable(facet, 0)]))
  for (const each of added)
    for (const [name, facet] of Object.entries(each)) {
      if (handled.has(name)) continue
      const key = name.slice(0, MAX_NAME_LENGTH).toWellFormed()
      // The standard's way to delete a facet.
      if (facet._deleted === true) facets.delete(key)
      else facets.set(key, toStorable(facet, 0))
    }
  return facets.size > 0 || Object.hasOwn(toJsonObject(before), 'facets') ? { facets: limitSize(facets) } : {}
}

/** As many as fit, by name; those that do not fit are replaced by their size. */
const limitSize = (facets: ReadonlyMap<string, unknown>): Json => {
  let left = MAX_FACETS_BYTES
  return Object.fromEntries(
    [...facets]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, MAX_FACETS)
      .map(([name, facet]) => {
        const bytes = Buffer.byteLength(JSON.stringify(facet))
        if (bytes > left) return [name, { _omitted: true, bytes }]
        left -= bytes
        return [name, facet]
      }),
  )
}

/** A storable copy with sorted keys, so that it compares equal to what the database returns. */
const toStorable = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT_LENGTH).toWellFormed()
  if (value === null || typeof value !== 'object') return value
  if (depth >= MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map((each) => toStorable(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, toStorable(each, depth + 1)]),
  )
}
