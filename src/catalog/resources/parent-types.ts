import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'

/** Parent checks of the typed endpoints. */

/** Some entity types require a parent of a certain type: an event needs a category, a reply needs a question. */
export const requireParentType = async (ctx: Context, noun: string, entity_type: string, parent: unknown): Promise<void> => {
  const id = typeof parent === 'string' ? parseId(parent) : undefined
  const { rows } = id
    ? await sql`select from resources r where r.id = ${id} and r.entity_type = ${entity_type} and ${visibleTo(ctx.actor)}`.execute(ctx.db)
    : { rows: [] }
  if (rows.length > 0) return
  throw invalid({ parent: [`The parent of ${noun} must be ${withArticle(entity_type.replaceAll('_', ' '))}.`] })
}

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** Finds the visible database with this title, if one is provided. */
export const findDatabaseByTitle = async (ctx: Context, title: unknown, integration: unknown): Promise<string | undefined> => {
  if (typeof title !== 'string') return undefined
  const id = typeof integration === 'string' ? (parseId(integration) ?? null) : null
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r
    where r.entity_type = 'database' and lower(r.title) collate "C" = lower(${title}) and r.title = ${title} and ${visibleTo(ctx.actor)}
      and (${id}::uuid is null or r.integration = ${id}::uuid)
    order by r.id limit 2
  `.execute(ctx.db)
  if (rows.length === 1) return rows[0]!.id
  throw invalid({
    database: [
      rows.length === 0
        ? translatable('Database "{title}" not found.', { title })
        : `There are several databases named "${title}". Pass the ID as parent.`,
    ],
  })
}
