/**
 * The headers of requests and responses in the OpenAPI document. They follow from what an operation is: whoever reads 412 may send `If-Match`,
 * a POST may carry an `Idempotency-Key`, a record with a version has an `ETag`.
 */
export const withHeaders = <T extends object>(document: T): T => {
  const { components = {}, paths = {} } = document as Document
  return {
    ...document,
    components: { ...components, parameters: PARAMETERS, headers: HEADERS },
    paths: mapValues(paths, (operations) => mapValues(operations, (operation, method) => described(operation, method))),
  }
}

interface Document {
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

const described = (operation: Operation, method: string): Operation => {
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

/** As `hasEtag` decides it for what is sent. */
const hasVersion = ({ content }: Response): boolean => {
  const fields = content?.['application/json']?.schema?.properties ?? {}
  return 'id' in fields && ('version' in fields || 'updated_at' in fields)
}

const text = (pattern?: string) => ({ type: 'string', ...(pattern && { pattern }) })

const PARAMETERS = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    schema: text(),
    description: 'The `ETag` of the record as it was read. If the record has changed since, the answer is 412 and nothing is written.',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { ...text(), maxLength: 255 },
    description:
      'A value of your choice. A request that is sent again with the same key within 24 hours is answered as the first was, and written once.',
  },
}

const HEADERS = {
  ETag: { schema: text(), description: 'The version of the record, for `If-Match`.' },
  Warning: {
    schema: text(),
    description:
      'Fields and parameters that were ignored because they are unknown: `199 - "ignored fields: titel"`. On deprecated operations also what replaces them.',
  },
  'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'Seconds to wait before the next attempt.' },
  'RateLimit-Limit': { schema: { type: 'integer' }, description: 'Requests a minute for each token. Absent if there is no limit.' },
  'RateLimit-Remaining': { schema: { type: 'integer', minimum: 0 }, description: 'How many of them are left in this minute.' },
}

const mapValues = <T, U>(object: Readonly<Record<string, T>>, map: (value: T, key: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]))
