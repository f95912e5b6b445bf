import { sql } from 'kysely'
import { findTagIdsByName } from '../../catalog/tags/tag-rows.ts'
import type { Context } from '../../platform/context/context.ts'
import type { FieldErrors } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { findUsersByEmail } from '../../sources/sync/find-users.ts'
import type { StagedLine } from './line.ts'

/** People who write a file know e-mail addresses and names, not IDs. */
export const NAMED_FIELDS = ['owners', 'tags', 'terms'] as const
type NamedField = (typeof NAMED_FIELDS)[number]

const PROBLEMS: Record<NamedField, (name: string) => string> = {
  owners: (name) => `no user has the e-mail address ${name}.`,
  tags: (name) => `no tag is named ${name}.`,
  terms: (name) => `no glossary term is named ${name}.`,
}

type IdsByName = ReadonlyMap<string, string>

/** The lines with IDs in place of e-mail addresses and names, and the errors of those that name something unknown. */
export const resolveNames = async (
  ctx: Context,
  lines: readonly StagedLine[],
): Promise<{ lines: readonly StagedLine[]; errors: readonly { readonly line: number; readonly errors: FieldErrors }[] }> => {
  const names = (field: NamedField) => [...new Set(lines.flatMap((line) => findNames(line, field).map((name) => toKey(field, name))))]
  const [owners, tags, terms] = [names('owners'), names('tags'), names('terms')]
  if (owners.length + tags.length + terms.length === 0) return { lines, errors: [] }
  const found: Record<NamedField, IdsByName> = {
    owners: await findUsersByEmail(ctx.db, owners),
    tags: await findTagIdsByName(ctx.db, tags),
    terms: await findTermIdsByTitle(ctx, terms),
  }
  const errors: { line: number; errors: FieldErrors }[] = []
  const resolved = lines.map((line) => {
    const fields = { ...line.data?.fields }
    for (const field of NAMED_FIELDS) {
      if (findNames(line, field).length === 0) continue
      const unknown = findNames(line, field).find((name) => !found[field].has(toKey(field, name)))
      if (unknown !== undefined) errors.push({ line: line.line, errors: { [field]: [PROBLEMS[field](unknown)] } })
      fields[field] = (fields[field] as string[]).map((each) => parseId(each) ?? found[field].get(toKey(field, each)))
    }
    return line.data ? { ...line, data: { ...line.data, fields } } : line
  })
  return { lines: resolved, errors }
}

/** The names of tags and terms are folded by the database only: its lower case is not that of JavaScript. */
const toKey = (field: NamedField, name: string): string => (field === 'owners' ? name.trim().toLowerCase() : name.trim())

/** What is not an ID. */
const findNames = ({ data }: StagedLine, field: NamedField): string[] => {
  const value = data?.fields[field]
  return Array.isArray(value) ? value.filter((each: string) => !parseId(each)) : []
}

/** By title as given, regardless of case; the oldest of several visible terms with the same title. */
const findTermIdsByTitle = async (ctx: Context, titles: readonly string[]): Promise<IdsByName> => {
  if (titles.length === 0) return new Map()
  const { rows } = await sql<{ id: string; title: string }>`
    select r.id, w.title from unnest(${titles}::text[]) w (title) join resources r on lower(r.title) = lower(w.title)
    where r.entity_type = 'glossary' and not r.archived and ${visibleTo(ctx.actor)}
    order by r.created_at desc, r.id desc
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, title }) => [title, id]))
}
