import { isSameValue } from '../../platform/core/same-value.ts'
import type { Change } from '../../platform/history/record.ts'

/** What undoing an operation does to the fields of one resource. Pure. */
export interface RestorePlan {
  /** The previous values of fields that still have the value the operation wrote. */
  readonly restored: Readonly<Record<string, unknown>>
  /** Changes whose field has another value by now: it stays. */
  readonly kept: readonly KeptChange[]
}

interface KeptChange extends Change {
  readonly now: unknown
}

/** `changes` of the operation, newest first. */
export const planRestore = (current: Readonly<Record<string, unknown>>, changes: readonly Change[]): RestorePlan => {
  const values = new Map(Object.entries(current))
  const restored: Record<string, unknown> = {}
  const kept: KeptChange[] = []
  for (const { field, from, to } of changes) {
    const now = values.get(field)
    if (isSameValue(now, to)) {
      values.set(field, from)
      restored[field] = from
    } else if (!isSameValue(now, from)) kept.push({ field, from, to, now: now ?? null })
  }
  return { restored, kept }
}
