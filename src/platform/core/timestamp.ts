const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Accepts ISO 8601, UTC if it has no zone; returns it with milliseconds and `Z`. Anything else is rejected. */
export const parseTimestamp = (text: string): string | undefined => {
  if (!ISO.test(text) || !isDay(text)) return undefined
  const at = new Date(/[Zz]|[+-]\d\d:?\d\d$/.test(text.slice(10)) || text.length === 10 ? text : `${text}Z`)
  const year = at.getUTCFullYear() // a zone offset can move the year out of four digits
  return year >= 1 && year <= 9999 ? at.toISOString() : undefined
}

/** `Date` reads the 30th of February as the 2nd of March. */
const isDay = (text: string): boolean =>
  Number(text.slice(8, 10)) <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
