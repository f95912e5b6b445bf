import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { buildSchema, executeSync, type GraphQLSchema, type GraphQLTypeResolver, parse, validate } from 'graphql'
import type { Cassette, RecordedAnswer } from '../../connector/src/replay.ts'

/**
 * Checks the queries of a connector and their recorded answers against `<vendor>.graphql`, the vendor's schema: the query must be valid, and executing it on
 * the recorded data must return just that data. A field that was not asked for, a missing one and one of another type are wrong.
 */
export const checkAgainstGraphql = (vendor: string, endpoint = '/graphql'): NonNullable<Cassette['checkAnswer']> => {
  const schema = buildSchema(readFileSync(join(import.meta.dirname, `${vendor}.graphql`), 'utf8'))
  const typeResolver = createTypeResolver(schema)
  return ({ method, path, status, body, request }: RecordedAnswer) => {
    if (status >= 300) return
    if (method !== 'POST' || path !== endpoint) return `${method} ${path} is not the GraphQL endpoint of ${vendor}`
    const { data, errors } = body as { readonly data?: unknown; readonly errors?: unknown }
    if (errors !== undefined) return
    const { query, variables, operationName } = request as unknown as GraphqlRequest
    const document = parse(query)
    const [invalid] = validate(schema, document)
    if (invalid) return `the query ${operationName} is not valid by the schema of ${vendor}: ${invalid.message}`
    const result = executeSync({ schema, document, rootValue: data, variableValues: variables, operationName, typeResolver })
    const [error] = result.errors ?? []
    if (error) return `the answer differs from the schema of ${vendor}: ${error.path?.join('.') ?? 'it'}: ${error.message}`
    if (isDeepStrictEqual(toPlain(result.data), toPlain(data))) return
    return `the answer to ${operationName} has fields that were not asked for: ${JSON.stringify(data)} instead of ${JSON.stringify(result.data)}`
  }
}

interface GraphqlRequest {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string
}

const toPlain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** By `__typename`, else by the fields, where the query does not ask for it. */
const createTypeResolver =
  (schema: GraphQLSchema): GraphQLTypeResolver<Record<string, unknown>, unknown> =>
  (value, _context, _info, abstract) => {
    if (typeof value.__typename === 'string') return value.__typename
    const fields = Object.keys(value)
    return schema.getPossibleTypes(abstract).find((type) => fields.every((field) => field in type.getFields()))?.name
  }
