import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { Permission } from '../api/types.ts'
import { t } from '../i18n/messages.ts'

interface SectionEntry {
  readonly id: string
  readonly label: string
  readonly group: 'You' | 'Workspace'
  readonly permission?: Permission
  readonly component: LazyExoticComponent<ComponentType>
}

/** Settings pages: of the user and of the workspace. */
export const SECTIONS: readonly SectionEntry[] = [
  {
    id: 'profile',
    label: t('Profile'),
    group: 'You',
    component: lazy(async () => ({ default: (await import('./profile.tsx')).ProfileSettings })),
  },
  {
    id: 'sessions',
    label: t('Sessions'),
    group: 'You',
    component: lazy(async () => ({ default: (await import('./sessions.tsx')).Sessions })),
  },
  {
    id: 'tokens',
    label: t('API tokens'),
    group: 'You',
    permission: 'tokens.own',
    component: lazy(async () => ({ default: (await import('./tokens.tsx')).Tokens })),
  },
  {
    id: 'agents',
    label: t('Agents'),
    group: 'You',
    permission: 'tokens.own',
    component: lazy(async () => ({ default: (await import('./agents.tsx')).Agents })),
  },
  {
    id: 'notifications',
    label: t('Notifications'),
    group: 'You',
    component: lazy(async () => ({ default: (await import('./notifications.tsx')).Notifications })),
  },
  {
    id: 'people',
    label: t('People'),
    group: 'Workspace',
    permission: 'people.read',
    component: lazy(async () => ({ default: (await import('./people/people.tsx')).People })),
  },
  {
    id: 'teams',
    label: t('Teams'),
    group: 'Workspace',
    permission: 'teams.read',
    component: lazy(async () => ({ default: (await import('./people/member-groups.tsx')).Teams })),
  },
  {
    id: 'groups',
    label: t('Groups'),
    group: 'Workspace',
    permission: 'teams.read',
    component: lazy(async () => ({ default: (await import('./people/member-groups.tsx')).Groups })),
  },
  {
    id: 'properties',
    label: t('Properties'),
    group: 'Workspace',
    permission: 'catalog.write',
    component: lazy(async () => ({ default: (await import('./properties.tsx')).Properties })),
  },
  {
    id: 'tags',
    label: t('Tags'),
    group: 'Workspace',
    permission: 'catalog.write',
    component: lazy(async () => ({ default: (await import('./tags.tsx')).Tags })),
  },
  {
    id: 'suggestions',
    label: t('Suggested changes'),
    group: 'Workspace',
    permission: 'catalog.write',
    component: lazy(async () => ({ default: (await import('./suggested-changes.tsx')).SuggestedChanges })),
  },
  {
    id: 'search',
    label: t('Search ranking'),
    group: 'Workspace',
    permission: 'search.manage',
    component: lazy(async () => ({ default: (await import('./search-ranking.tsx')).SearchRanking })),
  },
  {
    id: 'assistant',
    label: t('Assistant'),
    group: 'Workspace',
    permission: 'assistant.manage',
    component: lazy(async () => ({ default: (await import('./assistant.tsx')).AssistantSettings })),
  },
  {
    id: 'routing',
    label: t('Alert routing'),
    group: 'Workspace',
    permission: 'notifications.manage',
    component: lazy(async () => ({ default: (await import('./routing/routing.tsx')).Routing })),
  },
  {
    id: 'webhooks',
    label: t('Webhooks'),
    group: 'Workspace',
    permission: 'notifications.manage',
    component: lazy(async () => ({ default: (await import('./webhooks/webhooks.tsx')).Webhooks })),
  },
  {
    id: 'server',
    label: t('This server'),
    group: 'Workspace',
    permission: 'server.manage',
    component: lazy(async () => ({ default: (await import('./server/server.tsx')).ServerPage })),
  },
]
