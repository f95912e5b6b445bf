import { isObject } from './protocol.ts'

/** A response does not have the expected shape. */
export class DriftError extends Error {}

/**
 * Reads a JSON value field by field. A field that is missing or of another type is an error that names it, because an API that changed must not
 * look like a source that was emptied.
 */
export class Shape {
  readonly value: unknown
  readonly #what: string
  readonly #path: string

  /** `what` names the request: `GET /api/card`. */
  constructor(value: unknown, what: string, path = '') {
    this.value = value
    this.#what = what
    this.#path = path
  }

  /** The field as a shape of its own; its value may be undefined. */
  at(name: string | number): Shape {
    const path = typeof name === 'number' ? `${this.#path}[${name}]` : `${this.#path}${this.#path ? '.' : ''}${name}`
    const inner = typeof name === 'number' ? (Array.isArray(this.value) ? this.value[name] : undefined) : this.#object()[name]
    return new Shape(inner, this.#what, path)
  }

  get missing(): boolean {
    return this.value === undefined || this.value === null
  }

  text(name: string): string {
    const { value } = this.at(name)
    return typeof value === 'string' ? value : this.at(name).fail('text')
  }

  /** Undefined if it is null or absent. */
  optionalText(name: string): string | undefined {
    return this.at(name).missing ? undefined : this.text(name)
  }

  /** A number, or text that contains one. */
  integer(name: string): number {
    const { value } = this.at(name)
    const found = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    return Number.isSafeInteger(found) ? Number(found) : this.at(name).fail('a whole number')
  }

  optionalInteger(name: string): number | undefined {
    return this.at(name).missing ? undefined : this.integer(name)
  }

  optionalBoolean(name: string): boolean | undefined {
    const { value } = this.at(name)
    if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined
    return this.at(name).fail('true or false')
  }

  object(name: string): Shape {
    const inner = this.at(name)
    inner.#object()
    return inner
  }

  optionalObject(name: string): Shape | undefined {
    return this.at(name).missing ? undefined : this.object(name)
  }

  list(name: string): Shape[] {
    return this.at(name).items()
  }

  /** Empty if it is null or absent. */
  optionalList(name: string): Shape[] {
    return this.at(name).missing ? [] : this.list(name)
  }

  items(): Shape[] {
    if (!Array.isArray(this.value)) return this.fail('a list')
    return this.value.map((_, i) => this.at(i))
  }

  fail(expected: string): never {
    const { value } = this
    const found = value === undefined ? 'missing' : value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value
    throw new DriftError(
      `${this.#what}: \`${this.#path || 'the response'}\` must be ${expected}, but is ${found}. This version of the API is not supported, or it has changed.`,
    )
  }

  #object(): Record<string, unknown> {
    return isObject(this.value) ? this.value : this.fail('an object')
  }
}
