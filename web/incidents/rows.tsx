import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, Eye } from 'lucide-react'
import { useNames } from '../api/names.ts'
import { showServerText } from '../api/server-text.ts'
import { t } from '../i18n/messages.ts'
import { SeverityBadge } from '../monitors/severity.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { PathText } from '../ui/path-text.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import type { Incident } from './queries.ts'
import { SnoozeBadge } from './snooze.tsx'

const STATUS_BADGES = {
  active: ['bad', t('Active'), CircleAlert],
  acknowledged: ['warn', t('Acknowledged'), Eye],
  resolved: ['good', t('Resolved'), CircleCheck],
} as const

export const IncidentBadge = ({ status }: { status: Incident['status'] }) => {
  const [tone, label, icon] = STATUS_BADGES[status]
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  )
}

/** `without` the target where all are of one. */
export const IncidentRows = ({ of, without }: { of: readonly Incident[]; without?: 'target' }) => {
  const nameOf = useNames(of.flatMap(({ assignee }) => assignee ?? []))
  return (
    <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
      {of.map((incident) => {
        const { id, name, target, status, severity, summary, summary_translatable, first_seen_at, assignee, display_metadata } = incident
        const who = assignee ? nameOf(assignee)?.name : undefined
        return (
          <li key={id}>
            <Link
              to="/incidents/$id"
              params={{ id }}
              className="grid grid-cols-1 items-center gap-x-3 gap-y-1 px-3 py-2 -outline-offset-2 hover:bg-hover sm:grid-cols-[minmax(0,1fr)_auto]"
            >
              <span className="min-w-0">
                <span className="block truncate font-medium" dir="auto">
                  {name}
                </span>
                {without !== 'target' && (
                  <span className="flex min-w-0 items-center gap-1.5 text-xs text-soft">
                    <EntityTypeIcon type={display_metadata.target.entity_type} size={13} />
                    <PathText text={display_metadata.target.label} />
                    <TrustBadges id={target} size={13} />
                  </span>
                )}
                <span className="line-clamp-2 text-xs text-faint" dir="auto">
                  {showServerText(summary, summary_translatable)}
                </span>
              </span>
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-faint sm:grid sm:justify-items-end">
                <span className="flex flex-wrap gap-1 sm:justify-end">
                  <SeverityBadge of={severity} />
                  <SnoozeBadge of={incident} />
                  <IncidentBadge status={status} />
                </span>
                <span className="flex items-center gap-1.5">
                  {who && (
                    <span title={who}>
                      <Avatar name={who} className="size-4" />
                      <span className="sr-only">{who}, </span>
                    </span>
                  )}
                  <RelativeTime at={first_seen_at} />
                </span>
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
