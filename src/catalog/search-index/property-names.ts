import type { ExpandedWord } from './expand-words.ts'
import type { Features, Match } from './match-features.ts'

/** `tier gold`: the name of a custom property and its value. Resources contain the value only. */
const IN_PROPERTY: readonly Match[] = ['property', 'named', 'reference']

/** The words that may be values, if the others name a property. */
export const findPropertyValues = (words: readonly ExpandedWord[]): readonly ExpandedWord[] => {
  const values = words.filter(({ names_property }) => !names_property)
  return values.length < words.length ? values : []
}

/** Resources with all values match the name of the property, too. */
export const matchPropertyNames = (words: readonly ExpandedWord[], candidates: readonly Features[]): readonly Features[] => {
  if (findPropertyValues(words).length === 0) return candidates
  const isValued = ({ matches }: Features) => matches.every((match, i) => words[i]!.names_property || IN_PROPERTY.includes(match))
  return candidates.map((features) => (isValued(features) ? { ...features, matches: features.matches.map(() => 'named') } : features))
}
