import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Check, ChevronRight, CircleCheck, Eye, RotateCcw } from 'lucide-react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { showServerText } from '../api/server-text.ts'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { Chart } from '../monitors/lazy-chart.tsx'
import { getMetric } from '../monitors/metrics.ts'
import { measurementsQuery } from '../monitors/queries.ts'
import { SeverityBadge } from '../monitors/severity.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { Section, useTitle } from '../ui/page.tsx'
import { QueryView, Skeleton } from '../ui/states.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import { CommentForm } from './comment.tsx'
import { IncidentDetails } from './details.tsx'
import { FailingRows } from './failing-rows.tsx'
import { DownstreamImpact } from './impact.tsx'
import { type Incident, type IncidentEdit, incidentQuery } from './queries.ts'
import { IncidentBadge } from './rows.tsx'
import { SnoozeBadge, SnoozeButton } from './snooze.tsx'
import { Timeline } from './timeline.tsx'

const route = getRouteApi('/incidents/$id')

/** Page of one incident: history, timeline, details, downstream impact and actions. */
export const IncidentPage = () => {
  const { id } = route.useParams()
  const incident = useQuery(incidentQuery(id))
  return (
    <>
      {incident.data === undefined && <h1 className="sr-only">{t('Incident')}</h1>}
      <QueryView of={incident} loading={<Skeleton lines={8} className="max-w-3xl p-8" />}>
        {(incident) => <IncidentView key={id} incident={incident} />}
      </QueryView>
    </>
  )
}

const useEditIncident = ({ id, monitor }: Incident) =>
  useMutation({
    mutationFn: (edit: IncidentEdit) => api.patch<Incident>(`/monitor/incident/${id}`, edit),
    onSuccess: (after) => {
      queryClient.setQueryData(incidentQuery(id).queryKey, after)
      for (const queryKey of [['incidents'], ['monitors'], ['monitor', monitor], ['home']]) void queryClient.invalidateQueries({ queryKey })
    },
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })

const IncidentView = ({ incident }: { incident: Incident }) => {
  const { name, summary, summary_translatable, status } = incident
  useTitle(name)
  const writes = useCan('monitors.write')
  const handle = useEditIncident(incident)
  return (
    <div className="h-full overflow-auto">
      <div className="mx-auto grid w-full max-w-[86rem] grid-cols-1 gap-x-10 gap-y-6 px-4 py-5 md:px-8 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 grid-cols-1 content-start gap-6">
          <header className="grid grid-cols-1 gap-2">
            <IncidentBreadcrumbs incident={incident} />
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <h1 className="min-w-0 text-xl font-semibold break-words" dir="auto">
                {name}
              </h1>
              <IncidentBadge status={status} />
              <SeverityBadge of={incident.severity} />
              <SnoozeBadge of={incident} />
              {incident.still_outside && <Badge tone="bad">{t('Last value still out of range')}</Badge>}
              <span className="flex-1" />
              {writes && (
                <IncidentActions
                  incident={incident}
                  busy={handle.isPending}
                  onEdit={(edit, message) => handle.mutate(edit, { onSuccess: () => showToast(message) })}
                />
              )}
            </div>
            <p className="max-w-3xl break-words text-soft" dir="auto">
              {showServerText(summary, summary_translatable)}
            </p>
          </header>
          <IncidentHistory incident={incident} />
          <FailingRows incident={incident.id} />
          <Section title={t('Timeline')}>
            <div className="grid max-w-3xl grid-cols-1 gap-4">
              <Timeline of={incident} />
              {writes && (
                <CommentForm
                  acknowledges={status === 'active'}
                  busy={handle.isPending}
                  onSubmit={(comment, done) => handle.mutate({ comment }, { onSuccess: done })}
                />
              )}
            </div>
          </Section>
        </div>
        <aside aria-label={t('About this incident')} className="grid min-w-0 grid-cols-1 content-start gap-6">
          <IncidentDetails incident={incident} writes={writes} onEdit={(edit) => handle.mutate(edit)} />
          <DownstreamImpact incident={incident} />
        </aside>
      </div>
    </div>
  )
}

