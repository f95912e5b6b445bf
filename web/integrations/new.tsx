import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { t } from '../i18n/messages.ts'
import { buttonClass } from '../ui/button.tsx'
import { Page, Section } from '../ui/page.tsx'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { DriverPanel } from './driver-panel.tsx'
import { IntegrationForm } from './form.tsx'
import { SourceIcon } from './icon.tsx'
import { type IntegrationTypeRecord, typesQuery } from './queries.ts'

const route = getRouteApi('/integrations/new')

const CATEGORIES: Record<IntegrationTypeRecord['category'], string> = {
  database: t('Databases'),
  warehouse: t('Warehouses'),
  transformation: t('Transformations'),
  bi: t('BI tools'),
  orchestration: t('Orchestration and data movement'),
  push: t('Push integrations'),
  connector: t('Custom connectors'),
}

/** Adds an integration: choose its type, then enter its credentials. */
export const NewIntegration = () => {
  const { type } = route.useSearch()
  const types = useQuery(typesQuery)
  const label = types.data?.find((each) => each.type === type)?.label
  return (
    <Page
      narrow
      title={label ? t('Add {source}', { source: label }) : t('Add integration')}
      above={
        <Link to="/integrations" className="text-sm text-soft hover:text-ink">
          {t('Integrations')}
        </Link>
      }
      about={
        type
          ? undefined
          : t(
              'Tablinum reads only metadata. Rows are read when you turn on previews, profile a table, scan for personal data or create a monitor.',
            )
      }
    >
      <QueryView of={types}>
        {(all) => (type ? <NewIntegrationForm type={all.find((each) => each.type === type)} /> : <TypeChoice types={all} />)}
      </QueryView>
    </Page>
  )
}

const TypeChoice = ({ types }: { types: readonly IntegrationTypeRecord[] }) =>
  Object.entries(CATEGORIES).map(([category, title]) => (
    <Section key={category} title={title}>
      <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {types
          .filter((each) => each.category === category)
          .map(({ type, label, icon, missing_package }) => (
            <li key={type}>
              <Link
                to="/integrations/new"
                search={{ type }}
                className="flex h-full min-h-11 items-center gap-2.5 rounded-lg border border-line bg-raised px-3 py-1.5 leading-tight font-medium hover:border-line-strong hover:bg-hover"
              >
                <SourceIcon type={type} icon={icon} />
                {label}
                {missing_package && <span className="ms-auto text-xs font-normal text-faint">{t('Driver not installed')}</span>}
              </Link>
            </li>
          ))}
      </ul>
    </Section>
  ))

const NewIntegrationForm = ({ type }: { type?: IntegrationTypeRecord }) => {
  const navigate = useNavigate()
  if (!type) return <EmptyState title={t('Unknown integration type')} action={<BackLink label={t('Choose another')} />} />
  return (
    <div className="grid gap-4">
      <DriverPanel type={type} />
      <IntegrationForm
        key={type.type}
        type={type}
        cancel={<BackLink label={t('Back')} />}
        onSaved={({ id }) => void navigate({ to: '/integrations/$id', params: { id } })}
      />
    </div>
  )
}

const BackLink = ({ label }: { label: string }) => (
  <Link to="/integrations/new" search={{}} className={buttonClass('quiet')}>
    {label}
  </Link>
)
