import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { parseActivitySearch } from './activity/search-params.ts'
import { parseAssistantSearch } from './assistant/search-params.ts'
import { parseDocumentSearch, parseGlossarySearch } from './documents/search-params.ts'
import { parseIncidentsSearch } from './incidents/search-params.ts'
import { parseInsightsSearch } from './insights/search-params.ts'
import { parseNewIntegrationSearch } from './integrations/search-params.ts'
import { parseLineageSearch, parseSqlSearch } from './lineage/graph/search-params.ts'
import { parseConfigSearch, parseMonitorSearch, parseMonitorsSearch, parseNewMonitorSearch } from './monitors/search-params.ts'
import { parseResourceSearch } from './resources/search-params.ts'
import { parseCatalogSearch } from './search/search-params.ts'
import { NotFound } from './shell/not-found.tsx'
import { Root } from './shell/root.tsx'
import { ErrorView, Skeleton } from './ui/states.tsx'

/**
 * All routes. A page is loaded on demand; the small function that validates its search params is not.
 * To add a page: one `createRoute` here, and one line in `shell/nav.ts` if it belongs in the sidebar.
 */
const root = createRootRoute({ component: Root })
const underRoot = { getParentRoute: () => root } as const

const routes = [
  createRoute({ ...underRoot, path: '/', component: lazyRouteComponent(() => import('./start/home.tsx'), 'Home') }),
  createRoute({
    ...underRoot,
    path: '/search',
    validateSearch: parseCatalogSearch,
    component: lazyRouteComponent(() => import('./search/search.tsx'), 'Search'),
  }),
  createRoute({ ...underRoot, path: '/tree', component: lazyRouteComponent(() => import('./tree/tree.tsx'), 'Tree') }),
  createRoute({
    ...underRoot,
    path: '/r/$id',
    validateSearch: parseResourceSearch,
    component: lazyRouteComponent(() => import('./resources/resource.tsx'), 'ResourcePage'),
  }),
  createRoute({ ...underRoot, path: '/lineage', component: lazyRouteComponent(() => import('./lineage/start.tsx'), 'LineageStart') }),
  createRoute({
    ...underRoot,
    path: '/lineage/sql',
    validateSearch: parseSqlSearch,
    component: lazyRouteComponent(() => import('./lineage/sql/from-sql.tsx'), 'LineageFromSql'),
  }),
  createRoute({
    ...underRoot,
    path: '/lineage/$id',
    validateSearch: parseLineageSearch,
    component: lazyRouteComponent(() => import('./lineage/lineage.tsx'), 'LineagePage'),
  }),
  createRoute({
    ...underRoot,
    path: '/integrations',
    component: lazyRouteComponent(() => import('./integrations/integrations.tsx'), 'Integrations'),
  }),
  createRoute({
    ...underRoot,
    path: '/integrations/new',
    validateSearch: parseNewIntegrationSearch,
    component: lazyRouteComponent(() => import('./integrations/new.tsx'), 'NewIntegration'),
  }),
  createRoute({
    ...underRoot,
    path: '/integrations/$id',
    component: lazyRouteComponent(() => import('./integrations/integration.tsx'), 'IntegrationPage'),
  }),
  createRoute({
    ...underRoot,
    path: '/monitors',
    validateSearch: parseMonitorsSearch,
    component: lazyRouteComponent(() => import('./monitors/monitors.tsx'), 'Monitors'),
  }),
  createRoute({
    ...underRoot,
    path: '/monitors/new',
    validateSearch: parseNewMonitorSearch,
    component: lazyRouteComponent(() => import('./monitors/form/new-monitor.tsx'), 'NewMonitor'),
  }),
  createRoute({
    ...underRoot,
    path: '/monitors/config',
    validateSearch: parseConfigSearch,
    component: lazyRouteComponent(() => import('./monitors/config.tsx'), 'MonitorConfig'),
  }),
  createRoute({
    ...underRoot,
    path: '/monitors/$id',
    validateSearch: parseMonitorSearch,
    component: lazyRouteComponent(() => import('./monitors/monitor.tsx'), 'MonitorPage'),
  }),
  createRoute({
    ...underRoot,
    path: '/incidents',
    validateSearch: parseIncidentsSearch,
    component: lazyRouteComponent(() => import('./incidents/incidents.tsx'), 'Incidents'),
  }),
  createRoute({
    ...underRoot,
    path: '/incidents/$id',
    component: lazyRouteComponent(() => import('./incidents/incident.tsx'), 'IncidentPage'),
  }),
  createRoute({
    ...underRoot,
    path: '/insights',
    validateSearch: parseInsightsSearch,
    component: lazyRouteComponent(() => import('./insights/insights.tsx'), 'InsightsPage'),
  }),
  createRoute({
    ...underRoot,
    path: '/needs-you',
    component: lazyRouteComponent(() => import('./needs-you/needs-you.tsx'), 'NeedsYou'),
  }),
  createRoute({ ...underRoot, path: '/people/$id', component: lazyRouteComponent(() => import('./people/person.tsx'), 'PersonPage') }),
  createRoute({ ...underRoot, path: '/teams/$id', component: lazyRouteComponent(() => import('./people/member-group.tsx'), 'TeamPage') }),
  createRoute({ ...underRoot, path: '/groups/$id', component: lazyRouteComponent(() => import('./people/member-group.tsx'), 'GroupPage') }),
  createRoute({ ...underRoot, path: '/why/$id', component: lazyRouteComponent(() => import('./lineage/root-cause.tsx'), 'RootCausePage') }),
  createRoute({ ...underRoot, path: '/import', component: lazyRouteComponent(() => import('./import/import.tsx'), 'ImportPage') }),
  createRoute({ ...underRoot, path: '/settings', component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'Settings') }),
  createRoute({
    ...underRoot,
    path: '/settings/$section',
    component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'Settings'),
  }),
  createRoute({
    ...underRoot,
    path: '/assistant',
    validateSearch: parseAssistantSearch,
    component: lazyRouteComponent(() => import('./assistant/assistant.tsx'), 'Assistant'),
  }),
  createRoute({
    ...underRoot,
    path: '/activity',
    validateSearch: parseActivitySearch,
    component: lazyRouteComponent(() => import('./activity/activity.tsx'), 'Activity'),
  }),
  createRoute({ ...underRoot, path: '/shared', component: lazyRouteComponent(() => import('./session/shared.tsx'), 'SharedPage') }),
  createRoute({
    ...underRoot,
    path: '/shared/$preview',
    component: lazyRouteComponent(() => import('./session/shared.tsx'), 'SharedPage'),
  }),
  createRoute({ ...underRoot, path: '/trash', component: lazyRouteComponent(() => import('./trash/trash.tsx'), 'Trash') }),
  createRoute({ ...underRoot, path: '/documents', component: lazyRouteComponent(() => import('./documents/documents.tsx'), 'Documents') }),
  createRoute({
    ...underRoot,
    path: '/documents/$id',
    validateSearch: parseDocumentSearch,
    component: lazyRouteComponent(() => import('./documents/documents.tsx'), 'DocumentPage'),
  }),
  createRoute({
    ...underRoot,
    path: '/glossary',
    validateSearch: parseGlossarySearch,
    component: lazyRouteComponent(() => import('./glossary/glossary.tsx'), 'Glossary'),
  }),
  createRoute({
    ...underRoot,
    path: '/oauth/authorize',
    component: lazyRouteComponent(() => import('./session/authorize.tsx'), 'AuthorizePage'),
  }),
  createRoute({ ...underRoot, path: '/sign-in', component: lazyRouteComponent(() => import('./session/sign-in.tsx'), 'SignIn') }),
  createRoute({ ...underRoot, path: '/welcome', component: lazyRouteComponent(() => import('./session/welcome.tsx'), 'Welcome') }),
] as const

/** Search params as plain text (`?type=table,column`) instead of the router's JSON. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))
const stringifySearch = (search: Record<string, unknown>): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (value !== undefined && value !== '') parameters.set(name, String(value))
  const text = parameters.toString().replaceAll('%2C', ',')
  return text && `?${text}`
}

export const router = createRouter({
  routeTree: root.addChildren(routes),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Skeleton lines={6} className="p-6" />,
  defaultPendingMs: 200,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <ErrorView error={error} retry={reset} />,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Paths without parameters. */
export type StaticPath =
  | '/'
  | '/search'
  | '/tree'
  | '/needs-you'
  | '/trash'
  | '/lineage'
  | '/integrations'
  | '/settings'
  | '/activity'
  | '/documents'
  | '/glossary'
  | '/insights'
  | '/monitors'
  | '/incidents'
  | '/assistant'
