import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link as Anchor } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight, Bomb, Code, ListTree, Plus, Trash2, Waypoints, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { pluralize, t } from '../i18n/messages.ts'
import { runsQuery } from '../resources/queries.ts'
import { formatDuration, RUN_STATES } from '../resources/run-labels.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { EntityTypeIcon, entityTypeLabel } from '../ui/entity-type.tsx'
import { formatCount } from '../ui/number.ts'
import { Skeleton } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import type { GraphLayout } from './graph/graph-layout.ts'
import { evidenceQuery } from './graph/queries.ts'
import type { Box, Link } from './graph/scene.ts'
import type { Expansion } from './graph/search-params.ts'
import type { TracedPath } from './graph/trace.ts'
import { TRANSFORMATION_LABELS } from './sql/sql-labels.ts'

interface DetailsPanelProps {
  readonly layout: GraphLayout
  readonly chosen: string
  readonly tracedPath?: TracedPath
  readonly editable: boolean
  readonly onChoose: (id: string | undefined) => void
  readonly onStep: (id: string, step: Expansion, on: boolean) => void
  readonly onLink: (from: Box) => void
  readonly onRemove: (link: Link) => void
  readonly onList: () => void
  readonly onWhatIf: () => void
}

/** Details of the selected box or link. Offers by keyboard everything the pointer can do in the graph. */
export const DetailsPanel = (props: DetailsPanelProps) => {
  const { scene } = props.layout
  const box = scene.boxes[scene.indexById.get(props.chosen) ?? -1]
  const link = box ? undefined : scene.links.find(({ id }) => id === props.chosen)
  if (!box && !link) return null
  return (
    <aside
      aria-label={box ? t('Resource details') : t('Link details')}
      className="flex w-72 shrink-0 flex-col overflow-auto border-s border-line bg-bg max-md:absolute max-md:inset-x-0 max-md:bottom-0 max-md:z-10 max-md:max-h-[55%] max-md:w-full max-md:rounded-t-xl max-md:border-t max-md:shadow-float"
    >
      {box ? <BoxDetails key={box.id} {...props} box={box} /> : link && <LinkDetails {...props} link={link} />}
    </aside>
  )
}

const PanelHeader = ({ children, onClose }: { children: ReactNode; onClose: () => void }) => (
  <div className="flex items-start gap-2 border-b border-line p-3">
    <div className="min-w-0 flex-1">{children}</div>
    <IconButton label={t('Clear selection')} icon={X} onClick={onClose} />
  </div>
)

const BoxDetails = ({
  box,
  layout,
  tracedPath,
  editable,
  onChoose,
  onStep,
  onLink,
  onRemove,
  onList,
  onWhatIf,
}: DetailsPanelProps & { box: Box }) => {
  const { id, title, path, kind } = box
  const { links } = layout.scene
  return (
    <>
      <PanelHeader onClose={() => onChoose(undefined)}>
        <h2 className="flex items-start gap-2 font-semibold break-words">
          <EntityTypeIcon type={kind ?? ''} className="mt-0.5" />
          <span className="min-w-0 break-words" dir="auto">
            {title}
          </span>
        </h2>
        <p className="text-xs break-words text-faint" dir="auto">
          {[kind && entityTypeLabel(kind), path].filter(Boolean).join(' · ')}
        </p>
        {tracedPath && (
          <p className="mt-1 text-xs text-soft">
            {t('{n:# connected resource|# connected resources} shown', { n: tracedPath.boxes.size - 1 })}
          </p>
        )}
      </PanelHeader>
      <div className="flex flex-wrap gap-1.5 border-b border-line p-3">
        <Anchor to="/r/$id" params={{ id }} className={buttonClass('plain', true)}>
          {t('Open')}
        </Anchor>
        {!box.start && (
          <Anchor to="/lineage/$id" params={{ id }} className={buttonClass('plain', true)}>
            <Waypoints aria-hidden size={14} /> {t('Focus on this')}
          </Anchor>
        )}
        <Button small icon={ListTree} onClick={onList}>
          {t('Impact')}
        </Button>
        <Button small icon={Bomb} onClick={onWhatIf}>
          {t('What if…')}
        </Button>
        {editable && (
          <Button small icon={Plus} onClick={() => onLink(box)}>
            {t('Link to…')}
          </Button>
        )}
      </div>
      {kind === 'job' && <LastRuns job={id} />}
      <NeighbourList
        {...{ layout, editable, onChoose, onRemove }}
        title={t('Upstream')}
        icon={<ArrowLeft aria-hidden size={13} />}
        links={links.filter(({ to }) => to === id)}
        end="from"
        more={box.more_upstream}
        onMore={() => onStep(id, 'u', true)}
      />
      <NeighbourList
        {...{ layout, editable, onChoose, onRemove }}
        title={t('Downstream')}
        icon={<ArrowRight aria-hidden size={13} />}
        links={links.filter(({ from }) => from === id)}
        end="to"
        more={box.more_downstream}
        onMore={() => onStep(id, 'd', true)}
      />
    </>
  )
}

const MAX_RUNS = 5

