import { isObject } from '../../../../connector/src/protocol.ts'
import { MAX_FIELD_DEPTH, type SchemaField } from '../stores/fields.ts'

type JsonSchema = Record<string, unknown>

/** The root of a JSON schema, as one field without a name. `documents` are the schemas it refers to, by the name it has for them. */
export const readJsonSchema = (text: string, documents: ReadonlyMap<string, string> = new Map()): SchemaField => {
  const root: unknown = JSON.parse(text)
  const reader = new JsonSchemaReader(documents)
  return reader.read('', isObject(root) ? root : {}, root, 0)
}

class JsonSchemaReader {
  readonly #documents: ReadonlyMap<string, string>

  constructor(documents: ReadonlyMap<string, string>) {
    this.#documents = documents
  }

  /** `root` is the document that local references lead into. */
  read(name: string, schema: JsonSchema, root: unknown, depth: number): SchemaField {
    if (depth > MAX_FIELD_DEPTH) return { name, type: 'unknown' }
    if (typeof schema.$ref === 'string') {
      const target = this.#resolve(schema.$ref, root)
      if (!target) return { name, type: schema.$ref, ...describe(schema) }
      return { ...this.read(name, target.schema, target.root, depth + 1), ...describe(schema) }
    }
    const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((part) => (Array.isArray(schema[part]) ? schema[part].filter(isObject) : []))
    const variants = parts.map((part) => this.read(name, part, root, depth + 1))
    const types = [schema.type].flat().filter((type): type is string => typeof type === 'string')
    const all = [...new Set([...types, ...variants.map(({ type }) => type)])].filter((type) => type !== 'unknown')
    const others = all.filter((type) => type !== 'null')
    const children = [...this.#readProperties(schema, root, depth), ...variants.flatMap((variant) => variant.children ?? [])]
    const items = isObject(schema.items) ? this.read('', schema.items, root, depth + 1) : undefined
    const type = items ? `array<${items.type}>` : `${others.join(' | ') || (children.length > 0 ? 'object' : 'unknown')}${formatOf(schema)}`
    const inner = items?.children ?? children
    return {
      name,
      type,
      ...(others.length < all.length || variants.some(({ nullable }) => nullable) ? { nullable: true } : {}),
      ...describe(schema),
      ...(Array.isArray(schema.enum) ? { facts: { values: schema.enum } } : {}),
      ...(inner.length > 0 ? { children: inner } : {}),
    }
  }

  #readProperties(schema: JsonSchema, root: unknown, depth: number): SchemaField[] {
    if (!isObject(schema.properties)) return []
    const required = Array.isArray(schema.required) ? schema.required : []
    return Object.entries(schema.properties).map(([name, property]) => {
      const field = this.read(name, isObject(property) ? property : {}, root, depth + 1)
      return { ...field, nullable: field.nullable ?? !required.includes(name) }
    })
  }

  #resolve(ref: string, root: unknown): { schema: JsonSchema; root: unknown } | undefined {
    const [document = '', pointer = ''] = ref.split('#')
    let target: unknown = root
    if (document !== '') {
      const text = this.#documents.get(document)
      if (text === undefined) return undefined
      target = JSON.parse(text)
    }
    const found = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((value, part) => {
        const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
        return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
      }, target)
    return isObject(found) ? { schema: found, root: target } : undefined
  }
}

const formatOf = ({ format }: JsonSchema): string => (typeof format === 'string' ? ` (${format})` : '')

const describe = ({ description, title }: JsonSchema): { description?: string } => {
  const text = [description, title].find((each) => typeof each === 'string')
  return typeof text === 'string' ? { description: text } : {}
}
