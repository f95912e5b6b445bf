import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Column, Page } from '../api/types.ts'
import { columnsQuery } from '../resources/queries.ts'
import { type LineageAddress, listed, type Opened, openedIn } from './address.ts'
import { type Drawing, drawingOf, measured } from './drawing.ts'
import { type Answered, merge } from './merge.ts'
import { type Graph, graphQuery, traceQuery } from './queries.ts'
import { type Row, sceneOf } from './scene.ts'
import { type Lit, traceBox, traceRow, traceThrough } from './trace.ts'

export const USUAL_LIMIT = 500

/** Combined results of several queries, referentially stable while the data is unchanged. */
const together = <T>(results: readonly UseQueryResult<T>[]) =>
  results.map(({ data, isLoading, dataUpdatedAt }) => ({ data, isLoading, at: data ? dataUpdatedAt : 0 }))

export interface Lineage {
  readonly first: UseQueryResult<Graph>
  readonly drawing?: Drawing
  readonly lit?: Lit
  readonly found?: ReadonlySet<string>
  readonly opened: readonly Opened[]
  readonly busy: readonly Opened[]
  /** The response was truncated at its limit. */
  readonly truncated: boolean
}

/** Fetches, merges and lays out the graph for the URL state. */
export const useLineage = (id: string, address: LineageAddress): Lineage => {
  const level = address.level ?? 'table'
  const limit = Number(address.limit ?? USUAL_LIMIT)
  const direction = address.dir === 'up' ? 'UPSTREAM' : address.dir === 'down' ? 'DOWNSTREAM' : 'BOTH'
  const first = useQuery({
    ...graphQuery(id, { direction, depth: Number(address.depth ?? 1), level, limit }),
    // Keep showing the current graph until a deeper one has loaded.
    placeholderData: (before) => (before?.level === level ? before : undefined),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only this part of the URL state matters
  const opened = useMemo(() => openedIn(address), [address.x])

  const sides = useMemo(() => opened.filter(({ step }) => step === 'u' || step === 'd'), [opened])
  const answers = useQueries({
    queries: sides.map(({ id, step }) => graphQuery(id, { direction: step === 'u' ? 'UPSTREAM' : 'DOWNSTREAM', depth: 1, level, limit })),
    combine: together<Graph>,
  })
  const tables = useMemo(
    () => (level === 'table' ? [...new Set(opened.flatMap(({ id, step }) => (step === 'c' ? [id] : [])))] : []),
    [level, opened],
  )
  const columns = useQueries({ queries: tables.map((id) => columnsQuery(id)), combine: together<Page<Column>> })
  const traced = useQuery({ ...traceQuery(address.col ?? ''), enabled: address.col !== undefined && level === 'table' })

  const keep = address.group && address.sel // the selected box is not grouped
  // Expansions still loading do not change the layout.
  const known = [
    ...sides.map(({ id, step }, i) => `${id}${step}${answers[i]?.at}`),
    ...tables.map((id, i) => `${id}${columns[i]?.at}`),
  ].join()
  const all = opened.flatMap(({ id, step }) => (step === 'a' ? [id] : [])).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `known` and `all` cover the rest
  const drawing = useMemo(() => {
    if (!first.data) return undefined
    const data = first.data
    return measured('layout', () => {
      const steps = sides.flatMap(({ id }, i): Answered[] => (answers[i]?.data ? [{ id, graph: answers[i].data }] : []))
      const whole = new Set(all.split(','))
      const rows = new Map(
        level === 'column'
          ? [...whole].map((id) => [id, { rows: [] as Row[], all: true }])
          : tables.flatMap((id, i) => {
              const found = columns[i]?.data?.results
              return found ? [[id, { rows: found.map(({ id, title, type }) => ({ id, title, type })), all: whole.has(id) }] as const] : []
            }),
      )
      const folded = address.group && { open: new Set(listed(address.open)), keep }
      return drawingOf(sceneOf({ merged: merge({ id, graph: data }, steps), start: id, level, columns: rows, folded }))
    })
  }, [first.data, known, all, level, id, address.group, address.open, keep])

  const lit = useMemo((): Lit | undefined => {
    if (!drawing) return undefined
    const { scene } = drawing
    if (address.col !== undefined && (level === 'column' || traced.data))
      return measured('trace', () => (level === 'column' ? traceRow(scene, address.col!) : traceThrough(scene, traced.data!)))
    if (address.sel === undefined) return undefined
    if (scene.place.has(address.sel)) return measured('trace', () => traceBox(scene, address.sel!))
    const link = scene.links.find((each) => each.id === address.sel)
    return link && { boxes: new Set([link.from, link.to]), links: new Set([link.id]), rows: new Map(), ways: [], missing: [] }
  }, [drawing, address.col, address.sel, level, traced.data])

  const found = useMemo(() => {
    const words = address.find?.toLowerCase().trim()
    if (!drawing || !words) return undefined
    const holds = (text: string) => text.toLowerCase().includes(words)
    const matching = drawing.scene.boxes.filter(
      ({ title, path, rows }) => holds(`${path}.${title}`) || rows.some((row) => holds(row.title)),
    )
    return new Set(matching.map(({ id }) => id))
  }, [drawing, address.find])

  return {
    first,
    drawing,
    lit,
    found,
    opened,
    busy: [
      ...sides.filter((_, i) => answers[i]?.isLoading),
      ...opened.filter(({ step, id }) => step === 'c' && columns[tables.indexOf(id)]?.isLoading),
    ],
    truncated: first.data?.truncated || answers.some(({ data }) => data?.truncated),
  }
}
