import { type Content, findParameter, type OpenApi, type Operation, refName, type Schema } from '../openapi.ts'
import { toParameterName, toPascalCase, toSnakeCase, writeDocstring } from './names.ts'
import type { PythonTypes } from './types.ts'

const JSON_TYPE = 'application/json'
const inTypes = (name: string): string => `t.${name}`

/** What a method of the client needs to know about an operation. */
interface Call {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
  readonly params: readonly Argument[]
  readonly query: readonly Argument[]
  readonly headers: readonly Argument[]
}

interface Argument {
  /** On the wire. */
  readonly name: string
  readonly python: string
  readonly type: string
  readonly required: boolean
}

/** A method for each operation and, for a list, one that iterates over all of its pages. */
export const writeMethods = (document: OpenApi, types: PythonTypes): string[] => {
  const methods = new Map<string, string>()
  const add = (name: string, text: string): void => {
    if (methods.has(name)) throw new Error(`Two operations would be the method ${name}.`)
    methods.set(name, text)
  }
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      if (isStream(operation)) continue
      const call = describeCall(document, types, method, path, operation)
      add(toSnakeCase(call.id), writeCall(types, call))
      const item = findItem(document, call)
      if (item) add(toSnakeCase(call.id.replace(/^get/, 'all')), writeIteration(types, call, item))
    }
  return [...methods.values()]
}

/** An event stream does not end like a response; `open` reads it line by line. */
const isStream = ({ responses }: Operation): boolean =>
  Object.values(responses).some(({ content }) => content !== undefined && 'text/event-stream' in content)

const describeCall = (document: OpenApi, types: PythonTypes, method: string, path: string, operation: Operation): Call => {
  const id = operation.operationId!
  const parameters = (operation.parameters ?? []).map((each) => findParameter(document, each))
  const argumentsIn = (place: string): Argument[] =>
    parameters
      .filter((each) => each.in === place)
      .map(({ name, schema, required = false }) => ({
        name,
        python: toParameterName(name),
        type: ['filter', 'sort'].includes(name) ? 'Union[str, Mapping[str, Any]]' : expressArgument(types, schema, id, name),
        required,
      }))
  return {
    id,
    method: method.toUpperCase(),
    path,
    operation,
    params: argumentsIn('path'),
    query: argumentsIn('query'),
    headers: argumentsIn('header'),
  }
}

const expressArgument = (types: PythonTypes, schema: Schema | undefined, id: string, name: string): string =>
  types.express(schema, toPascalCase(id) + toPascalCase(name), inTypes)

/** The type of the records of a list that can be read with a cursor. */
const findItem = (document: OpenApi, { method, operation, query }: Call): Schema | undefined => {
  if (method !== 'GET' || !query.some(({ name }) => name === 'cursor')) return undefined
  const schema = operation.responses[200]?.content?.[JSON_TYPE]?.schema
  const page = schema?.$ref ? document.components.schemas[refName(schema.$ref)] : schema
  return page?.properties?.results?.items
}

const writeCall = (types: PythonTypes, call: Call): string => {
  const { id, method, path, operation, params, query, headers } = call
  const body = describeBody(types, call)
  const result = expressResult(types, call)
  const sent = [
    ...writeMap('params', params),
    ...writeMap('query', query),
    ...(body ? ['body=body'] : []),
    ...writeMap('headers', [...headers, ...(body?.contentType ? [body.contentType] : [])]),
  ]
  return [
    ...writeSignature(
      toSnakeCase(id),
      { positional: params, body: body?.argument, named: [...query, ...headers, ...(body?.contentType ? [body.contentType] : [])] },
      result,
    ),
    ...writeDocs(operation, method, path),
    `        return self._call(${[JSON.stringify(method), JSON.stringify(path), ...sent].join(', ')})`,
  ].join('\n')
}

