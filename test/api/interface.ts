import { expect } from 'vitest'
import type { TestApp, TestResponse } from '../support/test-app.ts'

/** The tables of the interface document: every field of a record with its type. `?` marks fields that may be unset. */
export type RecordFields = Readonly<Record<string, FieldType>>
type FieldType = keyof typeof CHECKS | `${keyof typeof CHECKS}?`

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const isText = (value: unknown): value is string => typeof value === 'string'
const CHECKS = {
  id: (value: unknown) => isText(value) && ID.test(value),
  ids: (value: unknown) => Array.isArray(value) && value.every(CHECKS.id),
  timestamp: (value: unknown) => isText(value) && TIMESTAMP.test(value),
  string: isText,
  strings: (value: unknown) => Array.isArray(value) && value.every(isText),
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value: unknown) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
} as const

export const RESOURCE: RecordFields = {
  ...{ id: 'id', created_at: 'timestamp', updated_at: 'timestamp', entity_type: 'string', native_type: 'string?', icon: 'string' },
  ...{ title: 'string', title_full: 'string', title_cased: 'string', description: 'string?', definition: 'string?' },
  ...{ definition_version: 'integer', multiplayers: 'array', multiplayer_last_modified_by: 'id?', multiplayer_last_modified: 'timestamp?' },
  ...{ owners: 'ids', owners_groups: 'ids', collections: 'ids', tags: 'ids', workspace_id: 'id', total_usage: 'integer' },
  ...{ published: 'boolean', archived: 'boolean', archived_at: 'timestamp?', pii: 'boolean', verified: 'boolean', url: 'string?' },
  ...{ parent: 'id?', children_count: 'integer', bookmarked_by: 'ids', integration: 'id?', external_updated_at: 'timestamp?' },
  ...{ internal_usage: 'integer', external_usage: 'integer', internal_users: 'array', external_users: 'array', databuilder_id: 'string?' },
  ...{ search_metadata: 'object', sources: 'strings', subscribers: 'ids', teams: 'ids', stale: 'boolean', stale_at: 'timestamp?' },
  ...{ forced_unstale_by_user: 'boolean', current_user_permissions: 'object', row_count: 'integer?', byte_size: 'integer?' },
  ...{ display_metadata: 'object', question_status: 'string?', question_priority: 'string?' },
  ...{ question_answered_by: 'string?', question_assigned_to: 'string?' },
}
export const DOCUMENT: RecordFields = { ...RESOURCE, parent_id: 'id?', base_entity_id: 'id?' }
export const QUERY: RecordFields = { ...RESOURCE, type: 'string?', freq: 'integer' }
export const LINEAGE: RecordFields = {
  ...{ id: 'id', created_at: 'timestamp', updated_at: 'timestamp', from_entity: 'id', to_entity: 'id' },
  ...{ direction: 'string', is_manual: 'boolean' },
}
export const PROPERTY: RecordFields = { id: 'id', name: 'string', entity_types: 'strings', value_type: 'string' }
export const LOG_ENTRY: RecordFields = {
  ...{ id: 'id', parent_id: 'id?', activity_type: 'string', performer_id: 'id?', performer_type: 'string', performer_metadata: 'object' },
  ...{ resource_id: 'id?', resource_type: 'string?', resource_metadata: 'object', related_resource_ids: 'ids' },
  ...{ related_resource_type: 'string?', event_blocks: 'array', logged_at: 'timestamp', created_at: 'timestamp', updated_at: 'timestamp' },
  ...{ is_legacy: 'boolean', version_history_id: 'id?', secoda_entity_type: 'string?' },
}
const DESCRIPTOR: RecordFields = {
  ...{ id: 'id?', created_at: 'timestamp?', updated_at: 'timestamp?', title: 'string', schema_name: 'string?', database_name: 'string?' },
  ...{ native_type: 'string?', integration_id: 'id?', integration_title: 'string?', integration_type: 'string?' },
}
export const TABLE_DESCRIPTOR = DESCRIPTOR
export const COLUMN_DESCRIPTOR: RecordFields = { ...DESCRIPTOR, entity_type: 'string', type: 'string?' }

