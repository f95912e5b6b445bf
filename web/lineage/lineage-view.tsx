import { useMutation } from '@tanstack/react-query'
import { Waypoints } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState, QueryView, Skeleton } from '../ui/states.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { DetailsPanel } from './details-panel.tsx'
import type { BoxActions } from './graph/box.tsx'
import { downloadBlob, linksCsv, toPng, toSvg } from './graph/export.ts'
import { Graph } from './graph/graph.tsx'
import { GraphControls } from './graph/graph-controls.tsx'
import type { GraphLayout } from './graph/graph-layout.ts'
import { LineageList } from './graph/list.tsx'
import { getThemeColors } from './graph/paint.ts'
import { addLink, type GraphNode, removeLink } from './graph/queries.ts'
import type { Box, Link } from './graph/scene.ts'
import { formatList, type LineageSearch, parseList, withExpansion } from './graph/search-params.ts'
import { useLineage } from './graph/use-lineage.ts'
import type { GraphHandle } from './graph/use-view.ts'
import { Toolbar } from './toolbar.tsx'

const WhatIfView = lazy(async () => ({ default: (await import('./what-if/what-if.tsx')).WhatIfView }))
const LinkDialog = lazy(async () => ({ default: (await import('./link-dialog.tsx')).LinkDialog }))

interface LineageViewProps {
  readonly id: string
  readonly address: LineageSearch
  /** `replace` for changes that should not be a history entry, such as typing. */
  readonly onAddress: (next: LineageSearch, replace: boolean) => void
  /** Embedded in a page that keeps the wheel and the keyboard shortcuts. */
  readonly embedded?: boolean
}

/** Lineage of a resource as graph, list or what-if. */
export const LineageView = ({ id, address, onAddress, embedded = false }: LineageViewProps) => {
  const lineage = useLineage(id, address)
  const writes = useCan('catalog.write')
  const stage = useRef<GraphHandle>(null)
  const finder = useRef<HTMLInputElement>(null)
  const at = useRef(-1)
  const [linking, setLinking] = useState<Pick<Box, 'id' | 'title'>>()
  const latest = useRef({ address, onAddress })
  latest.current = { address, onAddress }
  const { layout, found, tracedPath } = lineage

  const joins = useMutation({
    mutationFn: ([from, to]: readonly [string, string]) => addLink(from, to),
    onError: (error) => showErrorToast(t('Couldn’t add the link.'), error),
    onSuccess: (_, [from, to]) => {
      showToast(t('Link added'), () => removes.mutate({ from, to }))
      return invalidateLineage()
    },
  })
  const removes = useMutation({
    mutationFn: ({ from, to }: Pick<Link, 'from' | 'to'>) => removeLink(from, to),
    onError: (error) => showErrorToast(t('Couldn’t remove the link.'), error),
    onSuccess: (_, { from, to }) => {
      showToast(t('Link removed'), () => joins.mutate([from, to]))
      return invalidateLineage()
    },
  })

  const join = joins.mutate
  const { actions, change } = useMemo(() => {
    const change = (some: Partial<LineageSearch>, replace = false) =>
      latest.current.onAddress({ ...latest.current.address, ...some }, replace)
    const actions: BoxActions = {
      choose: (sel) => change({ sel, col: undefined }),
      step: (id, step, on) => {
        const next = withExpansion(latest.current.address, id, step, on)
        change({
          x: step === 'c' && !on ? withExpansion(next, id, 'a', false).x : step === 'a' ? withExpansion(next, id, 'c', true).x : next.x,
        })
      },
      column: (col) => change({ col: latest.current.address.col === col ? undefined : col, sel: undefined }),
      unfold: (path) => change({ open: formatList([...parseList(latest.current.address.open), path]) }),
      join: (from, to) => join([from, to]),
    }
    return { actions, change }
  }, [join])

  const goToFound = (step: 1 | -1) => {
    const hits = [...(found ?? [])]
    if (hits.length === 0) return
    at.current = (at.current + step + hits.length) % hits.length
    stage.current?.show(hits[at.current]!)
  }
  const exported = async (kind: 'png' | 'svg' | 'csv') => {
    if (!layout) return
    const name = `lineage-${layout.scene.boxes.find(({ start }) => start)?.title ?? id}.${kind}`
    try {
      if (kind === 'csv') downloadBlob(new Blob([linksCsv(layout)], { type: 'text/csv' }), name)
      else if (kind === 'svg') downloadBlob(new Blob([toSvg(layout, getThemeColors(), tracedPath)], { type: 'image/svg+xml' }), name)
      else downloadBlob(await toPng(layout, getThemeColors(), tracedPath), name)
    } catch (error) {
      showErrorToast(t('Export failed.'), error)
    }
  }

  const keys = !embedded && address.view === undefined
  const acted = address.sel ?? id
  useCommand('lineage.find', () => finder.current?.focus(), keys)
  useCommand('lineage.fit', () => stage.current?.fit(), keys)
  useCommand('lineage.zoom-in', () => stage.current?.zoom(1.3), keys)
  useCommand('lineage.zoom-out', () => stage.current?.zoom(1 / 1.3), keys)
  useCommand('lineage.upstream', () => actions.step(acted, 'u', true), keys)
  useCommand('lineage.downstream', () => actions.step(acted, 'd', true), keys)
  useCommand('lineage.columns', () => actions.step(acted, 'c', !lineage.opened.some(({ id, step }) => id === acted && step === 'c')), keys)
  useCommand('lineage.list', () => change({ view: address.view ? undefined : 'list' }), !embedded)
  useCommand('lineage.what-if', () => change({ view: 'what-if', cols: address.cols ?? address.col }), !embedded)
  useCommand('lineage.link', () => setLinking(findBox(layout, acted)), keys && writes)
  useCommand('lineage.clear', () => change({ sel: undefined, col: undefined, find: undefined }), keys)
  useCommand('lineage.png', () => void exported('png'), keys)
  useCommand('lineage.svg', () => void exported('svg'), keys)
  useCommand('lineage.csv', () => void exported('csv'), keys)

  return (
    <div className="flex h-full min-h-0 flex-col">
      <Toolbar
        address={address}
        change={(some) => change(some, 'find' in some)}
        found={found?.size}
        onFound={goToFound}
        onExport={(kind) => void exported(kind)}
        finder={finder}
      />
      {address.view === 'what-if' ? (
        <div className="min-h-0 flex-1">
          <QueryView of={lineage.first} loading={<Skeleton lines={6} className="p-6" />}>
            {({ nodes }) => (
              <Suspense fallback={<Skeleton lines={6} className="p-6" />}>
                <WhatIfView
                  {...getSubject(findBox(layout, address.sel), nodes[0]!)}
                  address={address}
                  change={change}
                  head={
                    <SelectedResource
                      layout={layout}
                      id={id}
                      address={address}
                      onClear={() => change({ sel: undefined, cols: undefined })}
                    />
                  }
                />
              </Suspense>
            )}
          </QueryView>
        </div>
      ) : address.view === 'list' ? (
        <div className="min-h-0 flex-1">
          <LineageList
            params={{ id: findBox(layout, address.sel)?.id ?? id, column: address.col }}
            upstream={address.dir === 'up'}
            head={<SelectedResource layout={layout} id={id} address={address} onClear={() => change({ sel: undefined, col: undefined })} />}
          />
        </div>
      ) : (
        <QueryView of={lineage.first} loading={<Skeleton lines={6} className="p-6" />}>
          {() =>
            layout && (
              <div className="relative flex min-h-0 flex-1">
                <div className="relative min-w-0 flex-1">
                  {hasNoNeighbours(layout) ? (
                    <NoLineage link={writes ? () => setLinking(layout.scene.boxes[0]!) : undefined} />
                  ) : (
                    <Graph
                      layout={layout}
                      tracedPath={tracedPath}
                      chosen={address.sel}
                      column={address.col}
                      found={found}
                      opened={lineage.opened}
                      busy={lineage.busy}
                      label={t('Lineage graph. Use the arrow keys to move along links. The list view shows the same data as text.')}
                      labelRow={labelRow}
                      editable={writes}
                      embedded={embedded}
                      actions={actions}
                      stage={stage}
                      scope={lineage.first.isPlaceholderData ? undefined : `${address.depth} ${address.dir} ${address.level}`}
                    />
                  )}
                  <GraphControls stage={stage} lineage={lineage} layout={layout} address={address} change={change} />
                </div>
                {address.sel && (
                  <DetailsPanel
                    layout={layout}
                    chosen={address.sel}
                    tracedPath={tracedPath}
                    editable={writes}
                    onChoose={(next) => {
                      actions.choose(next)
                      if (next) stage.current?.show(next)
                    }}
                    onStep={actions.step}
                    onLink={setLinking}
                    onRemove={removes.mutate}
                    onList={() => change({ view: 'list', dir: undefined })}
                    onWhatIf={() => change({ view: 'what-if', cols: undefined })}
                  />
                )}
              </div>
            )
          }
        </QueryView>
      )}
      <Suspense>{linking && <LinkDialog from={linking} onJoin={actions.join} onClose={() => setLinking(undefined)} />}</Suspense>
    </div>
  )
}

