import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { isStopWord } from '../search-words/stop-words.ts'
import { findCorrections, NO_CORRECTIONS } from './corrections.ts'
import { allWordsQuery, type Lexeme, markLexemesFinished, markWordFinished, type SearchWord } from './search-word.ts'

/**
 * A parsed search term, normalized like the indexed texts (migrations/0022_titles_and_texts.sql): every word must match, the last one may
 * be a prefix, and an unknown word is replaced by similar words.
 */
export interface SearchTerm {
  readonly typed: string
  /** Words with all their alternatives. */
  readonly words: readonly SearchWord[]
  /** A tsquery on all texts of a resource; '' if the term contains no word. */
  readonly query: string
  /** The same for the title only. */
  readonly title_query: string
  /** For title and description together. */
  readonly text_query: string
  /** For the title words inside that vector: rows that match it were already found by their title. */
  readonly title_words_query: string
  /** Prefixes are indexed with few letters there, so the index may return false positives that must be checked. */
  readonly approximate: boolean
  /** The words without separators, to compare with titles: `orderItems`, `order_items` and `Order items` are the same. */
  readonly joined: string
  /** ` bora bora `: matches a title with exactly these words, including repetitions. */
  readonly exact_words: string
  /** Possible exact titles. */
  readonly spellings: readonly string[]
  /** ` order it`: matches adjacent words in a title. */
  readonly phrase: string
  /** `public.orders`: also matches the end of a full title. */
  readonly path: readonly string[] | undefined
  readonly corrections: readonly { typed: string; meant: readonly string[] }[]
}

export interface ParsedWord {
  readonly word: string
  readonly stem: string
  readonly parts: string[]
  readonly part_stems: string[]
  /** Whether the vocabulary contains this word, or one that starts with its stem. */
  readonly seen: boolean
  readonly begun: boolean
}