export const MONITOR: RecordFields = {
  ...{ id: 'id', created_at: 'timestamp', updated_at: 'timestamp', integration: 'id?', target: 'id', workspace: 'id' },
  ...{ metric_type: 'string', metric_config: 'object', frequency: 'integer', name: 'string', is_enabled: 'boolean' },
  ...{ last_attempted_at: 'timestamp?', last_success_at: 'timestamp?', last_error_at: 'timestamp?', last_error_message: 'string?' },
  ...{ condition_auto_sensitivity: 'integer?', condition_manual_min: 'number?', condition_manual_max: 'number?', status: 'string' },
  ...{
    display_metadata: 'object',
    last_measurement_value: 'number?',
    last_incident: 'id?',
    last_measurement: 'id?',
    next_run_at: 'timestamp?',
  },
}
export const INCIDENT: RecordFields = {
  ...{ id: 'id', created_at: 'timestamp', updated_at: 'timestamp', monitor: 'id', target: 'id', name: 'string', summary: 'string' },
  ...{ status: 'string', value: 'number', first_seen_at: 'timestamp', last_seen_at: 'timestamp', last_notified_at: 'timestamp?' },
  ...{ acknowledged_at: 'timestamp?', resolved_at: 'timestamp?', actions: 'array', display_metadata: 'object' },
}
export const MEASUREMENT: RecordFields = {
  ...{ id: 'id', created_at: 'timestamp', updated_at: 'timestamp', incident: 'id?', incident_metadata: 'object?', monitor: 'id' },
  ...{ upper_threshold: 'number?', lower_threshold: 'number?', value: 'number' },
}
export const JOB: RecordFields = {
  ...{ id: 'id', user: 'string?', failed: 'boolean', started: 'timestamp', completed: 'timestamp?', logs: 'string', title: 'string' },
  ...{ has_artifact: 'boolean' },
}

/** Every field of the table exists and has its type. */
export const expectFields = (record: Record<string, unknown>, fields: RecordFields): void => {
  const wrong = Object.entries(fields).flatMap(([name, type]) => {
    if (!Object.hasOwn(record, name)) return [`${name} is missing`]
    const value = record[name]
    const optional = type.endsWith('?')
    const ok = (optional && value === null) || CHECKS[type.replace('?', '') as keyof typeof CHECKS](value)
    return ok ? [] : [`${name} is ${JSON.stringify(value)}, which is no ${type}`]
  })
  expect(wrong).toEqual([])
}

/** The paginated list envelope with records of these fields. */
export const expectPage = ({ status, body }: TestResponse, fields: RecordFields): void => {
  expect(status).toBe(200)
  expect(body).toMatchObject({
    links: { next: expect.toSatisfy(isLink), previous: expect.toSatisfy(isLink) },
    meta: {
      page: expect.toSatisfy(Number.isInteger),
      previous_page: expect.toSatisfy(isPreviousPage),
      next_page: expect.toSatisfy(isNextPage),
    },
    count: expect.toSatisfy(Number.isInteger),
    total_pages: expect.toSatisfy(Number.isInteger),
  })
  expect(body.results.length).toBeGreaterThan(0)
  for (const record of body.results) expectFields(record, fields)
}
const isLink = (value: unknown) => value === null || (isText(value) && URL.canParse(value))
const isPreviousPage = (value: unknown) => value === 'None' || Number.isInteger(value)
const isNextPage = (value: unknown) => value === null || Number.isInteger(value)

/** An error response in the common format. */
export const expectError = ({ status, body, headers }: TestResponse, expectedStatus: number, code: string): void => {
  expect({ status, ...body }).toMatchObject({
    status: expectedStatus,
    code,
    detail: expect.any(String),
    request_id: headers['x-request-id'],
  })
}

/** The parameter as the document requires it: JSON, URL-encoded. */
export const toJsonParam = (value: unknown): string => encodeURIComponent(JSON.stringify(value))

export const getIds = ({ body }: TestResponse): string[] => body.results.map(({ id }: { id: string }) => id)

/** A record created over the API. */
export const expectCreated = async (
  app: TestApp,
  path: string,
  body: object,
  status = 201,
): Promise<Record<string, unknown> & { id: string }> => {
  const response = await app.call('POST', path, { body })
  expect([path, response.status, response.body?.detail]).toEqual([path, status, undefined])
  return response.body
}
