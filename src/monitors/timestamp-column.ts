import { wordsOf } from '../integrations/connectors/words.ts'

/** Which column says when a row was written. Pure. */
const WRITTEN = [
  /^_?(updated|modified|last_updated|last_modified)(_at|_on|_time|_ts|_date)?$/i,
  /^_?(loaded|ingested|synced|inserted|created|written|recorded)(_at|_on|_time|_ts|_date)?$/i,
  /^(event|transaction|order|sale)?_?(time|timestamp|ts|datetime|date)$/i,
  /(_at|_on|_ts|_time|_date|timestamp)$/i,
]

export const guessTimestamp = (columns: readonly { readonly title: string; readonly native_type: string | null }[]): string | undefined => {
  const moments = columns.filter(({ native_type }) => wordsOf('postgres').isTemporalType(native_type))
  for (const named of WRITTEN) {
    const found = moments.find(({ title }) => named.test(title))
    if (found) return found.title
  }
  return moments.length === 1 ? moments[0]!.title : undefined
}

/** When a row came into being: what the past is told by. */
export const guessCreated = (columns: Parameters<typeof guessTimestamp>[0]): string | undefined =>
  guessTimestamp(columns.filter(({ title }) => !WRITTEN[0]!.test(title))) ?? guessTimestamp(columns)
