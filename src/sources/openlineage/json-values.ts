import { isObject, type Json } from '../../platform/core/json-value.ts'

/** Values of facets, which can contain anything. Pure. */

const MAX_TEXT_LENGTH = 10_000
export const toBoundedText = (value: unknown, maxLength = MAX_TEXT_LENGTH): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, maxLength).toWellFormed() : undefined
export const toJsonObject = (value: unknown): Json => (isObject(value) ? value : {})
export const toJsonObjects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(toJsonObject) : [])