const PATH_PATTERN = /^[^\s.]+(\.[^\s.]+)+$/
const QUOTES = /[`"'[\]]/g

/** `shop.public.orders`, also with each segment in quotes. */
const toPath = (typed: string): string[] | undefined => {
  const plain = typed.replace(QUOTES, '')
  return PATH_PATTERN.test(plain) ? plain.split('.') : undefined
}

export interface TermOptions {
  readonly ignoreStopWords?: boolean
  /** `off` searches unknown words as they were typed. */
  readonly spelling?: Spelling
}
export const SPELLINGS = ['on', 'off'] as const
export type Spelling = (typeof SPELLINGS)[number]

export const parseSearchTerm = async (
  ctx: Context,
  text: string,
  { ignoreStopWords = false, spelling = 'on' }: TermOptions = {},
): Promise<SearchTerm> => {
  const typed = text.trim().replaceAll('\0', '').toWellFormed()
  const { rows: all } = await sql<ParsedWord>`
    select t.*, exists (select from search_vocabulary v where v.english = t.stem) as seen,
      exists (select from search_vocabulary v where v.word >= t.word and v.word < t.word || chr(1114111)) as begun
    from search_query_words(${typed}) t
  `.execute(ctx.db, ctx.limits)
  const distinct = all.filter(({ word }, i) => word !== all[i - 1]?.word)
  const ended = /\s$/.test(text)
  const telling = ignoreStopWords ? distinct.filter((row) => !isStopWord(row.word) || (!ended && row === all.at(-1))) : []
  const rows = telling.some(({ word }) => !isStopWord(word)) ? telling : distinct
  const parsedWords = rows.map((row) => toSearchWord(row, !ended && row === all.at(-1)))
  const corrected = spelling === 'on' ? await findCorrections(ctx, rows, parsedWords) : NO_CORRECTIONS
  const words = parsedWords.map((word, i) => corrected.get(i)?.word ?? word)
  // A single prefix is matched in titles only; descriptions must contain the whole word.
  const textWords = words.length === 1 ? words.map(finishSingleWord) : words
  const meant = distinct.flatMap((row) => corrected.get(rows.indexOf(row))?.likely ?? row.parts)
  const corrections = [...corrected].flatMap(([i, { meant }]) => (meant.length > 0 ? [{ typed: rows[i]!.word, meant }] : []))
  return {
    typed,
    words,
    query: allWordsQuery(words, 'docs'),
    title_query: allWordsQuery(words, 'title'),
    text_query: allWordsQuery(textWords, 'texts'),
    title_words_query: allWordsQuery(words.map(markWordFinished), 'texts'),
    approximate: allWordsQuery(textWords, 'texts') !== allWordsQuery(textWords, 'docs'),
    joined: meant.join(''),
    exact_words: ` ${all.flatMap(({ parts }) => parts).join(' ')} `,
    spellings: [
      ...new Set([...(corrections.length === 0 ? [typed] : []), ...['_', ' ', '', '-', '.'].map((between) => meant.join(between))]),
    ],
    phrase: ` ${meant.join(' ')}`,
    path: toPath(typed),
    corrections,
  }
}

const toSearchWord = ({ word, stem, parts, part_stems }: ParsedWord, isLast: boolean): SearchWord => {
  const lexeme = (text: string, stem: string, ends: boolean): Lexeme => ({
    text,
    stem,
    unfinished: isLast && ends,
  })
  const whole = [lexeme(word, stem, true)]
  const split = parts.map((part, i) => lexeme(part, part_stems[i]!, i === parts.length - 1))
  return { alternatives: parts.length > 1 ? [whole, split] : [whole] }
}

const finishSingleWord = ({ alternatives }: SearchWord): SearchWord => ({
  alternatives: alternatives.map((alternative) => (alternative.length === 1 ? markLexemesFinished(alternative) : alternative)),
})
/**
 * The term as a condition on a row under this alias. 'o' is the previous state of a row, of which only the texts are available; 'w' is one
 * of a few written rows, checked one by one; any other alias is the whole table.
 */
export const matchesResourceSql = (term: SearchTerm, alias: string): RawBuilder<boolean> => {
  const { query, typed, path } = term
  // Without a word, it is matched as a title prefix.
  if (query === '') return startsWithSql(sql`${sql.ref(`${alias}.title`)}`, typed)
  const matches = sql<boolean>`search_matches(${query}::tsquery, o.title, o.description, o.definition)`
  if (alias === 'o') return path ? sql<boolean>`(${matches} or ${pathSql(path, 'o')})` : matches
  if (alias === 'w') {
    const now = sql<boolean>`exists (
      select from search_titles s left join search_texts t on t.resource_id = s.resource_id
      where s.resource_id = w.id and ${matchesIndexSql(term)} offset 0
    )`
    return path ? sql<boolean>`(${now} or ${pathSql(path, 'w')})` : now
  }
  return sql<boolean>`${sql.ref(`${alias}.id`)} in (${matchingIdsSql(term)})`
}

/** The IDs of all resources that contain every word. */
const matchingIdsSql = (term: SearchTerm): RawBuilder<unknown> => {
  const { query, title_query, typed, path } = term
  if (query === '') return sql`select p.id from resources p where ${startsWithSql(sql`p.title`, typed)}`
  return sql`
    select s.resource_id from search_titles s where s.words @@ ${title_query}::tsquery
    union all
    select t.resource_id from ${textsSql(term)} where ${matchesTextSql(term)} or t.docs @@ ${query}::tsquery
    ${path ? sql`union all select p.id from resources p where ${pathSql(path, 'p')}` : sql``}`
}

/** The term as a condition on `search_titles s` and `search_texts t`. */
export const matchesIndexSql = (term: SearchTerm, toTsQuery = plainTsQuery): RawBuilder<boolean> =>
  sql<boolean>`(s.words @@ ${toTsQuery(term.title_query)} or ${matchesTextSql(term, toTsQuery)} or t.docs @@ ${toTsQuery(term.query)})`
const plainTsQuery = (query: string): RawBuilder<unknown> => sql`${query}::tsquery`

/** Whether title and description together match, as a condition on `search_texts t` and, for prefixes, `search_titles s`. */
export const matchesTextSql = ({ query, text_query, approximate }: SearchTerm, toTsQuery = plainTsQuery): RawBuilder<boolean> =>
  approximate
    ? sql<boolean>`(t.words @@ ${toTsQuery(text_query)} and (t.words || s.words) @@ ${toTsQuery(query)})`
    : sql<boolean>`t.words @@ ${toTsQuery(text_query)}`

export const textsSql = ({ approximate }: SearchTerm): RawBuilder<unknown> =>
  approximate ? sql`search_texts t join search_titles s on s.resource_id = t.resource_id` : sql`search_texts t`

/** The full title ends with these segments. */
export const pathSql = (path: readonly string[], alias: string): RawBuilder<boolean> => {
  const [title, full] = [sql.ref(`${alias}.title`), sql.ref(`${alias}.title_full`)]
  const end = `.${path.join('.')}`
  return sql<boolean>`(lower(${title}) collate "C" = lower(${path.at(-1)}) and right('.' || lower(${full}), length(${end})) = lower(${end}))`
}

export const startsWithSql = (title: RawBuilder<unknown>, start: string): RawBuilder<boolean> =>
  sql<boolean>`(lower(${title}) collate "C" >= lower(${start}) and lower(${title}) collate "C" < lower(${start}) || chr(1114111))`

/** Terms with equal keys have equal results. */
export const termKey = ({ query, typed, path }: SearchTerm): string => (path || query === '' ? typed : query)
