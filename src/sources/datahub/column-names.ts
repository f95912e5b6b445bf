import { isObject } from '../../platform/core/json-value.ts'
import { type Entities, getAspect, toText } from './entities.ts'
import { parseFieldPath } from './urn.ts'

type Path = readonly string[]

/** Two columns that differ in letter case only: the name says which one only if it is written exactly so. */
const AMBIGUOUS = Symbol('ambiguous')

/** Schemas in the cache. */
const MAX_SCHEMAS = 1_000

/**
 * The columns of schemas by their names. Lineage, tags and edits often write them in another letter case than the schema, which is the same
 * column as long as the schema has only one of that name. Pure.
 */
export class ColumnNames {
  readonly #entities: Entities
  readonly #schemas = new Map<string, ReadonlyMap<string, Path | typeof AMBIGUOUS>>()

  constructor(entities: Entities) {
    this.#entities = entities
  }

  /** Whether the schema of the dataset has it. */
  has(dataset: string, path: Path): boolean {
    return this.#schemaOf(dataset).has(toExact(path))
  }

  /** The path as the schema of the dataset writes it; itself, if the schema does not have it. */
  resolve(dataset: string, path: Path): Path {
    const schema = this.#schemaOf(dataset)
    if (schema.size === 0) return path
    for (let length = path.length; length > 0; length -= 1) {
      const start = path.slice(0, length)
      const found = schema.get(toExact(start)) ?? schema.get(toFolded(start))
      if (found !== undefined && found !== AMBIGUOUS) return [...found, ...path.slice(length)]
    }
    return path
  }

  #schemaOf(dataset: string): ReadonlyMap<string, Path | typeof AMBIGUOUS> {
    const read = this.#schemas.get(dataset)
    if (read) return read
    const { fields } = getAspect(this.#entities.get(dataset), 'schemaMetadata')
    const schema = new Map<string, Path | typeof AMBIGUOUS>()
    for (const field of Array.isArray(fields) ? fields.filter(isObject) : []) {
      const path = parseFieldPath(toText(field.fieldPath) ?? '')
      for (let length = 1; length <= path.length; length += 1) {
        const start = path.slice(0, length)
        if (schema.has(toExact(start))) continue
        schema.set(toExact(start), start)
        schema.set(toFolded(start), schema.has(toFolded(start)) ? AMBIGUOUS : start)
      }
    }
    const [oldest] = this.#schemas.size >= MAX_SCHEMAS ? this.#schemas.keys() : []
    if (oldest !== undefined) this.#schemas.delete(oldest)
    this.#schemas.set(dataset, schema)
    return schema
  }
}

const toExact = (path: Path): string => `exact ${path.join('\0')}`
const toFolded = (path: Path): string => `folded ${path.join('\0').toLowerCase()}`
