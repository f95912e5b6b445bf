import { hash } from 'node:crypto'
import { splitKey, toKey } from '../../../connector/src/keys.ts'
import type { ResourceChange } from '../../catalog/records/schema.ts'
import type { TypeFields } from '../../catalog/records/type-fields.ts'
import type { ReportedFields } from '../../catalog/resources/reported-fields.ts'

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
  readonly own?: TypeFields
  /** Numbers only the source knows. */
  readonly reported?: Omit<ReportedFields, 'databuilder_id'>
  /** Additional facts: keys, indexes, defaults. Shown as `display_metadata`. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Its definition, from which lineage is derived. For a query or routine: what it executes. */
  readonly made_by?: ItemDefinition
  /** For a query: how often the source executed it. */
  readonly used?: ItemUsage
}

/** As counted by the source: since a moment, or over the last `hours`. */
export interface ItemUsage {
  readonly calls: number
  readonly since?: string | null
  readonly hours?: number
  readonly users?: readonly string[]
}

export interface ItemDefinition {
  readonly sql: string
  readonly dialect: string
  readonly database?: string
  readonly schema?: string
  /** For a query: the integration whose tables it reads, if not its own. Null: any. */
  readonly reads_from?: string | null
}

const MAX_KEY_LENGTH = 500
const MAX_TITLE_LENGTH = 500
const MAX_TEXT_LENGTH = 100_000

/** Joins the parts of a name into a key. */
export const buildItemKey = (...parts: readonly string[]): string => shortenKey(toKey(...parts))

/** Longer keys do not fit an index entry: they end in a hash of the whole key. */
const shortenKey = (key: string): string => (key.length <= MAX_KEY_LENGTH ? key : `${key.slice(0, MAX_KEY_LENGTH - 50)}…${hashText(key)}`)

/** The parts of a key, as named in the source. Undefined for a key that was shortened. */
export const splitItemKey = (key: string): string[] | undefined => (SHORTENED.test(key) ? undefined : splitKey(key))

/** The key of its parent, derived from the name. */
export const getParentKey = (key: string): string | undefined => /^(.*[^\\](?:\\\\)*)\.(?:\\.|[^.\\])*$/s.exec(key)?.[1]

const SHORTENED = new RegExp(`^.{${MAX_KEY_LENGTH - 50}}…[\\w-]{43}$`, 's')

/** An item in a storable form: names in sources can contain anything. */
export const toStorable = (item: Item): Item => {
  const clean = cleanValue(item) as Item
  const title = clean.fields.title.slice(0, MAX_TITLE_LENGTH).toWellFormed()
  return {
    ...clean,
    key: shortenKey(clean.key),
    ...(clean.parent === undefined ? {} : { parent: shortenKey(clean.parent) }),
    fields: { ...clean.fields, title: title === '' ? '(no name)' : title },
  }
}

/** An item in a storable form, with its fingerprint. Most are storable as they are, which their JSON shows: checking every value of hundreds of thousands of items is expensive. */
export const toStoredItem = (reported: Item): { item: Item; fingerprint: string } => {
  const text = serializeItem(reported)
  const fits =
    text.length <= MAX_TEXT_LENGTH &&
    reported.key.length <= MAX_KEY_LENGTH &&
    (reported.parent?.length ?? 0) <= MAX_KEY_LENGTH &&
    !ESCAPED_UNSTORABLE.test(text)
  const { title } = reported.fields
  if (fits && !reported.made_by && !reported.used && title !== '' && title.length <= MAX_TITLE_LENGTH)
    return { item: reported, fingerprint: hashText(text) }
  const item = toStorable(reported)
  return { item, fingerprint: computeFingerprint(item) }
}

const ESCAPED_UNSTORABLE = /\\u(?:0000|d[89a-f])/ // how JSON writes NUL and unpaired surrogates

/** Returns the same value if nothing has to change, which is the case for most of hundreds of thousands. */
const cleanValue = (value: unknown): unknown => {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH || UNSTORABLE.test(value) ? cleanText(value) : value
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.every((each) => cleanValue(each) === each) ? value : value.map(cleanValue)
  const entries = Object.entries(value)
  return entries.every(([, each]) => cleanValue(each) === each)
    ? value
    : Object.fromEntries(entries.map(([name, each]) => [name, cleanValue(each)]))
}

const UNSTORABLE = /[\0\p{Surrogate}]/u // NUL and unpaired surrogates
const cleanText = (text: string): string => text.slice(0, MAX_TEXT_LENGTH).replaceAll('\0', '\uFFFD').toWellFormed()

/** Equal for items with equal values. Excludes the definition, because parsing SQL is expensive, and usage, because it changes often. */
export const computeFingerprint = (item: Item): string => hashText(serializeItem(item))

const serializeItem = ({ made_by: _, used: __, ...item }: Item): string => JSON.stringify(item)

export const hashText = (text: string): string => hash('sha256', text, 'base64url')
