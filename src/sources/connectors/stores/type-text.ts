import { MAX_FIELD_DEPTH, type SchemaField } from './fields.ts'

/**
 * The fields inside a type as Hive, Glue, Spark and Unity Catalog write it: `array<struct<sku:string, size:decimal(10,2)>>` has `sku` and `size`.
 * Empty for a type without fields, and for one that cannot be read. Pure.
 */
export const readTypeFields = (type: string): SchemaField[] => {
  try {
    return new TypeReader(type).readFields()
  } catch {
    return []
  }
}

class TypeReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  readFields(depth = 0): SchemaField[] {
    if (depth > MAX_FIELD_DEPTH) throw new Error('too deep')
    const name = this.#readWord(/[<,>]/).trim().toLowerCase()
    if (this.#peek() !== '<') return []
    this.#at += 1
    const fields: SchemaField[] = []
    while (this.#peek() !== '>') {
      if (name === 'struct' || name === 'uniontype') fields.push(...this.#readField(name, depth))
      else fields.push(...this.readFields(depth + 1)) // of an array, and of the values of a map
      if (this.#peek() === ',') this.#at += 1
      else if (this.#peek() === undefined) throw new Error('incomplete')
    }
    this.#at += 1
    return fields
  }

  #readField(kind: string, depth: number): SchemaField[] {
    const name = kind === 'struct' ? this.#readName() : ''
    const start = this.#at
    const children = this.readFields(depth + 1)
    const rest = this.#readWord(/[,>]/) // not null, comment '…'
    const [type = '', comment] = (this.#text.slice(start, this.#at - rest.length) + rest).split(/\s+comment\s+/i)
    if (kind !== 'struct') return children
    const description = comment?.trim().replace(/^['"]|['"]$/g, '')
    return [
      {
        name,
        type: type.replace(/\s+not null$/i, '').trim(),
        ...(children.length > 0 ? { children } : {}),
        ...(description ? { description } : {}),
      },
    ]
  }

  #readName(): string {
    while (this.#peek() === ' ') this.#at += 1
    if (this.#peek() === '`') {
      const end = this.#text.indexOf('`', this.#at + 1)
      const name = this.#text.slice(this.#at + 1, end)
      this.#at = this.#text.indexOf(':', end) + 1
      return name
    }
    const name = this.#readWord(/[:]/)
    this.#at += 1
    return name.trim()
  }

  /** Up to one of these characters; parentheses, as in `decimal(10,2)`, and quotes belong to it. */
  #readWord(until: RegExp): string {
    const start = this.#at
    let inside = 0
    let quote: string | undefined
    for (; this.#at < this.#text.length; this.#at += 1) {
      const each = this.#text[this.#at]!
      if (quote) quote = each === quote ? undefined : quote
      else if (each === "'" || each === '"') quote = each
      else if (each === '(') inside += 1
      else if (each === ')') inside -= 1
      else if (inside === 0 && until.test(each)) break
    }
    return this.#text.slice(start, this.#at)
  }

  #peek(): string | undefined {
    return this.#text[this.#at]
  }
}
