import { Link } from '@tanstack/react-router'
import { t } from '../i18n/messages.ts'
import { Badge } from '../ui/badge.tsx'
import { cx } from '../ui/cx.ts'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { PathText } from '../ui/path-text.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import { formatFigure } from './format.ts'
import { formatSchedule, getMetric, STATUS } from './metrics.ts'
import type { Monitor } from './queries.ts'
import { SeverityBadge } from './severity.tsx'
import { Sparkline } from './sparkline.tsx'

const DOTS = { good: 'bg-good', bad: 'bg-bad-fill', warn: 'bg-warn', neutral: 'bg-line-strong', accent: 'bg-accent' } as const

export const StatusBadge = ({ of: { status, is_enabled } }: { of: Pick<Monitor, 'status' | 'is_enabled'> }) => (
  <Badge tone={is_enabled ? STATUS[status].tone : 'neutral'}>
    <span aria-hidden className={cx('size-1.5 rounded-full', is_enabled ? DOTS[STATUS[status].tone] : 'bg-line-strong')} />
    {is_enabled ? STATUS[status].label : t('Paused')}
  </Badge>
)

/** Monitors with status, sparkline and last value. */
export const MonitorRows = ({ of, without }: { of: readonly Monitor[]; without?: 'target' }) => (
  <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
    {of.map((monitor) => (
      <MonitorRow key={monitor.id} monitor={monitor} without={without} />
    ))}
  </ul>
)

const MonitorRow = ({ monitor, without }: { monitor: Monitor; without?: 'target' }) => {
  const { id, name, target, metric_type, display_metadata, recent, last_measurement_value, last_success_at, schedule } = monitor
  const { unit, label } = getMetric(metric_type)
  return (
    <li>
      <Link
        to="/monitors/$id"
        params={{ id }}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-3 py-2 -outline-offset-2 hover:bg-hover md:grid-cols-[minmax(0,1fr)_10rem_6rem_6.5rem] xl:grid-cols-[minmax(0,1fr)_10rem_7.5rem_6rem_6.5rem]"
      >
        <span className="min-w-0">
          <span className="font-medium max-md:line-clamp-2 md:block md:truncate" dir="auto">
            {name}
          </span>
          <span className="flex min-w-0 items-center gap-1.5 text-xs text-faint">
            {without !== 'target' && <EntityTypeIcon type={display_metadata.target.entity_type} size={13} />}
            {without === 'target' ? <span className="truncate">{label}</span> : <PathText text={display_metadata.target.label} />}
            {without !== 'target' && <TrustBadges id={target} size={13} />}
            {metric_type !== 'pushed' && <span className="shrink-0">· {formatSchedule(schedule)}</span>}
          </span>
        </span>
        <span className="flex flex-wrap justify-end gap-1 justify-self-end md:justify-start md:justify-self-start">
          <StatusBadge of={monitor} />
          <SeverityBadge of={monitor.severity} />
        </span>
        <span className="max-md:order-last max-md:justify-self-end md:max-xl:hidden">
          <Sparkline of={recent} />
        </span>
        <span className="text-sm tabular-nums max-md:order-3 md:text-end">
          {last_measurement_value === null ? <span className="text-faint">—</span> : formatFigure(last_measurement_value, unit)}
        </span>
        <span className="text-end text-xs text-faint max-md:hidden">
          <RelativeTime at={last_success_at} />
        </span>
      </Link>
    </li>
  )
}
