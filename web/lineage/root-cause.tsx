import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowRight, CircleAlert, CircleX, Clock, Code, TableProperties, TriangleAlert, Unplug } from 'lucide-react'
import { Fragment } from 'react'
import { api } from '../api/client.ts'
import { useNames } from '../api/names.ts'
import { showServerText } from '../api/server-text.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { cx } from '../ui/cx.ts'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { SignalIcon, type SignalLook, Since } from '../ui/signal.tsx'
import { SignalPage } from '../ui/signal-page.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'

type Cause = Schemas['Cause']

const KINDS: Record<Cause['kind'], SignalLook> = {
  incident: { label: t('Open incident'), icon: CircleAlert, look: 'text-bad' },
  late: { label: t('Late data'), icon: Clock, look: 'text-bad' },
  out_of_range: { label: t('Last value still out of range'), icon: TriangleAlert, look: 'text-warn' },
  stale: { label: t('No longer in source'), icon: Unplug, look: 'text-warn' },
  schema_change: { label: t('Columns changed recently'), icon: TableProperties, look: 'text-warn' },
  sql_change: { label: t('SQL changed recently'), icon: Code, look: 'text-warn' },
  failed_test: { label: t('Failed test'), icon: CircleX, look: 'text-bad' },
  failed_run: { label: t('Last run failed'), icon: CircleX, look: 'text-bad' },
}

const rootCauseQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', id, 'root-cause'],
    queryFn: ({ signal }) => api.get<Schemas['RootCause']>('/lineage/root_cause', { query: { resource_id: id }, signal }),
  })

const route = getRouteApi('/why/$id')

/** What upstream could make the numbers of a resource wrong, the most likely cause first. */
export const RootCausePage = () => {
  const { id } = route.useParams()
  const title = useNames([id])(id)?.name
  return (
    <SignalPage
      title={t('Why is this number wrong?')}
      above={
        <Link to="/r/$id" params={{ id }} className="text-sm text-accent hover:underline" dir="auto">
          {title ?? t('Resource')}
        </Link>
      }
      about={t('Problems and recent changes of this resource and everything upstream, the most likely cause first.')}
      of={useQuery(rootCauseQuery(id))}
      nothing={({ causes, checked }) =>
        causes.length === 0
          ? {
              title: t('Nothing found'),
              about: t('No open incident, late data, failed run or recent change in {n:# resource|# resources}.', { n: checked }),
            }
          : undefined
      }
      note={({ causes, checked, truncated }) => (
        <>
          {causes.length > 0 && t('{n:# resource|# resources} checked.', { n: checked })}{' '}
          {truncated && t('Not everything upstream was checked.')}
        </>
      )}
    >
      {({ causes }) => (
        <ol className="grid gap-2">
          {causes.map((cause) => (
            <CauseItem key={`${cause.kind} ${cause.resource_id} ${cause.incident ?? cause.job ?? ''}`} cause={cause} />
          ))}
        </ol>
      )}
    </SignalPage>
  )
}

const CauseItem = ({ cause }: { cause: Cause }) => {
  const { kind, text, text_translatable, since, resource_id, resource, entity_type, incident, job, path } = cause
  const signal = KINDS[kind]
  return (
    <li className="flex gap-3 rounded-lg border border-line px-4 py-3">
      <span className="mt-0.5">
        <SignalIcon of={signal} size={18} />
      </span>
      <div className="grid min-w-0 flex-1 gap-1 text-sm">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className={cx('font-medium', signal.look)}>{signal.label}</span>
          <Since at={since} />
        </p>
        <Link
          to="/r/$id"
          params={{ id: resource_id }}
          className="flex min-w-0 items-center gap-1.5 font-medium hover:text-accent hover:underline"
        >
          <EntityTypeIcon type={entity_type} />
          <span className="truncate" dir="auto">
            {resource}
          </span>
          <TrustBadges id={resource_id} size={13} />
        </Link>
        <p className="wrap-anywhere text-soft">{showServerText(text, text_translatable)}</p>
        {path.length > 1 && <Path path={path} />}
        <p className="flex flex-wrap gap-x-3">
          {incident && (
            <Link to="/incidents/$id" params={{ id: incident }} className="inline-block min-h-6 text-accent hover:underline">
              {t('View incident')}
            </Link>
          )}
          {job && (
            <Link to="/r/$id" params={{ id: job }} className="inline-block min-h-6 text-accent hover:underline">
              {t('View job')}
            </Link>
          )}
          {kind === 'schema_change' && (
            <Link
              to="/r/$id"
              params={{ id: resource_id }}
              search={{ tab: 'schema' }}
              className="inline-block min-h-6 text-accent hover:underline"
            >
              {t('View changes')}
            </Link>
          )}
          {kind === 'sql_change' && (
            <Link
              to="/r/$id"
              params={{ id: resource_id }}
              search={{ tab: 'code' }}
              className="inline-block min-h-6 text-accent hover:underline"
            >
              {t('View code')}
            </Link>
          )}
        </p>
      </div>
    </li>
  )
}

/** The way from the cause to the resource. */
const Path = ({ path }: { path: Cause['path'] }) => (
  <p className="flex flex-wrap items-center gap-1 text-xs text-faint">
    {path.map(({ id, title }, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a path does not change, and hidden resources have no ID
      <Fragment key={i}>
        {i > 0 && <ArrowRight aria-hidden size={12} />}
        {id === null ? (
          <span>{t('Hidden')}</span>
        ) : (
          <span className="inline-flex items-center gap-1">
            <Link to="/r/$id" params={{ id }} className="inline-block min-h-6 leading-6 hover:text-accent hover:underline" dir="auto">
              {title}
            </Link>
            <TrustBadges id={id} size={12} />
          </span>
        )}
      </Fragment>
    ))}
  </p>
)
