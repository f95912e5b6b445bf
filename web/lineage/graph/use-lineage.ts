import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Column, ResultPage } from '../../api/types.ts'
import { columnsQuery } from '../../resources/queries.ts'
import { type GraphLayout, layOutScene, measureScene } from './graph-layout.ts'
import { type GraphResponse, mergeGraphs } from './merge.ts'
import { type Graph, graphQuery, traceQuery } from './queries.ts'
import { buildScene, type ColumnRow } from './scene.ts'
import { type ExpandedBox, type LineageSearch, parseExpanded, parseList } from './search-params.ts'
import { type TracedPath, traceBox, traceColumn, traceColumnThroughTables } from './trace.ts'

export const DEFAULT_LIMIT = 500

/** Combined results of several queries, referentially stable while the data is unchanged. */
const combineResults = <T>(results: readonly UseQueryResult<T>[]) =>
  results.map(({ data, isLoading, dataUpdatedAt }) => ({ data, isLoading, at: data ? dataUpdatedAt : 0 }))

export interface Lineage {
  readonly first: UseQueryResult<Graph>
  readonly layout?: GraphLayout
  readonly tracedPath?: TracedPath
  readonly found?: ReadonlySet<string>
  readonly opened: readonly ExpandedBox[]
  readonly busy: readonly ExpandedBox[]
  /** The response was truncated at its limit. */
  readonly truncated: boolean
}

/** Fetches, merges and lays out the graph for the URL state. */
export const useLineage = (id: string, address: LineageSearch): Lineage => {
  const level = address.level ?? 'table'
  const limit = Number(address.limit ?? DEFAULT_LIMIT)
  const direction = address.dir === 'up' ? 'UPSTREAM' : address.dir === 'down' ? 'DOWNSTREAM' : 'BOTH'
  const jobs = address.jobs && level === 'table' ? ({ include_jobs: true } as const) : {}
  const first = useQuery({
    ...graphQuery(id, { direction, depth: Number(address.depth ?? 1), level, limit, ...jobs }),
    // Keep showing the current graph until a deeper one has loaded.
    placeholderData: (before) => (before?.level === level ? before : undefined),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only this part of the URL state matters
  const opened = useMemo(() => parseExpanded(address), [address.x])

  const sides = useMemo(() => opened.filter(({ step }) => step === 'u' || step === 'd'), [opened])
  const responses = useQueries({
    queries: sides.map(({ id, step }) =>
      graphQuery(id, { direction: step === 'u' ? 'UPSTREAM' : 'DOWNSTREAM', depth: 1, level, limit, ...jobs }),
    ),
    combine: combineResults<Graph>,
  })
  const tables = useMemo(
    () => (level === 'table' ? [...new Set(opened.flatMap(({ id, step }) => (step === 'c' ? [id] : [])))] : []),
    [level, opened],
  )
  const columns = useQueries({ queries: tables.map((id) => columnsQuery(id)), combine: combineResults<ResultPage<Column>> })
  const traced = useQuery({ ...traceQuery(address.col ?? ''), enabled: address.col !== undefined && level === 'table' })

  const keep = address.group && address.sel // the selected box is not grouped
  // Expansions still loading do not change the layout.
  const loadedKey = [
    ...sides.map(({ id, step }, i) => `${id}${step}${responses[i]?.at}`),
    ...tables.map((id, i) => `${id}${columns[i]?.at}`),
  ].join()
  const all = opened.flatMap(({ id, step }) => (step === 'a' ? [id] : [])).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `loadedKey` and `all` cover the rest
  const layout = useMemo(() => {
    if (!first.data) return undefined
    const data = first.data
    return measureScene('layout', () => {
      const steps = sides.flatMap(({ id }, i): GraphResponse[] => (responses[i]?.data ? [{ id, graph: responses[i].data }] : []))
      const whole = new Set(all.split(','))
      const rows = new Map(
        level === 'column'
          ? [...whole].map((id) => [id, { rows: [] as ColumnRow[], all: true }])
          : tables.flatMap((id, i) => {
              const found = columns[i]?.data?.results
              return found ? [[id, { rows: found.map(({ id, title, type }) => ({ id, title, type })), all: whole.has(id) }] as const] : []
            }),
      )
      const folded = address.group && { open: new Set(parseList(address.open)), keep }
      return layOutScene(buildScene({ merged: mergeGraphs({ id, graph: data }, steps), start: id, level, columns: rows, folded }))
    })
  }, [first.data, loadedKey, all, level, id, address.group, address.open, keep])

  const tracedPath = useMemo((): TracedPath | undefined => {
    if (!layout) return undefined
    const { scene } = layout
    if (address.col !== undefined && (level === 'column' || traced.data))
      return measureScene('trace', () =>
        level === 'column' ? traceColumn(scene, address.col!) : traceColumnThroughTables(scene, traced.data!),
      )
    if (address.sel === undefined) return undefined
    if (scene.indexById.has(address.sel)) return measureScene('trace', () => traceBox(scene, address.sel!))
    const link = scene.links.find((each) => each.id === address.sel)
    return link && { boxes: new Set([link.from, link.to]), links: new Set([link.id]), rows: new Map(), segments: [], missing: [] }
  }, [layout, address.col, address.sel, level, traced.data])

  const found = useMemo(() => {
    const term = address.find?.toLowerCase().trim()
    if (!layout || !term) return undefined
    const holds = (text: string) => text.toLowerCase().includes(term)
    const matching = layout.scene.boxes.filter(({ title, path, rows }) => holds(`${path}.${title}`) || rows.some((row) => holds(row.title)))
    return new Set(matching.map(({ id }) => id))
  }, [layout, address.find])

  return {
    first,
    layout,
    tracedPath,
    found,
    opened,
    busy: [
      ...sides.filter((_, i) => responses[i]?.isLoading),
      ...opened.filter(({ step, id }) => step === 'c' && columns[tables.indexOf(id)]?.isLoading),
    ],
    truncated: first.data?.truncated || responses.some(({ data }) => data?.truncated),
  }
}
