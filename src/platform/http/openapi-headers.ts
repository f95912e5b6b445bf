/**
 * Adds the headers of requests and responses to the OpenAPI document. They follow from the operation: one with a 412 accepts `If-Match`,
 * a POST accepts an `Idempotency-Key`, a record with a version has an `ETag`.
 */
export const documentHeaders = <T extends object>(document: T): T => {
  const { components = {}, paths = {} } = document as OpenApiDocument
  return {
    ...document,
    components: { ...components, parameters: PARAMETERS, headers: HEADERS },
    paths: mapValues(paths, (operations) => mapValues(operations, (operation, method) => describeOperation(operation, method))),
  }
}

interface OpenApiDocument {
  readonly components?: object
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly parameters?: readonly { readonly in?: string; readonly $ref?: string }[]
  readonly requestBody?: object
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, Response>>
}

interface Response {
  readonly headers?: object
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly properties?: object } }>>
}

const describeOperation = (operation: Operation, method: string): Operation => {
  const sent = [...(method === 'post' ? ['IdempotencyKey'] : []), ...('412' in operation.responses ? ['IfMatch'] : [])].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }))
  const takesInput = operation.requestBody !== undefined || (operation.parameters ?? []).some((each) => each.in === 'query')
  const limited = operation.security?.length !== 0
  return {
    ...operation,
    ...(sent.length > 0 && { parameters: [...(operation.parameters ?? []), ...sent] }),
    responses: mapValues(operation.responses, (response, status) => {
      const succeeds = status.startsWith('2')
      const names = [
        ...(succeeds && hasVersion(response) ? ['ETag'] : []),
        ...(succeeds && takesInput ? ['Warning'] : []),
        ...(status === '429' || status === '503' ? ['Retry-After'] : []),
        ...(limited ? ['RateLimit-Limit', 'RateLimit-Remaining'] : []),
      ]
      return { ...response, headers: { ...response.headers, ...Object.fromEntries(names.map((name) => [name, headerRef(name)])) } }
    }),
  }
}

const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` })

/** The same condition as `hasEtag`, for a schema. */
const hasVersion = ({ content }: Response): boolean => {
  const fields = content?.['application/json']?.schema?.properties ?? {}
  return 'id' in fields && ('version' in fields || 'updated_at' in fields)
}

const textSchema = (pattern?: string) => ({ type: 'string', ...(pattern && { pattern }) })

const PARAMETERS = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    schema: textSchema(),
    description: 'The `ETag` of the record you read. If the record has changed since, the response is 412 and nothing is written.',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { ...textSchema(), maxLength: 255 },
    description:
      'A value of your choice. A request repeated with the same key within 24 hours returns the first response and is executed only once.',
  },
}

const HEADERS = {
  ETag: { schema: textSchema(), description: 'The version of the record, for `If-Match`.' },
  Warning: {
    schema: textSchema(),
    description:
      'Unknown fields and parameters that were ignored: `199 - "ignored fields: titel"`. On deprecated operations also the replacement.',
  },
  'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'Seconds to wait before the next attempt.' },
  'RateLimit-Limit': { schema: { type: 'integer' }, description: 'Allowed requests per minute and token. Absent if there is no limit.' },
  'RateLimit-Remaining': { schema: { type: 'integer', minimum: 0 }, description: 'Requests left in this minute.' },
}

const mapValues = <T, U>(object: Readonly<Record<string, T>>, map: (value: T, key: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]))
