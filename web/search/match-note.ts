import type { SearchResult } from '../api/types.ts'
import { t } from '../i18n/messages.ts'

type Reason = SearchResult['reason']

/** Where words were found that the title, the description and the documentation do not contain. */
const describePlace = (match: string): string | undefined => {
  if (match === 'named' || match === 'reference') return t('tag, owner or term')
  if (match === 'part') return t('column names')
  if (match === 'path') return t('path')
  if (match === 'property') return t('custom properties')
  return /synonym|related|meaning/.test(match) ? t('meaning // how a search result was found') : undefined
}

/** Says why a result is shown that does not contain every word itself. */
export const explainMatch = ({ tier, matched, words, matches = [], pinned }: Reason): string | undefined => {
  if (pinned) return t('Pinned')
  if (tier === 'partial') return t('Matches {matched} of {total} words', { matched, total: words })
  if (tier !== 'context') return undefined
  const places = [...new Set(matches.flatMap(({ match }) => describePlace(match) ?? []))]
  return places.length === 0 ? undefined : t('Found by {places}', { places: places.join(', ') })
}
