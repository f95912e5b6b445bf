import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count } from '../ui/number.ts'
import { Page, Section, useTitle } from '../ui/page.tsx'
import { Answer } from '../ui/states.tsx'
import { When } from '../ui/time.tsx'
import { Actions } from './actions.tsx'
import { Health } from './health.tsx'
import { type Integration, type IntegrationTypeRecord, integrationQuery, isUnderWay, syncsQuery, typesQuery } from './queries.ts'
import { scheduleWords } from './schedule.tsx'
import { Progress, Syncs } from './syncs.tsx'

const route = getRouteApi('/integrations/$id')

/** One source: how it does, what it did, and what can be done about it. */
export const IntegrationPage = () => {
  const { id } = route.useParams()
  const types = useQuery(typesQuery)
  useTitle('Integration')
  return (
    <Answer of={useQuery(integrationQuery(id))}>
      {(integration) => <View key={id} integration={integration} type={types.data?.find(({ type }) => type === integration.type)} />}
    </Answer>
  )
}

interface ViewProps {
  readonly integration: Integration
  readonly type?: IntegrationTypeRecord
}

const View = ({ integration, type }: ViewProps) => {
  const { id, name, last_sync_error, last_sync_status } = integration
  const { data: syncs } = useQuery(syncsQuery(id))
  const running = syncs?.results.find(({ status }) => isUnderWay(status))
  return (
    <Page
      title={name}
      above={
        <Link to="/integrations" className="justify-self-start text-sm text-soft hover:text-ink">
          Integrations
        </Link>
      }
      about={
        <span className="flex flex-wrap items-center gap-2">
          {type?.label} <Health of={integration} type={type} />
        </span>
      }
      actions={type && <Actions integration={integration} type={type} />}
    >
      {running && <Progress job={running.id} integration={id} />}
      {last_sync_status === 'FAILED' && last_sync_error && (
        <div className="grid gap-1 rounded-lg bg-bad-soft p-3 text-sm">
          <p className="font-medium text-bad">The last sync did not work</p>
          <p className="break-words text-ink">{last_sync_error}</p>
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        {type?.pushes_only ? <Pushes /> : <Syncs integration={id} />}
        <Facts integration={integration} type={type} />
      </div>
    </Page>
  )
}

const Pushes = () => (
  <Section title="How it reports">
    <p className="max-w-prose text-sm text-soft">
      Nothing is fetched from here: the tool sends what it knows to the API, with a token and the ID of this integration. The{' '}
      <a href="/docs" target="_blank" rel="noopener noreferrer" className="text-accent underline">
        API reference
      </a>{' '}
      says how.
    </p>
  </Section>
)

const Facts = ({ integration, type }: ViewProps) => {
  const { id, resource_count, last_synced_at, next_sync_at, schedule, connection, secrets_set } = integration
  const label = (name: string) => type?.fields.find((field) => field.name === name)?.label ?? name
  return (
    <Section title="About">
      <dl className="grid gap-2 text-sm">
        <Fact name="Resources">
          <Link to="/search" search={{ integration: id }} className="text-accent hover:underline">
            {count(resource_count)}
          </Link>
        </Fact>
        {!type?.pushes_only && (
          <>
            <Fact name="Last sync">
              <When at={last_synced_at} />
            </Fact>
            <Fact name="Next sync">{next_sync_at ? <When at={next_sync_at} /> : 'when you start it'}</Fact>
            <Fact name="Schedule">{scheduleWords(schedule)}</Fact>
          </>
        )}
        {Object.entries(connection ?? {}).map(([name, value]) => (
          <Fact key={name} name={label(name)}>
            {typeof value === 'boolean' ? (value ? 'yes' : 'no') : value}
          </Fact>
        ))}
        {secrets_set.map((name) => (
          <Fact key={name} name={label(name)}>
            <span className="text-faint">set, and never shown</span>
          </Fact>
        ))}
        <Fact name="ID">
          <span className="font-mono text-xs">{id}</span>
        </Fact>
      </dl>
    </Section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex gap-3">
    <dt className="w-28 shrink-0 text-faint">{name}</dt>
    <dd className="min-w-0 wrap-anywhere" dir="auto">
      {children}
    </dd>
  </div>
)
