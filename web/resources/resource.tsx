import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { Suspense, useState } from 'react'
import { isApiError } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import type { ResourceView } from '../api/types.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Editable } from '../ui/editable.tsx'
import { EntityTypeIcon, entityTypeLabel } from '../ui/entity-type.tsx'
import { useTitle } from '../ui/page.tsx'
import { EmptyState, ErrorBoundary, QueryView, Skeleton } from '../ui/states.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Actions } from './actions/actions.tsx'
import { ResourceSuggestions } from './change-suggestions.tsx'
import { DescriptionLinks } from './description-links.tsx'
import { FlagToggles } from './flag-toggles.tsx'
import { HealthBanner } from './health-banner.tsx'
import { changeSuggestionsQuery, resourceQuery } from './queries.ts'
import { ResourceSidebar } from './sidebar/resource-sidebar.tsx'
import { SourceValuesPanel } from './source-values.tsx'
import { getTabs, opensOnContents, toTab } from './tabs.ts'
import { useEdit } from './use-edit.ts'

const route = getRouteApi('/r/$id')

/** The page of one resource; most fields are editable inline. */
export const ResourcePage = () => {
  const { id } = route.useParams()
  const view = useQuery(resourceQuery(id))
  const writes = useCan('catalog.write')
  if (!view.data && isApiError(view.error) && view.error.status === 404)
    return (
      <>
        <h1 className="sr-only">{t('Resource')}</h1>
        <EmptyState
          title={t('Not found')}
          action={
            <span className="flex flex-wrap justify-center gap-2">
              <Link to="/search" className={buttonClass('primary')}>
                {t('Search the catalog')}
              </Link>
              {writes && (
                <Link to="/trash" className={buttonClass()}>
                  {t('Trash')}
                </Link>
              )}
            </span>
          }
        >
          {t('It may have been deleted, or you may not have access to it.')}
        </EmptyState>
      </>
    )
  return (
    <>
      {view.data === undefined && <h1 className="sr-only">{t('Resource')}</h1>}
      <QueryView of={view} loading={<Skeleton lines={8} className="max-w-3xl p-8" />}>
        {(view) => <WithSuggestions key={id} view={view} />}
      </QueryView>
    </>
  )
}

/** The page opens with its suggestions: if they came later, they would move the tabs below them while someone is about to click. */
const WithSuggestions = ({ view }: { view: ResourceView }) => {
  const { isLoading } = useQuery({ ...changeSuggestionsQuery(view.resource.id), enabled: view.tabs.suggestions > 0 })
  const [opened, setOpened] = useState(false)
  if (!isLoading && !opened) setOpened(true)
  return isLoading && !opened ? <Skeleton lines={8} className="max-w-3xl p-8" /> : <Content view={view} />
}

/** More than about five lines would push the tabs off the screen. */
const isLong = (text: string): boolean => text.length > 500 || text.split('\n').length > 5

const Content = ({ view }: { view: ResourceView }) => {
  const { resource, breadcrumbs } = view
  useTitle(resource.title)
  const { edit: editing, tab = editing && 'documentation' } = route.useSearch()
  const edit = useEdit(view)
  const writes = resource.current_user_permissions.write
  const [contentsFirst] = useState(() => opensOnContents(view)) // the order stays while the page is open, whatever is edited
  const tabs = getTabs(view, contentsFirst)
  const [all, setAll] = useState(false)
  const long = isLong(resource.description ?? '')
  const chosen = tabs.find(({ id }) => id === tab) ?? tabs[0]!
  const Chosen = chosen.component
  const navigate = useNavigate({ from: '/r/$id' })
  const openTab = (by: 1 | -1) => {
    const next = tabs[tabs.indexOf(chosen) + by]
    if (next) void navigate({ search: (before) => ({ ...before, tab: next === tabs[0] ? undefined : next.id }) })
  }
  useCommand('resource.next-tab', () => openTab(1))
  useCommand('resource.previous-tab', () => openTab(-1))
  return (
    <div className="h-full overflow-auto">
      <div className="mx-auto grid w-full max-w-[86rem] grid-cols-1 gap-x-10 px-4 py-5 md:px-8 xl:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="min-w-0">
          <Breadcrumbs of={breadcrumbs} type={resource.entity_type} />
          <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
            <h1 className="flex min-w-0 flex-1 basis-64 items-center gap-2.5 text-xl font-semibold">
              <EntityTypeIcon type={resource.entity_type} size={22} />
              <span className={cx('min-w-0 break-words', resource.deprecation && 'text-soft line-through')} dir="auto">
                {resource.title}
              </span>
            </h1>
            <Actions view={view} />
          </div>
          <SourceValuesPanel resource={resource} field="title" />
          <HealthBanner view={view} />
          <FlagToggles resource={resource} health={view.health.status} onChange={(change) => edit.mutate(change)} />
          <div className="mt-2 max-w-3xl text-soft">
            <Editable
              label={t('description')}
              multiline
              editable={writes}
              value={resource.description ?? ''}
              placeholder={writes ? t('Add a description') : t('No description')}
              onSave={(description) => edit.mutate({ description: description || null })}
            >
              <span className={long && !all ? 'line-clamp-5' : 'block'}>{resource.description}</span>
            </Editable>
            {long && (
              <button type="button" aria-expanded={all} className="text-sm text-accent hover:underline" onClick={() => setAll(!all)}>
                {all ? t('Show less') : t('Show more')}
              </button>
            )}
            <DescriptionLinks text={resource.description ?? ''} />
            <SourceValuesPanel resource={resource} field="description" />
          </div>
          {view.tabs.suggestions > 0 && <ResourceSuggestions id={resource.id} />}
          <div className="sticky top-0 z-10 mt-4 bg-bg pt-1">
            <Tabs label={t('Sections')} tabs={tabs.map(toTab(view))} chosen={chosen.id} />
          </div>
          <div className="min-h-80 py-5">
            <ErrorBoundary reset={chosen.id}>
              <Suspense fallback={<Skeleton lines={5} />}>
                <Chosen view={view} />
              </Suspense>
            </ErrorBoundary>
          </div>
        </div>
        <ResourceSidebar view={view} onChange={(change) => edit.mutate(change)} />
      </div>
    </div>
  )
}

const Breadcrumbs = ({ of, type }: { of: ResourceView['breadcrumbs']; type: string }) => (
  <nav aria-label={t('Breadcrumb')} className="mb-1.5 flex flex-wrap items-center gap-1 text-sm text-faint">
    {of.map(({ id, title }) => (
      <span key={id} className="flex min-w-0 items-center gap-1">
        <Link to="/r/$id" params={{ id }} className="max-w-60 truncate hover:text-accent hover:underline" dir="auto">
          {title}
        </Link>
        <ChevronRight aria-hidden size={13} />
      </span>
    ))}
    <span>{entityTypeLabel(type)}</span>
  </nav>
)
