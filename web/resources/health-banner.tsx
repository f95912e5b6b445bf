import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleSlash, type LucideIcon, TableProperties, TriangleAlert, Unplug } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { showServerText } from '../api/server-text.ts'
import { useCan } from '../api/session.ts'
import type { ResourceView, Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { cx } from '../ui/cx.ts'
import { RelativeTime } from '../ui/time.tsx'

type Reason = Schemas['HealthReason']

const ICONS: Record<Reason['kind'], LucideIcon> = {
  incident: CircleAlert,
  failed_test: CircleAlert,
  upstream_incident: TriangleAlert,
  out_of_range: TriangleAlert,
  deprecated: CircleSlash,
  upstream_deprecated: CircleSlash,
  stale: Unplug,
  schema_change: TableProperties,
}

const MAX_COLLAPSED = matchMedia('(min-width: 40rem)').matches ? 3 : 1 // on a phone, more would push the tabs off the screen

/** What to know before using the resource, with the next step for each reason. */
export const HealthBanner = ({ view }: { view: ResourceView }) => {
  const { status, reasons } = view.health
  const [all, setAll] = useState(false)
  if (reasons.length === 0) return null
  const bad = status === 'incident'
  return (
    <section aria-label={t('Health')} className={cx('mt-2 rounded-lg px-3 py-2 text-sm', bad ? 'bg-bad-soft' : 'bg-warn-soft')}>
      <ul className="grid gap-2">
        {reasons.slice(0, all ? undefined : MAX_COLLAPSED).map((reason) => (
          <ReasonItem key={`${reason.kind} ${reason.incident ?? reason.resource_id}`} reason={reason} view={view} all={all} />
        ))}
      </ul>
      {reasons.length > MAX_COLLAPSED && (
        <button type="button" aria-expanded={all} className="mt-1 text-accent hover:underline" onClick={() => setAll(!all)}>
          {all ? t('Show less') : t('{n:# more reason|# more reasons}', { n: reasons.length - MAX_COLLAPSED })}
        </button>
      )}
    </section>
  )
}

const ReasonItem = ({ reason, view, all }: { reason: Reason; view: ResourceView; all: boolean }) => {
  const { kind, since, assignee, incident } = reason
  const Icon = ICONS[kind]
  const bad = kind === 'incident' || kind === 'failed_test'
  return (
    <li className="flex gap-2">
      <Icon aria-hidden size={16} className={cx('mt-0.5 shrink-0', bad ? 'text-bad' : 'text-warn')} />
      <div className="min-w-0">
        <p className={cx('font-medium', bad ? 'text-bad' : 'text-warn')}>
          <Heading reason={reason} />
        </p>
        <p className={cx('wrap-anywhere text-ink', incident && !all && 'max-sm:line-clamp-2')} dir="auto">
          {kind === 'deprecated'
            ? view.resource.deprecation?.reason
            : incident || kind === 'upstream_deprecated' || kind === 'schema_change'
              ? showServerText(reason.text, reason.text_translatable)
              : null}
        </p>
        <p className="flex flex-wrap gap-x-3 text-soft">
          {since && <RelativeTime at={since} />}
          {assignee && <span>{t('{who} is on it', { who: assignee.name })}</span>}
          {incident && !assignee && kind !== 'out_of_range' && <span>{t('No one is on it yet')}</span>}
          <NextStep reason={reason} view={view} />
        </p>
      </div>
    </li>
  )
}

const Heading = ({ reason: { kind, resource_id, resource } }: { reason: Reason }) => {
  if (kind === 'incident') return t('Open incident')
  if (kind === 'failed_test') return t('Failed test')
  if (kind === 'out_of_range') return t('Last value still out of range')
  if (kind === 'deprecated') return t('Deprecated')
  if (kind === 'stale') return t('No longer in source')
  if (kind === 'schema_change') return t('Columns changed recently')
  const link = (
    <Link to="/r/$id" params={{ id: resource_id }} className="underline wrap-anywhere">
      <bdi>{resource}</bdi>
    </Link>
  )
  return kind === 'upstream_deprecated' ? (
    <Trans message="Depends on {resource}, which is deprecated" resource={link} />
  ) : (
    <Trans message="Incident upstream in {resource}" resource={link} />
  )
}

const LINK = 'text-accent underline'

const NextStep = ({ reason: { kind, incident, replacement_id }, view }: { reason: Reason; view: ResourceView }): ReactNode => {
  if (incident)
    return (
      <Link to="/incidents/$id" params={{ id: incident }} className={LINK}>
        {t('View incident')}
      </Link>
    )
  if (kind === 'deprecated' && replacement_id && view.names[replacement_id])
    return (
      <span>
        <Trans
          message="Use {replacement} instead"
          replacement={
            <Link to="/r/$id" params={{ id: replacement_id }} className={LINK}>
              <bdi>{view.names[replacement_id].name}</bdi>
            </Link>
          }
        />
      </span>
    )
  if (kind === 'upstream_deprecated' && replacement_id)
    return (
      <Link to="/r/$id" params={{ id: replacement_id }} className={LINK}>
        {t('View replacement')}
      </Link>
    )
  if (kind === 'schema_change')
    return (
      <Link to="/r/$id" params={{ id: view.resource.id }} search={{ tab: 'schema' }} className={LINK}>
        {t('View changes')}
      </Link>
    )
  return kind === 'stale' ? <StaleNextStep view={view} /> : null
}

/** Why it is missing is known where its source is synced; others can only ask. */
const StaleNextStep = ({ view: { resource } }: { view: ResourceView }) => {
  const seesIntegrations = useCan('integrations.read')
  return seesIntegrations && resource.integration ? (
    <Link to="/integrations/$id" params={{ id: resource.integration }} className={LINK}>
      {t('View integration')}
    </Link>
  ) : (
    <Link to="/r/$id" params={{ id: resource.id }} search={{ tab: 'questions' }} className={LINK}>
      {t('Ask a question')}
    </Link>
  )
}
