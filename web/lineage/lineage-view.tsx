import { useMutation } from '@tanstack/react-query'
import { Waypoints } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import { queryClient } from '../api/query.ts'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { Button } from '../ui/button.tsx'
import { Answer, Empty, Skeleton } from '../ui/states.tsx'
import { told, toldFailure } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { type LineageAddress, listed, toListed, withStep } from './address.ts'
import type { Acts } from './box.tsx'
import { Corner } from './corner.tsx'
import type { Drawing } from './drawing.ts'
import { linksCsv, save, toPng, toSvg } from './export.ts'
import { Graph } from './graph.tsx'
import { LineageList } from './list.tsx'
import { inksNow } from './paint.ts'
import { Panel } from './panel.tsx'
import { addLink, type GraphNode, removeLink } from './queries.ts'
import type { Box, Link } from './scene.ts'
import { Toolbar } from './toolbar.tsx'
import { useLineage } from './use-lineage.ts'
import type { Stage } from './use-view.ts'

const WhatIfView = lazy(async () => ({ default: (await import('./what-if.tsx')).WhatIfView }))
const LinkDialog = lazy(async () => ({ default: (await import('./link-dialog.tsx')).LinkDialog }))

interface LineageViewProps {
  readonly id: string
  readonly address: LineageAddress
  /** `replace` for changes that should not be a history entry, such as typing. */
  readonly onAddress: (next: LineageAddress, replace: boolean) => void
  /** Embedded in a page that keeps the wheel and the keyboard shortcuts. */
  readonly embedded?: boolean
}

/** Lineage of a resource as graph, list or what-if. */
export const LineageView = ({ id, address, onAddress, embedded = false }: LineageViewProps) => {
  const lineage = useLineage(id, address)
  const writes = useCan('catalog.write')
  const stage = useRef<Stage>(null)
  const finder = useRef<HTMLInputElement>(null)
  const at = useRef(-1)
  const [linking, setLinking] = useState<Pick<Box, 'id' | 'title'>>()
  const latest = useRef({ address, onAddress })
  latest.current = { address, onAddress }
  const { drawing, found, lit } = lineage

  const joins = useMutation({
    mutationFn: ([from, to]: readonly [string, string]) => addLink(from, to),
    onError: (error) => toldFailure(t('Couldn’t add the link.'), error),
    onSuccess: (_, [from, to]) => {
      told(t('Link added'), () => removes.mutate({ from, to }))
      return again()
    },
  })
  const removes = useMutation({
    mutationFn: ({ from, to }: Pick<Link, 'from' | 'to'>) => removeLink(from, to),
    onError: (error) => toldFailure(t('Couldn’t remove the link.'), error),
    onSuccess: (_, { from, to }) => {
      told(t('Link removed'), () => joins.mutate([from, to]))
      return again()
    },
  })

  const join = joins.mutate
  const { acts, change } = useMemo(() => {
    const change = (some: Partial<LineageAddress>, replace = false) =>
      latest.current.onAddress({ ...latest.current.address, ...some }, replace)
    const acts: Acts = {
      choose: (sel) => change({ sel, col: undefined }),
      step: (id, step, on) => {
        const next = withStep(latest.current.address, id, step, on)
        change({ x: step === 'c' && !on ? withStep(next, id, 'a', false).x : step === 'a' ? withStep(next, id, 'c', true).x : next.x })
      },
      column: (col) => change({ col: latest.current.address.col === col ? undefined : col, sel: undefined }),
      unfold: (path) => change({ open: toListed([...listed(latest.current.address.open), path]) }),
      join: (from, to) => join([from, to]),
    }
    return { acts, change }
  }, [join])

  const goToFound = (step: 1 | -1) => {
    const hits = [...(found ?? [])]
    if (hits.length === 0) return
    at.current = (at.current + step + hits.length) % hits.length
    stage.current?.show(hits[at.current]!)
  }
  const exported = async (kind: 'png' | 'svg' | 'csv') => {
    if (!drawing) return
    const name = `lineage-${drawing.scene.boxes.find(({ start }) => start)?.title ?? id}.${kind}`
    try {
      if (kind === 'csv') save(new Blob([linksCsv(drawing)], { type: 'text/csv' }), name)
      else if (kind === 'svg') save(new Blob([toSvg(drawing, inksNow(), lit)], { type: 'image/svg+xml' }), name)
      else save(await toPng(drawing, inksNow(), lit), name)
    } catch (error) {
      toldFailure(t('Export failed.'), error)
    }
  }

  const keys = !embedded && address.view === undefined
  const acted = address.sel ?? id
  useCommand('lineage.find', () => finder.current?.focus(), keys)
  useCommand('lineage.fit', () => stage.current?.fit(), keys)
  useCommand('lineage.zoom-in', () => stage.current?.zoom(1.3), keys)
  useCommand('lineage.zoom-out', () => stage.current?.zoom(1 / 1.3), keys)
  useCommand('lineage.upstream', () => acts.step(acted, 'u', true), keys)
  useCommand('lineage.downstream', () => acts.step(acted, 'd', true), keys)
  useCommand('lineage.columns', () => acts.step(acted, 'c', !lineage.opened.some(({ id, step }) => id === acted && step === 'c')), keys)
  useCommand('lineage.list', () => change({ view: address.view ? undefined : 'list' }), !embedded)
  useCommand('lineage.what-if', () => change({ view: 'what-if', cols: address.cols ?? address.col }), !embedded)
  useCommand('lineage.link', () => setLinking(boxIn(drawing, acted)), keys && writes)
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
          <Answer of={lineage.first} loading={<Skeleton lines={6} className="p-6" />}>
            {({ nodes }) => (
              <Suspense fallback={<Skeleton lines={6} className="p-6" />}>
                <WhatIfView
                  {...subjectOf(boxIn(drawing, address.sel), nodes[0]!)}
                  address={address}
                  change={change}
                  head={<About drawing={drawing} id={id} address={address} onClear={() => change({ sel: undefined, cols: undefined })} />}
                />
              </Suspense>
            )}
          </Answer>
        </div>
      ) : address.view === 'list' ? (
        <div className="min-h-0 flex-1">
          <LineageList
            ask={{ id: boxIn(drawing, address.sel)?.id ?? id, column: address.col }}
            upstream={address.dir === 'up'}
            head={<About drawing={drawing} id={id} address={address} onClear={() => change({ sel: undefined, col: undefined })} />}
          />
        </div>
      ) : (
        <Answer of={lineage.first} loading={<Skeleton lines={6} className="p-6" />}>
          {() =>
            drawing && (
              <div className="relative flex min-h-0 flex-1">
                <div className="relative min-w-0 flex-1">
                  {isAlone(drawing) ? (
                    <Nothing link={writes ? () => setLinking(drawing.scene.boxes[0]!) : undefined} />
                  ) : (
                    <Graph
                      drawing={drawing}
                      lit={lit}
                      chosen={address.sel}
                      column={address.col}
                      found={found}
                      opened={lineage.opened}
                      busy={lineage.busy}
                      editable={writes}
                      embedded={embedded}
                      acts={acts}
                      stage={stage}
                      scope={lineage.first.isPlaceholderData ? undefined : `${address.depth} ${address.dir} ${address.level}`}
                    />
                  )}
                  <Corner stage={stage} lineage={lineage} drawing={drawing} address={address} change={change} />
                </div>
                {address.sel && (
                  <Panel
                    drawing={drawing}
                    chosen={address.sel}
                    lit={lit}
                    editable={writes}
                    onChoose={(next) => {
                      acts.choose(next)
                      if (next) stage.current?.show(next)
                    }}
                    onStep={acts.step}
                    onLink={setLinking}
                    onRemove={removes.mutate}
                    onList={() => change({ view: 'list', dir: undefined })}
                    onWhatIf={() => change({ view: 'what-if', cols: undefined })}
                  />
                )}
              </div>
            )
          }
        </Answer>
      )}
      <Suspense>{linking && <LinkDialog from={linking} onJoin={acts.join} onClose={() => setLinking(undefined)} />}</Suspense>
    </div>
  )
}

