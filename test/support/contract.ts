import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { TestResponse } from './test-app.ts'

/** Whether the route is an event stream that never ends; tests that call every route skip it. */
export const isEndless = ({ url, schema }: RouteOptions): boolean => {
  const { 200: response } = (schema?.response ?? {}) as { 200?: { content?: object } }
  return 'text/event-stream' in (response?.content ?? {}) && !url.includes(':')
}

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: string[]
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[]
  readonly responses: Record<string, { content?: Record<string, { schema: object }>; headers?: Record<string, object> }>
}
export interface Document {
  readonly openapi: string
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, object> }
}

export const loadOpenApi = async (app: FastifyInstance): Promise<Document> => {
  await app.ready()
  return app.swagger() as unknown as Document
}

const DOCUMENT = 'https://tablinum.invalid/openapi.json'
const toPointerPart = (key: string | number): string => encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'))

/** What is wrong with a response, if anything. */
export type Contract = (method: string, url: string, response: TestResponse) => string | undefined

/** Checks responses against the OpenAPI document. Most tests run each check once: `optimize` is for those that repeat them. */
export const loadContract = (document: Document, { optimize = false } = {}): Contract => {
  const ajv = new Ajv({ strict: false, allErrors: true, code: { optimize } })
  const add = (addFormats as unknown as { default?: (ajv: Ajv) => void }).default ?? (addFormats as unknown as (ajv: Ajv) => void)
  add(ajv)
  // The whole document is added as one schema, so that its references resolve.
  ajv.addSchema({ ...document, $id: DOCUMENT })
  const checks = new Map<string, ReturnType<typeof ajv.getSchema>>() // by schema: most operations share those of their errors
  const keys = new WeakMap<object, string>() // the text of a schema takes longer than most checks
  return (method, url, { status, body }) => {
    const path = url.replace(/:(\w+)/g, '{$1}')
    const response = document.paths[path]?.[method.toLowerCase()]?.responses[status]
    if (!response) return `${method} ${url} responds with ${status}, which is not documented`
    const schema = response.content?.['application/json']?.schema
    if (!schema || body === undefined) return undefined
    const schemaPath = ['paths', path, method.toLowerCase(), 'responses', status, 'content', 'application/json', 'schema']
    const key = keys.get(schema) ?? JSON.stringify(schema)
    keys.set(schema, key)
    const check = checks.get(key) ?? ajv.getSchema(`${DOCUMENT}#/${schemaPath.map(toPointerPart).join('/')}`)
    checks.set(key, check)
    if (!check) return `${method} ${url} ${status} cannot be checked`
    return check(body) ? undefined : `${method} ${url} ${status}: ${ajv.errorsText(check.errors)}`
  }
}
