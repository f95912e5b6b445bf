import { ABBREVIATIONS } from './abbreviations.ts'
import { isStopWord } from './stop-words.ts'
import { SYNONYMS } from './synonyms.ts'
import { foldSpellings } from './word-forms.ts'

/** The lists of abbreviations and synonyms by form. A form is one or several folded words, separated by a space. */
export type Thesaurus = ReadonlyMap<string, readonly Membership[]>

/** A form in one line of a list. */
interface Membership {
  readonly member: Member
  readonly group: Group
}

export interface Member {
  readonly form: string
  readonly language: number
  /** The first word of its language, or the first abbreviation, in this line. */
  readonly usual: boolean
  /** Marked with `~`: close to the idea, not the same. */
  readonly loose: boolean
}

export interface Group {
  readonly kind: 'abbreviation' | 'synonym'
  /** Of an abbreviation: the full form and the short one. */
  readonly members: readonly Member[]
  /** What the abbreviation can stand for in its language; 1 for synonyms. */
  readonly meanings: number
}

type Column = readonly string[]

const readMembers = (columns: readonly Column[]): Member[] => {
  const members = columns.flatMap((texts, language) =>
    texts.flatMap((text, i) =>
      foldSpellings(text.replace(/^~/, '')).map((spelling) => ({
        form: toForm(spelling),
        language,
        usual: i === 0,
        loose: text.startsWith('~'),
      })),
    ),
  )
  // A word of two languages (`client`) belongs to the first.
  return members.filter(({ form }, i) => members.findIndex((other) => other.form === form) === i)
}

/** Without words such as `of`, which search ignores too. */
const toForm = (spelling: string): string => {
  const words = spelling
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
  const telling = words.filter((word) => !isStopWord(word))
  return (words.length === 1 || telling.length === 0 ? words : telling).join(' ')
}

const indexGroups = (groups: readonly Group[]): Thesaurus => {
  const index = new Map<string, Membership[]>()
  for (const group of groups)
    for (const member of group.members) {
      const memberships = index.get(member.form)
      if (memberships) memberships.push({ member, group })
      else index.set(member.form, [{ member, group }])
    }
  return index
}

const readLines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** `customer: cust cus`, one group for each pair, because two abbreviations of a word are related only through it. */
const readAbbreviations = (text: string): Group[] =>
  text.split('\n\n').flatMap((section, language) => {
    const pairs = readLines(section).flatMap((line) => {
      const [full = '', short = ''] = line.split(': ')
      return short.split(' ').map((each, i) => ({ full, short: each, usual: i === 0 }))
    })
    const byShort = Map.groupBy(pairs, ({ short }) => short.replace('~', ''))
    return pairs.map(
      ({ full, short, usual }): Group => ({
        kind: 'abbreviation',
        members: readMembers([[full], [short]]).map((member, i) => ({ ...member, language, usual: usual || i === 0 })),
        meanings: byShort.get(short.replace('~', ''))!.length,
      }),
    )
  })

/** `customer, client | Kunde | cliente | client`. */
const readSynonyms = (text: string): Group[] =>
  readLines(text).map((line) => ({
    kind: 'synonym',
    members: readMembers(line.split(' | ').map((column) => column.split(', '))),
    meanings: 1,
  }))

let thesaurus: Thesaurus | undefined

/** Read when it is first needed; it takes 2.6 MB. */
export const getThesaurus = (): Thesaurus => {
  thesaurus ??= indexGroups([...readAbbreviations(ABBREVIATIONS), ...readSynonyms(SYNONYMS)])
  return thesaurus
}
