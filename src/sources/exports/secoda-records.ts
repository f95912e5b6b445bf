import { type Json, toRecords, toText } from './event-writer.ts'

/** Records of Secoda's API. Pure. */

/** Fields that are converted, or that only matter to Secoda itself. */
export const READ_FIELDS = new Set([
  ...[
    'id',
    'title',
    'title_full',
    'title_cased',
    'entity_type',
    'native_type',
    'description',
    'definition',
    'parent',
    'parent_id',
    'integration',
  ],
  ...[
    'integration_id',
    'integration_type',
    'owners',
    'owners_groups',
    'tags',
    'collections',
    'url',
    'sort_order',
    'is_pk',
    'row_count',
    'byte_size',
  ],
  ...[
    'created_at',
    'updated_at',
    'workspace_id',
    'icon',
    'children_count',
    'search_metadata',
    'current_user_permissions',
    'schema',
    'database',
  ],
  ...[
    'cluster',
    'databuilder_id',
    'external_usage',
    'external_updated_at',
    'published',
    'definition_version',
    'display_metadata',
    'stale',
    'archived',
    'custom_properties',
    'properties',
  ],
])

export const CONTAINER_TYPES: ReadonlyMap<string, string> = new Map([
  ['database', 'Database'],
  ['cluster', 'Cluster'],
  ['schema', 'Schema'],
  ['dashboard_group', 'Folder'],
])

export const isColumn = (record: Json): boolean => record.entity_type === 'column' || record.entity_type === 'event_property'

/** Types whose upstreams events express. */
export const HAS_INPUTS: ReadonlySet<string> = new Set(['table', 'event', 'chart', 'dashboard', 'job'])

const CONTAINERS = new Set(['database', 'schema', 'cluster', 'dashboard_group'])

/** Whether events say that one is in the other. */
export const isPlaced = (entity_type: string, parent_type: string): boolean =>
  (CONTAINERS.has(parent_type) && !['query', 'collection', 'glossary'].includes(entity_type)) ||
  ['chart dashboard', 'job job_group', 'glossary glossary', 'document document', 'question document'].includes(
    `${entity_type} ${parent_type}`,
  )

export const nameOf = (record: Json): string => toText(record.title_full) ?? toText(record.title) ?? String(record.id)

/** IDs, or objects with one. */
export const toIds = (value: unknown): string[] =>
  Array.isArray(value)
    ? [...value.filter((each) => typeof each === 'string'), ...toRecords(value).flatMap(({ id }) => toText(id) ?? [])]
    : []
