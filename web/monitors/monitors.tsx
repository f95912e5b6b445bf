import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Activity, FileCode2, Plus } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { OptionFilter, TextFilter } from '../search/filters.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorView, Skeleton } from '../ui/states.tsx'
import { METRICS, STATUS } from './metrics.ts'
import { monitorsQuery } from './queries.ts'
import { MonitorRows } from './rows.tsx'
import { isFiltered, type MonitorsSearch } from './search-params.ts'
import { SEVERITY_NAMES } from './severity.tsx'

const route = getRouteApi('/monitors')

/** List of monitors with their status. */
export const Monitors = () => {
  const address = route.useSearch()
  const navigate = useNavigate({ from: '/monitors' })
  const canReadConfig = useCan('monitors.config')
  const writes = useCan('monitors.write')
  const [cleared, setCleared] = useState(0)
  useCommand('monitors.new', () => void navigate({ to: '/monitors/new' }), writes)
  useCommand('monitors.config', () => void navigate({ to: '/monitors/config' }), canReadConfig)
  const clear = () => {
    setCleared(cleared + 1) // remounts the filters so that the text field resets
    void navigate({ search: {} })
  }
  return (
    <Page
      title={t('Monitors')}
      about={t('Monitors check a metric on a schedule and alert you to anomalies.')}
      actions={
        <>
          {canReadConfig && (
            <Link to="/monitors/config" className={buttonClass()}>
              <FileCode2 aria-hidden size={15} /> {t('As code')}
            </Link>
          )}
          {writes && <NewMonitorLink />}
        </>
      }
    >
      <Filters key={cleared} address={address} onChange={(change) => void navigate({ search: { ...address, ...change }, replace: true })} />
      <MonitorList address={address} onClear={clear} writes={writes} />
    </Page>
  )
}

const NewMonitorLink = () => (
  <Link to="/monitors/new" className={buttonClass('primary')}>
    <Plus aria-hidden size={15} /> {t('New monitor')}
  </Link>
)

interface FiltersProps {
  readonly address: MonitorsSearch
  readonly onChange: (change: Partial<MonitorsSearch>) => void
}

const STATUSES = Object.fromEntries(Object.entries(STATUS).map(([id, { label }]) => [id, label]))
const METRIC_NAMES = Object.fromEntries(METRICS.map(({ id, label }) => [id, label]))

const Filters = ({ address: { q, status, metric, severity, enabled }, onChange }: FiltersProps) => (
  <search className="flex flex-wrap gap-2">
    <TextFilter label={t('Search monitors by name')} q={q} onChange={(q) => onChange({ q })} />
    <OptionFilter label={t('Status')} any={t('Any status')} options={STATUSES} value={status} onChoose={(status) => onChange({ status })} />
    <OptionFilter
      label={t('Metric')}
      any={t('Any metric')}
      options={METRIC_NAMES}
      value={metric}
      onChoose={(metric) => onChange({ metric })}
    />
    <OptionFilter
      label={t('Severity')}
      any={t('Any severity')}
      options={SEVERITY_NAMES}
      value={severity}
      onChoose={(severity) => onChange({ severity })}
    />
    <OptionFilter
      label={t('State')}
      any={t('Running and paused')}
      options={{ true: t('Running'), false: t('Paused') }}
      value={enabled}
      onChoose={(enabled) => onChange({ enabled })}
    />
  </search>
)

const MonitorList = ({ address, onClear, writes }: { address: MonitorsSearch; onClear: () => void; writes: boolean }) => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(monitorsQuery(address))
  if (error && !data) return <ErrorView error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  const monitors = data.pages.flatMap(({ results }) => results)
  const { count } = data.pages[0]!
  if (count === 0)
    return isFiltered(address) ? (
      <EmptyState title={t('No matching monitors')} action={<Button onClick={onClear}>{t('Clear filters')}</Button>}>
        {t('Try another name or status.')}
      </EmptyState>
    ) : (
      <EmptyState icon={Activity} title={t('No monitors yet')} action={writes && <NewMonitorLink />}>
        {t('Start with the row count of your most used table.')}
      </EmptyState>
    )
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-sm text-soft" aria-live="polite">
        {pluralize(count, 'monitor')}
      </p>
      <MonitorRows of={monitors} />
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </div>
  )
}
