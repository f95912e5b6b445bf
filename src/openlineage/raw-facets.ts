import type { Dataset, Facets, JobEvent, RunEvent } from './event.ts'
import { type Json, object } from './facets.ts'

/**
 * Stores facets that are not shown elsewhere unchanged: the query in the warehouse, stack traces, column metrics, and all custom facets. Within
 * limits, because a facet can contain anything. Pure.
 */

/** Facets that are shown elsewhere completely: as columns, lineage, owners, tags, checks and facts. */
const SHOWN = {
  run: new Set(['nominalTime', 'processing_engine', 'parent', 'parentRun', 'lineage', 'test']),
  job: new Set(['documentation', 'ownership', 'sql', 'sourceCode', 'sourceCodeLocation', 'tags', 'lineage']),
  dataset: new Set([
    ...['schema', 'columnLineage', 'lineage', 'documentation', 'ownership', 'symlinks', 'storage', 'datasetType', 'dataSource', 'version'],
    ...['lifecycleStateChange', 'tags', 'dataQualityAssertions', 'outputStatistics'],
  ]),
} as const

const MOST_FACETS = 50
const MOST_BYTES = 65_536 // of all facets of a run, job or dataset together
const LONGEST_TEXT = 10_000
const LONGEST_NAME = 200
const DEEPEST = 20

export const rawOfRun = (before: unknown, { run }: RunEvent): Json => kept(before, [run.facets], SHOWN.run)
export const rawOfJob = (before: unknown, { job }: RunEvent | JobEvent): Json => kept(before, [job.facets], SHOWN.job)
export const rawOfDataset = (before: unknown, uses: readonly Dataset[]): Json =>
  kept(
    before,
    uses.flatMap(({ facets, use }) => [facets, use]),
    SHOWN.dataset,
  )

/** `{ facets }` with the previous and new ones merged, or nothing when there are none. */
const kept = (before: unknown, told: readonly Facets[], shown: ReadonlySet<string>): Json => {
  const facets = new Map(Object.entries(object(object(before).facets)).map(([name, facet]) => [name, bounded(facet, 0)]))
  for (const each of told)
    for (const [name, facet] of Object.entries(each)) {
      if (shown.has(name)) continue
      const called = name.slice(0, LONGEST_NAME).toWellFormed()
      // The standard's way to delete a facet.
      if (facet._deleted === true) facets.delete(called)
      else facets.set(called, bounded(facet, 0))
    }
  return facets.size > 0 || Object.hasOwn(object(before), 'facets') ? { facets: fitting(facets) } : {}
}

/** As many as fit, by name; those that do not fit are replaced by their size. */
const fitting = (facets: ReadonlyMap<string, unknown>): Json => {
  let left = MOST_BYTES
  return Object.fromEntries(
    [...facets]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, MOST_FACETS)
      .map(([name, facet]) => {
        const bytes = Buffer.byteLength(JSON.stringify(facet))
        if (bytes > left) return [name, { _omitted: true, bytes }]
        left -= bytes
        return [name, facet]
      }),
  )
}

/** A storable copy with sorted keys, so that it compares equal to what the database returns. */
const bounded = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return value.slice(0, LONGEST_TEXT).toWellFormed()
  if (value === null || typeof value !== 'object') return value
  if (depth >= DEEPEST) return null
  if (Array.isArray(value)) return value.map((each) => bounded(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, bounded(each, depth + 1)]),
  )
}
