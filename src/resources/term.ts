import { type RawBuilder, sql } from 'kysely'
import { seesEverything } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { nearestOfAll, nearestVisibleTo } from './nearest.ts'

/**
 * What somebody typed to find resources, read the way the texts were read (migrations/0022_titles_and_texts.sql): every word must be there,
 * the last one may be unfinished, and a word the catalog has never seen stands for its nearest neighbours.
 */
export interface Term {
  readonly typed: string
  /** Words with everything that may stand for them. */
  readonly words: readonly Word[]
  /** As a tsquery for all that is known of a resource, made of lexemes; '' when there was no word in it. */
  readonly query: string
  /** The same for the title alone. */
  readonly title_query: string
  /** For title and description together: what is not in the title alone. */
  readonly text_query: string
  /** For the title's words among those: what has all of them was found by its title. */
  readonly heading_query: string
  /** Beginnings are short there, so it finds more than it should: what goes on otherwise than typed. */
  readonly roughly: boolean
  /** The words run together, to compare with titles run together: `orderItems`, `order_items` and `Order items` are one title. */
  readonly squeezed: string
  /** ` bora bora `: a title that is just this, each word said as often. */
  readonly entire: string
  /** Titles it may be, exactly. */
  readonly spellings: readonly string[]
  /** ` order it`: how the words stand in a title side by side. */
  readonly phrase: string
  /** `public.orders`: also the end of a full title. */
  readonly path: readonly string[] | undefined
  readonly corrections: readonly { typed: string; meant: readonly string[] }[]
}

export interface Word {
  /** Each way to find it: all these lexemes together. */
  readonly ways: readonly (readonly Lexeme[])[]
}

export interface Lexeme {
  readonly text: string
  readonly stem: string
  /** Any word that begins so will do. */
  readonly unfinished: boolean
}

interface Typed {
  readonly word: string
  readonly stem: string
  readonly parts: string[]
  readonly part_stems: string[]
  /** The catalog has seen this word in some form, or one that begins so. */
  readonly seen: boolean
  readonly begun: boolean
}

const LONGEST_START = { title: 8, texts: 3, docs: 8 } as const // letters of a beginning in the index
const MOST_CORRECTED = 5
const PATH = /^[^\s.]+(\.[^\s.]+)+$/

export const readTerm = async (ctx: Context, text: string): Promise<Term> => {
  const typed = text.trim().replaceAll('\0', '').toWellFormed()
  const { rows: all } = await sql<Typed>`
    select t.*, exists (select from search_vocabulary v where v.word = t.word or v.word >= t.stem and v.word < t.stem || chr(1114111)) as seen,
      exists (select from search_vocabulary v where v.word >= t.word and v.word < t.word || chr(1114111)) as begun
    from search_typed(${typed}) t
  `.execute(ctx.db, ctx.limits)
  const rows = all.filter(({ word }, i) => word !== all[i - 1]?.word)
  const ended = /\s$/.test(text)
  const read = rows.map((row, i) => wordOf(row, !ended && i === rows.length - 1))
  const nearest = await correct(ctx, rows, read)
  const words = read.map((word, i) => nearest.get(i)?.word ?? word)
  // One word is in the title, however it begins, or it is in the description.
  const told = words.length === 1 ? words.map(finishedAlone) : words
  const meant = rows.flatMap((row, i) => nearest.get(i)?.meant[0] ?? row.parts)
  return {
    typed,
    words,
    query: allOf(words, 'docs'),
    title_query: allOf(words, 'title'),
    text_query: allOf(told, 'texts'),
    heading_query: allOf(words.map(finished), 'texts'),
    roughly: allOf(told, 'texts') !== allOf(told, 'docs'),
    squeezed: meant.join(''),
    entire: ` ${all.flatMap(({ parts }) => parts).join(' ')} `,
    spellings: [...new Set([...(nearest.size === 0 ? [typed] : []), ...['_', ' ', '', '-', '.'].map((between) => meant.join(between))])],
    phrase: ` ${meant.join(' ')}`,
    path: PATH.test(typed) ? typed.split('.') : undefined,
    corrections: [...nearest].map(([i, { meant }]) => ({ typed: rows[i]!.word, meant })),
  }
}

const wordOf = ({ word, stem, parts, part_stems }: Typed, isLast: boolean): Word => {
  const lexeme = (text: string, stem: string, ends: boolean): Lexeme => ({
    text,
    stem,
    unfinished: isLast && ends,
  })
  const whole = [lexeme(word, stem, true)]
  const split = parts.map((part, i) => lexeme(part, part_stems[i]!, i === parts.length - 1))
  return { ways: parts.length > 1 ? [whole, split] : [whole] }
}

const finished = ({ ways }: Word): Word => ({ ways: ways.map(finishedWay) })
const finishedAlone = ({ ways }: Word): Word => ({ ways: ways.map((way) => (way.length === 1 ? finishedWay(way) : way)) })
const finishedWay = (way: readonly Lexeme[]): Lexeme[] => way.map((lexeme) => ({ ...lexeme, unfinished: false }))

/** The vectors there are of a resource, each with lexemes of its own. */
export type Place = 'title' | 'texts' | 'docs'

export const allOf = (words: readonly Word[], place: Place): string => [...new Set(words.map((word) => wordSql(word, place)))].join('&')
const wordSql = ({ ways }: Word, place: Place): string =>
  `(${ways.map((lexemes) => lexemes.map((lexeme) => lexemeSql(lexeme, place)).join('&')).join('|')})`
