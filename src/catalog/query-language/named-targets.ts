import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { can, visibleTo } from '../../platform/permissions/permissions.ts'
import { MAX_PREFIX_LENGTH } from '../search-index/search-word.ts'

/** What a field of the query language refers to by name: people, groups, tags, teams and glossary terms. */
const MAX_TARGETS = 100

/** A tsquery for names with every word of the text, each of which can be unfinished. An address is searched without its domain. */
export const nameQuerySql = (text: string): RawBuilder<unknown> => sql`(
  select to_tsquery('search_stems', string_agg('''' || word || ''':*', ' & '))
  from unnest(string_to_array(btrim(search_lower(search_normalize(split_part(${text}, '@', 1)))), ' ')) word where word <> ''
)`

/** Tags, people and groups with this name. */
export const findTagsAndPeopleByName = async (ctx: Context, name: string): Promise<string[]> => {
  const { rows } = await sql<{ target: string }>`
    select f.target from search_references f where f.words @@ ${nameQuerySql(name)} limit ${MAX_TARGETS}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ target }) => target)
}

/** Teams with this name that the caller may know. */
export const findTeamsByName = async (ctx: Context, name: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select t.id from teams t where search_stem_vector(search_prepare_text(t.name)) @@ ${nameQuerySql(name)} and ${teamsKnownTo(ctx)} limit ${MAX_TARGETS}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => id)
}

/** The rows of `teams t` whose names the caller may read: all with people.read, otherwise their own. */
export const teamsKnownTo = ({ actor }: Context): RawBuilder<boolean> =>
  can(actor, 'people.read')
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from team_members m where m.team_id = t.id and m.user_id = ${actor.user_id}::uuid)`

/** Visible glossary terms with every word in their title. */
export const findTermsByName = async (ctx: Context, name: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select r.id from search_titles s join resources r on r.id = s.resource_id
    where s.words @@ ${titleQuerySql(name, 'glossary')} and exists (select from search_query_words(${name})) and ${visibleTo(ctx.actor)}
    limit ${MAX_TARGETS}
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => id)
}

/** A tsquery on `search_titles.words`: resources with every word, of any or this type; a word can be unfinished. */
export const titleQuerySql = (text: string, entity_type?: string): RawBuilder<unknown> => sql`(
  select string_agg(q.query, '&')::tsquery from (
    ${entity_type === undefined ? sql`` : sql`select ${`'#${entity_type}'`} as query union all`}
    select '(''=' || t.stem || '''|''^' || left(t.word, ${sql.lit(MAX_PREFIX_LENGTH)}) || ''')' as query from search_query_words(${text}) t
  ) q
)`
