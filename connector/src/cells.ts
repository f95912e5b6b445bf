import type { Cell } from './query-messages.ts'

/** Converts values of sources to cells. Pure. */

/** Longer values are truncated, because a page of them has to fit in memory. */
const MAX_CELL_LENGTH = 100_000

export const toTextCell = (text: string): string => toUnicode(text.length <= MAX_CELL_LENGTH ? text : `${text.slice(0, MAX_CELL_LENGTH)}…`)

/** Without NUL and halves of characters, which Postgres cannot store. */
const toUnicode = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

/** A decimal number: a number if a double represents it exactly (`12.50`), else text (`9007199254740993`, `NaN`). */
export const toNumberCell = (text: string): Cell => {
  const number = Number(text)
  return Number.isFinite(number) && normalizeDigits(text) !== undefined && normalizeDigits(text) === normalizeDigits(String(number))
    ? number
    : toTextCell(text)
}

/** Normalized sign, digits and position of the decimal point, because `Number` rounds silently. */
const normalizeDigits = (text: string): string | undefined => {
  const [all, sign, whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text.trim()) ?? []
  const digits = whole + fraction
  if (all === undefined || digits === '') return undefined
  const head = digits.replace(/^0+/, '')
  const point = whole.length + Number(exponent) - (digits.length - head.length)
  return head === '' ? '0' : `${sign === '-' ? '-' : ''}${head.replace(/0+$/, '')}e${point}`
}

/** For drivers that convert values themselves. */
export const toCell = (value: unknown): Cell => {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') return toTextCell(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return toNumberCell(value.toString())
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Uint8Array) return toHexCell(value)
  return toTextCell(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each)) ?? String(value))
}

/** The same with texts of any length: definitions of views are longer than cells. */
export const toWholeCell = (value: unknown): Cell => (typeof value === 'string' ? toUnicode(value) : toCell(value))

const toHexCell = (bytes: Uint8Array): string => toTextCell(`\\x${Buffer.from(bytes.subarray(0, MAX_CELL_LENGTH)).toString('hex')}`)
