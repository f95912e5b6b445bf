import { conflict } from '../core/errors.ts'
import type { Translatable } from '../core/translatable.ts'

export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === '23505'

/** Turns a unique violation of `write` into a conflict with this message, about this field if there is one. */
export const rejectDuplicate = async <T>(write: Promise<T>, detail: string | Translatable, field?: string): Promise<T> => {
  try {
    return await write
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict(detail, field === undefined ? undefined : { [field]: [detail] })
    throw error
  }
}
