import { type ComponentType, lazy } from 'react'
import type { ResourceView } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import type { Tab } from '../ui/tabs.tsx'

/** Props of a tab. */
export interface TabProps {
  readonly view: ResourceView
}

interface ResourceTab {
  readonly id: string
  readonly label: string
  readonly when: (view: ResourceView) => boolean
  readonly count?: (view: ResourceView) => number
  readonly component: ComponentType<TabProps>
}

const TYPES_WITH_DATA: readonly string[] = ['table', 'column']
const canWrite = ({ resource }: ResourceView): boolean => resource.current_user_permissions.write

/** The tabs of a resource page, in order. Each is loaded when opened. */
const TABS: readonly ResourceTab[] = [
  {
    id: 'members',
    label: t('Members'),
    when: ({ resource }) => resource.entity_type === 'collection',
    component: lazy(async () => ({ default: (await import('./members.tsx')).Members })),
  },
  {
    id: 'run',
    label: t('Run // of a job'),
    when: ({ resource }) => resource.entity_type === 'run',
    component: lazy(async () => ({ default: (await import('./runs.tsx')).Runs })),
  },
  {
    id: 'answers',
    label: t('Answers'),
    when: ({ resource }) => resource.entity_type === 'question',
    count: ({ tabs }) => tabs.children,
    component: lazy(async () => ({ default: (await import('./discussion/questions.tsx')).Answers })),
  },
  {
    id: 'overview',
    label: t('Overview'),
    when: ({ resource }) => resource.entity_type === 'table',
    component: lazy(async () => ({ default: (await import('./overview.tsx')).Overview })),
  },
  {
    id: 'documentation',
    label: t('Documentation'),
    when: () => true,
    component: lazy(async () => ({ default: (await import('./documentation.tsx')).Documentation })),
  },
  {
    id: 'columns',
    label: t('Columns'),
    when: ({ resource, tabs }) => resource.entity_type === 'table' || tabs.columns + tabs.columns_gone > 0,
    count: ({ tabs }) => tabs.columns,
    component: lazy(async () => ({ default: (await import('./columns/columns.tsx')).Columns })),
  },
  {
    id: 'schema',
    label: t('Schema changes'),
    when: ({ resource }) => resource.entity_type === 'table' && resource.integration !== null,
    component: lazy(async () => ({ default: (await import('./schema-changes.tsx')).SchemaChanges })),
  },
  {
    id: 'runs',
    label: t('Runs'),
    when: ({ resource }) => resource.entity_type === 'job',
    count: ({ tabs }) => tabs.children,
    component: lazy(async () => ({ default: (await import('./runs.tsx')).Runs })),
  },
  {
    id: 'children',
    label: t('Contents'),
    when: ({ resource, tabs }) =>
      !['job', 'question'].includes(resource.entity_type) && tabs.children > 0 && tabs.columns + tabs.columns_gone === 0,
    count: ({ tabs }) => tabs.children,
    component: lazy(async () => ({ default: (await import('./children.tsx')).Children })),
  },
  {
    id: 'lineage',
    label: t('Lineage'),
    when: ({ resource, tabs }) =>
      tabs.upstream + tabs.downstream > 0 || ['table', 'column', 'dashboard', 'chart', 'job'].includes(resource.entity_type),
    count: ({ tabs }) => tabs.upstream + tabs.downstream,
    component: lazy(async () => ({ default: (await import('../lineage/tab.tsx')).LineageTab })),
  },
  {
    id: 'relationships',
    label: t('Relationships'),
    when: ({ resource, tabs }) => resource.entity_type === 'table' || (resource.entity_type === 'schema' && tabs.children > 0),
    component: lazy(async () => ({ default: (await import('../lineage/relationships.tsx')).RelationshipsTab })),
  },
  {
    id: 'code',
    label: t('Code'),
    when: ({ tabs }) => tabs.code > 0,
    component: lazy(async () => ({ default: (await import('./code.tsx')).CodeTab })),
  },
  {
    id: 'preview',
    label: t('Preview'),
    when: ({ resource }) => resource.entity_type === 'table' && resource.integration !== null,
    component: lazy(async () => ({ default: (await import('../profiles/preview.tsx')).PreviewTab })),
  },
  {
    id: 'profile',
    label: t('Profile'),
    when: ({ resource }) => TYPES_WITH_DATA.includes(resource.entity_type) && resource.integration !== null,
    component: lazy(async () => ({ default: (await import('../profiles/profile.tsx')).ProfileTab })),
  },
  {
    id: 'monitors',
    label: t('Monitors'),
    when: (view) => view.tabs.monitors > 0 || (TYPES_WITH_DATA.includes(view.resource.entity_type) && canWrite(view)),
    count: ({ tabs }) => tabs.monitors,
    component: lazy(async () => ({ default: (await import('../monitors/tab.tsx')).MonitorsTab })),
  },
  {
    id: 'usage',
    label: t('Usage'),
    when: ({ resource }) => ['table', 'dashboard'].includes(resource.entity_type),
    component: lazy(async () => ({ default: (await import('./usage.tsx')).UsageTab })),
  },
  {
    id: 'queries',
    label: t('Queries'),
    when: ({ resource }) => resource.entity_type === 'table',
    component: lazy(async () => ({ default: (await import('./table-queries.tsx')).TableQueries })),
  },
  {
    id: 'questions',
    label: t('Questions'),
    when: ({ resource }) => resource.entity_type !== 'question' && resource.entity_type !== 'question_reply',
    count: ({ tabs }) => tabs.questions,
    component: lazy(async () => ({ default: (await import('./discussion/questions.tsx')).Questions })),
  },
  {
    id: 'discussion',
    label: t('Discussion'),
    when: () => true,
    count: ({ tabs }) => tabs.discussions,
    component: lazy(async () => ({ default: (await import('./discussion/discussion.tsx')).Discussion })),
  },
  {
    id: 'mentions',
    label: t('Mentions'),
    when: ({ tabs }) => tabs.backlinks > 0,
    count: ({ tabs }) => tabs.backlinks,
    component: lazy(async () => ({ default: (await import('./mentions.tsx')).Mentions })),
  },
  {
    id: 'activity',
    label: t('Activity'),
    when: () => true,
    count: ({ tabs }) => tabs.versions,
    component: lazy(async () => ({ default: (await import('./activity.tsx')).Activity })),
  },
]

/** What a dashboard or schema contains says more than that it has no documentation. */
export const opensOnContents = (view: ResourceView): boolean => {
  const tabs = getTabs(view, false)
  return tabs[0]?.id === 'documentation' && !view.resource.definition && tabs.some(({ id }) => id === 'children')
}

/** A page opens on the first one. */
export const getTabs = (view: ResourceView, contentsFirst: boolean): readonly ResourceTab[] => {
  const tabs = TABS.filter(({ when }) => when(view))
  const contents = contentsFirst && tabs.find(({ id }) => id === 'children')
  return contents ? [contents, ...tabs.filter((each) => each !== contents)] : tabs
}

export const toTab =
  (view: ResourceView) =>
  ({ id, label, count }: ResourceTab): Tab => ({ id, label, ...(count && count(view) > 0 && { count: count(view) }) })