const LastRuns = ({ job }: { job: string }) => {
  const { data } = useInfiniteQuery(runsQuery(job))
  const runs = data?.pages[0]?.results ?? []
  return (
    runs.length > 0 && (
      <section className="border-b border-line p-3">
        <h3 className="mb-1 text-xs font-semibold text-faint">{t('Last runs')}</h3>
        <ul className="grid gap-1 text-sm">
          {runs.slice(0, MAX_RUNS).map(({ id, state, started_at, ended_at, duration_seconds }) => {
            const [label, tone] = RUN_STATES[state ?? 'UNKNOWN']
            return (
              <li key={id} className="flex items-center gap-2">
                <Badge tone={tone}>{label}</Badge>
                <RelativeTime at={started_at ?? ended_at} />
                <span className="ms-auto text-faint">{duration_seconds !== null && formatDuration(duration_seconds)}</span>
              </li>
            )
          })}
        </ul>
        <Anchor to="/r/$id" params={{ id: job }} search={{ tab: 'runs' }} className="text-sm text-accent hover:underline">
          {t('All runs')}
        </Anchor>
      </section>
    )
  )
}

const MAX_NEIGHBOURS = 25 // a hub has hundreds of neighbors, and the panel opens on every selection

const NeighbourList = ({
  title,
  icon,
  links,
  end,
  more,
  layout,
  editable,
  onChoose,
  onRemove,
  onMore,
}: Pick<DetailsPanelProps, 'layout' | 'editable' | 'onChoose' | 'onRemove'> & {
  title: string
  icon: ReactNode
  links: readonly Link[]
  end: 'from' | 'to'
  more: number
  onMore: () => void
}) => {
  const boxes = [...new Map(links.map((link) => [link[end], link])).values()]
  const [all, setAll] = useState(false)
  const shown = all || boxes.length <= MAX_NEIGHBOURS + 5 ? boxes : boxes.slice(0, MAX_NEIGHBOURS)
  return (
    <section className="border-b border-line p-3 last:border-b-0">
      <h3 className="mb-1 flex items-center gap-1.5 text-xs font-semibold text-faint">
        {icon} {title} {boxes.length + more > 0 && <span className="font-normal">{formatCount(boxes.length + more)}</span>}
      </h3>
      {boxes.length + more === 0 && <p className="text-sm text-soft">{t('None known')}</p>}
      <ul>
        {shown.map((link) => {
          const box = layout.scene.boxes[layout.scene.indexById.get(link[end])!]!
          return (
            <li key={link[end]} className="flex items-center gap-1">
              <button
                type="button"
                disabled={box.kind === null}
                onClick={() => onChoose(box.id)}
                className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 text-start text-sm hover:bg-hover"
              >
                {box.kind && <EntityTypeIcon type={box.kind} size={14} />}
                <span className="truncate" dir="auto">
                  {box.title}
                </span>
                <TrustBadges id={box.kind === null || box.members > 0 ? undefined : box.id} size={13} />
                {link.manual && <span className="ms-auto text-xs text-faint">{t('manual')}</span>}
              </button>
              {editable && link.manual && (
                <IconButton label={t('Remove link to {title}', { title: box.title })} icon={Trash2} onClick={() => onRemove(link)} />
              )}
            </li>
          )
        })}
      </ul>
      {shown.length < boxes.length && (
        <Button small look="quiet" onClick={() => setAll(true)}>
          {t('Show all {count}', { count: boxes.length })}
        </Button>
      )}
      {more > 0 && (
        <Button small look="quiet" icon={Plus} onClick={onMore}>
          {t('Show {count} more', { count: more })}
        </Button>
      )}
    </section>
  )
}

const LinkDetails = ({ link, layout, editable, onChoose, onRemove }: DetailsPanelProps & { link: Link }) => {
  const { boxes, indexById } = layout.scene
  const [from, to] = [boxes[indexById.get(link.from)!]!, boxes[indexById.get(link.to)!]!]
  const known = from.kind !== null && to.kind !== null && from.members + to.members === 0 && !link.indirect
  const evidence = useQuery({ ...evidenceQuery(link.from_row ?? link.from, link.to_row ?? link.to), enabled: known })
  const queries = evidence.data?.edges.flatMap(({ evidence }) => evidence).filter(({ sql }) => sql !== null) ?? []
  const texts = [...new Set(queries.map(({ sql }) => sql))]
  return (
    <>
      <PanelHeader onClose={() => onChoose(undefined)}>
        <h2 className="text-sm font-semibold break-words" dir="auto">
          {from.title} <ArrowRight aria-label={t('to // flows')} size={13} className="inline" /> {to.title}
        </h2>
      </PanelHeader>
      <div className="grid gap-3 p-3 text-sm">
        <div className="flex flex-wrap gap-1.5">
          {link.manual && <Badge tone="accent">{t('Added manually')}</Badge>}
          {link.queries > 0 && <Badge>{pluralize(link.queries, 'query', 'queries')}</Badge>}
          {link.indirect && <Badge>{t('Indirect')}</Badge>}
          {link.kinds.map((kind) => (
            <Badge key={kind}>{TRANSFORMATION_LABELS[kind] ?? kind}</Badge>
          ))}
        </div>
        {known && evidence.isLoading && <Skeleton />}
        {texts.map((sql) => (
          <pre
            key={sql}
            className="max-h-64 overflow-auto rounded-md border border-line bg-sunken p-2 font-mono text-xs whitespace-pre-wrap"
          >
            {sql}
          </pre>
        ))}
        {link.to_row && texts.length > 0 && (
          <Anchor to="/r/$id" params={{ id: link.to }} search={{ tab: 'code', column: link.to_row }} className={buttonClass('plain', true)}>
            <Code aria-hidden size={14} /> {t('Show in code')}
          </Anchor>
        )}
        {editable && link.manual && (
          <Button small icon={Trash2} onClick={() => onRemove(link)}>
            {t('Remove link')}
          </Button>
        )}
      </div>
    </>
  )
}
