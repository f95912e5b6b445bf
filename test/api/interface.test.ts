import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Document, loadOpenApi } from '../support/contract.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/**
 * Every endpoint of the interface document, with the query parameters, body fields and statuses it
 * defines. Their behaviour is tested in the other `interface-*.test.ts`.
 */
let app: TestApp
let document: Document
beforeAll(async () => {
  app = await createTestApp()
  document = await loadOpenApi(app.fastify)
})
afterAll(() => app[Symbol.asyncDispose]())

const EDIT = 'description definition pii verified published teams owners collections tags subscribers'
const CREATE = `title integration entity_type parent owners_groups ${EDIT}`
const FROM_QUERY = 'sql dialect table_id default_database default_schema'

/** method, path, statuses, query parameters, body fields */
const ENDPOINTS: readonly (readonly [method: string, path: string, statuses: string, query?: string, body?: string])[] = [
  ['get', '/resource/catalog', '200 400 500', 'page teams filter sort'],
  ['post', '/resource/catalog', '201 400 500', '', CREATE],
  ['get', '/resource/all/{resource_id}', '200 404 500'],
  ['delete', '/resource/all/{resource_id}', '204 404 500'],
  ['patch', '/resource/all/{resource_id}', '200 400 404 500', '', EDIT],
  ['post', '/resource/all/bulk_update/', '200 403 404 500', '', 'id data'],
  ['get', '/document', '200', 'title'],
  ['post', '/document', '201', '', `${CREATE} icon`],
  ['get', '/document/{document_id}', '200'],
  ['delete', '/document/{document_id}', '204'],
  ['patch', '/document/{document_id}', '200', '', EDIT],
  ['get', '/resource/all_v2/custom_properties/', '200'],
  ['post', '/resource/all_v2/custom_properties/', '200', '', 'name value_type entity_types'],
  ['get', '/resource/all_v2/custom_properties/{custom_property_id}', '200'],
  ['put', '/resource/all_v2/custom_properties/{custom_property_id}', '200', '', 'name value_type entity_types'],
  ['delete', '/resource/all_v2/custom_properties/{custom_property_id}', '204'],
  ['put', '/resource/all_v2/custom_properties/{custom_property_id}/{entity_id}', '200', '', 'value'],
  ['put', '/resource/all_v2/bulk_update/custom_properties/', '200', '', 'entity_ids properties'],
  ['get', '/lineage/manual', '200 400 500', 'from_entity to_entity'],
  ['post', '/lineage/manual', '201 400 500', '', 'from_entity to_entity direction'],
  ['get', '/lineage/manual/{lineage_id}', '200 404 500'],
  ['delete', '/lineage/manual/{lineage_id}', '204 404 500'],
  ['get', '/lineage/lineage_from_query', '200 400 404 500', FROM_QUERY],
  ['post', '/lineage/lineage_from_query', '200 400 404 500', '', FROM_QUERY],
  ['patch', '/lineage/lineage_from_query', '200 400 404 500', '', FROM_QUERY],
  ['get', '/activity_log/audit_logs/', '200 401 403 500', 'filter sort page'],
  ['get', '/activity_log/resource_logs/', '200 401 403 500', 'resource_id page'],
  ['get', '/database/databases', '200 400 500', 'integration_id title'],
  ['post', '/database/databases', '201 400 500', '', CREATE],
  ['get', '/database/databases/{database_id}', '200 404 500'],
  ['patch', '/database/databases/{database_id}', '200 400 404 500', '', EDIT],
  ['get', '/database/schemas', '200 400 500', 'integration_id parent_id title'],
  ['post', '/database/schemas', '201 400 500', '', `${CREATE} native_type database`],
  ['get', '/database/schemas/{schema_id}', '200 404 500'],
  ['patch', '/database/schemas/{schema_id}', '200 400 404 500', '', EDIT],
  ['get', '/query/queries', '200 400 500'],
  ['get', '/query/queries/{query_id}', '200 404 500'],
  ['get', '/event/category', '200', 'title'],
  ['post', '/event/category', '201', '', 'title integration teams'],
  ['get', '/event/category/{event_category_id}', '200'],
  ['get', '/event/events', '200', 'integration_id parent_id title'],
  ['post', '/event/events', '201', '', CREATE],
  ['get', '/event/events/{event_id}', '200'],
  ['delete', '/event/events/{event_id}', '200'],
  ['patch', '/event/events/{event_id}', '200', '', EDIT],
]

const DEPRECATED = ['/database/databases', '/database/schemas', '/query/queries', '/event/events'] // their lists, and reading one record

const splitWords = (text = ''): string[] => text.split(' ').filter(Boolean)

interface Schema {
  readonly $ref?: string
  readonly items?: Schema
  readonly properties?: object
}
const findFields = (schema: Schema = {}): string[] => {
  const named = schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1)!] as Schema) : schema
  return named.items ? findFields(named.items) : Object.keys(named.properties ?? {})
}

for (const [method, path, statuses, query, body] of ENDPOINTS)
  test(`${method.toUpperCase()} ${path}`, () => {
    const operation = document.paths[`/api/v1${path}`]?.[method] as unknown as {
      responses: object
      deprecated?: boolean
      parameters?: { name: string; in: string }[]
      requestBody?: { content: Record<string, { schema: Schema }> }
    }
    expect(operation, 'is served').toBeDefined()
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(splitWords(statuses)))
    const parameters = (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name)
    expect(parameters).toEqual(expect.arrayContaining(splitWords(query)))
    expect(findFields(operation.requestBody?.content['application/json']?.schema)).toEqual(expect.arrayContaining(splitWords(body)))
    expect(operation.deprecated === true).toBe(method === 'get' && DEPRECATED.includes(path.replace(/\/\{.*/, '')))
  })
