import { type Group, getThesaurus, type Member } from './thesaurus.ts'
import { singularForms } from './word-forms.ts'

export interface WordAlternative {
  /** One or several words: `exchange rate` for `fx`. */
  readonly word: string
  /** How likely it means the same, from 0 to 1. */
  readonly weight: number
  readonly kind: 'abbreviation' | 'synonym' | 'translation' | 'related'
}

const ABBREVIATION = 0.9
const SYNONYM = 0.7
const TRANSLATION = 0.6
const LOOSE = 0.6
const UNUSUAL = 0.9
const MIN_WEIGHT = 0.3
const MAX_ALTERNATIVES = 40
const MAX_PHRASE_WORDS = 4

/** Other words for a typed word, best first. Words and answers are lower case without accents. */
export const findAlternatives = (word: string): readonly WordAlternative[] => findForms(word).slice(0, MAX_ALTERNATIVES)

/** Other words for several of these words in a row: `fx` for `exchange rates`. One list for each word. */
export const findPhraseAlternatives = (words: readonly string[]): readonly (readonly WordAlternative[])[] => {
  const found = words.map((): WordAlternative[] => [])
  for (const [start] of words.entries())
    for (let end = start + 2; end <= Math.min(words.length, start + MAX_PHRASE_WORDS); end += 1) {
      const alternatives = findForms(words.slice(start, end).join(' '))
      for (const own of found.slice(start, end)) own.push(...alternatives)
    }
  return found
}

interface Step extends WordAlternative {
  /** Not marked with `~`: its alternatives are alternatives of the typed word, too. */
  readonly certain: boolean
  readonly by: 'expanding' | 'shortening' | 'synonym'
}

/**
 * One or two steps through the lists: `client` is `customer`, and that is `cust`. An abbreviation is never expanded after a full form was
 * shortened: `invoice` and `inventory` share `inv` and nothing else.
 */
const findForms = (typed: string): WordAlternative[] => {
  const listed = [typed, ...singularForms(typed)].find((form) => getThesaurus().has(form))
  if (listed === undefined) return []
  const best = new Map<string, WordAlternative>()
  const add = ({ word, weight, kind }: WordAlternative): void => {
    if (word !== listed && word !== typed && weight >= MIN_WEIGHT && weight > (best.get(word)?.weight ?? 0))
      best.set(word, { word, weight, kind })
  }
  for (const first of findSteps(listed)) {
    add(first)
    if (first.certain && first.by !== 'shortening')
      for (const second of findSteps(first.word, first.by === 'synonym' ? 'abbreviation' : undefined))
        if (second.certain && second.by !== 'expanding')
          add({ ...second, weight: first.weight * second.weight, kind: first.kind === 'abbreviation' ? second.kind : first.kind })
  }
  return [...best.values()].sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
}

const findSteps = (form: string, kind?: Group['kind']): Step[] =>
  (getThesaurus().get(form) ?? [])
    .filter(({ group }) => kind === undefined || group.kind === kind)
    .flatMap(({ member, group }) =>
      group.members.filter((other) => other.form !== form && !(member.loose && other.loose)).map((other) => toStep(member, other, group)),
    )

const toStep = (from: Member, to: Member, group: Group): Step => {
  const certain = !from.loose && !to.loose
  const closeness = certain ? 1 : LOOSE
  if (group.kind === 'abbreviation') {
    const [full, short] = group.members as [Member, Member]
    const weight = ABBREVIATION * (short.usual ? 1 : UNUSUAL) * (short.language === 0 ? 1 : UNUSUAL) * clarity(group.meanings)
    return { word: to.form, weight: closeness * weight, kind: 'abbreviation', certain, by: from === full ? 'shortening' : 'expanding' }
  }
  const sameLanguage = from.language === to.language
  const kind = !certain ? 'related' : sameLanguage ? 'synonym' : 'translation'
  const weight = sameLanguage ? SYNONYM : TRANSLATION
  return { word: to.form, weight: closeness * weight * (to.usual ? 1 : UNUSUAL), kind, certain, by: 'synonym' }
}

/** An abbreviation of many words says little about each of them. */
const clarity = (meanings: number): number => (meanings === 1 ? 1 : meanings <= 3 ? 0.8 : 0.65)
