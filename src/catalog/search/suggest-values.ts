import { type RawBuilder, sql } from 'kysely'
import { ownsVisibleResourceSql, userNameSql } from '../../accounts/shared/names.ts'
import type { Context } from '../../platform/context/context.ts'
import { can, visibleTo } from '../../platform/permissions/permissions.ts'
import { ENTITY_TYPES } from '../entity-types/entity-types.ts'
import { findProperties, listProperties, type PropertyRow } from '../properties/property-rows.ts'
import { nameQuerySql, teamsKnownTo, titleQuerySql } from '../query-language/named-targets.ts'
import { QUERY_FLAGS } from '../query-language/query-fields.ts'
import { type FieldTerm, splitProperty } from '../query-language/query-syntax.ts'
import type { ValueSuggestion } from './schema.ts'

/** Completes `field:value` of the query language, only with what the caller can see. */
const MAX_SUGGESTIONS = 10

interface Found {
  readonly value: string
  readonly detail?: string | null
}

export const suggestValues = async (ctx: Context, { field, value }: FieldTerm): Promise<ValueSuggestion[]> =>
  (await findValues(ctx, field, value.trim())).slice(0, MAX_SUGGESTIONS).map((found) => ({
    term: `${field}:${quoteValue(found.value)}`,
    value: found.value,
    detail: found.detail ?? null,
  }))

/** A value with spaces is quoted. The language has no escape for a quotation mark, and names are compared by their words. */
const quoteValue = (value: string): string => {
  const plain = value.replaceAll('"', ' ').trim()
  return /\s/.test(plain) ? `"${plain}"` : plain
}

const findValues = (ctx: Context, field: FieldTerm['field'], text: string): Promise<readonly Found[]> | readonly Found[] => {
  switch (field) {
    case 'type':
      return ENTITY_TYPES.filter((type) => startsWithWord(type, text)).map((value) => ({ value }))
    case 'is':
      return QUERY_FLAGS.filter((flag) => startsWithWord(flag, text)).map((value) => ({ value }))
    case 'owner':
      return findOwners(ctx, text)
    case 'tag':
      return findNamed(ctx, sql`tags`, sql<boolean>`true`, referencedSql('t', text))
    case 'team':
      return findNamed(ctx, sql`teams`, teamsKnownTo(ctx), hasWordsSql(sql`t.name`, text))
    case 'term':
      return findTermTitles(ctx, text)
    case 'in':
      return findPlaces(ctx, text)
    case 'property':
      return findPropertyTerms(ctx, text)
  }
}

/** `dashboard_group` is found by `group`. */
const startsWithWord = (name: string, text: string): boolean => `_${name}`.includes(`_${text.toLowerCase().replaceAll(/[ -]/g, '_')}`)

/** Teams are few and not in the index of names. */
const hasWordsSql = (name: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  text === '' ? sql<boolean>`true` : sql<boolean>`search_stem_vector(search_prepare_text(${name})) @@ ${nameQuerySql(text)}`

/** The tag, user or group under this alias has these words in its name. */
const referencedSql = (alias: string, text: string): RawBuilder<boolean> =>
  text === ''
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(`${alias}.id`)} in (select f.target from search_references f where f.words @@ ${nameQuerySql(text)})`

const findNamed = async (
  ctx: Context,
  table: RawBuilder<unknown>,
  isVisible: RawBuilder<boolean>,
  named: RawBuilder<boolean>,
): Promise<readonly Found[]> => {
  const { rows } = await sql<Found>`
    select t.name as value from ${table} t where ${isVisible} and ${named} order by lower(t.name) limit ${MAX_SUGGESTIONS}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** People and groups. Without people.read: the caller, their groups, and the owners of visible resources. */
const findOwners = async (ctx: Context, text: string): Promise<readonly Found[]> => {
  const { actor } = ctx
  const all = can(actor, 'people.read')
  const named = referencedSql('x', text)
  const person = all ? sql`true` : sql`(x.id = ${actor.user_id}::uuid or ${ownsVisibleResourceSql(actor, 'x', 'owners')})`
  const group = all
    ? sql`true`
    : sql`(exists (select from group_members m where m.group_id = x.id and m.user_id = ${actor.user_id}::uuid) or ${ownsVisibleResourceSql(actor, 'x', 'owners_groups')})`
  const { rows } = await sql<Found>`
    select o.value, o.detail from (
      (select ${userNameSql(actor, 'x')} as value, ${all ? sql`x.email` : sql`null`} as detail from users x
        where x.deleted_at is null and x.disabled_at is null and ${named} and ${person} order by lower(${userNameSql(actor, 'x')}) limit ${MAX_SUGGESTIONS})
      union all
      (select x.name, null from groups x where ${named} and ${group} order by lower(x.name) limit ${MAX_SUGGESTIONS})
    ) o order by lower(o.value), o.detail limit ${MAX_SUGGESTIONS}
  `.execute(ctx.db, ctx.limits)
  const isMe = actor.user_id !== null && 'me'.startsWith(text.toLowerCase())
  return isMe ? [{ value: 'me' }, ...rows] : rows
}

const findTermTitles = async (ctx: Context, text: string): Promise<readonly Found[]> => {
  const { rows } = await sql<Found>`
    select distinct r.title as value, lower(r.title) from search_titles s join resources r on r.id = s.resource_id
    where s.words @@ ${titleQuerySql(text, 'glossary')} and ${visibleTo(ctx.actor)} order by lower(r.title) limit ${MAX_SUGGESTIONS}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Databases and schemas by their path or title, the most used first. */
const findPlaces = async (ctx: Context, text: string): Promise<readonly Found[]> => {
  const start = `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<Found>`
    select r.title_full as value, r.entity_type as detail from resources r
    where r.entity_type in ('database', 'schema') and (lower(r.title_full) like ${start} or lower(r.title) like ${start}) and ${visibleTo(ctx.actor)}
    group by 1, 2 order by sum(r.external_usage) desc, length(r.title_full), 1 limit ${MAX_SUGGESTIONS}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** `Tier` is completed to its values: `Tier=gold`. */
const findPropertyTerms = async (ctx: Context, text: string): Promise<readonly Found[]> => {
  const { name, value } = splitProperty(text)
  if (value !== undefined) {
    const property = (await findProperties(ctx.db, [name])).get(name)
    return property
      ? (await findPropertyValues(ctx, property, value)).map((found) => ({ ...found, value: `${property.name}=${found.value}` }))
      : []
  }
  const properties = await listProperties(ctx.db)
  return properties
    .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
    .map(({ name, value_type }) => ({ value: `${name}=`, detail: value_type }))
}

const findPropertyValues = async (ctx: Context, { id, value_type, options }: PropertyRow, text: string): Promise<readonly Found[]> => {
  const isWanted = (value: string) => value.toLowerCase().startsWith(text.toLowerCase())
  if (value_type === 'user') return findOwners(ctx, text)
  if (value_type === 'tag') return findValues(ctx, 'tag', text)
  if (value_type === 'resource') return findTermTitles(ctx, text)
  if (value_type === 'boolean') return ['true', 'false'].filter(isWanted).map((value) => ({ value }))
  if (options) return options.filter(isWanted).map((value) => ({ value }))
  const { rows } = await sql<Found>`
    select distinct i.value from property_values v join resources r on r.id = v.resource_id, unnest(coalesce(v.items, array[v.value])) i (value)
    where v.property_id = ${id}::uuid and starts_with(lower(i.value), lower(${text})) and ${visibleTo(ctx.actor)} order by 1 limit ${MAX_SUGGESTIONS}
  `.execute(ctx.db, ctx.limits)
  return rows
}
