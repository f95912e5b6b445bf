import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, executeSync, type GraphQLSchema, type GraphQLTypeResolver, parse, validate } from 'graphql'
import type { Cassette, RecordedAnswer } from '../../connector/src/replay.ts'

interface GraphqlCheck {
  readonly endpoint?: string
  /** Recorded answers to another query have more fields than were asked for. */
  readonly allowsMore?: boolean
}

/**
 * Checks the queries of a connector and their recorded answers against `<vendor>.graphql`, the vendor's schema: the query must be valid, and executing it on
 * the recorded data must return just that data. A missing field, one of another type and, unless allowed, one that was not asked for are wrong.
 */
export const checkAgainstGraphql = (
  vendor: string,
  { endpoint = '/graphql', allowsMore = false }: GraphqlCheck = {},
): NonNullable<Cassette['checkAnswer']> => {
  const schema = buildSchema(readFileSync(join(import.meta.dirname, `${vendor}.graphql`), 'utf8'))
  const typeResolver = createTypeResolver(schema)
  return ({ method, path, status, body, request }: RecordedAnswer) => {
    if (status >= 300) return
    if (method !== 'POST' || path !== endpoint) return `${method} ${path} is not the GraphQL endpoint of ${vendor}`
    const { data } = body as { readonly data?: unknown }
    if (data === null || data === undefined) return // errors only
    const { query, variables, operationName } = request as unknown as GraphqlRequest
    const document = parse(query)
    const [invalid] = validate(schema, document)
    if (invalid) return `the query is not valid by the schema of ${vendor}: ${invalid.message}`
    const result = executeSync({ schema, document, rootValue: data, variableValues: variables, operationName, typeResolver })
    const [error] = result.errors ?? []
    const difference = error
      ? `${error.path?.join('.') ?? 'it'}: ${error.message}`
      : findDifference(toPlain(result.data), toPlain(data), allowsMore)
    return difference && `the answer differs from the schema of ${vendor}: ${difference}`
  }
}

/** Where the result has another value than the answer, which was not of the type of its field. */
const findDifference = (result: unknown, answer: unknown, allowsMore: boolean, path = 'data'): string | undefined => {
  if (!isObject(result) || !isObject(answer)) return (answer ?? null) === result ? undefined : `${path} is of another type`
  const added = Object.keys(answer).find((key) => !(key in result))
  if (added && !allowsMore) return `${path}.${added} was not asked for`
  for (const [key, value] of Object.entries(result)) {
    if (key === '__typename' && allowsMore) continue
    const found = findDifference(value, answer[key], allowsMore, `${path}.${key}`)
    if (found) return found
  }
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

interface GraphqlRequest {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName?: string
}

const toPlain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** By `__typename`, else by the fields, where the query does not ask for it. */
const createTypeResolver =
  (schema: GraphQLSchema): GraphQLTypeResolver<Record<string, unknown>, unknown> =>
  (value, _context, _info, abstract) => {
    if (typeof value.__typename === 'string') return value.__typename
    const fields = Object.keys(value)
    const types = schema.getPossibleTypes(abstract)
    return (types.find((type) => fields.every((field) => field in type.getFields())) ?? types[0])?.name
  }
