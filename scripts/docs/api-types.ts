import { type OpenApi, type Operation, refName, type Schema } from '../openapi.ts'
import { outsideCode, slugify } from './markdown.ts'

/** The page of each named type: that of the first group of operations that uses it. */
export type TypePages = ReadonlyMap<string, string>

export const placeTypes = (document: OpenApi, groups: ReadonlyMap<string, readonly Operation[]>): TypePages => {
  const places = new Map([['Error', 'index']])
  const visit = (node: unknown, page: string): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node))
      if (key === '$ref' && typeof value === 'string' && value.includes('/schemas/')) {
        const name = refName(value)
        if (places.has(name)) continue
        places.set(name, page)
        visit(document.components.schemas[name], page)
      } else visit(value, page)
  }
  for (const [page, operations] of groups) for (const operation of operations) visit([operation.requestBody, operation.responses], page)
  return places
}

/** A type in words, with links to named ones. */
export const expressType = (schema: Schema | undefined, types: TypePages): string => {
  if (schema === undefined) return 'any'
  if (schema.$ref !== undefined) return linkType(refName(schema.$ref), types)
  if ('const' in schema) return toCode(schema.const)
  if (schema.enum) return schema.enum.map(toCode).join(', ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map((each) => expressType(each, types)))].join(' or ')
  if (typeof schema.type === 'object') return schema.type.map((type) => expressType({ ...schema, type }, types)).join(' or ')
  if (schema.type === 'array') return `list of ${expressType(schema.items, types)}`
  if (schema.type === 'object') {
    const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
    return typeof values === 'object' ? `object of ${expressType(values, types)}` : 'object'
  }
  return schema.format ? `${schema.type} (${schema.format})` : (schema.type ?? 'any')
}

const linkType = (name: string, types: TypePages): string => `[${name}](./${types.get(name)}.md#${slugify(name)})`
const toCode = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

/** The table of the fields of an object, with those of objects inside of it. */
export const writeFields = (schema: Schema, types: TypePages): string[] => {
  const rows = listFields(schema, types, '')
  return rows.length === 0 ? [] : ['| field | type | |', '|---|---|---|', ...rows, '']
}

const listFields = (schema: Schema, types: TypePages, prefix: string): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const optional = schema.required?.includes(name) ? '' : ' (optional)'
    const [inner, suffix] = findInner(field)
    return [
      `| \`${prefix}${name}\`${optional} | ${toCell(expressType(field, types))} | ${toCell(field.description ?? '')} |`,
      ...(inner ? listFields(inner, types, `${prefix}${name}${suffix}.`) : []),
    ]
  })

/** The object inside of a field: the field itself, the items of its list, or the one that it is if it is not null. */
const findInner = (field: Schema): [Schema | undefined, string] => {
  if (field.properties) return [field, '']
  if (field.items?.properties) return [field.items, '[]']
  const option = (field.anyOf ?? field.oneOf)?.filter(({ type }) => type !== 'null')
  return option?.length === 1 ? findInner(option[0]!) : [undefined, '']
}

/** Text that is not HTML. */
export const escapeText = (text: string): string => outsideCode(text, (plain) => plain.replaceAll('<', '&lt;'))
export const toCell = (text: string): string =>
  escapeText(text)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
