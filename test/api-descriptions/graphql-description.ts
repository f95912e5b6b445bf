import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, executeSync, parse, validate } from 'graphql'
import type { Cassette, RecordedAnswer } from '../../connector/src/replay.ts'

/**
 * Checks queries, and recorded answers to them, against the schema in `<vendor>.graphql`: the query is valid, and executed with the answer as
 * its data it has the same result. Fields of an answer that the query does not ask for are not looked at. An object of an interface whose
 * type the answer does not tell is taken for the first type that implements it.
 */
export const checkQueriesAgainst = (vendor: string): NonNullable<Cassette['checkAnswer']> => {
  const schema = buildSchema(readFileSync(join(import.meta.dirname, `${vendor}.graphql`), 'utf8'))
  return ({ status, body, request }: RecordedAnswer) => {
    if (status >= 300) return
    const document = parse(String(request.query))
    const [invalid] = validate(schema, document)
    if (invalid) return `the query is not valid by the schema of ${vendor}: ${invalid.message}`
    const { data } = body as { data?: unknown }
    if (data === null || data === undefined) return // errors only
    const result = executeSync({
      schema,
      document,
      rootValue: data,
      variableValues: request.variables as Record<string, unknown>,
      typeResolver: (value, _context, _info, type) =>
        (value as { __typename?: string }).__typename ?? schema.getPossibleTypes(type)[0]!.name,
    })
    const [error] = result.errors ?? []
    const difference = error ? `${error.path?.join('.')}: ${error.message}` : findDifference(result.data, data)
    return difference && `the answer differs from the schema of ${vendor}: ${difference}`
  }
}

/** Where the result has another value than the answer, which was not of the type of the field. `__typename` is not asked for everywhere. */
const findDifference = (result: unknown, answer: unknown, path = 'data'): string | undefined => {
  if (result === null || typeof result !== 'object') return (answer ?? null) === result ? undefined : `${path} is of another type`
  for (const [key, value] of Object.entries(result)) {
    if (key === '__typename') continue
    const found = findDifference(value, (answer as Record<string, unknown>)[key], `${path}.${key}`)
    if (found) return found
  }
  return undefined
}
