import { hash } from 'node:crypto'
import type { Own } from '../resources/own-fields.ts'
import type { ReportedFields } from '../resources/report.ts'
import type { ResourceChange } from '../resources/schema.ts'

/** One thing a source has, in plain words: wherever it was read, everything behind this is the same. */
export interface Item {
  /** What the source calls it, all of its name: its `databuilder_id`. One item for each. */
  readonly key: string
  /** The key of what it stands under, which comes before it. */
  readonly parent?: string
  /** By what the source knows it whatever it is called: an OID. With it a rename is a rename. */
  readonly stable_id?: string
  readonly entity_type: string
  /** What the source says, and people may say otherwise. Absent: it does not speak of it. Null: it says nothing there. */
  readonly fields: Omit<ResourceChange, 'entity_type' | 'parent' | 'integration'> & { readonly title: string }
  /** The same for fields only this kind has. */
  readonly own?: Own
  /** Numbers, which only the source knows. */
  readonly reported?: Omit<ReportedFields, 'databuilder_id'>
  /** What else it tells: keys, indexes, defaults. Shown as `display_metadata`. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** What it is made by: lineage is read from it. Of a query or a routine: what it does. */
  readonly made_by?: Definition
  /** Of a query: how often its source was asked it. */
  readonly used?: Used
}

/** As the source counts: from a moment on, or over so many hours up to now. */
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

/** The parts of a name as one key. Dots in a part are told from those between parts. */
export const keyOf = (...parts: readonly string[]): string => {
  let key = ''
  for (const [i, part] of parts.entries()) key += (i > 0 ? '.' : '') + (TOLD_APART.test(part) ? part.replace(/[\\.]/g, '\\$&') : part)
  return shortKey(key)
}
const TOLD_APART = /[\\.]/ // most names have neither, and there are hundreds of thousands

/** A longer one would not fit an index entry: then its end is a hash of the whole. */
const shortKey = (key: string): string => (key.length <= LONGEST_KEY ? key : `${key.slice(0, LONGEST_KEY - 50)}…${hashOf(key)}`)

/** The parts again, as the source calls them whatever people do here. Nothing of a key that had to be shortened. */
export const partsOf = (key: string): string[] | undefined =>
  SHORTENED.test(key) ? undefined : [...`.${key}`.matchAll(/\.((?:\\.|[^.\\])*)/gs)].map(([, part]) => part!.replace(/\\(.)/gs, '$1'))

/** The key of what it stands under, as its name says. */
export const parentKey = (key: string): string | undefined => /^(.*[^\\](?:\\\\)*)\.(?:\\.|[^.\\])*$/s.exec(key)?.[1]

const SHORTENED = new RegExp(`^.{${LONGEST_KEY - 50}}…[\\w-]{43}$`, 's')

/** An item as it can be stored: sources hold names with anything in them. */
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

/** An item as it can be stored, with its fingerprint. Most can be stored as they are, which their text shows: a look into every value of hundreds of thousands is dear. */
export const storedForm = (told: Item): { item: Item; fingerprint: string } => {
  const text = textOf(told)
  const fits =
    text.length <= LONGEST_TEXT && told.key.length <= LONGEST_KEY && (told.parent?.length ?? 0) <= LONGEST_KEY && !ESCAPED.test(text)
  const { title } = told.fields
  if (fits && !told.made_by && !told.used && title !== '' && title.length <= LONGEST_TITLE) return { item: told, fingerprint: hashOf(text) }
  const item = storable(told)
  return { item, fingerprint: fingerprintOf(item) }
}

const ESCAPED = /\\u(?:0000|d[89a-f])/ // so JSON writes NUL, and a surrogate that is not half of a pair

/** The same value where nothing in it has to change: most are as they can be, and there are hundreds of thousands. */
const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return value.length > LONGEST_TEXT || UNSTORABLE.test(value) ? cleanedText(value) : value
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.every((each) => cleaned(each) === each) ? value : value.map(cleaned)
  const entries = Object.entries(value)
  return entries.every(([, each]) => cleaned(each) === each)
    ? value
    : Object.fromEntries(entries.map(([name, each]) => [name, cleaned(each)]))
}

const UNSTORABLE = /[\0\p{Surrogate}]/u // a surrogate that is not half of a pair
const cleanedText = (text: string): string => text.slice(0, LONGEST_TEXT).replaceAll('\0', '\uFFFD').toWellFormed()

/** The same for two items that say the same. How its lineage is read is told apart: reading SQL is dear. And how often it is used: often. */
export const fingerprintOf = (item: Item): string => hashOf(textOf(item))

const textOf = ({ made_by: _, used: __, ...item }: Item): string => JSON.stringify(item)

export const hashOf = (text: string): string => hash('sha256', text, 'base64url')
