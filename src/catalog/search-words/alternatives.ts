import { type Group, getBuiltInThesaurus, type Member, type Thesaurus } from './thesaurus.ts'
import { singularForms } from './word-forms.ts'

export interface WordAlternative {
  readonly word: string
  /** How likely it means the same, from 0 to 1. */
  readonly weight: number
  readonly kind: 'abbreviation' | 'synonym' | 'translation' | 'related'
}

/** Other words for some of the typed words: `postal code` for `zip`, `zip` for `postal code`. */
export interface PhraseAlternative {
  /** The typed words that it replaces: `length` words from `start`. */
  readonly start: number
  readonly length: number
  readonly words: readonly string[]
  readonly weight: number
  readonly kind: WordAlternative['kind']
}

const ABBREVIATION = 0.9
const SYNONYM = 0.7
const TRANSLATION = 0.6
const OWN_SYNONYM = 0.9 // somebody of this catalog has said so
const LOOSE = 0.6
const UNUSUAL = 0.9
const MIN_WEIGHT = 0.3
const MAX_ALTERNATIVES = 40
const MAX_PHRASE_LENGTH = 4

/**
 * Other words for a typed word, best first. Words and answers are lower case without accents. `own` are the synonyms of this catalog.
 */
export const findAlternatives = (word: string, own?: Thesaurus): readonly WordAlternative[] =>
  findForms(word, own)
    .filter(({ word }) => !word.includes(' '))
    .slice(0, MAX_ALTERNATIVES)

/** Alternatives where the typed words, or what replaces them, are more than one word. */
export const findPhraseAlternatives = (words: readonly string[], own?: Thesaurus): readonly PhraseAlternative[] =>
  words.flatMap((_, start) =>
    words.slice(start, start + MAX_PHRASE_LENGTH).flatMap((_, i) => {
      const length = i + 1
      return findForms(words.slice(start, start + length).join(' '), own)
        .filter(({ word }) => length > 1 || word.includes(' '))
        .slice(0, MAX_ALTERNATIVES)
        .map(({ word, weight, kind }) => ({ start, length, words: word.split(' '), weight, kind }))
    }),
  )

interface Step extends WordAlternative {
  /** Not marked with `~`: its alternatives are alternatives of the typed word, too. */
  readonly certain: boolean
  readonly by: 'expanding' | 'shortening' | 'synonym'
}

/**
 * One or two steps through the lists: `client` is `customer`, and that is `cust`. An abbreviation is never expanded after a full form was
 * shortened: `invoice` and `inventory` share `inv` and nothing else.
 */
const findForms = (typed: string, own: Thesaurus | undefined): WordAlternative[] => {
  const thesauri = own ? [own, getBuiltInThesaurus()] : [getBuiltInThesaurus()]
  const known = [typed, ...singularForms(typed)].find((form) => thesauri.some((each) => each.has(form)))
  if (known === undefined) return []
  const best = new Map<string, WordAlternative>()
  const add = ({ word, weight, kind }: WordAlternative): void => {
    if (word !== known && word !== typed && weight >= MIN_WEIGHT && weight > (best.get(word)?.weight ?? 0))
      best.set(word, { word, weight, kind })
  }
  for (const first of findSteps(known, thesauri)) {
    add(first)
    if (first.certain && first.by !== 'shortening')
      for (const second of findSteps(first.word, thesauri, first.by === 'synonym' ? 'abbreviation' : undefined))
        if (second.certain && second.by !== 'expanding')
          add({ ...second, weight: first.weight * second.weight, kind: first.kind === 'abbreviation' ? second.kind : first.kind })
  }
  return [...best.values()].sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
}

const findSteps = (form: string, thesauri: readonly Thesaurus[], kind?: Group['kind']): Step[] =>
  thesauri.flatMap((thesaurus) =>
    (thesaurus.get(form) ?? [])
      .filter(({ group }) => kind === undefined || group.kind === kind)
      .flatMap(({ member, group }) =>
        group.members
          .filter((other) => other.form !== form && !(member.loose && other.loose))
          .map((other) => toStep(member, other, group, thesaurus)),
      ),
  )

const toStep = (from: Member, to: Member, group: Group, thesaurus: Thesaurus): Step => {
  const certain = !from.loose && !to.loose
  const closeness = certain ? 1 : LOOSE
  if (group.kind === 'abbreviation') {
    const [full, short] = group.members as [Member, Member]
    const weight = ABBREVIATION * (short.usual ? 1 : UNUSUAL) * (short.language === 0 ? 1 : UNUSUAL) * clarity(group.meanings)
    return { word: to.form, weight: closeness * weight, kind: 'abbreviation', certain, by: from === full ? 'shortening' : 'expanding' }
  }
  const sameLanguage = from.language === to.language
  const kind = !certain ? 'related' : sameLanguage ? 'synonym' : 'translation'
  const weight = thesaurus !== getBuiltInThesaurus() ? OWN_SYNONYM : sameLanguage ? SYNONYM : TRANSLATION
  return { word: to.form, weight: closeness * weight * (to.usual ? 1 : UNUSUAL), kind, certain, by: 'synonym' }
}

/** An abbreviation of many words says little about each of them. */
const clarity = (meanings: number): number => (meanings === 1 ? 1 : meanings <= 3 ? 0.8 : 0.65)
