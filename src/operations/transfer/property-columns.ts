/** Columns with the value of one custom property, e.g. `property:Cost center`. */
const PROPERTY_COLUMN_PREFIX = 'property:'

export const isPropertyColumn = (name: string): boolean => name.startsWith(PROPERTY_COLUMN_PREFIX)

export const toPropertyColumn = (name: string): string => `${PROPERTY_COLUMN_PREFIX}${name}`

/** The ID or the name after the prefix. */
export const getPropertyKey = (column: string): string => column.slice(PROPERTY_COLUMN_PREFIX.length).trim()

/** The text of a value in a file; '' if there is none, undefined if it cannot be one. */
export const toPropertyText = (value: unknown): string | undefined => {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? JSON.stringify(value) : undefined
}
