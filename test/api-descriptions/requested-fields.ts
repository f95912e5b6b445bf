/** A JSON Schema, as far as it says which fields there are. */
interface FieldSchema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly items?: FieldSchema
  readonly anyOf?: readonly FieldSchema[]
  readonly allOf?: readonly FieldSchema[]
}

/**
 * The fields of a request as Looker expects them, `id,folder(id),dashboard_elements(query(model))`, that an object of this schema does not have.
 * Undefined if it is not written that way.
 */
export const findUnknownFields = (text: string, schema: FieldSchema, $defs: Readonly<Record<string, object>>): string[] | undefined => {
  const unknown: string[] = []
  let at = 0
  const readAll = (of: ReadonlyMap<string, FieldSchema> | undefined, path: string): boolean => {
    for (;;) {
      const [name] = /^\w+/.exec(text.slice(at)) ?? []
      if (name === undefined) return false
      at += name.length
      if (of && !of.has(name)) unknown.push(path + name)
      if (text[at] === '(') {
        at += 1
        const inner = of?.get(name)
        if (!readAll(inner && listFields(inner, $defs), `${path}${name}.`) || text[at] !== ')') return false
        at += 1
      }
      if (text[at] !== ',') return true
      at += 1
    }
  }
  return readAll(listFields(schema, $defs), '') && at === text.length ? unknown : undefined
}

/** Undefined if the schema does not say. */
const listFields = (schema: FieldSchema, $defs: Readonly<Record<string, object>>): ReadonlyMap<string, FieldSchema> | undefined => {
  if (schema.$ref) return listFields($defs[schema.$ref.replace('#/$defs/', '')] as FieldSchema, $defs)
  if (schema.items) return listFields(schema.items, $defs)
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => [...(listFields(part, $defs) ?? [])])
  const fields = new Map([...parts, ...Object.entries(schema.properties ?? {})])
  return fields.size > 0 ? fields : undefined
}
