import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { Permission } from '../api/types.ts'

interface SectionEntry {
  readonly id: string
  readonly label: string
  readonly group: 'You' | 'Workspace'
  readonly permission?: Permission
  readonly component: LazyExoticComponent<ComponentType>
}

/** The parts of the settings: those about oneself, and those about everybody. */
export const SECTIONS: readonly SectionEntry[] = [
  { id: 'profile', label: 'Profile', group: 'You', component: lazy(async () => ({ default: (await import('./profile.tsx')).Profile })) },
  {
    id: 'sessions',
    label: 'Sessions',
    group: 'You',
    component: lazy(async () => ({ default: (await import('./sessions.tsx')).Sessions })),
  },
  {
    id: 'tokens',
    label: 'API tokens',
    group: 'You',
    permission: 'tokens.own',
    component: lazy(async () => ({ default: (await import('./tokens.tsx')).Tokens })),
  },
  {
    id: 'notifications',
    label: 'Notifications',
    group: 'You',
    component: lazy(async () => ({ default: (await import('./notifications.tsx')).Notifications })),
  },
  {
    id: 'people',
    label: 'People',
    group: 'Workspace',
    permission: 'people.read',
    component: lazy(async () => ({ default: (await import('./people.tsx')).People })),
  },
  {
    id: 'teams',
    label: 'Teams',
    group: 'Workspace',
    permission: 'teams.read',
    component: lazy(async () => ({ default: (await import('./circles.tsx')).Teams })),
  },
  {
    id: 'groups',
    label: 'Groups',
    group: 'Workspace',
    permission: 'teams.read',
    component: lazy(async () => ({ default: (await import('./circles.tsx')).Groups })),
  },
  {
    id: 'properties',
    label: 'Properties',
    group: 'Workspace',
    permission: 'catalog.write',
    component: lazy(async () => ({ default: (await import('./properties.tsx')).Properties })),
  },
  {
    id: 'tags',
    label: 'Tags',
    group: 'Workspace',
    permission: 'catalog.write',
    component: lazy(async () => ({ default: (await import('./tags.tsx')).Tags })),
  },
  {
    id: 'webhooks',
    label: 'Webhooks',
    group: 'Workspace',
    permission: 'notifications.manage',
    component: lazy(async () => ({ default: (await import('./webhooks.tsx')).Webhooks })),
  },
  {
    id: 'server',
    label: 'This server',
    group: 'Workspace',
    permission: 'integrations.manage',
    component: lazy(async () => ({ default: (await import('./server.tsx')).Server })),
  },
]
