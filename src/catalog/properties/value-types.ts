import { parseId } from '../../platform/core/id.ts'

/** Value types and the normal form of their values. Pure: text in, text out, no database. */
export const VALUE_TYPES = ['string', 'number', 'boolean', 'date', 'select', 'multi_select', 'user', 'resource', 'tag', 'url'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

/** Determines which values a property accepts. */
export interface ValueRules {
  readonly value_type: ValueType
  /** Allowed values of a select; null allows any text. */
  readonly options: readonly string[] | null
}

export const hasOptions = (value_type: ValueType): boolean => value_type === 'select' || value_type === 'multi_select'

export const MAX_TEXT_LENGTH = 255
const MAX_VALUE_BYTES = 2000 // longer values do not fit into an index entry

/** The normal form of a value; '' if it is empty, which means no value; undefined if it is not valid for the type. */
export const normalizeValue = (property: ValueRules, text: string): string | undefined => {
  const trimmed = text.trim()
  const value = trimmed === '' ? '' : NORMALIZERS[property.value_type](trimmed, property.options)
  return value !== undefined && isStorable(value) && Buffer.byteLength(value) <= MAX_VALUE_BYTES ? value : undefined
}

/** Describes the expected values, for error messages. */
export const describeExpectedValue = ({ value_type, options }: ValueRules): string => {
  if (value_type === 'select' && options) return `one of ${formatOptions(options)}`
  if (value_type === 'multi_select' && options) return `a JSON array with values from ${formatOptions(options)}`
  return EXPECTED_VALUES[value_type]
}

const EXPECTED_VALUES: Record<ValueType, string> = {
  string: `a text of at most ${MAX_TEXT_LENGTH} characters`,
  number: 'a decimal number, e.g. 12.5',
  boolean: 'true or false',
  date: 'a date, e.g. 2026-01-31',
  select: `a text of at most ${MAX_TEXT_LENGTH} characters`,
  multi_select: 'a JSON array of strings, e.g. ["a","b"]',
  user: 'the UUID of a user',
  resource: 'the UUID of a resource',
  tag: 'the UUID of a tag',
  url: 'an http or https URL',
}

const hasValidLength = (text: string): boolean => text.length <= MAX_TEXT_LENGTH || [...text].length <= MAX_TEXT_LENGTH
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const normalizeSelect = (text: string, options: ValueRules['options']): string | undefined =>
  (options ? options.includes(text) : hasValidLength(text)) ? text : undefined

/** Removes duplicates and sorts by the order of the options. */
const normalizeMultiSelect = (text: string, options: ValueRules['options']): string | undefined => {
  const items = parseItems(text)
  if (!items) return undefined
  const chosen = [...new Set(items.map((item) => item.trim()))]
  if (chosen.some((item) => item === '' || !isStorable(item) || normalizeSelect(item, options) === undefined)) return undefined
  const ordered = options ? options.filter((option) => chosen.includes(option)) : chosen
  return ordered.length === 0 ? '' : JSON.stringify(ordered)
}

const parseItems = (text: string): string[] | undefined => {
  try {
    const json: unknown = JSON.parse(text)
    return Array.isArray(json) && json.every((item) => typeof item === 'string') ? json : undefined
  } catch {
    return undefined
  }
}

export const normalizeBoolean = (text: string): string | undefined => (/^(true|false)$/i.test(text) ? text.toLowerCase() : undefined)

export const normalizeDate = (text: string): string | undefined => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < '0001') return undefined
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}

const MAX_DIGITS = 40 // on either side of the decimal point
const MAX_NUMBER_LENGTH = 1_000 // with zeros that mean nothing; matching takes time quadratic in the length

/** Works on digits: `007`, `7.0` and `0.7e1` become `7`, and long numbers lose no digits as they would in a float. */
export const normalizeNumber = (text: string): string | undefined => {
  if (text.length > MAX_NUMBER_LENGTH) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? []
  if (whole === '' && fraction === '') return undefined
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  const before = (point > 0 ? digits.slice(0, point).padEnd(point, '0') : '').replace(/^0+/, '')
  const after = (point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits).replace(/0+$/, '')
  if (before.length > MAX_DIGITS || after.length > MAX_DIGITS) return undefined
  const number = (before || '0') + (after && `.${after}`)
  return sign === '-' && number !== '0' ? `-${number}` : number
}

const normalizeUrl = (text: string): string | undefined => {
  // The URL parser accepts `http:example.com` and `http:/example.com`.
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}

const NORMALIZERS: Record<ValueType, (text: string, options: ValueRules['options']) => string | undefined> = {
  string: (text) => (hasValidLength(text) ? text : undefined),
  number: normalizeNumber,
  boolean: normalizeBoolean,
  date: normalizeDate,
  select: normalizeSelect,
  multi_select: normalizeMultiSelect,
  user: parseId,
  resource: parseId,
  tag: parseId,
  url: normalizeUrl,
}

const MAX_LISTED_OPTIONS = 20
const formatOptions = (options: readonly string[]): string =>
  options.slice(0, MAX_LISTED_OPTIONS).join(', ') +
  (options.length > MAX_LISTED_OPTIONS ? `, and ${options.length - MAX_LISTED_OPTIONS} more` : '')
