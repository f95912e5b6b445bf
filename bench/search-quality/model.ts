import { readFileSync } from 'node:fs'

/** The company behind the catalog: what it does, by domain, written by hand in `model/*.txt`. */
export interface Subject {
  /** `domain.singular`, e.g. `sales.order_line`: what judgments refer to. */
  readonly key: string
  readonly domain: Domain
  readonly singular: string
  readonly plural: string
  readonly abbreviation: string
  readonly kind: 'dim' | 'fct'
  /** What it is about, in words other than its name. */
  readonly gist: string
  readonly description: string
  readonly sourceDescription?: string
  readonly german?: LocalName
  readonly spanish?: LocalName
  readonly columns: readonly Column[]
  readonly tags: readonly string[]
}
export interface LocalName {
  readonly singular: string
  readonly plural: string
  readonly description: string
}
export interface Column {
  readonly name: string
  readonly description?: string
}
export interface Page {
  readonly title: string
  readonly text: string
}
export interface Domain {
  readonly name: string
  readonly label: string
  /** `database.schema` of the application. */
  readonly app: string
  readonly source: string
  readonly legacySchema: string
  readonly owners: readonly [business: string, technical: string]
  readonly group: string
  readonly dashboards: Page[]
  readonly documents: Page[]
  readonly subjects: Subject[]
}

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')
const splitAt = (text: string, separator: string): string[] => text.split(separator).map((part) => part.trim())

export const readModel = (): Domain[] => ['commerce', 'operations', 'company'].flatMap((name) => parseDomains(read(`model/${name}.txt`)))

const parseDomains = (text: string): Domain[] =>
  text
    .split(/^== /m)
    .slice(1)
    .map((block) => {
      const [head, ...subjects] = block.split(/^\+ /m)
      const [first, ...pages] = head!.trim().split('\n')
      const [name, label, systems, owners, group] = splitAt(first!, '|')
      const system = (key: string) => new RegExp(`${key}=(\\S+)`).exec(systems!)![1]!
      const pagesOf = (mark: string) => pages.filter((line) => line.startsWith(`${mark} `)).map(parsePage)
      const domain: Domain = {
        name: name!,
        label: label!,
        app: system('app'),
        source: system('source'),
        legacySchema: system('legacy'),
        owners: splitAt(owners!, ',') as [string, string],
        group: group!,
        dashboards: pagesOf('D'),
        documents: pagesOf('P'),
        subjects: [],
      }
      domain.subjects.push(...subjects.map((lines) => parseSubject(domain, lines)))
      return domain
    })

const parsePage = (line: string): Page => {
  const [title, text] = splitAt(line.slice(2), '|')
  return { title: title!, text: text! }
}

const parseSubject = (domain: Domain, block: string): Subject => {
  const [head, description, ...rest] = block.trim().split('\n')
  const [names, gist] = splitAt(head!, '|')
  const [, singular, plural, abbreviation, kind] = /^(\w+)\/(\w+)\/(\w+) (dim|fct)$/.exec(names!)!
  const line = (mark: string) => rest.find((each) => each.startsWith(`${mark} `))?.slice(mark.length + 1)
  return {
    key: `${domain.name}.${singular}`,
    domain,
    singular: singular!,
    plural: plural!,
    abbreviation: abbreviation!,
    kind: kind as 'dim' | 'fct',
    gist: gist!,
    description: description!,
    sourceDescription: line('>'),
    german: parseLocalName(line('de')),
    spanish: parseLocalName(line('es')),
    columns: splitAt(line('c')!, ';').map(parseColumn),
    tags: line('#') ? splitAt(line('#')!, ',') : [],
  }
}

const parseLocalName = (text: string | undefined): LocalName | undefined => {
  if (!text) return undefined
  const [names, description] = splitAt(text, '|')
  const [singular, plural] = names!.split('/')
  return { singular: singular!, plural: plural!, description: description! }
}

const parseColumn = (text: string): Column => {
  const [, name, description] = /^(\w+)(?: \((.+)\))?$/.exec(text)!
  return { name: name!, description }
}

export type Language = 'abbreviated' | 'german' | 'spanish'
const WORDS: ReadonlyMap<string, Record<Language, string>> = new Map(
  contentLines('words.txt').map((line) => {
    const [word, abbreviated, german, spanish] = line.split(' ')
    return [word!, { abbreviated: abbreviated!, german: german!, spanish: spanish! }]
  }),
)

/** A column name in another language, or abbreviated. */
export const translateName = (name: string, language: Language): string =>
  name
    .split('_')
    .map((word) => WORDS.get(word)?.[language] ?? word)
    .join('_')

export const COLUMN_DESCRIPTIONS: ReadonlyMap<string, readonly string[]> = new Map(
  contentLines('columns.txt').map((line) => {
    const [name, texts] = splitAt(line, ' = ')
    return [name!, splitAt(texts!, '|')]
  }),
)

function contentLines(file: string): string[] {
  return read(file)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
}
