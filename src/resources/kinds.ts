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
  kind('table', 'table', { publishes: 'column' }),
  kind('column', 'columns', { publishes: 'column' }),
  kind('schema', 'folder'),
  kind('database', 'database'),
  kind('cluster', 'server'),
  kind('dashboard', 'layout-dashboard'),
  kind('dashboard_group', 'folder'),
  kind('chart', 'chart-line'),
  kind('job', 'workflow'),
  kind('job_group', 'folder'),
  kind('run', 'play'),
  kind('query', 'file-code'),
  kind('test_suite', 'list-checks'),
  kind('test', 'circle-check'),
  kind('test_run', 'play'),
  kind('document', 'file-text', { noun: 'document' }),
  kind('glossary', 'book-open'),
  kind('collection', 'library', { members: 'collections' }),
  kind('question', 'circle-help', { permission: 'questions.ask', starts: { question_status: 'open' } }),
  kind('question_reply', 'message-circle', { permission: 'questions.ask' }),
  kind('event', 'zap'),
  kind('event_property', 'tag'),
  kind('category', 'folder'),
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
/** What a resource is when its maker does not say. */
export const DEFAULT_ENTITY_TYPE = 'table'

export const kindOf = (entity_type: string): Kind => {
  const found = KINDS.get(entity_type)
  if (!found) throw new Error(`unknown entity type ${entity_type}`)
  return found
}
