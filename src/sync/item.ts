import { hash } from 'node:crypto'
import type { Own } from '../resources/own-fields.ts'
import type { ReportedFields } from '../resources/report.ts'
import type { ResourceChange } from '../resources/schema.ts'

/** One thing a source reports, in a form common to all sources. */
export interface Item {
  /** Its full name in the source: its `databuilder_id`. Unique per source. */
  readonly key: string
  /** The key of its parent, which must come before it. */
  readonly parent?: string
  /** An identifier that survives a rename, e.g. an OID. With it, a rename is detected. */
  readonly stable_id?: string
  readonly entity_type: string
  /** What the source reports and users may override. Absent: not reported. Null: reported as empty. */
  readonly fields: Omit<ResourceChange, 'entity_type' | 'parent' | 'integration'> & { readonly title: string }
  /** The same for fields of this entity type only. */
  readonly own?: Own
  /** Numbers only the source knows. */
  readonly reported?: Omit<ReportedFields, 'databuilder_id'>
  /** Additional facts: keys, indexes, defaults. Shown as `display_metadata`. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Its definition, from which lineage is derived. For a query or routine: what it executes. */
  readonly made_by?: Definition
  /** For a query: how often the source executed it. */
  readonly used?: Used
}

/** As counted by the source: since a moment, or over the last `hours`. */
export interface Used {
  readonly calls: number
  readonly since?: string | null
  readonly hours?: number
  readonly users?: readonly string[]
}

export interface Definition {
  readonly sql: string
  readonly dialect: string
  readonly database?: string
  readonly schema?: string
}

const LONGEST_KEY = 500
const LONGEST_TITLE = 500
const LONGEST_TEXT = 100_000

/** Joins the parts of a name into a key. Dots inside a part are escaped. */
export const keyOf = (...parts: readonly string[]): string => {
  let key = ''
  for (const [i, part] of parts.entries()) key += (i > 0 ? '.' : '') + (TOLD_APART.test(part) ? part.replace(/[\\.]/g, '\\$&') : part)
  return shortKey(key)
}
const TOLD_APART = /[\\.]/ // most names need no escaping, and there are hundreds of thousands

/** Longer keys do not fit an index entry: they end in a hash of the whole key. */
const shortKey = (key: string): string => (key.length <= LONGEST_KEY ? key : `${key.slice(0, LONGEST_KEY - 50)}…${hashOf(key)}`)

/** The parts of a key, as named in the source. Undefined for a key that was shortened. */
export const partsOf = (key: string): string[] | undefined =>
  SHORTENED.test(key) ? undefined : [...`.${key}`.matchAll(/\.((?:\\.|[^.\\])*)/gs)].map(([, part]) => part!.replace(/\\(.)/gs, '$1'))

/** The key of its parent, derived from the name. */
export const parentKey = (key: string): string | undefined => /^(.*[^\\](?:\\\\)*)\.(?:\\.|[^.\\])*$/s.exec(key)?.[1]

const SHORTENED = new RegExp(`^.{${LONGEST_KEY - 50}}…[\\w-]{43}$`, 's')

/** An item in a storable form: names in sources can contain anything. */
export const storable = (item: Item): Item => {
  const clean = cleaned(item) as Item
  const title = clean.fields.title.slice(0, LONGEST_TITLE).toWellFormed()
  return {
    ...clean,
    key: shortKey(clean.key),
    ...(clean.parent === undefined ? {} : { parent: shortKey(clean.parent) }),
    fields: { ...clean.fields, title: title === '' ? '(no name)' : title },
  }
}

/** An item in a storable form, with its fingerprint. Most are storable as they are, which their JSON shows: checking every value of hundreds of thousands of items is expensive. */
export const storedForm = (told: Item): { item: Item; fingerprint: string } => {
  const text = textOf(told)
  const fits =
    text.length <= LONGEST_TEXT && told.key.length <= LONGEST_KEY && (told.parent?.length ?? 0) <= LONGEST_KEY && !ESCAPED.test(text)
  const { title } = told.fields
  if (fits && !told.made_by && !told.used && title !== '' && title.length <= LONGEST_TITLE) return { item: told, fingerprint: hashOf(text) }
  const item = storable(told)
  return { item, fingerprint: fingerprintOf(item) }
}

const ESCAPED = /\\u(?:0000|d[89a-f])/ // how JSON writes NUL and unpaired surrogates

/** Returns the same value if nothing has to change, which is the case for most of hundreds of thousands. */
const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return value.length > LONGEST_TEXT || UNSTORABLE.test(value) ? cleanedText(value) : value
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.every((each) => cleaned(each) === each) ? value : value.map(cleaned)
  const entries = Object.entries(value)
  return entries.every(([, each]) => cleaned(each) === each)
    ? value
    : Object.fromEntries(entries.map(([name, each]) => [name, cleaned(each)]))
}

const UNSTORABLE = /[\0\p{Surrogate}]/u // NUL and unpaired surrogates
const cleanedText = (text: string): string => text.slice(0, LONGEST_TEXT).replaceAll('\0', '\uFFFD').toWellFormed()

/** Equal for items with equal values. Excludes the definition, because parsing SQL is expensive, and usage, because it changes often. */
export const fingerprintOf = (item: Item): string => hashOf(textOf(item))

const textOf = ({ made_by: _, used: __, ...item }: Item): string => JSON.stringify(item)

export const hashOf = (text: string): string => hash('sha256', text, 'base64url')
