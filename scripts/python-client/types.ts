import { refName, type Schema } from '../openapi.ts'
import { isPythonName, toPascalCase, writeComment } from './names.ts'

/** Writes the name of a class where a type is used: in its own module, quoted, or with the name of the module. */
type Reference = (name: string) => string

export interface PythonTypes {
  /** The type of a schema. A class that has no name of its own gets this one. */
  express(schema: Schema | undefined, name: string, ref: Reference): string
  /** The module with all classes. */
  render(): string
}

const TYPING = ['Any', 'Dict', 'List', 'Literal', 'Optional', 'TypedDict', 'Union']
const SIMPLE: Readonly<Record<string, string>> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }
const bare: Reference = (name) => name
const quoted: Reference = (name) => `"${name}"`

export const createPythonTypes = (schemas: Readonly<Record<string, Schema>>): PythonTypes => {
  const written = new Map<string, string>()

  const express = (schema: Schema | undefined, name: string, ref: Reference): string => {
    if (schema === undefined) return 'Any'
    if (schema.$ref !== undefined) return ref(refName(schema.$ref))
    if ('const' in schema) return toLiteral([schema.const])
    if (schema.enum) return toLiteral(schema.enum)
    const options = schema.anyOf ?? schema.oneOf
    if (options) return toUnion(options.map((each, i) => express(each, options.length > 2 ? `${name}${i + 1}` : name, ref)))
    if (schema.allOf) throw new Error(`${name} uses allOf, which the Python client cannot express.`)
    if (typeof schema.type === 'object') return toUnion(schema.type.map((type) => express({ ...schema, type }, name, ref)))
    if (schema.type === 'array') return `List[${express(schema.items, `${name}Item`, ref)}]`
    if (schema.type === 'object') return expressObject(schema, name, ref)
    return SIMPLE[schema.type ?? ''] ?? 'Any'
  }

  const expressObject = (schema: Schema, name: string, ref: Reference): string => {
    if (Object.keys(schema.properties ?? {}).length > 0) return ref(declare(schema, name))
    const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
    return `Dict[str, ${typeof values === 'object' ? express(values, `${name}Value`, ref) : 'Any'}]`
  }

  /** Adds a class for an object without a title; the same name with other fields gets a number. */
  const declare = (schema: Schema, wanted: string): string => {
    for (let n = 1; ; n += 1) {
      const name = n === 1 ? wanted : `${wanted}${n}`
      if (Object.hasOwn(schemas, name)) continue
      const text = writeClass(name, schema)
      if ((written.get(name) ?? text) !== text) continue
      written.set(name, text)
      return name
    }
  }

  const writeClass = (name: string, { description, properties = {}, required = [] }: Schema): string => {
    const fields = Object.entries(properties).map(([field, schema]) => ({
      field,
      description: schema.description,
      type: express(schema, name + toPascalCase(field), bare),
      isRequired: required.includes(field),
    }))
    const body = (isRequired: boolean): string[] =>
      fields
        .filter((each) => each.isRequired === isRequired && isPythonName(each.field))
        .flatMap(({ field, type, description }) => [...writeComment(description), `    ${field}: ${type}`])
    // A class cannot have a field that is a keyword of Python (`from`), but its base can.
    const keywords = (isRequired: boolean): string =>
      fields
        .filter((each) => each.isRequired === isRequired && !isPythonName(each.field))
        .map(({ field, type }) => `${JSON.stringify(field)}: ${JSON.stringify(type)}`)
        .join(', ')
    const lines: string[] = []
    const bases: string[] = []
    const add = (base: string, text: string): void => {
      lines.push(text, '', '')
      bases.push(base)
    }
    if (keywords(true)) add(`_${name}Keywords`, `_${name}Keywords = TypedDict("_${name}Keywords", {${keywords(true)}})`)
    if (keywords(false))
      add(`_${name}OptionalKeywords`, `_${name}OptionalKeywords = TypedDict("_${name}OptionalKeywords", {${keywords(false)}}, total=False)`)
    const optional = body(false)
    if (optional.length > 0 && body(true).length > 0)
      add(`_${name}Required`, [`class _${name}Required(TypedDict):`, ...body(true)].join('\n'))
    const [own, total] = optional.length > 0 ? [optional, ', total=False'] : [body(true), '']
    const comment = writeComment(description, '')
    const parents = bases.length > 0 ? bases.join(', ') : 'TypedDict'
    const inner = bases.includes(`_${name}Required`) || own.length > 0 ? own : ['    pass']
    return [...lines, ...comment, `class ${name}(${parents}${total}):`, ...inner].join('\n')
  }

  const render = (): string => {
    for (const [name, schema] of Object.entries(schemas)) {
      if (TYPING.includes(name)) throw new Error(`The schema ${name} has the name of a type of Python.`)
      if (isClass(schema)) written.set(name, writeClass(name, schema))
      else written.set(name, [...writeComment(schema.description, ''), `${name} = ${express(schema, `${name}Value`, quoted)}`].join('\n'))
    }
    const classes = [...written].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
    return `from __future__ import annotations

from typing import ${TYPING.join(', ')}


${classes.join('\n\n\n')}
`
  }

  return { express, render }
}

const isClass = ({ type, properties = {} }: Schema): boolean => type === 'object' && Object.keys(properties).length > 0

const toLiteral = (values: readonly unknown[]): string => {
  const texts = values
    .filter((each) => each !== null)
    .map((each) => (typeof each === 'boolean' ? (each ? 'True' : 'False') : JSON.stringify(each)))
  return toUnion([...(texts.length > 0 ? [`Literal[${texts.join(', ')}]`] : []), ...(values.includes(null) ? ['None'] : [])])
}

const toUnion = (types: readonly string[]): string => {
  const some = [...new Set(types)].filter((each) => each !== 'None')
  if (some.includes('Any')) return 'Any'
  const union = some.length > 1 ? `Union[${some.join(', ')}]` : (some[0] ?? 'None')
  return types.includes('None') && some.length > 0 ? `Optional[${union}]` : union
}
