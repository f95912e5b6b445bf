import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNames } from '../api/names.ts'
import { useMe } from '../api/session.ts'
import type { ResultPage } from '../api/types.ts'
import { locale } from '../i18n/language.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { SEVERITY_NAMES } from '../monitors/severity.tsx'
import { OptionFilter } from '../search/filters.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Checkbox, Select } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorView, Skeleton } from '../ui/states.tsx'
import { IncidentsByTable } from './by-table.tsx'
import { type IncidentFilters, incidentsQuery, incidentTablesQuery } from './queries.ts'
import { IncidentRows } from './rows.tsx'
import { type IncidentsSearch, LINKED_FILTERS } from './search-params.ts'

const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const route = getRouteApi('/incidents')

/** List of incidents with filters. */
export const Incidents = () => {
  const address = route.useSearch()
  const navigate = useNavigate({ from: '/incidents' })
  const change = (part: Partial<IncidentsSearch>) => void navigate({ search: { ...address, ...part }, replace: true })
  const List = address.group ? IncidentTables : IncidentList
  return (
    <Page
      title={t('Incidents')}
      about={t('An incident opens when a value leaves its expected range, and is resolved after 3 normal runs.')}
    >
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
          <option value="snoozed">{t('Snoozed')}</option>
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
        {address.status !== 'snoozed' && (
          <label className="inline-flex items-center gap-2 text-sm">
            <Checkbox
              checked={address.awake === 'true'}
              onChange={({ target }) => change({ awake: target.checked ? 'true' : undefined })}
            />
            {t('Hide snoozed')}
          </label>
        )}
        <label className="inline-flex items-center gap-2 text-sm">
          <Checkbox
            checked={address.group === 'table'}
            onChange={({ target }) => change({ group: target.checked ? 'table' : undefined })}
          />
          {t('Group by table')}
        </label>
      </search>
      <LinkedFilters address={address} onClear={(none) => change(none)} />
      <List address={address} onAll={() => void navigate({ search: { status: 'all', group: address.group }, replace: true })} />
    </Page>
  )
}

/** The filters of a link from the insights, to be removed together. */
const LinkedFilters = ({ address, onClear }: { address: IncidentsSearch; onClear: (none: Partial<IncidentsSearch>) => void }) => {
  const { team_id, integration_id, owner_id, opened_since, resolved_since } = address
  const subject = team_id ?? integration_id ?? owner_id
  const names = useNames(subject ? [subject] : [])
  const day = (at: string) => dayFormat.format(new Date(at))
  const parts = [
    ...(subject ? [names(subject)?.name ?? '…'] : []),
    ...(opened_since ? [t('opened since {day}', { day: day(opened_since) })] : []),
    ...(resolved_since ? [t('resolved since {day}', { day: day(resolved_since) })] : []),
  ]
  if (parts.length === 0) return null
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
      {t('Only: {filters}', { filters: parts.join(', ') })}
      <Button small look="quiet" icon={X} onClick={() => onClear(Object.fromEntries(LINKED_FILTERS.map((name) => [name, undefined])))}>
        {t('Clear filters')}
      </Button>
    </p>
  )
}

const toFilters = ({ mine, awake, group: _, ...address }: IncidentsSearch, me: string): IncidentFilters => ({
  ...address,
  assignee: mine && me,
  snoozed: awake ? false : undefined,
})

interface ListProps {
  readonly address: IncidentsSearch
  readonly onAll: () => void
}

const IncidentList = ({ address, onAll }: ListProps) => {
  const filters = toFilters(address, useMe().id)
  return (
    <PagedList
      of={useInfiniteQuery(incidentsQuery(filters))}
      address={address}
      onAll={onAll}
      heading={(count) => pluralize(count, 'incident')}
    >
      {(incidents) => <IncidentRows of={incidents} />}
    </PagedList>
  )
}

const IncidentTables = ({ address, onAll }: ListProps) => {
  const filters = toFilters(address, useMe().id)
  return (
    <PagedList
      of={useInfiniteQuery(incidentTablesQuery(filters))}
      address={address}
      onAll={onAll}
      heading={(count) => t('{n:# table|# tables} with incidents', { n: count })}
    >
      {(tables) => <IncidentsByTable of={tables} filters={filters} />}
    </PagedList>
  )
}

interface PagedListProps<T> extends ListProps {
  readonly of: UseInfiniteQueryResult<InfiniteData<ResultPage<T>>>
  readonly heading: (count: number) => string
  readonly children: (results: readonly T[]) => ReactNode
}

const PagedList = <T,>({ of, address: { status, severity, mine, awake }, onAll, heading, children }: PagedListProps<T>) => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = of
  if (error && !data) return <ErrorView error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  const { count } = data.pages[0]!
  const isFiltered = status !== undefined || severity !== undefined || awake !== undefined
  if (count === 0)
    return status === 'all' && !mine && !severity && !awake ? (
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
        title={isFiltered ? t('No matching incidents') : t('No open incidents')}
        action={<Button onClick={onAll}>{t('Show all')}</Button>}
      >
        {isFiltered ? t('Try another filter.') : t('All monitors are within their expected range.')}
      </EmptyState>
    )
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-sm text-soft" aria-live="polite">
        {heading(count)}
      </p>
      {children(data.pages.flatMap(({ results }) => results))}
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </div>
  )
}
