import type { Permission } from '../access/permissions.ts'

/** The entity types a resource can have. What differs between them is said here, as data; the rules are the same for all. */
export interface Kind {
  readonly entity_type: string
  /** The noun of its activities: `resource_created`, `document_created`. */
  readonly noun: string
  readonly icon: string
  /** What it takes to write one. Whoever has it without `catalog.write` writes their own only. */
  readonly permission: Permission
  /** Children that are published and hidden together with it. */
  readonly publishes?: string
  /** Published along with the first published resource in it. Documents are not: a draft does not go public with a page below it. */
  readonly container?: true
  /** The field by which others belong to it: when it goes, they stay, and no longer name it. */
  readonly members?: 'collections'
  /** The own fields of a new one. */
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
/** Those whose children are published with them. */
export const PUBLISHING: readonly string[] = ALL.filter(({ publishes }) => publishes).map(({ entity_type }) => entity_type)
export const CONTAINERS: readonly string[] = ALL.filter(({ container }) => container).map(({ entity_type }) => entity_type)
/** What a resource is when its maker does not say. */
export const DEFAULT_ENTITY_TYPE = 'table'

export const kindOf = (entity_type: string): Kind => {
  const found = KINDS.get(entity_type)
  if (!found) throw new Error(`unknown entity type ${entity_type}`)
  return found
}
