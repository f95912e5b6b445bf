import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Filter } from '../../platform/lists/filter.ts'
import { ENTITY_TYPES } from '../entity-types/entity-types.ts'
import { findProperties, type PropertyRow } from '../properties/property-rows.ts'
import { normalizeValue } from '../properties/value-types.ts'
import { refersToSql } from '../records/refs.ts'
import { findTagsAndPeopleByName, findTeamsByName, findTermsByName } from './named-targets.ts'
import { QUERY_FIELDS, QUERY_FLAGS, type QueryField } from './query-fields.ts'

/** The query language: `orders "daily sales" -test owner:maria tag:finance type:table in:shop.public is:verified property:Tier=gold`. */
export interface ParsedQuery {
  /** The words to search, including those of phrases. */
  readonly text: string
  readonly phrases: readonly string[]
  readonly excluded: readonly string[]
  readonly fields: readonly FieldTerm[]
}

export interface FieldTerm {
  readonly field: QueryField
  readonly value: string
}

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
    const field = QUERY_FIELDS.find((name) => name === key)
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

/** The same as a filter of a list. The condition depends on names and property values, so counts are not cached. */
export const queryFilters = async (ctx: Context, query: ParsedQuery): Promise<Filter[]> =>
  (await queryConditions(ctx, query)).map((condition) => ({
    operator: 'exact',
    field: { name: 'search_term', type: 'boolean', required: true, from_others: true, value: () => sql`(${condition})` },
    values: [true],
  }))

const TEXT_SQL = sql`search_prepare_text(concat_ws(' ', r.title, r.description, r.definition))`
const phraseSql = (phrase: string): RawBuilder<boolean> =>
  sql<boolean>`strpos(' ' || regexp_replace(${TEXT_SQL}, ' +', ' ', 'g') || ' ', ' ' || btrim(regexp_replace(search_lower(search_normalize(${phrase})), ' +', ' ', 'g')) || ' ') > 0`

const excludedSql = (text: string): RawBuilder<boolean> =>
  sql<boolean>`not (to_tsvector('search_stems', ${TEXT_SQL}) @@ phraseto_tsquery('search_stems', search_lower(search_normalize(${text}))))`

const fieldSql = async (ctx: Context, { field, value }: FieldTerm): Promise<RawBuilder<boolean>> => {
  switch (field) {
    case 'type':
      return sql<boolean>`r.entity_type = any(${toEntityTypes(value)}::text[])`
    case 'in':
      return sql<boolean>`strpos('.' || lower(r.title_full) || '.', '.' || lower(${value}) || '.') > 0`
    case 'is':
      return flagSql(value)
    case 'tag':
      return refersToSql('tags', await findTagsAndPeopleByName(ctx, value))
    case 'team':
      return refersToSql('teams', await findTeamsByName(ctx, value))
    case 'term':
      return refersToSql('terms', await findTermsByName(ctx, value))
    case 'property':
      return propertySql(ctx, value)
    case 'owner': {
      const ids = value.toLowerCase() === 'me' ? [ctx.actor.user_id].flatMap((id) => id ?? []) : await findTagsAndPeopleByName(ctx, value)
      return sql<boolean>`(${refersToSql('owners', ids)} or ${refersToSql('owners_groups', ids)})`
    }
  }
}

/** `Tier=gold`, or `Tier` for any value. People, tags and terms are found by their names. */
const propertySql = async (ctx: Context, text: string): Promise<RawBuilder<boolean>> => {
  const { name, value } = splitProperty(text)
  const property = (await findProperties(ctx.db, [name])).get(name)
  if (!property) return sql<boolean>`false`
  const condition = value === undefined || value === '' ? sql`true` : await propertyValueSql(ctx, property, value)
  return sql<boolean>`r.id in (select v.resource_id from property_values v where v.property_id = ${property.id}::uuid and ${condition})`
}

export const splitProperty = (text: string): { name: string; value: string | undefined } => {
  const at = text.indexOf('=')
  return at < 0 ? { name: text, value: undefined } : { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() }
}

const propertyValueSql = async (ctx: Context, { value_type }: PropertyRow, value: string): Promise<RawBuilder<unknown>> => {
  const normal = normalizeValue({ value_type, options: null }, value)
  if (normal === undefined && (value_type === 'user' || value_type === 'tag'))
    return sql`v.value = any(${await findTagsAndPeopleByName(ctx, value)})`
  if (normal === undefined && value_type === 'resource') return sql`v.value = any(${await findTermsByName(ctx, value)})`
  if (value_type === 'multi_select') return sql`exists (select from unnest(v.items) i where lower(i) = lower(${value}))`
  return sql`lower(v.value) = lower(${normal ?? value})`
}

/** `type:tables` is understood as well. */
const toEntityTypes = (value: string): string[] =>
  value.split(',').map((each) => {
    const type = each.trim().toLowerCase().replaceAll(/[ -]/g, '_')
    return ENTITY_TYPES.find((name) => name === type || `${name}s` === type) ?? type
  })

const flagSql = (value: string): RawBuilder<boolean> => {
  const flag = QUERY_FLAGS.find((name) => name === value.toLowerCase())
  if (flag === 'deprecated') return sql<boolean>`r.deprecation is not null`
  return flag ? sql<boolean>`${sql.ref(`r.${flag}`)}` : sql<boolean>`false`
}
