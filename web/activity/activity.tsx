import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Download, ScrollText } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useCan } from '../api/session.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { OptionFilter, TextFilter } from '../search/filters.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorView, NoAccess, Skeleton } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { VirtualRows } from '../ui/virtual-rows.tsx'
import { ActivityDialog, ActivitySentence } from './entry.tsx'
import { activitiesQuery, buildActivityExportUrl, type LogEntry } from './queries.ts'
import { type ActivitySearch, hasActivityFilters, PERFORMERS, SINCE } from './search-params.ts'

const route = getRouteApi('/activity')

/** The audit log of the workspace, newest first. */
export const Activity = () => {
  const address = route.useSearch()
  const navigate = useNavigate({ from: '/activity' })
  if (!useCan('audit.read'))
    return (
      <Page title={t('Activity')}>
        <NoAccess />
      </Page>
    )
  return (
    <Page
      fixed
      title={t('Activity')}
      about={t('A permanent record of every change.')}
      actions={
        <a href={buildActivityExportUrl(address)} download className={buttonClass()}>
          <Download aria-hidden size={15} /> {t('Export CSV')}
        </a>
      }
    >
      <Filters address={address} onChange={(change) => void navigate({ search: { ...address, ...change }, replace: true })} />
      <Log address={address} onClear={() => void navigate({ search: {} })} />
    </Page>
  )
}

const ACTIVITY_TYPE_LABELS: Record<string, string> = {
  resource_: t('Resources'),
  document_: t('Documents'),
  integration_: t('Integrations'),
  monitor_: t('Monitors'),
  incident_: t('Incidents'),
  user_: t('People'),
  team_: t('Teams'),
  token_: t('Tokens'),
  session_: t('Sessions'),
  tag_: t('Tags'),
}

interface FiltersProps {
  readonly address: ActivitySearch
  readonly onChange: (change: Partial<ActivitySearch>) => void
}

const Filters = ({ address: { q, type, by, since }, onChange }: FiltersProps) => (
  <search className="flex flex-wrap gap-2">
    <TextFilter label={t('Filter by resource name')} q={q} onChange={(q) => onChange({ q })} />
    <OptionFilter
      label={t('Type')}
      any={t('All types')}
      options={ACTIVITY_TYPE_LABELS}
      value={type}
      onChoose={(type) => onChange({ type })}
    />
    <OptionFilter label={t('Actor')} any={t('Anyone')} options={PERFORMERS} value={by} onChoose={(by) => onChange({ by })} />
    <OptionFilter label={t('Time')} any={t('Any time')} options={SINCE} value={since} onChoose={(since) => onChange({ since })} />
  </search>
)

const ROW_HEIGHT = matchMedia('(min-width: 48rem)').matches ? 36 : 52 // two lines on a phone
const PREFETCH_ROWS = 40 // rows before the end at which the next page is fetched

const Log = ({ address, onClear }: { address: ActivitySearch; onClear: () => void }) => {
  const log = useInfiniteQuery(activitiesQuery(address))
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = log
  const scroller = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<LogEntry>()
  const loaded = data?.pages.reduce((sum, { results }) => sum + results.length, 0) ?? 0
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (last > loaded - PREFETCH_ROWS && hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
    [loaded, hasNextPage, isFetchingNextPage, fetchNextPage],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters start at the newest entry
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 })
  }, [address])
  if (error && !data) return <ErrorView error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={8} />
  const entries = data.pages.flatMap(({ results }) => results)
  const { count } = data.pages[0]!
  if (count === 0)
    return (
      <EmptyState
        icon={ScrollText}
        title={hasActivityFilters(address) ? t('No matching activity') : t('No activity yet')}
        action={hasActivityFilters(address) && <Button onClick={onClear}>{t('Clear filters')}</Button>}
      />
    )
  return (
    <>
      <p className="text-sm text-soft" aria-live="polite">
        {pluralize(count, 'entry', 'entries')}
      </p>
      <div ref={scroller} className="min-h-0 flex-1 overflow-auto rounded-lg border border-line" role="list" aria-label={t('Entries')}>
        <VirtualRows
          count={entries.length}
          rowHeight={ROW_HEIGHT}
          scroller={scroller}
          onRange={onRange}
          row={(index) => <Row entry={entries[index]!} onOpen={setOpen} />}
        />
      </div>
      {open && <ActivityDialog entry={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

const Row = ({ entry, onOpen }: { entry: LogEntry; onOpen: (entry: LogEntry) => void }) => (
  <div role="listitem" className="h-full border-b border-line">
    <button
      type="button"
      onClick={() => onOpen(entry)}
      className="flex h-full w-full items-center gap-3 px-3 text-start text-sm -outline-offset-2 hover:bg-hover"
    >
      <span className="min-w-0 flex-1 max-md:line-clamp-2 md:truncate" dir="auto">
        <ActivitySentence of={entry} />
      </span>
      <span className="font-mono text-xs text-faint max-lg:hidden">{entry.activity_type}</span>
      <span className="w-28 shrink-0 text-end text-xs text-faint">
        <RelativeTime at={entry.logged_at} />
      </span>
    </button>
  </div>
)
