import { t } from '../i18n/messages.ts'

/** Completion of the query language in the search box. */
export const QUERY_FIELDS = {
  type: { label: t('Type'), example: 'type:dashboard' },
  owner: { label: t('Owner'), example: 'owner:me' },
  tag: { label: t('Tag'), example: 'tag:finance' },
  team: { label: t('Team'), example: 'team:marketing' },
  term: { label: t('Glossary term'), example: 'term:revenue' },
  in: { label: t('Database, schema or table'), example: 'in:shop.public' },
  is: { label: t('Status'), example: 'is:verified' },
  property: { label: t('Custom property'), example: 'property:Tier=gold' },
} as const
export type QueryField = keyof typeof QUERY_FIELDS

/** The part of the text that the caret is in. */
interface Token {
  /** The field before the colon, if there is one. */
  readonly field?: QueryField
  /** The value, or the word that may become a field; without quotes. */
  readonly text: string
  readonly start: number
  readonly end: number
}

const LAST_TOKEN = /(?:^|\s)(?:([a-z]+):)?("[^"]*|[^\s"]*)$/
const REST_OF_TOKEN = /^[^\s"]*"?/
const MIN_FIELD_LETTERS = 2

export const findToken = (text: string, caret: number): Token | undefined => {
  const before = text.slice(0, caret)
  const match = LAST_TOKEN.exec(before)
  if (!match) return undefined
  const [all, key, value = ''] = match
  if (key !== undefined && !Object.hasOwn(QUERY_FIELDS, key)) return undefined
  if (key === undefined && value.startsWith('"')) return undefined // a phrase
  return {
    field: key as QueryField | undefined,
    text: value.replace(/^"/, ''),
    start: before.length - all.trimStart().length,
    end: caret + REST_OF_TOKEN.exec(text.slice(caret))![0].length,
  }
}

/** Fields whose name starts with the word. A single letter is too little to interrupt typing. */
export const findFields = ({ field, text }: Token): QueryField[] =>
  field !== undefined || text.length < MIN_FIELD_LETTERS
    ? []
    : (Object.keys(QUERY_FIELDS) as QueryField[]).filter((name) => name.startsWith(text.toLowerCase()))

/** The text with the token replaced, and where the caret is afterwards. An unfinished term (`owner:`, `property:Tier=`) can be continued. */
export const insertTerm = (text: string, { start, end }: Token, term: string): { text: string; caret: number } => {
  const isUnfinished = /[:=]"?$/.test(term)
  const inserted = isUnfinished ? term.replace(/"$/, '') : `${term} `
  const rest = text.slice(end)
  return { text: text.slice(0, start) + inserted + (isUnfinished ? rest : rest.trimStart()), caret: start + inserted.length }
}
