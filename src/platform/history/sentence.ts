import type { Translatable } from '../core/translatable.ts'

/** Every sentence has the placeholders `performer` and `resource`, whose values are added to all of them. */
export const sentence = <const S extends string>(template: S, values: Translatable['values'] = {}): Translatable => ({ template, values })

const MAX_QUOTE_LENGTH = 80
export const quoteValue = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim()
  const letters = [...text.slice(0, 2 * MAX_QUOTE_LENGTH + 2)] // by code point, so that no character is cut in half
  return `“${letters.length > MAX_QUOTE_LENGTH ? `${letters.slice(0, MAX_QUOTE_LENGTH).join('').trimEnd()}…` : text}”`
}
