import { MAX_FIELD_DEPTH, type SchemaField } from './fields.ts'

/** A value of a document: its type, the values in it by name if it is a document, and the elements if it is a list. */
export interface SampledValue {
  readonly type: string
  readonly fields?: ReadonlyMap<string, SampledValue>
  readonly elements?: readonly SampledValue[]
}

const MAX_FIELDS = 1_000

/** The fields of sampled documents, in the order they were first seen. A field that not all of them have, or that was null, is nullable. Pure. */
export const mergeDocuments = (documents: readonly ReadonlyMap<string, SampledValue>[], depth = 0): SchemaField[] => {
  const values = new Map<string, SampledValue[]>()
  for (const document of documents)
    for (const [name, value] of document) {
      const known = values.get(name)
      if (known) known.push(value)
      else if (values.size < MAX_FIELDS) values.set(name, [value])
    }
  return [...values].map(([name, all]) => {
    const present = all.filter(({ type }) => type !== 'null')
    const inner = depth < MAX_FIELD_DEPTH ? mergeDocuments(present.flatMap(listDocuments), depth + 1) : []
    return {
      name,
      type: describeTypes(present) || 'null',
      nullable: present.length < documents.length,
      ...(inner.length > 0 ? { children: inner } : {}),
    }
  })
}

const listDocuments = ({ fields, elements = [] }: SampledValue): ReadonlyMap<string, SampledValue>[] => [
  ...(fields ? [fields] : []),
  ...elements.flatMap(listDocuments),
]

const describeTypes = (values: readonly SampledValue[]): string => [...new Set(values.map(describeType))].sort().join(' | ')

const describeType = ({ type, elements }: SampledValue): string => {
  const inner = elements ? describeTypes(elements) : ''
  return inner === '' ? type : `${type}<${inner}>`
}
