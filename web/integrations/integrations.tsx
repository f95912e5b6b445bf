import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plug, Plus } from 'lucide-react'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { buttonClass } from '../ui/button.tsx'
import { formatApprox } from '../ui/number.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState, NoAccess, QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { HealthBadge } from './health.tsx'
import { SourceIcon } from './icon.tsx'
import { type Integration, type IntegrationTypeRecord, integrationsQuery, typesQuery } from './queries.ts'
import { formatSyncSchedule } from './schedule.tsx'

/** List of integrations with their status. */
export const Integrations = () =>
  useCan('integrations.read') ? (
    <IntegrationList />
  ) : (
    <Page title={t('Integrations')}>
      <NoAccess />
    </Page>
  )

const IntegrationList = () => {
  const manages = useCan('integrations.manage')
  const navigate = useNavigate()
  const { data: types } = useQuery(typesQuery)
  useCommand('integrations.new', () => void navigate({ to: '/integrations/new' }), manages)
  return (
    <Page
      title={t('Integrations')}
      about={t('Databases Tablinum reads and tools that push metadata.')}
      actions={manages && <AddIntegrationLink />}
    >
      <QueryView of={useQuery(integrationsQuery)}>
        {({ results }) =>
          results.length === 0 ? (
            <EmptyState icon={Plug} title={t('No integrations yet')} action={manages && <AddIntegrationLink />}>
              {t('Connect a database to import its tables and columns.')}
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
              {results.map((each) => (
                <IntegrationRow key={each.id} integration={each} type={types?.find(({ type }) => type === each.type)} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Page>
  )
}

const AddIntegrationLink = () => (
  <Link to="/integrations/new" className={buttonClass('primary')}>
    <Plus aria-hidden size={15} /> {t('Add integration')}
  </Link>
)

const IntegrationRow = ({ integration, type }: { integration: Integration; type?: IntegrationTypeRecord }) => {
  const { id, name, icon, last_sync_error, last_synced_at, next_sync_at, schedule, resource_count } = integration
  return (
    <li>
      <Link
        to="/integrations/$id"
        params={{ id }}
        className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-3 py-2 -outline-offset-2 hover:bg-hover md:grid-cols-[auto_minmax(0,1fr)_10rem_9rem_9rem_8rem]"
      >
        <SourceIcon type={integration.type} icon={icon} />
        <span className="min-w-0">
          <span className="block truncate font-medium" dir="auto">
            {name}
          </span>
          <span className="block truncate text-xs text-faint">{last_sync_error ?? type?.label ?? integration.type}</span>
        </span>
        <span>
          <HealthBadge of={integration} type={type} />
        </span>
        <span className="text-xs text-faint max-md:hidden">
          {last_synced_at && <Trans message="Synced {when}" when={<RelativeTime at={last_synced_at} />} />}
        </span>
        <span className="text-xs text-faint max-md:hidden">
          {next_sync_at ? (
            <Trans message="Next {when}" when={<RelativeTime at={next_sync_at} />} />
          ) : type?.pushes_only ? (
            ''
          ) : (
            formatSyncSchedule(schedule)
          )}
        </span>
        <span className="text-end text-xs text-soft tabular-nums max-md:hidden" title={pluralize(resource_count, 'resource')}>
          {t('{about} {n:resource|resources}', { about: formatApprox(resource_count), n: resource_count })}
        </span>
      </Link>
    </li>
  )
}
