import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CircleCheck, EyeOff } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { ProfileScheduleSelect } from '../profiles/schedule-select.tsx'
import { facetsQuery } from '../search/queries.ts'
import { ApiReference } from '../ui/api-reference.tsx'
import { JobProgress } from '../ui/job-progress.tsx'
import { formatCount } from '../ui/number.ts'
import { Page, Section, useTitle } from '../ui/page.tsx'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { IntegrationActions } from './actions.tsx'
import { translateField } from './credential-labels.ts'
import { DriverPanel } from './driver-panel.tsx'
import { HealthBadge } from './health.tsx'
import { SourceIcon } from './icon.tsx'
import { PiiScanCard } from './pii-scan-card.tsx'
import {
  connectionTestQuery,
  hasPreviews,
  type Integration,
  type IntegrationTypeRecord,
  integrationQuery,
  invalidateIntegration,
  isRunning,
  syncsQuery,
  typesQuery,
} from './queries.ts'
import { formatSyncSchedule } from './schedule.tsx'
import { CancelSync, Syncs } from './syncs.tsx'

const route = getRouteApi('/integrations/$id')
const QueryLogCard = lazy(async () => ({ default: (await import('./query-log-card.tsx')).QueryLogCard }))

/** Page of one integration: status, syncs, details and actions. */
export const IntegrationPage = () => {
  const { id } = route.useParams()
  const types = useQuery(typesQuery)
  useTitle(t('Integration'))
  return (
    <QueryView of={useQuery(integrationQuery(id))}>
      {(integration) => (
        <IntegrationView key={id} integration={integration} type={types.data?.find(({ type }) => type === integration.type)} />
      )}
    </QueryView>
  )
}

interface IntegrationViewProps {
  readonly integration: Integration
  readonly type?: IntegrationTypeRecord
}

const IntegrationView = ({ integration, type }: IntegrationViewProps) => {
  const { id, name, last_sync_error, last_sync_status } = integration
  const writes = useCan('catalog.write')
  const { data: syncs } = useQuery(syncsQuery(id))
  const running = syncs?.results.find(({ status }) => isRunning(status))
  return (
    <Page
      title={name}
      above={
        <Link to="/integrations" className="justify-self-start text-sm text-soft hover:text-ink">
          {t('Integrations')}
        </Link>
      }
      about={
        <span className="flex flex-wrap items-center gap-2">
          <SourceIcon type={integration.type} icon={integration.icon} /> {type?.label} <HealthBadge of={integration} type={type} />
        </span>
      }
      actions={type && <IntegrationActions integration={integration} type={type} />}
    >
      {type && <DriverPanel type={type} />}
      {running && (
        <JobProgress
          key={running.id}
          job={running.id}
          onFinished={() => void invalidateIntegration(id)}
          action={<CancelSync sync={running.id} integration={id} />}
        />
      )}
      {type?.connects && <ConnectionTestResult id={id} />}
      {last_sync_status === 'FAILED' && last_sync_error && <ErrorBox title={t('Last sync failed')}>{last_sync_error}</ErrorBox>}
      <UnpublishedNotice id={id} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          {integration.type === 'query_log' && writes && (
            <Suspense>
              <QueryLogCard id={id} />
            </Suspense>
          )}
          {type?.pushes_only ? <PushInstructions /> : <Syncs integration={id} />}
          {type && hasPreviews(type) && writes && <PiiScanCard id={id} />}
          {type && hasPreviews(type) && writes && (
            <Section title={t('Profiles')}>
              <ProfileScheduleSelect of={{ integration_id: id }} />
            </Section>
          )}
        </div>
        <IntegrationDetails integration={integration} type={type} />
      </div>
    </Page>
  )
}

const ErrorBox = ({ title, children }: { title: string; children: ReactNode }) => (
  <div role="alert" className="grid gap-1 rounded-lg bg-bad-soft p-3 text-sm">
    <p className="font-medium text-bad">{title}</p>
    <p className="break-words text-ink">{children}</p>
  </div>
)

