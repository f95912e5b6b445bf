import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, GitBranch } from 'lucide-react'
import { type ReactNode, type RefObject, useRef } from 'react'
import { pluralize, t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Person } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EntityTypeIcon, entityTypeCount } from '../../ui/entity-type.tsx'
import { formatCount } from '../../ui/number.ts'
import { PathText } from '../../ui/path-text.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { TrustBadges } from '../../ui/trust-badges.tsx'
import { VirtualRows } from '../../ui/virtual-rows.tsx'
import { downloadBlob, toCsv } from './export.ts'
import { type Affected, buildImpactCsvUrl, type Graph, type Impact, type ImpactParams, impactQuery, sourcesQuery } from './queries.ts'
import { upstreamPaths } from './upstream-paths.ts'

const ROW_HEIGHT = 48
const ROW_HEIGHT_WITH_REASON = 66 // two lines for the reason, above the path
const GRID = 'grid grid-cols-[minmax(0,1fr)_5rem] items-center gap-4'
const GRID_WITH_OWNERS = 'md:grid-cols-[minmax(0,2fr)_5rem_minmax(0,1fr)_minmax(0,2fr)]'
const GRID_WITHOUT_OWNERS = 'md:grid-cols-[minmax(0,1fr)_5rem_minmax(0,1fr)]' // the upstream list has no owners

/** Lineage as a list: downstream impact with affected owners, or upstream resources. */
export const LineageList = ({ params, upstream, head }: { params: ImpactParams; upstream: boolean; head: ReactNode }) =>
  upstream ? <UpstreamList params={params} head={head} /> : <ImpactList params={params} head={head} />

const ImpactList = ({ params, head }: { params: ImpactParams; head: ReactNode }) => {
  const impact = useInfiniteQuery(impactQuery(params))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = impact
  return (
    <QueryView of={{ ...impact, data: impact.data?.pages } as ReturnType<typeof useQuery<Impact[]>>}>
      {(pages) => {
        const rows = pages.flatMap(({ results }) => results)
        const { summary, truncated } = pages[0]!
        return (
          <ScrollingTable
            label={t('Downstream impact')}
            rows={rows}
            head={
              <>
                {head}
                <ImpactSummaryText summary={summary} truncated={truncated} />
                <a href={buildImpactCsvUrl(params)} className={buttonClass('plain', true)}>
                  <Download aria-hidden size={14} /> {t('Export CSV')}
                </a>
              </>
            }
            onRange={(_, last) => last >= rows.length - 20 && hasNextPage && !isFetchingNextPage && void fetchNextPage()}
            empty={
              <EmptyState icon={GitBranch} title={t('No downstream impact')}>
                {t('No downstream lineage is known for this resource.')}
              </EmptyState>
            }
          />
        )
      }}
    </QueryView>
  )
}

const ImpactSummaryText = ({
  summary: { total: n, by_entity_type, by_owner, unowned },
  truncated,
}: Pick<Impact, 'summary' | 'truncated'>) => {
  const resources = (
    <strong className="font-semibold">{truncated ? t('At least {n:# resource|# resources}', { n }) : pluralize(n, 'resource')}</strong>
  )
  return (
    <div className="min-w-0 flex-1 basis-80">
      <p className="text-sm">
        {n > 0 ? (
          <Trans
            message="{resources} {n:depends|depend} on this: {kinds}."
            resources={resources}
            n={n}
            kinds={formatTypeCounts(by_entity_type)}
          />
        ) : (
          <Trans message="{resources} {n:depends|depend} on this." resources={resources} n={n} />
        )}
      </p>
      <AffectedOwners owners={by_owner} unowned={unowned} />
    </div>
  )
}

/** `3 tables, 1 dashboard`, most frequent first. */
export const formatTypeCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([type, n]) => entityTypeCount(n, type))
    .join(', ')

const MAX_NAMES = 8

export const AffectedOwners = ({
  owners,
  unowned,
}: {
  owners: readonly { readonly id: string; readonly name: string | null; readonly count: number }[]
  unowned: number
}) =>
  owners.length + unowned > 0 && (
    <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-xs text-soft">
      <span>{t('Affected owners')}</span>
      {owners.slice(0, MAX_NAMES).map(({ id, name, count: n }) => (
        <span key={id} className="inline-flex max-w-56 items-center gap-1">
          <Person name={name ?? t('Unknown user')} /> <span className="text-faint">{formatCount(n)}</span>
        </span>
      ))}
      {owners.length > MAX_NAMES && <span>{t('and {n:# other|# others}', { n: owners.length - MAX_NAMES })}</span>}
      {unowned > 0 && <Badge tone="warn">{t('{count} without an owner', { count: unowned })}</Badge>}
    </p>
  )

export interface ListRow
  extends Pick<Affected, 'id' | 'title' | 'title_full' | 'entity_type' | 'distance'>,
    Partial<Pick<Affected, 'certain' | 'owners'>> {
  readonly path?: readonly Pick<Affected['path'][number], 'hidden' | 'title'>[]
  /** Why it is in the list. */
  readonly reason?: string
}

