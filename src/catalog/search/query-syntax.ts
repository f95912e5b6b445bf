import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { ENTITY_TYPES } from '../entity-types/entity-types.ts'
import { refersToSql } from '../records/refs.ts'

/** The query language: `orders "daily sales" -test owner:maria tag:finance type:table in:shop.public is:verified`. */
export interface ParsedQuery {
  /** The words to search, including those of phrases. */
  readonly text: string
  readonly phrases: readonly string[]
  readonly excluded: readonly string[]
  readonly fields: readonly FieldTerm[]
}

export interface FieldTerm {
  readonly field: (typeof FIELDS)[number]
  readonly value: string
}

const FIELDS = ['owner', 'tag', 'type', 'in', 'is'] as const
const FLAGS = ['verified', 'published', 'pii', 'stale', 'archived'] as const
const TOKEN = /(-?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g

/** `"shop"."public"."orders"`. */
const QUOTED_PATH = /^"[^".\s]+"(\."[^".\s]+")+$/

/** Anything that is not of this form is searched as it is. */
export const parseQuery = (q: string): ParsedQuery => {
  if (QUOTED_PATH.test(q.trim())) return { text: q, phrases: [], excluded: [], fields: [] }
  const words: string[] = []
  const phrases: string[] = []
  const excluded: string[] = []
  const fields: FieldTerm[] = []
  for (const [token, minus, key, quoted, plain = ''] of q.matchAll(TOKEN)) {
    const value = quoted ?? plain
    const field = FIELDS.find((name) => name === key)
    if (field && value !== '' && minus === '') fields.push({ field, value })
    else if (minus === '-' && key === undefined && value !== '') excluded.push(value)
    else if (quoted !== undefined && key === undefined) {
      if (quoted.trim() === '') continue
      phrases.push(quoted)
      words.push(quoted)
    } else words.push(token)
  }
  const isPlain = phrases.length === 0 && excluded.length === 0 && fields.length === 0
  return { text: isPlain ? q : words.join(' ') + (/\s$/.test(q) ? ' ' : ''), phrases, excluded, fields }
}

/** Conditions on `r` for everything but the words. */
export const queryConditions = async (ctx: Context, { phrases, excluded, fields }: ParsedQuery): Promise<RawBuilder<boolean>[]> => [
  ...phrases.map(phraseSql),
  ...excluded.map(excludedSql),
  ...(await Promise.all(fields.map((term) => fieldSql(ctx, term)))),
]

const TEXT_SQL = sql`search_prose(concat_ws(' ', r.title, r.description, r.definition))`
const phraseSql = (phrase: string): RawBuilder<boolean> =>
  sql<boolean>`strpos(' ' || regexp_replace(${TEXT_SQL}, ' +', ' ', 'g') || ' ', ' ' || btrim(regexp_replace(search_lower(search_plain(${phrase})), ' +', ' ', 'g')) || ' ') > 0`

const excludedSql = (text: string): RawBuilder<boolean> =>
  sql<boolean>`not (to_tsvector('search_stems', ${TEXT_SQL}) @@ phraseto_tsquery('search_stems', search_lower(search_plain(${text}))))`

const fieldSql = async (ctx: Context, { field, value }: FieldTerm): Promise<RawBuilder<boolean>> => {
  switch (field) {
    case 'type':
      return sql<boolean>`r.entity_type = any(${toEntityTypes(value)}::text[])`
    case 'in':
      return sql<boolean>`strpos('.' || lower(r.title_full) || '.', '.' || lower(${value}) || '.') > 0`
    case 'is':
      return flagSql(value)
    case 'tag':
      return refersToSql('tags', await findTargets(ctx, value))
    case 'owner': {
      const ids = value.toLowerCase() === 'me' ? [ctx.actor.user_id].flatMap((id) => id ?? []) : await findTargets(ctx, value)
      return sql<boolean>`(${refersToSql('owners', ids)} or ${refersToSql('owners_groups', ids)})`
    }
  }
}

/** `type:tables` is understood as well. */
const toEntityTypes = (value: string): string[] =>
  value.split(',').map((each) => {
    const type = each.trim().toLowerCase().replaceAll(/[ -]/g, '_')
    return ENTITY_TYPES.find((name) => name === type || `${name}s` === type) ?? type
  })

const flagSql = (value: string): RawBuilder<boolean> => {
  const flag = FLAGS.find((name) => name === value.toLowerCase())
  return flag ? sql<boolean>`${sql.ref(`r.${flag}`)}` : sql<boolean>`false`
}

/** Tags, people and groups with every word in their name; the last one can be a prefix. An address is searched without its domain. */
const findTargets = async (ctx: Context, name: string): Promise<string[]> => {
  const { rows } = await sql<{ target: string }>`
    select f.target from search_references f where f.words @@ (
      select to_tsquery('search_stems', string_agg('''' || word || ''':*', ' & '))
      from unnest(string_to_array(btrim(search_lower(search_plain(split_part(${name}, '@', 1)))), ' ')) word where word <> ''
    ) limit ${MAX_TARGETS}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ target }) => target)
}
const MAX_TARGETS = 100