const writeIteration = (types: PythonTypes, call: Call, item: Schema): string => {
  const { id, path, operation, params } = call
  const query = call.query.filter(({ name }) => name !== 'page' && name !== 'cursor')
  const type = types.express(item, `${toPascalCase(id)}Item`, inTypes)
  const sent = [...writeMap('params', params), ...writeMap('query', query)]
  return [
    ...writeSignature(toSnakeCase(id.replace(/^get/, 'all')), { positional: params, named: query }, `Iterator[${type}]`),
    ...writeDocs(
      operation,
      'GET',
      path,
      'Iterates over all records, page by page with a cursor: concurrent writes neither repeat nor skip records.',
    ),
    `        return self._all(${[JSON.stringify(path), ...sent].join(', ')})`,
  ].join('\n')
}

const writeDocs = ({ summary, description, deprecated }: Operation, method: string, path: string, more?: string): string[] =>
  writeDocstring([summary, more, deprecated ? 'Deprecated.' : undefined, description, `${method} ${path}`], '        ')

interface Arguments {
  readonly positional: readonly Argument[]
  readonly body?: Argument
  readonly named: readonly Argument[]
}

const writeSignature = (name: string, { positional, body, named }: Arguments, result: string): string[] => {
  const ordered = [...positional, ...(body ? [body] : [])]
  const lines = [
    'self',
    ...ordered.map(writeArgument),
    ...(named.length > 0 ? ['*', ...[...named].sort((a, b) => Number(b.required) - Number(a.required)).map(writeArgument)] : []),
  ]
  const names = [...ordered, ...named].map(({ python }) => python)
  if (new Set(names).size < names.length) throw new Error(`${name} has two parameters of one name.`)
  const short = `    def ${name}(${lines.join(', ')}) -> ${result}:`
  return short.length <= 120 ? [short] : [`    def ${name}(`, ...lines.map((line) => `        ${line},`), `    ) -> ${result}:`]
}

const writeArgument = ({ python, type, required }: Argument): string =>
  required ? `${python}: ${type}` : `${python}: ${type.startsWith('Optional[') || type === 'Any' ? type : `Optional[${type}]`} = None`

const writeMap = (name: string, values: readonly Argument[]): string[] =>
  values.length === 0 ? [] : [`${name}={${values.map((each) => `${JSON.stringify(each.name)}: ${each.python}`).join(', ')}}`]

/** A body is JSON, or a file with its content type. */
const describeBody = (types: PythonTypes, { id, operation }: Call): { argument: Argument; contentType?: Argument } | undefined => {
  const content: Content = operation.requestBody?.content ?? {}
  const files = Object.keys(content).filter((each) => each !== JSON_TYPE)
  const json = content[JSON_TYPE]
  if (!json && files.length === 0) return undefined
  const type = [...(json ? [expressArgument(types, json.schema, id, 'body')] : []), ...(files.length > 0 ? ['File'] : [])]
  const argument = {
    name: 'body',
    python: 'body',
    type: type.length > 1 ? `Union[${type.join(', ')}]` : type[0]!,
    required: operation.requestBody?.required ?? false,
  }
  if (files.length === 0) return { argument }
  return {
    argument,
    contentType: {
      name: 'Content-Type',
      python: 'content_type',
      type: `Literal[${Object.keys(content)
        .map((each) => JSON.stringify(each))
        .join(', ')}]`,
      required: !json,
    },
  }
}

/** What a method returns: parsed JSON, or the bytes of a file. */
const expressResult = (types: PythonTypes, { id, operation }: Call): string => {
  const results = Object.values(operation.responses).map(({ content }) => {
    if (!content || Object.keys(content).length === 0) return 'None'
    const json = content[JSON_TYPE]
    return json ? types.express(json.schema, `${toPascalCase(id)}Response`, inTypes) : 'bytes'
  })
  const some = [...new Set(results)].filter((each) => each !== 'None')
  if (some.includes('Any')) return 'Any'
  const union = some.length > 1 ? `Union[${some.join(', ')}]` : (some[0] ?? 'None')
  return results.includes('None') && some.length > 0 && !union.startsWith('Optional[') ? `Optional[${union}]` : union
}
