import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useMe } from '../api/session.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { SEVERITY_NAMES } from '../monitors/severity.tsx'
import { OptionFilter } from '../search/filters.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Checkbox, Select } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorView, Skeleton } from '../ui/states.tsx'
import { incidentsQuery } from './queries.ts'
import { IncidentRows } from './rows.tsx'
import type { IncidentsSearch } from './search-params.ts'

const route = getRouteApi('/incidents')

/** List of incidents with filters. */
export const Incidents = () => {
  const address = route.useSearch()
  const navigate = useNavigate({ from: '/incidents' })
  const change = (part: Partial<IncidentsSearch>) => void navigate({ search: { ...address, ...part }, replace: true })
  return (
    <Page title={t('Incidents')} about={t('Opens when a value leaves its expected range. Resolves after 3 normal runs.')}>
      <search className="flex flex-wrap items-center gap-4">
        <Select
          fit
          aria-label={t('Status')}
          value={address.status ?? ''}
          onChange={({ target }) => change({ status: (target.value || undefined) as IncidentsSearch['status'] })}
        >
          <option value="">{t('Open // which incidents')}</option>
          <option value="active">{t('Active')}</option>
          <option value="acknowledged">{t('Acknowledged')}</option>
          <option value="resolved">{t('Resolved')}</option>
          <option value="all">{t('All')}</option>
        </Select>
        <OptionFilter
          label={t('Severity')}
          any={t('Any severity')}
          options={SEVERITY_NAMES}
          value={address.severity}
          onChoose={(severity) => change({ severity })}
        />
        <label className="inline-flex items-center gap-2 text-sm">
          <Checkbox checked={address.mine === 'true'} onChange={({ target }) => change({ mine: target.checked ? 'true' : undefined })} />
          {t('Assigned to me')}
        </label>
      </search>
      <IncidentList address={address} onAll={() => change({ status: 'all', severity: undefined, mine: undefined })} />
    </Page>
  )
}

const IncidentList = ({ address: { status, severity, mine }, onAll }: { address: IncidentsSearch; onAll: () => void }) => {
  const me = useMe()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    incidentsQuery({ status, severity, assignee: mine && me.id }),
  )
  if (error && !data) return <ErrorView error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  const { count } = data.pages[0]!
  if (count === 0)
    return status === 'all' && !mine && !severity ? (
      <EmptyState
        icon={CircleCheck}
        title={t('No incidents yet')}
        action={
          <Link to="/monitors" className={buttonClass()}>
            {t('View monitors')}
          </Link>
        }
      >
        {t('Monitors open an incident when they detect an anomaly.')}
      </EmptyState>
    ) : (
      <EmptyState
        icon={CircleCheck}
        title={status || severity ? t('No matching incidents') : t('No open incidents')}
        action={<Button onClick={onAll}>{t('Show all')}</Button>}
      >
        {status || severity ? t('Try another filter.') : t('All monitors are within their expected range.')}
      </EmptyState>
    )
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-sm text-soft" aria-live="polite">
        {pluralize(count, 'incident')}
      </p>
      <IncidentRows of={data.pages.flatMap(({ results }) => results)} />
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </div>
  )
}
