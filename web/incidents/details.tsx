import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { formatFigure, formatLimits } from '../monitors/format.ts'
import { getMetric } from '../monitors/metrics.ts'
import { formatSeverity, SeveritySelect } from '../monitors/severity.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatCount } from '../ui/number.ts'
import { Section } from '../ui/page.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { Assignee } from './assignee.tsx'
import type { Incident, IncidentEdit } from './queries.ts'

const NotificationExplanation = lazy(async () => ({ default: (await import('../activity/explanation.tsx')).NotificationExplanation }))

/** Details of an incident and its assignee. */
export const IncidentDetails = ({
  incident,
  writes,
  onEdit,
}: {
  incident: Incident
  writes: boolean
  onEdit: (edit: IncidentEdit) => void
}) => {
  const [asking, setAsking] = useState(false)
  const { unit } = getMetric(incident.display_metadata.monitor.metric_type)
  const { value, lower_threshold, upper_threshold, first_seen_at, last_seen_at, resolved_at, runs_outside, upstream_incident } = incident
  const rows = [
    [t('Value'), formatFigure(value, unit)],
    [t('Expected range'), formatLimits(lower_threshold, upper_threshold, unit) ?? '—'],
    [t('Since'), <RelativeTime key="since" at={first_seen_at} full />],
    [t('Last anomaly'), <RelativeTime key="last" at={last_seen_at} full />],
    ...(resolved_at ? [[t('Resolved'), <RelativeTime key="resolved" at={resolved_at} full />] as const] : []),
    [t('Anomalous runs'), formatCount(runs_outside)],
  ] as const
  return (
    <Section title={t('About')}>
      <dl className="grid grid-cols-[minmax(7rem,max-content)_minmax(0,1fr)] items-center gap-x-3 gap-y-1.5 text-sm">
        {rows.map(([label, what]) => (
          <div key={label} className="contents">
            <dt className="text-faint">{label}</dt>
            <dd>{what}</dd>
          </div>
        ))}
        <dt className="text-faint">{t('Severity')}</dt>
        <dd>
          {writes ? (
            <SeveritySelect value={incident.severity} onChange={(severity) => onEdit({ severity })} />
          ) : (
            formatSeverity(incident.severity)
          )}
        </dd>
        <dt className="text-faint">{t('Assignee')}</dt>
        <dd className="min-w-0">
          <Assignee of={incident.assignee} writes={writes} onAssign={(assignee) => onEdit({ assignee })} />
        </dd>
      </dl>
      <div className="-ms-2 mt-2 flex flex-wrap gap-x-1">
        <Link to="/why/$id" params={{ id: incident.target }} className={buttonClass('quiet', true)}>
          {t('Why is this number wrong?')}
        </Link>
        <Button small look="quiet" onClick={() => setAsking(true)}>
          {t('Who was notified?')}
        </Button>
      </div>
      {asking && (
        <Suspense>
          <NotificationExplanation of={{ type: 'incident', id: incident.id }} onClose={() => setAsking(false)} />
        </Suspense>
      )}
      {upstream_incident && (
        <p className="mt-3 rounded-lg bg-warn-soft p-3 text-sm text-warn">
          <Trans
            message="There is also an incident upstream: {incident}."
            incident={
              <Link to="/incidents/$id" params={{ id: upstream_incident }} className="font-medium underline">
                {t('view incident')}
              </Link>
            }
          />
        </p>
      )}
    </Section>
  )
}
