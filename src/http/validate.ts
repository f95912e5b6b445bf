import { Ajv, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid, notFound } from '../errors.ts'
import { readId } from '../id.ts'

/** Bodies are checked literally; query parameters are text by nature, and so are read as what the schema wants. */
const OPTIONS: Options = { allErrors: false, strict: false, useDefaults: true, validateFormats: true }

export const addValidation = (app: FastifyInstance): void => {
  const literal = withFormats(new Ajv({ ...OPTIONS, coerceTypes: false }))
  const coercing = withFormats(new Ajv({ ...OPTIONS, coerceTypes: true }))
  app.setValidatorCompiler(({ schema, httpPart }) => whenAsked(() => (httpPart === 'body' ? literal : coercing).compile(schema as object)))
  // What a rule answers is what is sent: a schema that forgets a field must not swallow it.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))

  app.addHook('preValidation', (request, _, done) => done(readPathIds(request) ?? readParameters(request)))
  app.addHook('preHandler', (request, reply, done) => {
    warnOfIgnored(reply, 'fields', ignoredFields(request))
    warnOfIgnored(reply, 'parameters', ignoredParameters(request))
    done()
  })
}

/** Compiled with the first request that needs it: all at once they are half of what a start takes. */
const whenAsked = (compile: () => ValidateFunction) => {
  let validate: ValidateFunction | undefined
  const check = (data: unknown): boolean => {
    validate ??= compile()
    const right = validate(data) as boolean
    check.errors = validate.errors
    return right
  }
  check.errors = undefined as ValidateFunction['errors']
  return check
}

const withFormats = (ajv: Ajv): Ajv => {
  // The package is CommonJS: its function sits under `default` for some loaders only.
  const add = (addFormats as unknown as { default?: (ajv: Ajv) => void }).default ?? (addFormats as unknown as (ajv: Ajv) => void)
  add(ajv)
  return ajv
}

/** A path ID that is no UUID is simply not found. */
const readPathIds = (request: FastifyRequest): Error | undefined => {
  const params = request.params as Record<string, string>
  for (const [name, text] of Object.entries(params ?? {})) {
    if (!name.endsWith('_id') || request.routeOptions.config.names?.includes(name)) continue
    const id = readId(text)
    if (!id) return notFound(name.slice(0, -3).replaceAll('_', ' '))
    params[name] = id
  }
  return undefined
}

/** Postgres stores no NUL; in a body it is refused with the JSON. */
const readParameters = ({ url, query }: FastifyRequest): Error | undefined => {
  if (!url.includes('%00')) return undefined
  const [name] = Object.entries(query ?? {}).find(([, value]) => String(value).includes('\0')) ?? []
  return name === undefined ? undefined : invalid({ [name]: ['holds a NUL character.'] })
}

export interface Shape {
  readonly type?: string | readonly string[]
  readonly properties?: Record<string, Shape>
  readonly items?: Shape
}

/** Fields of the body that nobody reads. Read-only fields of the record, sent back by a client, are no surprise and not named. */
const ignoredFields = (request: FastifyRequest): Ignored => {
  const { body, response } = (request.routeOptions.schema ?? {}) as { body?: Shape; response?: Record<string, Shape> }
  if (!body || request.body === undefined || request.body === null) return NONE_IGNORED
  const readOnly = new Set(Object.values(response ?? {}).flatMap(({ properties }) => Object.keys(properties ?? {})))
  const { read_only = [], never_stored = [] } = request.routeOptions.config
  for (const field of read_only) readOnly.add(field)
  for (const field of never_stored) if ((request.body as Record<string, unknown>)[field] != null) readOnly.delete(field)
  return findIgnored(body, request.body, readOnly)
}

/** Query parameters that this route does not have: a mistyped filter must not look like one that matched everything. */
const ignoredParameters = (request: FastifyRequest): Ignored => {
  const { schema, url } = request.routeOptions
  if (!request.query || !url?.startsWith('/api/')) return NONE_IGNORED
  return findIgnored((schema as { querystring?: Shape } | undefined)?.querystring ?? { properties: {} }, request.query, NO_NAMES)
}

const NO_NAMES: ReadonlySet<string> = new Set()

export interface Ignored {
  readonly names: readonly string[]
  /** There are more, or there may be: the search ended early. */
  readonly more: boolean
  /** How many fields and items were looked at. */
  readonly visited: number
}

const NONE_IGNORED: Ignored = { names: [], more: false, visited: 0 }
const MOST_NAMED = 20
const MOST_VISITED = 10_000

/** Ends with enough names, or after so many fields: a body can have hundreds of thousands of them. */
export const findIgnored = (shape: Shape, body: unknown, readOnly: ReadonlySet<string>): Ignored => {
  const unread = new Set<string>()
  let visited = 0
  /** Whether to go on. */
  const walk = (shape: Shape | undefined, value: unknown, path: string): boolean => {
    if (typeof value !== 'object' || value === null || !shape) return true
    if (Array.isArray(value)) {
      if (!shape.items) return true
      for (const each of value) if (!visit() || !walk(shape.items, each, path)) return false
      return true
    }
    if (!shape.properties) return true
    for (const name in value) {
      if (!visit()) return false
      if (Object.hasOwn(shape.properties, name)) {
        if (!walk(shape.properties[name], (value as Record<string, unknown>)[name], `${path}${name}.`)) return false
      } else if (!readOnly.has(name) && !unread.has(`${path}${name}`)) {
        if (unread.size === MOST_NAMED) return false
        unread.add(`${path}${name}`)
      }
    }
    return true
  }
  const visit = (): boolean => {
    visited += 1
    return visited <= MOST_VISITED
  }
  const whole = walk(shape, body, '')
  return { names: [...unread], more: !whole, visited: Math.min(visited, MOST_VISITED) }
}

export const warnOfIgnored = (
  reply: FastifyReply,
  what: 'fields' | 'parameters',
  { names, more = false }: { readonly names: readonly string[]; readonly more?: boolean },
): void => {
  if (names.length > 0) addWarning(reply, `199 - "ignored ${what}: ${names.map(plain).join(', ')}${more ? ' and more' : ''}"`)
}

/** A response can carry several. */
export const addWarning = (reply: FastifyReply, warning: string): void => {
  const before = reply.getHeader('Warning')
  reply.header('Warning', before ? `${before}, ${warning}` : warning)
}

const plain = (name: string): string => name.slice(0, 80).replace(/[^\w.-]/g, '?')

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Path parameters that end in `_id` and may be a name all the same. */
    names?: readonly string[]
    /** Record fields a client may send back without a warning, where the response does not tell. */
    read_only?: readonly string[]
    /** Fields of the response that this route never stores: named when one is sent with a value. */
    never_stored?: readonly string[]
  }
}
