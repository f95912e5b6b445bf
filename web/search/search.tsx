import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { SlidersHorizontal } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNames } from '../api/names.ts'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { formatCount } from '../ui/number.ts'
import { useTitle } from '../ui/page.tsx'
import { Popover } from '../ui/popover.tsx'
import { ErrorView } from '../ui/states.tsx'
import type { EditedCell } from './cell.tsx'
import { getVisibleColumns } from './columns.tsx'
import { Facets } from './facets.tsx'
import { useNamedIds } from './named-ids.ts'
import { NoResults } from './no-results.tsx'
import { buildExportUrl, facetsQuery, isRanked, PAGE_SIZE, type Row, rowsQuery } from './queries.ts'
import { Results } from './results.tsx'
import { SearchBox } from './search-box.tsx'
import {
  type CatalogSearch,
  type FacetSelection,
  getFacetSelection,
  getSort,
  hasFilters,
  NO_FILTERS,
  type SortName,
  toSortParam,
} from './search-params.ts'
import { Toolbar } from './toolbar.tsx'
import { useResultGroups } from './use-result-groups.ts'
import { useSearchInput } from './use-search-input.ts'

const route = getRouteApi('/search')
const CATALOG = ['catalog']
/** Loaded with the first selection. */
const PreviewPane = lazy(async () => ({ default: (await import('./preview-pane.tsx')).PreviewPane }))
const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }))

const WIDE = matchMedia('(min-width: 48rem)') // narrower screens show only the name
const NO_IDS: readonly string[] = []
const NO_ROWS: readonly Row[] = []
const MAX_SELECTED = 2000 // a bulk edit of 2,000 takes a few seconds and can still be undone