const IncidentBreadcrumbs = ({ incident: { monitor, target, display_metadata } }: { incident: Incident }) => (
  <nav aria-label={t('Breadcrumbs')} className="flex min-w-0 flex-wrap items-center gap-1 text-xs text-faint">
    <Link to="/incidents" className="hover:text-ink hover:underline">
      {t('Incidents')}
    </Link>
    <ChevronRight aria-hidden size={12} className="shrink-0" />
    <Link to="/monitors/$id" params={{ id: monitor }} className="hover:text-ink hover:underline">
      {t('Monitor')}
    </Link>
    <ChevronRight aria-hidden size={12} className="shrink-0" />
    <Link to="/r/$id" params={{ id: target }} className="flex min-w-0 items-center gap-1 hover:text-ink hover:underline">
      <EntityTypeIcon type={display_metadata.target.entity_type} size={13} />
      <span className="truncate" dir="auto">
        {display_metadata.target.label}
      </span>
      <TrustBadges id={target} size={13} />
    </Link>
  </nav>
)

interface IncidentActionsProps {
  readonly incident: Incident
  readonly busy: boolean
  readonly onEdit: (edit: IncidentEdit, message: string) => void
}

const IncidentActions = ({ incident, busy, onEdit }: IncidentActionsProps) => {
  const { status, snoozed_until } = incident
  const buttons = useRef<HTMLSpanElement>(null)
  const edited = useRef(false)
  // The button that was pressed is gone, and the focus with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the status or snooze
  useLayoutEffect(() => {
    if (edited.current && document.activeElement === document.body) buttons.current?.querySelector('button')?.focus()
    edited.current = false
  }, [status, snoozed_until])
  const edit: IncidentActionsProps['onEdit'] = (...args) => {
    edited.current = true
    onEdit(...args)
  }
  const acknowledge = () => edit({ status: 'acknowledged' }, t('Acknowledged'))
  const resolve = () => edit({ status: 'resolved' }, t('Resolved'))
  const markNormal = () => edit({ marked: 'normal' }, t('Marked as expected'))
  useCommand('incident.acknowledge', acknowledge, status === 'active')
  useCommand('incident.resolve', resolve, status !== 'resolved')
  useCommand('incident.normal', markNormal, status !== 'resolved')
  if (status === 'resolved')
    return (
      <span ref={buttons}>
        <Button icon={RotateCcw} busy={busy} onClick={() => edit({ status: 'active' }, t('Incident reopened'))}>
          {t('Reopen')}
        </Button>
      </span>
    )
  return (
    <span ref={buttons} className="flex flex-wrap gap-2">
      {status === 'active' && (
        <Button look="primary" icon={Eye} busy={busy} onClick={acknowledge}>
          {t('Acknowledge')}
        </Button>
      )}
      <Button icon={CircleCheck} busy={busy} onClick={resolve}>
        {t('Resolve')}
      </Button>
      <SnoozeButton incident={incident} busy={busy} onEdit={edit} />
      <Button
        icon={Check}
        busy={busy}
        onClick={markNormal}
        title={t('These values are expected: resolves the incident and adjusts the expected range')}
      >
        {t('Mark as expected')}
      </Button>
    </span>
  )
}

const CHART_POINTS = 120
/** Chart of the incident with the measurements before it. */
const IncidentHistory = ({ incident: { id, monitor, name, last_seen_at, display_metadata } }: { incident: Incident }) => {
  const measurements = useQuery(measurementsQuery(monitor))
  const points = useMemo(() => {
    const all = measurements.data?.results ?? []
    const last = all.findIndex(({ created_at }) => created_at <= last_seen_at)
    const from = Math.max(0, last - 20)
    return all.slice(from, from + CHART_POINTS).map((each) => ({ ...each, normal: each.marked === 'normal' || each.incident !== id }))
  }, [measurements.data, last_seen_at, id])
  if (measurements.isPending) return <Skeleton lines={5} className="h-72 content-start" /> // as high as the chart
  if (points.length < 2) return null
  return (
    <Section title={t('History')}>
      <Chart
        points={points}
        unit={getMetric(display_metadata.monitor.metric_type).unit}
        label={t('{name}: measurements before and during the incident. Measurements of the incident are red.', { name })}
        height={220}
      />
    </Section>
  )
}
