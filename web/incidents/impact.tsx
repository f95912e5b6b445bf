import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Waypoints } from 'lucide-react'
import { buildUrl } from '../api/client.ts'
import { t } from '../i18n/messages.ts'
import { buttonClass } from '../ui/button.tsx'
import { EntityTypeIcon, entityTypeLabel } from '../ui/entity-type.tsx'
import { Section } from '../ui/page.tsx'
import { QueryView } from '../ui/states.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import { type Incident, impactQuery } from './queries.ts'

const describeDownstream = ({ total, dashboards, owners, truncated }: NonNullable<Incident['downstream']>): string => {
  const names = owners.flatMap(({ name }) => name ?? []).slice(0, MAX_NAMED_OWNERS)
  return [
    truncated
      ? t('More than {n:# downstream resource depends|# downstream resources depend} on it', { n: total })
      : t('{n:# downstream resource depends|# downstream resources depend} on it', { n: total }),
    dashboards > 0 && t('{n:# dashboard|# dashboards}', { n: dashboards }),
    owners.length > 0 && t('Affected owners: {names}', { names: names.join(', ') || String(owners.length) }),
    names.length > 0 && owners.length > names.length && t('and {n:# other|# others}', { n: owners.length - names.length }),
  ]
    .filter(Boolean)
    .join(' · ')
}
const MAX_NAMED_OWNERS = 3

/** Downstream resources of the monitored table or column, with their owners. */
export const DownstreamImpact = ({ incident: { target, downstream, display_metadata } }: { incident: Incident }) => {
  const impact = useQuery(impactQuery(target))
  const isColumn = display_metadata.target.entity_type === 'column'
  return (
    <Section
      title={t('Downstream')}
      actions={
        impact.data &&
        impact.data.count > 0 && (
          <span className="flex gap-1">
            <Link
              to="/lineage/$id"
              params={{ id: target }}
              search={{ dir: 'down', ...(isColumn ? { level: 'column', col: target } : { sel: target }) }}
              className={buttonClass('quiet', true)}
            >
              <Waypoints aria-hidden size={14} /> {t('Open graph')}
            </Link>
            <a href={buildUrl('/lineage/impact', { resource_id: target, format: 'csv' })} download className={buttonClass('quiet', true)}>
              <Download aria-hidden size={14} /> {t('Export CSV')}
            </a>
          </span>
        )
      }
    >
      <QueryView of={impact}>
        {({ count, results }) =>
          count === 0 ? (
            <p className="text-sm text-soft">{t('No downstream resources')}</p>
          ) : (
            <div className="grid grid-cols-1 gap-2">
              {downstream && <p className="text-sm text-soft">{describeDownstream(downstream)}</p>}
              <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
                {results.map(({ id, title, entity_type, owners, distance }) => (
                  <li key={id}>
                    <Link
                      to="/r/$id"
                      params={{ id }}
                      className="flex items-center gap-2.5 px-3 py-1.5 text-sm -outline-offset-2 hover:bg-hover"
                    >
                      <EntityTypeIcon type={entity_type ?? ''} />
                      <span className="min-w-0 flex-1">
                        <span className="flex items-center gap-1.5">
                          <span className="truncate" dir="auto">
                            {title}
                          </span>
                          <TrustBadges id={id} size={13} />
                        </span>
                        <span className="block truncate text-xs text-faint">
                          {t('{kind}, {n:# level|# levels} away', { kind: entityTypeLabel(entity_type ?? 'resource'), n: distance })}
                          {owners.length > 0 && ` · ${owners.map(({ name }) => name ?? t('unknown user')).join(', ')}`}
                        </span>
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
              {count > results.length && (
                <p className="text-xs text-faint">{t('and {n:# other|# others}', { n: count - results.length })}</p>
              )}
            </div>
          )
        }
      </QueryView>
    </Section>
  )
}
