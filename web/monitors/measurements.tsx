import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { t } from '../i18n/messages.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { showErrorToast, showToast } from '../ui/toast.tsx'
import { formatFigure, formatLimits } from './format.ts'
import type { Measurement } from './queries.ts'
import { invalidateMonitors } from './use-edit.ts'

const INITIAL_ROWS = 12

/** The measurements of the chart as a table, newest first. */
export const Measurements = ({ of, unit, writes }: { of: readonly Measurement[]; unit: string; writes: boolean }) => {
  const [all, setAll] = useState(false)
  const shown = all ? of : of.slice(0, INITIAL_ROWS)
  return (
    <div className="grid grid-cols-1 gap-2">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section aria-label={t('Measurements')} tabIndex={0} className="overflow-x-auto rounded-lg border border-line">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line bg-sunken text-start text-xs text-faint">
              <th className="px-3 py-1.5 text-start font-medium">{t('When')}</th>
              <th className="px-3 py-1.5 text-end font-medium">{t('Value')}</th>
              <th className="px-3 py-1.5 text-start font-medium">{t('Expected range')}</th>
              <th className="px-3 py-1.5 text-start font-medium">{t('Result')}</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {shown.map((measurement) => (
              <MeasurementRow key={measurement.id} measurement={measurement} unit={unit} writes={writes} />
            ))}
          </tbody>
        </table>
      </section>
      {of.length > INITIAL_ROWS && !all && (
        <Button small look="quiet" className="justify-self-start" onClick={() => setAll(true)}>
          {t('Show all {n}', { n: of.length })}
        </Button>
      )}
    </div>
  )
}

const MeasurementRow = ({ measurement, unit, writes }: { measurement: Measurement; unit: string; writes: boolean }) => {
  const { created_at, value, lower_threshold, upper_threshold, explanation, origin } = measurement
  return (
    <tr>
      <td className="px-3 py-1.5 whitespace-nowrap">
        <RelativeTime at={created_at} full />
        {origin === 'history' && <span className="ps-2 text-xs text-faint">{t('Backfilled')}</span>}
      </td>
      <td className="px-3 py-1.5 text-end font-medium tabular-nums">{formatFigure(value, unit)}</td>
      <td className="px-3 py-1.5 whitespace-nowrap text-soft" title={explanation ?? undefined}>
        {formatLimits(lower_threshold, upper_threshold, unit) ?? <span className="text-faint">{t('Learning')}</span>}
      </td>
      <td className="px-3 py-1 whitespace-nowrap">
        <MeasurementResult of={measurement} writes={writes} />
      </td>
    </tr>
  )
}

const MeasurementResult = ({ of: { id, monitor, outside, marked, incident }, writes }: { of: Measurement; writes: boolean }) => {
  const mark = useMutation({
    mutationFn: (now: 'normal' | null) => api.patch(`/monitor/measurements/${id}`, { marked: now }),
    onSuccess: (_, now) => {
      invalidateMonitors(monitor)
      showToast(now === 'normal' ? t('Marked as expected') : t('Mark removed'))
    },
    onError: (error) => showErrorToast(t('Not saved.'), error),
  })
  if (!outside && !marked) return <span className="text-faint">{t('Normal')}</span>
  return (
    <span className="flex items-center gap-2">
      {marked === 'normal' ? <Badge>{t('Expected')}</Badge> : <Badge tone="bad">{t('Anomaly')}</Badge>}
      {incident && (
        <Link to="/incidents/$id" params={{ id: incident }} className="text-accent hover:underline">
          {t('Incident')}
        </Link>
      )}
      {writes && (
        <Button small look="quiet" busy={mark.isPending} onClick={() => mark.mutate(marked === 'normal' ? null : 'normal')}>
          {marked === 'normal' ? t('Undo') : t('Mark as expected')}
        </Button>
      )}
    </span>
  )
}
