import type { Cell } from './cells.ts'

/** Values of worksheet cells as the texts that a CSV file would contain. Pure. */

/** Characters that XML cannot contain are written as `_x0001_`, and so is such a text itself. */
export const decodeXlsxText = (text: string): string =>
  text.includes('_x') ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text

export const encodeXlsxText = (text: string): string =>
  text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    // XML cannot contain them, and its parsers turn CR into LF.
    .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, (char) => `_x${char.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`)

/** Columns are counted with letters: A is 0, AA is 26. Undefined for what is no reference. */
export const parseColumnIndex = (reference: string): number | undefined => {
  const letters = /^[A-Z]{1,3}(?=\d|$)/.exec(reference)?.[0]
  if (!letters) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

const BUILT_IN_DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47])

/** Longer ones are none: Excel has 255. */
const MAX_FORMAT_LENGTH = 1_000

/** Whether a number format shows a date or a time: it contains `d`, `m`, `y`, `h` or `s` outside of quotes and brackets. */
export const isDateFormat = (id: number, code: string | undefined): boolean =>
  code === undefined
    ? BUILT_IN_DATE_FORMATS.has(id)
    : code.length <= MAX_FORMAT_LENGTH && /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, ''))

const DAY_MS = 86_400_000
/** Excel counts 29 February 1900, which did not exist: day 60 and later are one too high. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)

/** A date without a time is a calendar day. */
const formatSerialDate = (serial: number, date1904: boolean): string => {
  const at = new Date((date1904 ? EPOCH_1904 : EPOCH_1900) + Math.round(serial * DAY_MS))
  if (Number.isNaN(at.getTime())) return String(serial)
  return Number.isInteger(serial) ? at.toISOString().slice(0, 10) : at.toISOString()
}

export interface RawCell {
  /** `s` shared string, `inlineStr`, `str` of a formula, `b`, `e` error, `d` ISO date, `n` or '' number. */
  readonly type: string
  readonly style: number
  readonly text: string
}

export interface CellContext {
  readonly strings: readonly string[]
  readonly dateStyles: ReadonlySet<number>
  readonly date1904: boolean
}

export const toCell = ({ type, style, text }: RawCell, { strings, dateStyles, date1904 }: CellContext): Cell => {
  if (type === 's') return strings[Number(text)] ?? null
  if (type === 'inlineStr' || type === 'str' || type === 'd' || type === 'e') return decodeXlsxText(text)
  if (text === '') return null
  if (type === 'b') return text === '1' || text === 'true' ? 'true' : 'false'
  const number = Number(text)
  if (Number.isNaN(number)) return text
  return dateStyles.has(style) ? formatSerialDate(number, date1904) : formatNumber(number)
}

/** Without an exponent, as a CSV file would have it. */
const formatNumber = (number: number): string => (Number.isInteger(number) && Math.abs(number) < 1e21 ? number.toFixed(0) : String(number))
