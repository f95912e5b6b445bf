import fc, { type Arbitrary } from 'fast-check'
import { FILES } from './fuzz-files.ts'
import {
  anyFilter,
  anySort,
  type ExistingValues,
  generateAllowed,
  generateField,
  generateSome,
  type Schema,
  wrongValue,
} from './fuzz-values.ts'

/** Requests to one operation of the document: valid ones, and ones made invalid in many ways. */
export interface Operation {
  readonly method: string
  /** As documented. */
  readonly path: string
  /** Without a token. */
  readonly open?: boolean
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Schema }[]
  readonly body?: { readonly type: string; readonly schema: Schema }
}

export interface FuzzRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
  /** How the request was made invalid; unset for valid ones. */
  readonly defect?: string
  /** It may no longer reach the operation. */
  readonly misrouted?: true
}

/** IDs that can be used for this path parameter. */
export type PathIds = (name: string) => readonly string[]

interface Parts {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

const generateParts = ({ parameters, body }: Operation, existing: ExistingValues, inPath: PathIds): Arbitrary<Parts> => {
  const path = parameters.filter((each) => each.in === 'path')
  const query = parameters.filter((each) => each.in === 'query')
  const required = query.filter((each) => each.required).map(({ name }) => name)
  return fc.record({
    path: fc.record(
      Object.fromEntries(
        path.map(({ name, schema }) => [name, generateField(name, schema, { ...existing, named: inPath, ids: inPath(name) }).map(String)]),
      ),
    ),
    query: generateSome(Object.fromEntries(query.map(({ name, schema }) => [name, schema])), required, existing),
    body: !body ? fc.constant(undefined) : FILES[body.type] ? fc.constant(FILES[body.type]) : generateAllowed(body.schema, existing),
  })
}

const urlOf = (path: string, parts: Pick<Parts, 'path' | 'query'>): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(parts.path[name]!) || '_')
  const query = Object.entries(parts.query).map(([name, value]) => `${name}=${encoded(String(value))}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const requestOf = ({ path, body }: Operation, parts: Parts): FuzzRequest => ({
  url: urlOf(path, parts),
  headers: body ? { 'content-type': body.type } : {},
  ...(body ? { payload: typeof parts.body === 'string' || Buffer.isBuffer(parts.body) ? parts.body : JSON.stringify(parts.body) } : {}),
})

export const validRequest = (operation: Operation, existing: ExistingValues, ids: PathIds): Arbitrary<FuzzRequest> =>
  generateParts(operation, existing, ids).map((parts) => requestOf(operation, parts))

export const invalidRequest = (operation: Operation, existing: ExistingValues, ids: PathIds): Arbitrary<FuzzRequest> => {
  const parts = generateParts(operation, existing, ids)
  const spoilers: Arbitrary<FuzzRequest>[] = [...invalidAddresses(operation, parts), ...invalidHeaders(operation, parts)]
  if (operation.parameters.some((each) => each.in === 'query')) spoilers.push(...invalidQueries(operation, parts))
  if (operation.body) spoilers.push(...invalidBodies(operation, parts), ...(FILES[operation.body.type] ? [] : fields(operation, parts)))
  return fc.oneof(...spoilers)
}

const INVALID_SEGMENTS = [
  'not-a-uuid',
  '%00',
  '%ff',
  '%E0%A4%A',
  '%',
  '..%2f..',
  'x'.repeat(600),
  '%F0%9F%98%80',
  '%2e%2e',
  '__proto__',
  'null',
  '1e9',
  '-1',
  '٣',
  '%0d%0aX: y',
]
const invalidAddresses = (operation: Operation, parts: Arbitrary<Parts>): Arbitrary<FuzzRequest>[] => {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const invalidSegment = fc.tuple(parts, fc.constantFrom(...INVALID_SEGMENTS), fc.nat(3)).map(([each, segment, which]) => {
    const name = names[which % names.length]
    const path = name === undefined ? `${operation.path}/${segment}` : operation.path.replace(`{${name}}`, segment)
    return { ...requestOf({ ...operation, path }, each), defect: 'address', misrouted: true as const }
  })
  // An unknown ID: passes all input validation and is rejected by the service function.
  const unknownId = fc.tuple(parts, fc.uuid(), fc.nat(3)).map(([each, id, which]) => {
    const path = { ...each.path, [names[which % names.length] ?? '']: id }
    return { ...requestOf(operation, { ...each, path }), defect: 'nobody' }
  })
  return names.length === 0 ? [invalidSegment] : [invalidSegment, unknownId, unknownId]
}

const ODD_HEADERS: readonly Record<string, string>[] = [
  ...['"0"', '"999"', '*', 'W/"1"', 'x', '""', '","', '"1", "2"', 'é', '"'.repeat(3000)].map((value) => ({ 'if-match': value })),
  ...['', ' ', 'a'.repeat(5000), '\u00ff', '"a"', 'same'].map((value) => ({ 'idempotency-key': value })),
  ...[{ accept: 'text/html' }, { 'accept-encoding': 'br;q=x' }, { range: 'bytes=0-0' }, { 'x-forwarded-host': 'a b' }, { host: 'a"b<>' }],
  ...[{ 'if-none-match': '"0"' }, { 'x-http-method-override': 'DELETE' }, { 'content-length': '0' }, { expect: '100-continue' }],
]
const invalidHeaders = (operation: Operation, parts: Arbitrary<Parts>): Arbitrary<FuzzRequest>[] => [
  fc.tuple(parts, fc.constantFrom(...ODD_HEADERS)).map(([each, odd]) => {
    const request = requestOf(operation, each)
    return { ...request, headers: { ...request.headers, ...odd }, defect: 'header' }
  }),
]

const ODD_QUERIES = [
  '%00',
  '%',
  '%ff',
  '%ED%A0%80',
  '',
  'null',
  '-1',
  '0',
  '1.5',
  '1e3',
  '99999999999999999999',
  'NaN',
  '[object%20Object]',
  '{}',
  '[]',
  '%7B%7D',
]
const ODD_FILTERS = [
  '{"operator":"exact"}',
  '{"operator":"and"}',
  '{"operator":"or","operands":{}}',
  '{"operator":"in","field":"id","value":"x"}',
  '[]',
  '"x"',
  '{',
].map(encoded)
const ODD_FIELDS = [
  '{"field":"__proto__","order":"asc"}',
  '{"field":"toString","order":1}',
  '{"operator":"gt","field":"created_at","value":"2026-02-30"}',
].map(encoded)
const invalidQueries = (operation: Operation, parts: Arbitrary<Parts>): Arbitrary<FuzzRequest>[] => {
  const names = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  const withMore = (each: Parts, more: string): FuzzRequest => {
    const request = requestOf(operation, each)
    return { ...request, url: `${request.url}${request.url.includes('?') ? '&' : '?'}${more}`, defect: 'query' }
  }
  const name = fc.constantFrom(...names)
  const json = (name: string, values: Arbitrary<unknown>) =>
    names.includes(name)
      ? [fc.tuple(parts, values).map(([each, value]) => withMore({ ...each, query: {} }, `${name}=${encoded(JSON.stringify(value))}`))]
      : []
  return [
    ...json('filter', anyFilter),
    ...json('sort', anySort),
    fc
      .tuple(
        parts,
        name,
        fc.oneof(
          fc.constantFrom(...ODD_QUERIES, ...ODD_FILTERS, ...ODD_FIELDS),
          wrongValue.map((each) => encoded(typeof each === 'string' ? each : (JSON.stringify(each) ?? '')).slice(0, 9000)),
        ),
      )
      .map(([{ query, ...each }, name, value]) => {
        const { [name]: _, ...others } = query
        return withMore({ ...each, query: others }, `${name}=${value}`)
      }),
    fc.tuple(parts, name).map(([each, name]) => withMore(each, `${name}=1&${name}=2&${name}[]=3&${name}[a]=4`)),
    fc.tuple(parts, name).map(([each, name]) => withMore(each, `${name}=${'9'.repeat(20_000)}`)),
    parts.map((each) => withMore(each, '&&=&=x&__proto__=1&constructor[prototype]=x&%00=1&unknown=%F0%9F%98%80')),
  ]
}

const TYPES = [
  'text/plain',
  'application/xml',
  '',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'x',
  'application/json, text/csv',
  'text/csv',
  'application/x-ndjson',
]
const WHOLE: readonly (string | Buffer)[] = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '"x"',
    '[]',
    '{}',
    '[[]]',
    '{',
    '{"a":',
    '{"a":1}}',
    "{'a':1}",
    'NaN',
    '1e999',
    '{"a":1e400}',
    '\ufeff{}',
    '//',
  ],
  ...[
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '[{"__proto__":1}]',
    '{"\\u0000":1}',
    '{"a":"\\ud800"}',
    '{"\\udc00":1}',
  ],
  ...[
    '['.repeat(5000),
    '{"a":'.repeat(5000),
    `${'['.repeat(64)}${']'.repeat(64)}`,
    `{"a":${'['.repeat(70)}${']'.repeat(70)}}`,
    '"'.repeat(100),
  ],
  ...[
    Buffer.from('{"title":"é"}', 'latin1'),
    Buffer.from('{"title":"a"}', 'utf16le'),
    Buffer.from([0x1f, 0x8b, 0x08, 0]),
    Buffer.from([0x7b, 0, 0x7d]),
  ],
]
const invalidBodies = (operation: Operation, parts: Arbitrary<Parts>): Arbitrary<FuzzRequest>[] => [
  fc.tuple(parts, fc.constantFrom(...WHOLE)).map(([each, payload]) => ({ ...requestOf(operation, each), payload, defect: 'body' })),
  fc.tuple(parts, fc.constantFrom(...TYPES)).map(([each, type]) => ({
    ...requestOf(operation, each),
    headers: (type ? { 'content-type': type } : {}) as Record<string, string>,
    defect: 'type',
  })),
  parts.map((each) => ({
    ...requestOf(operation, each),
    headers: { 'content-type': operation.body!.type, 'content-encoding': 'gzip' },
    defect: 'encoding',
  })),
  fc.tuple(parts, fc.nat(200)).map(([each, n]) => {
    const request = requestOf(operation, each)
    const payload = request.payload ?? ''
    return { ...request, payload: Buffer.isBuffer(payload) ? payload.subarray(0, -1 - n) : payload.slice(0, -1 - n), defect: 'cut' }
  }),
]

/** A valid JSON body with one invalid part. */
const fields = (operation: Operation, parts: Arbitrary<Parts>): Arbitrary<FuzzRequest>[] => {
  const spoil = (change: (body: Record<string, unknown>, name: string, value: unknown) => unknown) =>
    fc.tuple(parts, fc.nat(50), wrongValue).map(([each, which, value]) => {
      const target = innermost(each.body)
      const names = Object.keys(target)
      const changed = change(target, names[which % names.length] ?? 'title', value)
      return { ...requestOf(operation, { ...each, body: changed === target ? each.body : changed }), defect: 'field' }
    })
  return [
    spoil((body, name, value) => Object.assign(body, { [name]: value })),
    spoil((body, name, value) => Object.assign(body, { [name]: value })),
    spoil((body, name, value) => Object.assign(body, { [name]: [value, value] })),
    spoil((body, name) => {
      delete body[name]
      return body
    }),
    spoil((body, name, value) => Object.assign(body, { [`${name}\0`]: value, constructor: value, id: value, version: value, xmin: 1 })),
    fc.tuple(parts, fc.nat(50)).map(([each, which]) => {
      const request = requestOf(operation, each)
      const names = Object.keys(innermost(each.body))
      const name = JSON.stringify(names[which % names.length] ?? 'title')
      return { ...request, payload: String(request.payload).replace('{', `{${name}:7,${name}:null,${name}:"twice",`), defect: 'twice' }
    }),
  ]
}

/** The object to look for fields in: the body itself or one of its items. */
const innermost = (body: unknown): Record<string, unknown> => {
  if (Array.isArray(body)) return body.length > 0 ? innermost(body[body.length - 1]) : {}
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}