/** Result of the last connection test. */
const ConnectionTestResult = ({ id }: { id: string }) => {
  const { data, error, isFetching } = useQuery(connectionTestQuery(id))
  if (isFetching)
    return (
      <p role="status" className="text-sm text-soft">
        {t('Testing connection…')}
      </p>
    )
  if (error) return <ErrorBox title={t('Connection failed')}>{error.message}</ErrorBox>
  if (!data) return null
  return (
    <p role="status" className="flex items-center gap-2 rounded-lg bg-good-soft p-3 text-sm">
      <CircleCheck aria-hidden size={16} className="shrink-0 text-good" /> {data.detail}
    </p>
  )
}

/** Synced resources are drafts until they are published, so writers see how many tables viewers cannot see yet. */
const UnpublishedNotice = ({ id }: { id: string }) => {
  const writes = useCan('catalog.write')
  const { data } = useQuery({ ...facetsQuery({ integration: id, published: 'false', entity_type: 'table' }), enabled: writes })
  if (!writes || !data || data.count === 0) return null
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-lg bg-sunken p-3 text-sm text-soft">
      <EyeOff aria-hidden size={16} className="text-faint" />
      {t('{n:# table is not published, so viewers can’t see it yet.|# tables are not published, so viewers can’t see them yet.}', {
        n: data.count,
      })}
      <Link to="/search" search={{ integration: id, published: 'false', entity_type: 'table' }} className="text-accent underline">
        {t('Choose what to publish')}
      </Link>
    </p>
  )
}

const PushInstructions = () => (
  <Section title={t('Push API')}>
    <p className="max-w-prose text-sm text-soft">
      <Trans
        message="This tool sends its metadata to the API, using a token and the ID of this integration. See the {reference}."
        reference={<ApiReference>{t('API reference')}</ApiReference>}
      />
    </p>
  </Section>
)

const IntegrationDetails = ({ integration, type }: IntegrationViewProps) => {
  const { id, resource_count, last_synced_at, next_sync_at, schedule, preview_enabled, connection, secrets_set } = integration
  const label = (name: string) => {
    const field = type?.fields.find((each) => each.name === name)
    return field ? translateField(type!.type, field).label : name
  }
  return (
    <Section title={t('About')}>
      <dl className="grid gap-2 text-sm">
        <Detail name={t('Resources')}>
          <Link to="/search" search={{ integration: id }} className="text-accent hover:underline">
            {formatCount(resource_count)}
          </Link>
        </Detail>
        {!type?.pushes_only && (
          <>
            <Detail name={t('Last sync')}>
              <RelativeTime at={last_synced_at} />
            </Detail>
            {next_sync_at && (
              <Detail name={t('Next sync')}>
                <RelativeTime at={next_sync_at} />
              </Detail>
            )}
            <Detail name={t('Schedule')}>{formatSyncSchedule(schedule)}</Detail>
          </>
        )}
        {type && hasPreviews(type) && <Detail name={t('Previews')}>{preview_enabled ? t('On // previews') : t('Off // previews')}</Detail>}
        {Object.entries(connection ?? {}).map(([name, value]) => (
          <Detail key={name} name={label(name)}>
            {typeof value === 'boolean' ? (value ? t('yes') : t('no')) : value}
          </Detail>
        ))}
        {secrets_set.map((name) => (
          <Detail key={name} name={label(name)}>
            <span className="text-faint">••••••••</span>
          </Detail>
        ))}
        <Detail name={t('ID')}>
          <span className="font-mono text-xs">{id}</span>
        </Detail>
      </dl>
    </Section>
  )
}

const Detail = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex gap-3">
    <dt className="w-28 shrink-0 text-faint">{name}</dt>
    <dd className="min-w-0 wrap-anywhere" dir="auto">
      {children}
    </dd>
  </div>
)