/** Invalidates all lineage: either end of a link may be in any response. */
const again = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'resource' && (queryKey[2] === 'lineage' || queryKey[2] === 'impact'),
  })

const boxIn = (drawing: Drawing | undefined, id: string | undefined): Box | undefined =>
  drawing && id !== undefined ? drawing.scene.boxes[drawing.scene.place.get(id) ?? -1] : undefined

/** Subject of the what-if: the selected box, else the start. */
const subjectOf = (chosen: Box | undefined, start: GraphNode): { id: string; kind: string } => ({
  id: chosen && chosen.members === 0 ? chosen.id : start.id,
  kind: (chosen && chosen.members === 0 ? chosen.kind : start.entity_type) ?? '',
})

/** The start has no neighbors, shown or not. */
const isAlone = ({ scene: { boxes } }: Drawing): boolean => boxes.length === 1 && boxes[0]!.more_upstream + boxes[0]!.more_downstream === 0

const Nothing = ({ link }: { link?: () => void }) => (
  <Empty icon={Waypoints} title={t('No lineage yet')} action={link && <Button onClick={link}>{t('Link to…')}</Button>}>
    {t('Lineage comes from queries, views and dbt, or can be added manually.')}
  </Empty>
)

/** The selected resource a list is about, if it is not the start. */
const About = ({
  drawing,
  id,
  address,
  onClear,
}: {
  drawing?: Drawing
  id: string
  address: LineageAddress
  onClear: () => void
}): ReactNode => {
  const row = drawing?.scene.boxes.flatMap(({ rows }) => rows).find((each) => each.id === address.col)
  const of = row ?? boxIn(drawing, address.sel)
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
