import { sql } from 'kysely'
import { ownsVisibleResourceSql, userNameSql } from '../../accounts/shared/names.ts'
import { getEntityTypeConfig } from '../../catalog/entity-types/entity-types.ts'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { type Actor, can, integrationsVisibleTo, visibleTo } from '../../platform/permissions/permissions.ts'
import type { Named, Names } from './schema.ts'

const MAX_NAME_IDS = 200

export const findNamesByIds = (ctx: Context, text: string): Promise<Names> => findNames(ctx, parseIds(text))

/** Parses the IDs of a query parameter. */
export const parseIds = (text: string): string[] => {
  const ids = text.split(',').flatMap((each) => each.trim() || [])
  if (ids.length > MAX_NAME_IDS) throw invalid({ ids: [`must contain at most ${MAX_NAME_IDS} IDs.`] })
  return ids.map((each) => {
    const id = parseId(each)
    if (!id) throw invalid({ ids: ['must be a comma-separated list of UUIDs.'] })
    return id
  })
}

interface NameRow {
  readonly id: string
  readonly type: Named['type']
  readonly name: string
  readonly detail: string | null
  readonly author: string | null
  readonly description: string | null
}

/**
 * Finds names by ID. All users, groups and teams require `people.read`; other callers get themselves, their own groups and teams, and the
 * owners of visible resources. `shown` are owners and authors of a record that the caller has read. Integrations of closed teams are only
 * named to callers who can see them.
 */
export const findNames = async (
  ctx: Context,
  requested: readonly (string | null | undefined)[],
  shown: readonly (string | null)[] = [],
): Promise<Names> => {
  const ids = [...new Set(requested.filter((id) => typeof id === 'string'))]
  if (ids.length === 0) return {}
  const people = can(ctx.actor, 'people.read')
  const me = ctx.actor.user_id
  const open = shown.flatMap((id) => id ?? [])
  const member = (table: 'group_members' | 'team_members', key: 'group_id' | 'team_id') =>
    people ? sql`true` : sql`exists (select from ${sql.table(table)} m where m.${sql.ref(key)} = x.id and m.user_id = ${me}::uuid)`
  const { rows } = await sql<NameRow>`
    with wanted as materialized (select unnest(${ids}::uuid[]) as id)
    select x.id, 'user' as type, ${userNameSql(ctx.actor, 'x')} as name, null as detail, null as author, null as description
    from wanted join users x using (id)
    where ${people ? sql`true` : sql`(x.id = ${me}::uuid or x.id = any(${open}::uuid[]) or ${ownsVisibleResourceSql(ctx.actor, 'x', 'owners')})`}
    union all select x.id, 'group', x.name, null, null, null from wanted join groups x using (id)
    where ${people ? sql`true` : sql`(${member('group_members', 'group_id')} or x.id = any(${open}::uuid[]) or ${ownsVisibleResourceSql(ctx.actor, 'x', 'owners_groups')})`}
    union all select x.id, 'team', x.name, null, null, null from wanted join teams x using (id) where ${member('team_members', 'team_id')}
    union all select x.id, 'tag', x.name, x.color, null, null from wanted join tags x using (id)
    union all select x.id, 'integration', x.name, x.type, null, null from wanted join integrations x using (id) where ${integrationsVisibleTo(ctx.actor, 'x')}
    union all select r.id, 'resource', r.title, r.entity_type, ${authorSql(ctx.actor)}, case when r.entity_type = 'glossary' then left(r.description, 300) end from wanted join resources r using (id) where ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return Object.fromEntries(rows.map((row) => [row.id, toNamed(row)]))
}

/** The authors of questions and replies are visible to everyone who can see the question. */
const authorSql = (actor: Actor) => sql`
  case when r.entity_type in ('question', 'question_reply') then (
    select ${userNameSql(actor, 'u')} from activities a join users u on u.id = a.performer_id where a.resource_id = r.id and a.version = 1) end`

const toNamed = ({ type, name, detail, author, description }: NameRow): Named => {
  if (type === 'tag') return { type, name, color: detail }
  if (type === 'integration') return { type, name, integration_type: detail! }
  if (type === 'resource')
    return {
      type,
      name,
      entity_type: detail!,
      icon: getEntityTypeConfig(detail!).icon,
      ...(author ? { author } : {}),
      ...(description ? { description } : {}),
    }
  return { type, name, initials: getInitials(name) }
}

/** `Ada Lovelace` → `AL`, `ada@example.com` → `A`. */
export const getInitials = (name: string): string => {
  const words = name
    .split('@')[0]!
    .split(/[\s._-]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].flatMap((word) => /[\p{L}\p{N}]/u.exec(word ?? '')?.[0] ?? [])
  return letters.join('').toUpperCase() || '?'
}
