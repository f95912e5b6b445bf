import type { Options, ValidateFunction } from 'ajv'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid, notFound } from '../core/errors.ts'
import { parseId } from '../core/id.ts'
import { SchemaCompiler } from '../core/schema-compiler.ts'

/** Bodies are validated strictly; query parameters are text and are coerced to the type in the schema. */
const OPTIONS: Options = { allErrors: false, useDefaults: true, validateFormats: true }

export const addValidation = (app: FastifyInstance): void => {
  app.setValidatorCompiler(({ schema, httpPart }) => compileLazily(httpPart === 'body' ? literal : coercing, schema as object))
  // Responses are sent as they are: a schema that lacks a field must not remove it.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))

  app.addHook('preValidation', (request, _, done) => done(parsePathIds(request) ?? findNulParameter(request)))
  app.addHook('preHandler', (request, reply, done) => {
    warnAboutIgnoredFields(reply, 'fields', ignoredFields(request))
    warnAboutIgnoredFields(reply, 'parameters', ignoredParameters(request))
    done()
  })
}

/** Compiled on the first request that needs it. */
const compileLazily = (compiler: SchemaCompiler, schema: object) => {
  let validate: ValidateFunction | undefined
  const check = (data: unknown): boolean => {
    validate ??= compiler.compile(schema)
    const valid = validate(data) as boolean
    check.errors = validate.errors
    return valid
  }
  check.errors = undefined as ValidateFunction['errors']
  return check
}

const literal = new SchemaCompiler({ ...OPTIONS, coerceTypes: false })
const coercing = new SchemaCompiler({ ...OPTIONS, coerceTypes: true })

/** A path ID that is not a UUID gives 404. */
const parsePathIds = (request: FastifyRequest): Error | undefined => {
  const params = request.params as Record<string, string>
  for (const [name, text] of Object.entries(params ?? {})) {
    if (!name.endsWith('_id') || request.routeOptions.config.names?.includes(name)) continue
    const id = parseId(text)
    if (!id) return notFound(name.slice(0, -3).replaceAll('_', ' '))
    params[name] = id
  }
  return undefined
}

/** Postgres cannot store NUL; in bodies the JSON parser rejects it. */
const findNulParameter = ({ url, query }: FastifyRequest): Error | undefined => {
  if (!url.includes('%00')) return undefined
  const [name] = Object.entries(query ?? {}).find(([, value]) => String(value).includes('\0')) ?? []
  return name === undefined ? undefined : invalid({ [name]: ['contains a NUL character.'] })
}

export interface ObjectShape {
  readonly type?: string | readonly string[]
  readonly properties?: Record<string, ObjectShape>
  readonly items?: ObjectShape
}

/** Body fields that are not in the schema. Read-only fields of the record, which clients send back, are not reported. */
const ignoredFields = (request: FastifyRequest): IgnoredFields => {
  const { schema = {}, config } = request.routeOptions as { schema?: RouteShape; config: FastifyContextConfig }
  const { body } = schema
  if (!body || request.body === undefined || request.body === null) return NO_IGNORED_FIELDS
  const stored = (config.never_stored ?? []).filter((field) => (request.body as Record<string, unknown>)[field] != null)
  const readOnly = listReadOnlyFields(schema, config)
  return findIgnoredFields(body, request.body, stored.length === 0 ? readOnly : readOnly.difference(new Set(stored)))
}

interface RouteShape {
  readonly body?: ObjectShape
  readonly response?: Record<string, ObjectShape>
}

/** Of each route; collecting them took longer than validating a small body. */
const readOnlyFields = new WeakMap<FastifyContextConfig, ReadonlySet<string>>()

/** Keyed by `config`, which Fastify creates for each route; routes may share a schema. */
const listReadOnlyFields = (schema: RouteShape, config: FastifyContextConfig): ReadonlySet<string> => {
  let fields = readOnlyFields.get(config)
  if (!fields) {
    const inResponses = Object.values(schema.response ?? {}).flatMap(({ properties }) => Object.keys(properties ?? {}))
    fields = new Set([...inResponses, ...(config.read_only ?? [])])
    readOnlyFields.set(config, fields)
  }
  return fields
}

/** Query parameters this route does not have: a mistyped filter must not look like one that matched everything. */
const ignoredParameters = (request: FastifyRequest): IgnoredFields => {
  const { schema, url } = request.routeOptions
  if (!request.query || !url?.startsWith('/api/')) return NO_IGNORED_FIELDS
  return findIgnoredFields(
    (schema as { querystring?: ObjectShape } | undefined)?.querystring ?? { properties: {} },
    request.query,
    NO_NAMES,
  )
}

const NO_NAMES: ReadonlySet<string> = new Set()

export interface IgnoredFields {
  readonly names: readonly string[]
  /** There may be more: the search stopped early. */
  readonly more: boolean
  /** Number of fields and items checked. */
  readonly visited: number
}

const NO_IGNORED_FIELDS: IgnoredFields = { names: [], more: false, visited: 0 }
const MAX_NAMES = 20
const MAX_VISITED = 10_000

/** Stops after `MAX_NAMES` names or `MAX_VISITED` fields: a body can have hundreds of thousands of them. */
export const findIgnoredFields = (shape: ObjectShape, body: unknown, readOnly: ReadonlySet<string>): IgnoredFields => {
  const ignored = new Set<string>()
  let visited = 0
  /** Returns whether to continue. */
  const walk = (shape: ObjectShape | undefined, value: unknown, path: string): boolean => {
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
      } else if (!readOnly.has(name) && !ignored.has(`${path}${name}`)) {
        if (ignored.size === MAX_NAMES) return false
        ignored.add(`${path}${name}`)
      }
    }
    return true
  }
  const visit = (): boolean => {
    visited += 1
    return visited <= MAX_VISITED
  }
  const whole = walk(shape, body, '')
  return { names: [...ignored], more: !whole, visited: Math.min(visited, MAX_VISITED) }
}

export const warnAboutIgnoredFields = (
  reply: FastifyReply,
  what: 'fields' | 'parameters',
  { names, more = false }: { readonly names: readonly string[]; readonly more?: boolean },
): void => {
  if (names.length > 0) addWarning(reply, `199 - "ignored ${what}: ${names.map(toHeaderText).join(', ')}${more ? ' and more' : ''}"`)
}

/** Appends to the header: a response can have several warnings. */
export const addWarning = (reply: FastifyReply, warning: string): void => {
  const before = reply.getHeader('Warning')
  reply.header('Warning', before ? `${before}, ${warning}` : warning)
}

const toHeaderText = (name: string): string => name.slice(0, 80).replace(/[^\w.-]/g, '?')

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Path parameters that end in `_id` but may also be a name. */
    names?: readonly string[]
    /** Record fields a client may send back without a warning that are not in the response schema. */
    read_only?: readonly string[]
    /** Response fields this route never stores: reported if sent with a value. */
    never_stored?: readonly string[]
  }
}
