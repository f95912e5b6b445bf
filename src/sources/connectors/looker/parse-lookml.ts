/** `view: orders { label: "Orders" dimension: id { … } }`. Blocks of the same name are as in the file: nothing is merged yet. */
export interface LookmlBlock {
  readonly key: string
  /** Empty for blocks without one, such as `derived_table`. */
  readonly name: string
  /** A list, or a parameter that is repeated, has several values. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly blocks: readonly LookmlBlock[]
}

export class LookmlError extends Error {
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

const MAX_DEPTH = 30
const MAX_NAME = 200
/** Their values are text up to `;;`, as are those of all that begins with `sql`. */
const RAW_KEYS = new Set(['html', 'expression', 'expression_custom_filter'])
const isRaw = (key: string): boolean => RAW_KEYS.has(key) || /^sql(_|$)/.test(key)

/** A whole file as a block without a name. `expand` replaces constants in values. Throws a LookmlError with the line. */
export const parseLookml = (text: string, expand: (value: string) => string = (value) => value): LookmlBlock =>
  new Parser(text, expand).parse()

class Parser {
  readonly #text: string
  readonly #expand: (value: string) => string
  #at = 0

  constructor(text: string, expand: (value: string) => string) {
    this.#text = text.replace(/^\uFEFF/, '')
    this.#expand = expand
  }

  parse(): LookmlBlock {
    return this.#readBody({ key: '', name: '' }, 0)
  }

  /** The entries up to the closing brace, or the end of the file. */
  #readBody(head: { readonly key: string; readonly name: string }, depth: number): LookmlBlock {
    const start = this.#at
    if (depth > MAX_DEPTH) this.#fail(`More than ${MAX_DEPTH} blocks inside each other.`)
    const values = new Map<string, string[]>()
    const blocks: LookmlBlock[] = []
    for (let next = this.#peek(); next !== '}'; next = this.#peek()) {
      if (next === '' && depth > 0) this.#fail(`The block ${head.key}${head.name && ` ${head.name}`} is not closed.`, start)
      if (next === '') return { ...head, values, blocks }
      this.#readEntry(values, blocks, depth)
    }
    if (depth === 0) this.#fail('Unexpected }.')
    this.#at += 1
    return { ...head, values, blocks }
  }

  #readEntry(values: Map<string, string[]>, blocks: LookmlBlock[], depth: number): void {
    const key = this.#readWord(/[^\s{}[\],:"#]+/y, 'a parameter')
    if (this.#peek() !== ':') this.#fail(`Expected : after ${key}.`)
    this.#at += 1
    const found = values.get(key) ?? []
    const add = (value: string) => {
      values.set(key, found)
      found.push(value)
    }
    const next = this.#peek()
    if (isRaw(key)) add(this.#readRaw(key))
    else if (next === '[') {
      values.set(key, found)
      for (const value of this.#readList(depth)) found.push(value)
    } else {
      const name = next === '{' ? '' : next === '"' ? this.#readString() : this.#readWord(/[^\s{}[\],"#]+/y, `a value of ${key}`)
      if (this.#peek() !== '{') add(name)
      else {
        if (name.length > MAX_NAME) this.#fail(`The name of ${key} has more than ${MAX_NAME} characters.`)
        this.#at += 1
        blocks.push(this.#readBody({ key, name }, depth + 1))
      }
    }
  }

  /** `[a, b]`, `["a"]`, `[status: "paid", region: "EU"]`: a pair is one value. */
  #readList(depth: number): string[] {
    const start = this.#at
    if (depth > MAX_DEPTH) this.#fail(`More than ${MAX_DEPTH} lists inside each other.`)
    const found: string[] = []
    this.#at += 1
    for (let next = this.#peek(); next !== ']'; next = this.#peek()) {
      if (next === '') this.#fail('The list is not closed.', start)
      if (next === ',') this.#at += 1
      else {
        const value = this.#readListed(depth)
        if (this.#peek() !== ':') found.push(value)
        else {
          this.#at += 1
          found.push(`${value}: ${this.#readListed(depth)}`)
        }
      }
    }
    this.#at += 1
    return found
  }

  #readListed(depth: number): string {
    const next = this.#peek()
    if (next === '[') return this.#readList(depth + 1).join(', ')
    return next === '"' ? this.#readString() : this.#readWord(/[^\s{}[\],:"#]+/y, 'a value of the list')
  }

  #readRaw(key: string): string {
    const end = this.#text.indexOf(';;', this.#at)
    if (end < 0) this.#fail(`Expected ;; after ${key}.`)
    const value = this.#text.slice(this.#at, end).trim()
    this.#at = end + 2
    return this.#expand(value)
  }

  #readString(): string {
    const start = this.#at
    const pattern = /[^"\\]*/y
    let value = ''
    this.#at += 1
    for (;;) {
      pattern.lastIndex = this.#at
      value += pattern.exec(this.#text)![0]
      this.#at = pattern.lastIndex
      const mark = this.#text[this.#at]
      if (mark === undefined) this.#fail('The text in quotes is not closed.', start)
      this.#at += 1
      if (mark === '"') return this.#expand(value)
      const escaped = this.#text[this.#at] ?? ''
      value += escaped === '"' || escaped === '\\' ? escaped : `\\${escaped}`
      this.#at += 1
    }
  }

  #readWord(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.#at
    const [word] = pattern.exec(this.#text) ?? this.#fail(`Expected ${what}, but found ${this.#text[this.#at] ?? 'the end of the file'}.`)
    this.#at = pattern.lastIndex
    return this.#expand(word)
  }

  /** The next character that is neither space nor part of a comment; empty at the end. */
  #peek(): string {
    for (;;) {
      const next = this.#text[this.#at] ?? ''
      if (next === '#') {
        const end = this.#text.indexOf('\n', this.#at)
        this.#at = end < 0 ? this.#text.length : end
      } else if (next !== '' && next.trim() === '') this.#at += 1
      else return next
    }
  }

  #fail(message: string, at = this.#at): never {
    throw new LookmlError(message, this.#text.slice(0, at).split('\n').length)
  }
}
