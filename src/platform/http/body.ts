import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../core/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Characters that Postgres cannot store are replaced: one text must not cost all others in the body. */
    replaces_unstorable?: true
  }
}

/** Bodies are checked as text first: invalid UTF-8, deep nesting, very many objects and characters Postgres cannot store are rejected before anything is parsed. */
const MAX_DEPTH = 64
/** Empty objects take thirty times as much memory as they have characters, so a large body may not consist of them. */
const MIN_CHARACTERS_PER_OBJECT = 16
const MAX_OBJECTS = 250_000

export const addJsonBodies = (app: FastifyInstance): void => {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, createJsonParser(app))
}

type JsonParser = (request: FastifyRequest, body: Buffer | string) => Promise<unknown>

export const createJsonParser = (app: FastifyInstance): JsonParser => {
  const parse = app.getDefaultJsonParser('error', 'error')
  return async (request, body) => {
    const text = decodeUtf8(body as Buffer)
    if (text.trim() === '') return undefined
    assertDepth(text)
    let value: unknown
    parse(request, text, (error, parsed) => {
      if (error) throw new ApiError('malformed_json', `The body is not valid JSON: ${findJsonProblem(text)}.`)
      value = parsed
    })
    if (!UNSTORABLE_ESCAPES.test(text)) return value
    if (request.routeOptions.config.replaces_unstorable) return replaceUnstorable(value)
    assertStorable(value, '')
    return value
  }
}

export const decodeUtf8 = (body: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid UTF-8.')
  }
}

const findJsonProblem = (text: string): string => {
  try {
    JSON.parse(text)
    return 'it contains "__proto__" or "constructor.prototype"'
  } catch (error) {
    return (error as Error).message
  }
}

/** Counts brackets outside strings; a parser would build the whole tree first. */
export const assertDepth = (text: string): void => {
  const maxObjects = Math.max(MAX_OBJECTS, text.length / MIN_CHARACTERS_PER_OBJECT)
  let depth = 0
  let objects = 0
  let inString = false
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 0x5c) i += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      objects += 1
      if (objects > maxObjects) throw new ApiError('malformed_json', 'The body has too many objects and lists for its size.')
      if (depth > MAX_DEPTH) throw new ApiError('malformed_json', `The body is nested more than ${MAX_DEPTH} levels deep.`)
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
}

/** NUL and lone surrogates can only occur as escapes: the UTF-8 check has rejected the rest. */
const UNSTORABLE_ESCAPES = /\\u(0000|[dD][89a-fA-F])/

const assertStorable = (value: unknown, path: string): void => {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw invalid({ [path || 'body']: ['contains a NUL character or an unpaired surrogate.'] })
  } else if (Array.isArray(value)) value.forEach((each, i) => void assertStorable(each, `${path}[${i}]`))
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) {
      assertStorable(key, path)
      assertStorable(each, path ? `${path}.${key}` : key)
    }
}

const replaceUnstorable = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed()
  if (Array.isArray(value)) return value.map(replaceUnstorable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [replaceUnstorable(key), replaceUnstorable(each)]))
}
