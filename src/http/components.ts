/**
 * Gives the schemas of an OpenAPI document that carry a title one place, under `components`, and a reference everywhere else. A reader then
 * meets `Resource` once instead of two hundred times, and what is generated from the document has names.
 */
export const withComponents = <T extends object>(document: T): T => {
  const { paths = {}, components = {}, ...rest } = document as { paths?: object; components?: { schemas?: object } }
  const schemas: Record<string, unknown> = { ...components.schemas }
  const texts = new Map<string, string>()

  /** A title that stands for two different schemas names neither: both stay where they are. */
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
  /** Schemas stand under this one key, wherever a path has them: in parameters, bodies and responses. */
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
