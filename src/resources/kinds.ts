import type { Permission } from '../access/permissions.ts'

/** The entity types of resources. Differences between them are declared here as data; the code is the same for all. */
export interface Kind {
  readonly entity_type: string
  /** Noun of its activity types, e.g. `resource_created`, `document_created`. */
  readonly noun: string
  readonly icon: string
  /** Permission required to write one. A caller with this permission but without `catalog.write` can only edit what they created. */
  readonly permission: Permission
  /** Children of this type are published and unpublished with it. */
  readonly publishes?: string
  /** Published with the first published resource in it. Not for documents: publishing a page must not publish the draft above it. */
  readonly container?: true
  /** The field in which members reference it. Deleting it removes these references; the members stay. */
  readonly members?: 'collections'
  /** Initial values of type-specific fields. */
  readonly starts?: Readonly<Record<string, unknown>>
}

const kind = (entity_type: string, icon: string, more: Partial<Kind> = {}): Kind => ({
  entity_type,
  noun: 'resource',
  icon,
  permission: 'catalog.write',
  ...more,
})

const ALL = [
  kind('table', 'table', { publishes: 'column', container: true }),
  kind('column', 'columns', { publishes: 'column', container: true }),
  kind('schema', 'folder', { container: true }),
  kind('database', 'database', { container: true }),
  kind('cluster', 'server', { container: true }),
  kind('dashboard', 'layout-dashboard', { container: true }),
  kind('dashboard_group', 'folder', { container: true }),
  kind('chart', 'chart-line'),
  kind('job', 'workflow', { container: true }),
  kind('job_group', 'folder', { container: true }),
  kind('run', 'play'),
  kind('query', 'file-code'),
  kind('test_suite', 'list-checks', { container: true }),
  kind('test', 'circle-check', { container: true }),
  kind('test_run', 'play'),
  kind('document', 'file-text', { noun: 'document' }),
  kind('glossary', 'book-open'),
  kind('collection', 'library', { members: 'collections' }),
  kind('question', 'circle-help', { permission: 'questions.ask', starts: { question_status: 'open' } }),
  kind('question_reply', 'message-circle', { permission: 'questions.ask' }),
  kind('event', 'zap', { container: true }),
  kind('event_property', 'tag'),
  kind('category', 'folder', { container: true }),
  kind('announcement', 'megaphone'),
  kind('task', 'square-check'),
  kind('report', 'file-chart-column'),
  kind('user', 'user'),
  kind('user_group', 'users'),
] as const

export const KINDS: ReadonlyMap<string, Kind> = new Map(ALL.map((each) => [each.entity_type, each]))
export const ENTITY_TYPES: readonly string[] = [...KINDS.keys()]
/** Entity types whose children are published with them. */
export const PUBLISHING: readonly string[] = ALL.filter(({ publishes }) => publishes).map(({ entity_type }) => entity_type)
export const CONTAINERS: readonly string[] = ALL.filter(({ container }) => container).map(({ entity_type }) => entity_type)
/** Used if no entity type is provided. */
export const DEFAULT_ENTITY_TYPE = 'table'

export const kindOf = (entity_type: string): Kind => {
  const found = KINDS.get(entity_type)
  if (!found) throw new Error(`unknown entity type ${entity_type}`)
  return found
}
