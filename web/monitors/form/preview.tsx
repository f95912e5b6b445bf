import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { isApiError } from '../../api/client.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { formatFigure } from '../format.ts'
import { Chart } from '../lazy-chart.tsx'
import { type MonitorCreate, type MonitorPreview, previewQuery, replayQuery } from '../queries.ts'
import { type ConditionDraft, isComplete, ReplaySummary, toSettings } from './condition.tsx'

const DEBOUNCE_MS = 600 // each preview queries the source, so not on every keystroke

/** The value, debounced. */
const useDebouncedText = (value: string): string => {
  const [calm, setCalm] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return calm
}

interface PreviewProps {
  readonly draft: MonitorCreate
  readonly condition: ConditionDraft
  readonly unit: string
  readonly pushed: boolean
  readonly ready: boolean
}

/** The current value of a draft monitor and which past values it would have flagged. */
export const Preview = ({ draft, condition, unit, pushed, ready }: PreviewProps) => {
  const calm = useDebouncedText(JSON.stringify(draft))
  const measured = JSON.parse(calm) as MonitorCreate
  const preview = useQuery({ ...previewQuery(measured), enabled: !pushed && ready })
  const isOfDraft = measured.metric_type === draft.metric_type && measured.target === draft.target // a value of another metric would mislead
  return (
    <Section title={t('Preview')} className="min-w-0">
      <div className="grid min-h-40 grid-cols-1 content-start gap-4 rounded-lg border border-line p-4 lg:sticky lg:top-4">
        {pushed ? (
          <p className="text-sm text-soft">
            {t('No preview: values arrive when a script or pipeline sends them. They are checked like any other measurement.')}
          </p>
        ) : preview.data && !preview.isFetching && isOfDraft ? (
          <PreviewResult preview={preview.data} condition={condition} unit={unit} onRetry={() => void preview.refetch()} />
        ) : preview.error && !preview.isFetching && isOfDraft ? (
          <p role="alert" className="text-sm text-bad first-letter:uppercase">
            {isApiError(preview.error) && Object.keys(preview.error.errors).length > 0
              ? Object.values(preview.error.errors).flat().join(' ')
              : preview.error.message}
          </p>
        ) : (
          <>
            <p className="text-sm text-soft">{ready ? t('Measuring…') : t('Complete the form to see a preview.')}</p>
            {ready && <Skeleton />}
          </>
        )}
      </div>
    </Section>
  )
}

interface PreviewResultProps {
  readonly preview: MonitorPreview
  readonly condition: ConditionDraft
  readonly unit: string
  readonly onRetry: () => void
}

const PreviewResult = ({ preview, condition, unit, onRetry }: PreviewResultProps) => {
  const { value, row_count, problem, past, past_problem, metric_type, frequency } = preview
  if (value === null)
    return (
      <>
        <p className="text-sm break-words text-warn">
          <Trans message="Measurement failed: {why}" why={problem} />
        </p>
        <Button small className="justify-self-start" onClick={onRetry}>
          {t('Try again')}
        </Button>
      </>
    )
  return (
    <>
      <p aria-live="polite">
        <span className="block text-xs text-faint">{t('Now')}</span>
        <span className="text-2xl font-semibold tabular-nums">{formatFigure(value, unit)}</span>
        {row_count !== null && <span className="ps-2 text-sm text-soft">{t('of {n:# row|# rows}', { n: row_count })}</span>}
      </p>
      {past.length > 1 ? (
        <PreviewHistory past={past} metric_type={metric_type} frequency={frequency} condition={condition} unit={unit} />
      ) : (
        <p className="text-sm text-soft">
          {past_problem ?? t('No history could be computed from this table.')}{' '}
          {condition.automatic && t('The expected range is learned after 5 daily or 24 hourly runs.')}
        </p>
      )}
    </>
  )
}

const PreviewHistory = ({
  past,
  metric_type,
  frequency,
  condition,
  unit,
}: Pick<MonitorPreview, 'past' | 'metric_type' | 'frequency'> & Pick<PreviewResultProps, 'condition' | 'unit'>) => {
  const replay = useQuery({
    ...replayQuery({ measurements: past, metric_type, frequency, ...toSettings(condition) }),
    enabled: isComplete(condition),
  })
  const unjudged = useMemo(
    () =>
      past.map(({ measured_at, value }) => ({
        created_at: measured_at,
        value,
        lower_threshold: null,
        upper_threshold: null,
        outside: false,
      })),
    [past],
  )
  return (
    <>
      <Chart
        points={replay.data?.results ?? unjudged}
        unit={unit}
        height={200}
        label={t('Backfilled history: {n:# value|# values}.', { n: past.length })}
      />
      {replay.data && <ReplaySummary of={replay.data} />}
    </>
  )
}
