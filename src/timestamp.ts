const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** A moment comes in as ISO 8601, UTC where no zone is said; it goes on with milliseconds and `Z`. Anything else is no moment. */
export const readTimestamp = (text: string): string | undefined => {
  if (!ISO.test(text)) return undefined
  const at = new Date(/[Zz]|[+-]\d\d:?\d\d$/.test(text.slice(10)) || text.length === 10 ? text : `${text}Z`)
  const year = at.getUTCFullYear() // a zone can carry a moment out of the years that four digits hold
  return year >= 1 && year <= 9999 ? at.toISOString() : undefined
}