const lexemeSql = (lexeme: Lexeme, place: Place): string => `(${lexemesOf(lexeme, place).map(quoted).join('|')})`
/** How it stands there: any of these. */
export const lexemesOf = ({ text, stem, unfinished }: Lexeme, place: Place): string[] => [
  place === 'title' ? `=${stem}` : stem,
  ...(unfinished ? [`^${text.slice(0, LONGEST_START[place])}`] : []),
]
const quoted = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`

/**
 * A word is corrected when the catalog has never seen it: neither it, nor run together in a title, nor, when unfinished, its beginning.
 * To those who do not see everything, the catalog is what they see.
 */
const correct = async (ctx: Context, rows: readonly Typed[], words: readonly Word[]) => {
  const corrected = new Map<number, { meant: readonly string[]; word: Word }>()
  const seesAll = seesEverything(ctx.actor)
  const doubtful = rows
    .flatMap((row, i) => {
      const whole = words[i]!.ways[0]![0]!
      const unseen = !row.seen && !(whole.unfinished && row.begun)
      return CORRECTABLE.test(row.word) && row.parts.length === 1 && (unseen || !seesAll)
        ? [{ i, word: row.word, titled: wordSql(words[i]!, 'title'), said: wordSql(words[i]!, 'docs') }]
        : []
    })
    .slice(0, MOST_CORRECTED)
  if (doubtful.length === 0) return corrected
  const { rows: near } = await sql<{ i: number; meant: string[]; stems: string[] }>`
    select d.i, m.meant, array(select (select t.stem from search_typed(w.word) t limit 1) from unnest(m.meant) with ordinality w (word, n) order by n) as stems
    from json_to_recordset(${JSON.stringify(doubtful)}::text::json) d (i int, word text, titled text, said text),
      lateral (${seesAll ? nearestOfAll : nearestVisibleTo(ctx.actor)}) m
    where m.meant is not null
  `.execute(ctx.db, ctx.limits)
  for (const { i, meant, stems } of near)
    corrected.set(i, { meant, word: { ways: meant.map((text, n) => [{ text, stem: stems[n]!, unfinished: false }]) } })
  return corrected
}

const CORRECTABLE = /^\D{4,30}$/u

/**
 * Whether a resource is found, as a condition on a row under this alias. 'o' is a row as it was, of which only the texts are left;
 * 'w' one of a few written rows, looked at one by one; any other one of all.
 */
export const foundSql = (term: Term, alias: string): RawBuilder<boolean> => {
  const { query, title_query, typed, path } = term
  // No word in it: then it is a title's beginning.
  if (query === '') return beginsSql(sql`${sql.ref(`${alias}.title`)}`, typed)
  const finds = sql<boolean>`search_finds(${query}::tsquery, o.title, o.description, o.definition)`
  if (alias === 'o') return path ? sql<boolean>`(${finds} or ${pathSql(path, 'o')})` : finds
  if (alias === 'w') {
    const now = sql<boolean>`exists (
      select from search_titles s left join search_texts t on t.resource_id = s.resource_id
      where s.resource_id = w.id and ${foundInSql(term)} offset 0
    )`
    return path ? sql<boolean>`(${now} or ${pathSql(path, 'w')})` : now
  }
  return sql<boolean>`${sql.ref(`${alias}.id`)} in (
    select s.resource_id from search_titles s where s.words @@ ${title_query}::tsquery
    union all
    select t.resource_id from ${textsSql(term)} where ${toldSql(term)} or t.docs @@ ${query}::tsquery
    ${path ? sql`union all select p.id from resources p where ${pathSql(path, 'p')}` : sql``}
  )`
}

/** Whether a resource is found, as a condition on `search_titles s` and `search_texts t`. */
export const foundInSql = (term: Term, ask = seen): RawBuilder<boolean> =>
  sql<boolean>`(s.words @@ ${ask(term.title_query)} or ${toldSql(term, ask)} or t.docs @@ ${ask(term.query)})`
const seen = (query: string): RawBuilder<unknown> => sql`${query}::tsquery`

/** Whether title and description have it together, as a condition on `search_texts t` and, for what begins so, `search_titles s`. */
export const toldSql = ({ query, text_query, roughly }: Term, ask = seen): RawBuilder<boolean> =>
  roughly
    ? sql<boolean>`(t.words @@ ${ask(text_query)} and (t.words || s.words) @@ ${ask(query)})`
    : sql<boolean>`t.words @@ ${ask(text_query)}`

const textsSql = ({ roughly }: Term): RawBuilder<unknown> =>
  roughly ? sql`search_texts t join search_titles s on s.resource_id = t.resource_id` : sql`search_texts t`

/** The full title ends so, segment by segment. */
export const pathSql = (path: readonly string[], alias: string): RawBuilder<boolean> => {
  const [title, full] = [sql.ref(`${alias}.title`), sql.ref(`${alias}.title_full`)]
  const end = `.${path.join('.')}`
  return sql<boolean>`(lower(${title}) collate "C" = lower(${path.at(-1)}) and right('.' || lower(${full}), length(${end})) = lower(${end}))`
}

export const beginsSql = (title: RawBuilder<unknown>, start: string): RawBuilder<boolean> =>
  sql<boolean>`(lower(${title}) collate "C" >= lower(${start}) and lower(${title}) collate "C" < lower(${start}) || chr(1114111))`

/** Equal names, equal finds. */
export const termKey = ({ query, typed, path }: Term): string => (path || query === '' ? typed : query)