const labelRow = (column: string): string => t('Trace {column}', { column })

/** Invalidates all lineage: either end of a link may be in any response. */
const invalidateLineage = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'resource' && (queryKey[2] === 'lineage' || queryKey[2] === 'impact'),
  })

const findBox = (layout: GraphLayout | undefined, id: string | undefined): Box | undefined =>
  layout && id !== undefined ? layout.scene.boxes[layout.scene.indexById.get(id) ?? -1] : undefined

/** Subject of the what-if: the selected box, else the start. */
const getSubject = (chosen: Box | undefined, start: GraphNode): { id: string; kind: string } => ({
  id: chosen && chosen.members === 0 ? chosen.id : start.id,
  kind: (chosen && chosen.members === 0 ? chosen.kind : start.entity_type) ?? '',
})

/** The start has no neighbors, shown or not. */
const hasNoNeighbours = ({ scene: { boxes } }: GraphLayout): boolean =>
  boxes.length === 1 && boxes[0]!.more_upstream + boxes[0]!.more_downstream === 0

const NoLineage = ({ link }: { link?: () => void }) => (
  <EmptyState icon={Waypoints} title={t('No lineage yet')} action={link && <Button onClick={link}>{t('Link to…')}</Button>}>
    {t('Lineage comes from queries, views and dbt, or can be added manually.')}
  </EmptyState>
)

/** The selected resource a list is about, if it is not the start. */
const SelectedResource = ({
  layout,
  id,
  address,
  onClear,
}: {
  layout?: GraphLayout
  id: string
  address: LineageSearch
  onClear: () => void
}): ReactNode => {
  const row = layout?.scene.boxes.flatMap(({ rows }) => rows).find((each) => each.id === address.col)
  const of = row ?? findBox(layout, address.sel)
  if (!of || of.id === id) return null
  return (
    <div className="flex items-center gap-2 text-sm">
      <span className="max-w-60 truncate font-medium" dir="auto">
        {of.title}
      </span>
      <Button small look="quiet" onClick={onClear}>
        {t('Back to starting point')}
      </Button>
    </div>
  )
}
