import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { activityAddress } from './activity/address.ts'
import { documentAddress, glossaryAddress } from './documents/address.ts'
import { incidentsAddress } from './incidents/address.ts'
import { newIntegrationAddress } from './integrations/address.ts'
import { lineageAddress, sqlAddress } from './lineage/address.ts'
import { configAddress, monitorAddress, monitorsAddress, newMonitorAddress } from './monitors/address.ts'
import { resourceAddress } from './resources/address.ts'
import { searchAddress } from './search/address.ts'
import { NotFound } from './shell/not-found.tsx'
import { Root } from './shell/root.tsx'
import { FailureView, Skeleton } from './ui/states.tsx'

/**
 * All routes. A page is loaded on demand; the small function that validates its search params is not.
 * To add a page: one `createRoute` here, and one line in `shell/nav.ts` if it belongs in the sidebar.
 */
const root = createRootRoute({ component: Root })
const under = { getParentRoute: () => root } as const

const routes = [
  createRoute({ ...under, path: '/', component: lazyRouteComponent(() => import('./start/home.tsx'), 'Home') }),
  createRoute({
    ...under,
    path: '/search',
    validateSearch: searchAddress,
    component: lazyRouteComponent(() => import('./search/search.tsx'), 'Search'),
  }),
  createRoute({ ...under, path: '/tree', component: lazyRouteComponent(() => import('./tree/tree.tsx'), 'Tree') }),
  createRoute({
    ...under,
    path: '/r/$id',
    validateSearch: resourceAddress,
    component: lazyRouteComponent(() => import('./resources/resource.tsx'), 'ResourcePage'),
  }),
  createRoute({ ...under, path: '/lineage', component: lazyRouteComponent(() => import('./lineage/start.tsx'), 'LineageStart') }),
  createRoute({
    ...under,
    path: '/lineage/sql',
    validateSearch: sqlAddress,
    component: lazyRouteComponent(() => import('./lineage/from-sql.tsx'), 'LineageFromSql'),
  }),
  createRoute({
    ...under,
    path: '/lineage/$id',
    validateSearch: lineageAddress,
    component: lazyRouteComponent(() => import('./lineage/lineage.tsx'), 'LineagePage'),
  }),
  createRoute({
    ...under,
    path: '/integrations',
    component: lazyRouteComponent(() => import('./integrations/integrations.tsx'), 'Integrations'),
  }),
  createRoute({
    ...under,
    path: '/integrations/new',
    validateSearch: newIntegrationAddress,
    component: lazyRouteComponent(() => import('./integrations/new.tsx'), 'NewIntegration'),
  }),
  createRoute({
    ...under,
    path: '/integrations/$id',
    component: lazyRouteComponent(() => import('./integrations/integration.tsx'), 'IntegrationPage'),
  }),
  createRoute({
    ...under,
    path: '/monitors',
    validateSearch: monitorsAddress,
    component: lazyRouteComponent(() => import('./monitors/monitors.tsx'), 'Monitors'),
  }),
  createRoute({
    ...under,
    path: '/monitors/new',
    validateSearch: newMonitorAddress,
    component: lazyRouteComponent(() => import('./monitors/new-monitor.tsx'), 'NewMonitor'),
  }),
  createRoute({
    ...under,
    path: '/monitors/config',
    validateSearch: configAddress,
    component: lazyRouteComponent(() => import('./monitors/config.tsx'), 'MonitorConfig'),
  }),
  createRoute({
    ...under,
    path: '/monitors/$id',
    validateSearch: monitorAddress,
    component: lazyRouteComponent(() => import('./monitors/monitor.tsx'), 'MonitorPage'),
  }),
  createRoute({
    ...under,
    path: '/incidents',
    validateSearch: incidentsAddress,
    component: lazyRouteComponent(() => import('./incidents/incidents.tsx'), 'Incidents'),
  }),
  createRoute({
    ...under,
    path: '/incidents/$id',
    component: lazyRouteComponent(() => import('./incidents/incident.tsx'), 'IncidentPage'),
  }),
  createRoute({ ...under, path: '/settings', component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'Settings') }),
  createRoute({ ...under, path: '/settings/$section', component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'Settings') }),
  createRoute({
    ...under,
    path: '/activity',
    validateSearch: activityAddress,
    component: lazyRouteComponent(() => import('./activity/activity.tsx'), 'Activity'),
  }),
  createRoute({ ...under, path: '/trash', component: lazyRouteComponent(() => import('./trash/trash.tsx'), 'Trash') }),
  createRoute({ ...under, path: '/documents', component: lazyRouteComponent(() => import('./documents/documents.tsx'), 'Documents') }),
  createRoute({
    ...under,
    path: '/documents/$id',
    validateSearch: documentAddress,
    component: lazyRouteComponent(() => import('./documents/documents.tsx'), 'DocumentPage'),
  }),
  createRoute({
    ...under,
    path: '/glossary',
    validateSearch: glossaryAddress,
    component: lazyRouteComponent(() => import('./documents/glossary.tsx'), 'Glossary'),
  }),
  createRoute({ ...under, path: '/sign-in', component: lazyRouteComponent(() => import('./session/sign-in.tsx'), 'SignIn') }),
  createRoute({ ...under, path: '/welcome', component: lazyRouteComponent(() => import('./session/welcome.tsx'), 'Welcome') }),
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
  defaultErrorComponent: ({ error, reset }) => <FailureView error={error} retry={reset} />,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Paths without parameters. */
export type PathOf =
  | '/'
  | '/search'
  | '/tree'
  | '/trash'
  | '/lineage'
  | '/integrations'
  | '/settings'
  | '/activity'
  | '/documents'
  | '/glossary'
  | '/monitors'
  | '/incidents'
