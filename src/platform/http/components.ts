/**
 * Moves the titled schemas of an OpenAPI document to `components` and replaces them by references. `Resource` then appears once instead of
 * two hundred times, and generated clients have named types.
 */
export const extractComponents = <T extends object>(document: T): T => {
  const { paths = {}, components = {}, ...rest } = document as { paths?: object; components?: { schemas?: object } }
  const schemas: Record<string, unknown> = { ...components.schemas }
  const texts = new Map<string, string>()

  /** If two different schemas have the same title, the second one stays inline. */
  const named = (schema: Schema, title: string): unknown => {
    const text = JSON.stringify(schema)
    if (!texts.has(title) && !(title in schemas)) {
      texts.set(title, text)
      schemas[title] = parts(schema)
    }
    return texts.get(title) === text ? { $ref: `#/components/schemas/${title}` } : parts(schema)
  }
  const schema = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node
    const { title } = node as Schema
    return typeof title === 'string' && NAME.test(title) ? named(node as Schema, title) : parts(node as Schema)
  }
  const parts = (node: Schema): Schema =>
    Object.fromEntries(
      Object.entries(node).map(([keyword, value]) => {
        if (MAPS.has(keyword)) return [keyword, mapValues(value as object, schema)]
        if (LISTS.has(keyword)) return [keyword, (value as unknown[]).map(schema)]
        return [keyword, ONES.has(keyword) ? schema(value) : value]
      }),
    )
  /** Parameters, bodies and responses all hold their schema under this key. */
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [key, key === 'schema' ? schema(value) : key.startsWith('example') ? value : walk(value)]),
    )
  }

  const walked = walk(paths)
  return { ...rest, components: { ...components, schemas: sorted(schemas) }, paths: walked } as T
}

type Schema = Record<string, unknown>
const NAME = /^[A-Z]\w*$/
const MAPS = new Set(['properties', 'patternProperties', '$defs'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const ONES = new Set(['items', 'additionalProperties', 'not'])

const mapValues = (node: object, map: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(node).map(([name, value]) => [name, map(value)]))
const sorted = (schemas: object): object => Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
