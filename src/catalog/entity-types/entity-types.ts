import type { Permission } from '../../platform/permissions/permissions.ts'

/** The entity types of resources. Differences between them are declared here as data; the code is the same for all. */
export interface EntityTypeConfig {
  readonly entity_type: string
  /** Noun of its activity types, e.g. `resource_created`, `document_created`. */
  readonly noun: string
  readonly icon: string
  /** Permission required to write one. A caller with this permission but without `catalog.write` can only edit what they created. */
  readonly permission: Permission
  /** Children of this type are published and unpublished with it. */
  readonly publishes_children?: string
  /** Published with the first published resource in it. Not for documents: publishing a page must not publish the draft above it. */
  readonly container?: true
  /** The field in which members reference it. Deleting it removes these references; the members stay. */
  readonly members_field?: 'collections' | 'terms'
  /** Initial values of type-specific fields. */
  readonly initial_fields?: Readonly<Record<string, unknown>>
}

const defineEntityType = (entity_type: string, icon: string, more: Partial<EntityTypeConfig> = {}): EntityTypeConfig => ({
  entity_type,
  noun: 'resource',
  icon,
  permission: 'catalog.write',
  ...more,
})

const ALL_CONFIGS = [
  defineEntityType('table', 'table', { publishes_children: 'column', container: true }),
  defineEntityType('column', 'columns', { publishes_children: 'column', container: true }),
  defineEntityType('schema', 'folder', { container: true }),
  defineEntityType('database', 'database', { container: true }),
  defineEntityType('cluster', 'server', { container: true }),
  defineEntityType('dashboard', 'layout-dashboard', { container: true }),
  defineEntityType('dashboard_group', 'folder', { container: true }),
  defineEntityType('chart', 'chart-line'),
  defineEntityType('job', 'workflow', { publishes_children: 'run', container: true }),
  defineEntityType('job_group', 'folder', { container: true }),
  defineEntityType('run', 'play'),
  defineEntityType('query', 'file-code'),
  defineEntityType('test_suite', 'list-checks', { container: true }),
  defineEntityType('test', 'circle-check', { container: true }),
  defineEntityType('test_run', 'play'),
  defineEntityType('document', 'file-text', { noun: 'document' }),
  defineEntityType('glossary', 'book-open', { members_field: 'terms' }),
  defineEntityType('collection', 'library', { members_field: 'collections' }),
  defineEntityType('question', 'circle-help', { permission: 'questions.ask', initial_fields: { question_status: 'open' } }),
  defineEntityType('question_reply', 'message-circle', { permission: 'questions.ask' }),
  defineEntityType('event', 'zap', { container: true }),
  defineEntityType('event_property', 'tag'),
  defineEntityType('category', 'folder', { container: true }),
  defineEntityType('announcement', 'megaphone'),
  defineEntityType('task', 'square-check'),
  defineEntityType('report', 'file-chart-column'),
  defineEntityType('user', 'user'),
  defineEntityType('user_group', 'users'),
] as const

export const ENTITY_TYPE_CONFIGS: ReadonlyMap<string, EntityTypeConfig> = new Map(ALL_CONFIGS.map((each) => [each.entity_type, each]))
export const ENTITY_TYPES: readonly string[] = [...ENTITY_TYPE_CONFIGS.keys()]
/** Entity types whose children are published with them. */
export const PUBLISHING_ENTITY_TYPES: readonly string[] = ALL_CONFIGS.filter(({ publishes_children: publishes }) => publishes).map(
  ({ entity_type }) => entity_type,
)
export const CONTAINER_ENTITY_TYPES: readonly string[] = ALL_CONFIGS.filter(({ container }) => container).map(
  ({ entity_type }) => entity_type,
)
/** Used if no entity type is provided. */
export const DEFAULT_ENTITY_TYPE = 'table'

export const getEntityTypeConfig = (entity_type: string): EntityTypeConfig => {
  const found = ENTITY_TYPE_CONFIGS.get(entity_type)
  if (!found) throw new Error(`unknown entity type ${entity_type}`)
  return found
}