/** The catalog: search, facets and results. Its state is in the URL. */
export const Search = () => {
  const address = route.useSearch()
  useTitle(address.q ? `${address.q} · ${t('Catalog')}` : t('Catalog'))
  const navigate = useNavigate({ from: '/search' })
  const go = useCallback(
    (change: Partial<CatalogSearch>, replace = true) => void navigate({ search: (before) => ({ ...before, ...change }), replace }),
    [navigate],
  )

  const [typed, setTyped] = useSearchInput(address.q ?? '', (q) => go({ q: q || undefined, spelling: undefined }))
  const activeParams = useMemo(() => {
    const q = typed.settled || undefined
    return { ...address, q, spelling: q === address.q ? address.spelling : undefined }
  }, [address, typed.settled])
  const [editing, setEditing] = useState<EditedCell>()
  // While a cell is edited the rows stay in place: refetched afterwards.
  const rows = useInfiniteQuery({ ...rowsQuery(activeParams), placeholderData: keepPreviousData, enabled: editing === undefined })
  // While typing, rows come first: facet counts of a half-typed word would delay them.
  const facets = useQuery({ ...facetsQuery(activeParams), placeholderData: keepPreviousData, enabled: !rows.isPlaceholderData })

  const loaded = useMemo<readonly Row[]>(() => rows.data?.pages.flatMap((page) => page.rows) ?? [], [rows.data])
  const groups = useResultGroups(activeParams, {
    rows: rows.data?.pages[0]?.rows ?? NO_ROWS,
    hasMore: rows.hasNextPage,
    facet: facets.data?.facets?.entity_type,
    isSettled: editing === undefined && !rows.isPlaceholderData && !facets.isPlaceholderData,
  })
  const list = useMemo(() => (groups.length > 0 ? groups.flatMap(({ rows }) => rows) : loaded), [groups, loaded])
  const first = rows.data?.pages[0]
  // Do not show old rows under a search term whose request failed.
  const failure = rows.isPlaceholderData ? rows.failureReason : list.length === 0 ? rows.error : null
  // A ranked search stops counting at its page; the facets have the full count.
  const found =
    first &&
    (isRanked(activeParams)
      ? { count: facets.data?.count ?? first.count, capped: facets.data?.capped ?? false }
      : { count: first.count, capped: false })
  // One request, when the IDs of both rows and facets are there.
  const ids = useNamedIds(list, facets.data?.facets)
  const names = useNames(rows.isPending || facets.isPending ? NO_IDS : ids)
  const canWrite = useCan('catalog.write')

  const [cursor, setCursor] = useState(-1)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const scroller = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const searchKey = JSON.stringify({ ...activeParams, peek: undefined, columns: undefined })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new search starts at the top with nothing selected
  useEffect(() => {
    setCursor(-1)
    setEditing(undefined)
    setSelected((before) => (before.size === 0 ? before : new Set()))
    scroller.current?.scrollTo({ top: 0 })
  }, [searchKey])

  const toggle = useCallback(
    (id: string) =>
      setSelected((before) => {
        const now = new Set(before)
        if (!now.delete(id)) now.add(id)
        return now
      }),
    [],
  )
  const current = list[cursor]
  const move = (to: number) => {
    typed.settle() // so that Back returns to this search term
    const next = Math.max(0, Math.min(list.length - 1, to))
    setCursor(next)
    if (address.peek && list[next]) go({ peek: list[next].id })
  }
  useCommand('search', () => box.current?.select())
  useCommand('results.next', () => move(cursor + 1), list.length > 0)
  useCommand('results.previous', () => move(cursor - 1), list.length > 0)
  useCommand('results.open', () => current && void navigate({ to: '/r/$id', params: { id: current.id } }), current !== undefined)
  useCommand('results.peek', () => current && go({ peek: address.peek === current.id ? undefined : current.id }), current !== undefined)
  useCommand('results.select', () => current && toggle(current.id), current !== undefined && canWrite)
  useCommand(
    'results.edit',
    () => current && WIDE.matches && setEditing({ id: current.id, column: 'description' }),
    current?.current_user_permissions.write && getVisibleColumns(address).includes('description'),
  )
  useCommand('results.select-all', () => setSelected(new Set(list.map(({ id }) => id))), list.length > 0 && canWrite)
  useCommand('results.clear', () => (address.peek ? go({ peek: undefined }) : setSelected(new Set())), selected.size > 0 || !!address.peek)
  useCommand('results.clear-filters', () => go(NO_FILTERS), hasFilters(address))
  useCommand('results.export', () => location.assign(buildExportUrl(activeParams, getVisibleColumns(activeParams))))

  const peeked = address.peek ? list.find(({ id }) => id === address.peek) : undefined
  const chosen = JSON.stringify(getFacetSelection(address))
  const facetList = (
    <Facets
      address={useMemo<FacetSelection>(() => JSON.parse(chosen), [chosen])}
      facets={facets.data?.facets}
      names={names}
      onChange={go}
    />
  )
  // Edited rows may no longer match.
  const chosenRows = useMemo(() => {
    if (selected.size === 0) return []
    return [...new Map([...loaded, ...list].map((row) => [row.id, row])).values()].filter(({ id }) => selected.has(id))
  }, [loaded, list, selected])
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = rows
  const selectAll = async () => {
    const loaded = (of: typeof rows.data) => of?.pages.flatMap((page) => page.rows) ?? []
    let answer: Pick<typeof rows, 'data' | 'hasNextPage' | 'error'> = rows
    while (answer.hasNextPage && loaded(answer.data).length < MAX_SELECTED) {
      answer = await fetchNextPage()
      if (answer.error) throw answer.error
    }
    setSelected(
      new Set(
        loaded(answer.data)
          .slice(0, MAX_SELECTED)
          .map(({ id }) => id),
      ),
    )
  }
  const onSort = useCallback((sort: SortName) => go({ sort: toSortParam(sort, address.q) }), [go, address.q])
  const onGroup = useCallback((entity_type: string) => go({ entity_type }, false), [go])
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  return (
    <div className="flex h-full">
      <h1 className="sr-only">{t('Catalog')}</h1>
      <aside aria-label={t('Filters')} className="hidden w-56 shrink-0 overflow-auto border-e border-line px-3 py-3 md:block">
        {facetList}
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <search className="flex items-center gap-2 border-b border-line px-3 py-2.5">
          <SearchBox box={box} text={typed.text} autoFocus={WIDE.matches} onType={setTyped} onLeave={() => move(0)} />
          <span className="md:hidden">
            <Popover
              label={t('Filters')}
              align="end"
              className="max-h-[70dvh] w-72 p-3"
              trigger={(props) => (
                <button type="button" {...props} className={buttonClass(hasFilters(address) ? 'primary' : 'plain')}>
                  <SlidersHorizontal aria-hidden size={15} />
                  <span className="sr-only">{t('Filters')}</span>
                </button>
              )}
            >
              {() => facetList}
            </Popover>
          </span>
        </search>
        <Toolbar address={activeParams} onChange={go} corrections={facets.data?.corrections ?? []}>
          <p aria-live="polite" className="text-sm whitespace-nowrap text-soft">
            {first && found && !failure ? (
              <Trans
                message="{number} {n:result|results} {took}"
                number={
                  <span className={cx('font-medium', facets.isPlaceholderData ? 'text-faint' : 'text-ink')}>
                    {formatCount(found.count)}
                    {found.capped && '+'}
                  </span>
                }
                n={found.count}
                took={<span className="hidden text-faint sm:inline">{t('in {time} ms', { time: first.took_ms })}</span>}
              />
            ) : (
              ' '
            )}
          </p>
        </Toolbar>
        <div className="flex min-h-0 flex-1">
          <div ref={scroller} className="min-w-0 flex-1 overflow-auto">
            {failure ? (
              <ErrorView error={failure} retry={() => void rows.refetch()} />
            ) : first && list.length === 0 ? (
              <NoResults address={activeParams} />
            ) : (
              <Results
                rows={list}
                groups={groups}
                onGroup={onGroup}
                total={Math.min(first?.count ?? 0, list.length + (rows.hasNextPage ? PAGE_SIZE : 0))}
                shown={address.columns}
                names={names}
                scroller={scroller}
                cursor={cursor}
                selected={selected}
                selectable={canWrite}
                pending={rows.isPending}
                editing={editing}
                onSelect={toggle}
                onCursor={setCursor}
                onEdit={setEditing}
                onEnd={onEnd}
                sort={getSort(address)}
                onSort={onSort}
              />
            )}
          </div>
          {address.peek && (
            <Suspense>
              <PreviewPane id={address.peek} row={peeked} onClose={() => go({ peek: undefined })} />
            </Suspense>
          )}
        </div>
        {chosenRows.length > 0 && (
          <Suspense fallback={<div className="h-11 border-t border-line bg-sunken" />}>
            <BulkBar
              rows={chosenRows}
              queryKey={CATALOG}
              className="border-t"
              onAll={
                found && selected.size < Math.min(found.count, MAX_SELECTED)
                  ? {
                      label:
                        found.count > MAX_SELECTED ? t('Select first {n}', { n: MAX_SELECTED }) : t('Select all {n}', { n: found.count }),
                      perform: selectAll,
                    }
                  : undefined
              }
              onClear={() => setSelected(new Set())}
            />
          </Suspense>
        )}
      </div>
    </div>
  )
}