const UpstreamList = ({ params, head }: { params: ImpactParams; head: ReactNode }) => {
  const sources = useQuery(sourcesQuery(params.column ?? params.id, params.column ? 'column' : 'table'))
  return (
    <QueryView of={sources}>
      {(graph) => {
        const paths = upstreamPaths(graph)
        const rows: ListRow[] = graph.nodes
          .filter(({ hidden, distance }) => !hidden && distance > 0)
          .map((node) => ({ ...node, path: paths.get(node.id) }))
        return (
          <ScrollingTable
            label={t('Upstream resources')}
            rows={rows}
            head={
              <>
                {head}
                <p className="min-w-0 flex-1 basis-80 text-sm">
                  {graph.truncated
                    ? t('At least {n:# upstream resource|# upstream resources}', { n: rows.length })
                    : pluralize(rows.length, 'upstream resource')}
                </p>
                <Button
                  small
                  icon={Download}
                  onClick={() => downloadBlob(new Blob([sourcesCsv(graph)], { type: 'text/csv' }), 'upstream.csv')}
                >
                  {t('Export CSV')}
                </Button>
              </>
            }
            empty={
              <EmptyState icon={GitBranch} title={t('No upstream resources')}>
                {t('No upstream lineage is known for this resource.')}
              </EmptyState>
            }
          />
        )
      }}
    </QueryView>
  )
}

const sourcesCsv = ({ nodes }: Graph): string =>
  toCsv([
    ['id', 'title', 'title_full', 'entity_type', 'distance'],
    ...nodes
      .filter(({ hidden, distance }) => !hidden && distance > 0)
      .map(({ id, title, title_full, entity_type, distance }) => [id, title ?? '', title_full ?? '', entity_type ?? '', distance]),
  ])

const ScrollingTable = ({
  label,
  rows,
  head,
  empty,
  onRange,
}: {
  label: string
  rows: readonly ListRow[]
  head: ReactNode
  empty: ReactNode
  onRange?: (first: number, last: number) => void
}) => {
  const scroller = useRef<HTMLDivElement>(null)
  return (
    <div ref={scroller} className="h-full overflow-auto">
      <div className="mx-auto max-w-[80rem] px-4 pb-6">
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">{head}</div>
        {rows.length === 0 ? empty : <EdgeTable {...{ label, rows, scroller, onRange }} />}
      </div>
    </div>
  )
}

/** Resources and the paths to them, virtualized in a scroll container. */
export const EdgeTable = ({
  label,
  rows,
  scroller,
  onRange,
}: {
  label: string
  rows: readonly ListRow[]
  scroller: RefObject<HTMLElement | null>
  onRange?: (first: number, last: number) => void
}) => {
  const owned = rows.some(({ owners }) => owners)
  const grid = `${GRID} ${owned ? GRID_WITH_OWNERS : GRID_WITHOUT_OWNERS}`
  return (
    <div role="table" aria-label={label} aria-rowcount={rows.length} className="text-sm">
      <div role="row" className={`${grid} sticky top-0 z-10 border-b border-line bg-bg py-1.5 text-xs font-semibold text-faint`}>
        <span role="columnheader">{t('Resource')}</span>
        <span role="columnheader">{t('Distance')}</span>
        {owned && (
          <span role="columnheader" className="max-md:hidden">
            {t('Owners')}
          </span>
        )}
        <span role="columnheader" className="max-md:hidden">
          {rows.some(({ reason }) => reason) ? t('Reason and path') : t('Path')}
        </span>
      </div>
      <VirtualRows
        count={rows.length}
        rowHeight={rows.some(({ reason }) => reason) ? ROW_HEIGHT_WITH_REASON : ROW_HEIGHT}
        scroller={scroller}
        onRange={onRange}
        row={(i) => <EdgeRow row={rows[i]!} index={i} grid={grid} owned={owned} />}
      />
    </div>
  )
}

/** The first owner by name; of several only their pictures would fit. */
const OwnerNames = ({ names: [first, ...others] }: { names: readonly string[] }) =>
  first !== undefined && (
    <span className="flex min-w-0 items-center gap-1" title={[first, ...others].join(', ')}>
      <Person name={first} />
      {others.length > 0 && (
        <span className="text-xs text-faint">
          <span aria-hidden>+{others.length}</span>
          <span className="sr-only">, {others.join(', ')}</span>
        </span>
      )}
    </span>
  )

const EdgeRow = ({
  row: { id, title, title_full, entity_type, distance, certain, owners, path, reason },
  index,
  grid,
  owned,
}: {
  row: ListRow
  index: number
  grid: string
  owned: boolean
}) => {
  const pathText = path?.map((each) => (each.hidden ? '…' : each.title)).join(' → ') ?? ''
  return (
    <div role="row" aria-rowindex={index + 2} className={`${grid} h-full border-b border-line`}>
      <div role="cell" className="flex min-w-0 items-center gap-2.5">
        <EntityTypeIcon type={entity_type ?? ''} />
        <span className="min-w-0">
          <span className="flex items-center gap-1.5">
            <Link to="/r/$id" params={{ id }} className="truncate font-medium hover:text-accent hover:underline" dir="auto">
              {title}
            </Link>
            <TrustBadges id={id} size={13} />
          </span>
          <PathText text={title_full ?? ''} className="text-xs text-faint" />
        </span>
      </div>
      <div role="cell" className="text-soft">
        {distance}
        {certain === false && (
          <span className="block text-xs text-warn" title={t('Only table-level lineage is known for part of the path')}>
            {t('possible')}
          </span>
        )}
      </div>
      {owned && (
        <div role="cell" className="flex min-w-0 gap-2 overflow-hidden text-xs text-soft max-md:hidden">
          <OwnerNames names={owners?.map(({ name }) => name ?? t('Unknown user')) ?? []} />
          {owners?.length === 0 && <span className="text-faint">{t('Unowned')}</span>}
        </div>
      )}
      <div role="cell" className="min-w-0 text-xs max-md:hidden">
        {reason && (
          <span className="line-clamp-2 text-soft" title={reason} dir="auto">
            {reason}
          </span>
        )}
        <span className="block truncate text-faint" title={pathText} dir="auto">
          {pathText}
        </span>
      </div>
    </div>
  )
}
