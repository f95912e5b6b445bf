import { sql } from 'kysely'
import { visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { readId } from '../id.ts'

/** What a typed door wants to know of the place a resource is put in. */

/** Some kinds always stand under another: an event under a category, a reply under its question. */
export const mustStandUnder = async (ctx: Context, noun: string, entity_type: string, parent: unknown): Promise<void> => {
  const id = typeof parent === 'string' ? readId(parent) : undefined
  const { rows } = id
    ? await sql`select from resources r where r.id = ${id} and r.entity_type = ${entity_type} and ${visibleTo(ctx.actor)}`.execute(ctx.db)
    : { rows: [] }
  if (rows.length > 0) return
  throw invalid({ parent: [`${capital(noun)} stands under ${withArticle(entity_type.replaceAll('_', ' '))}.`] })
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** The database of this title that the caller sees, where a title was given. */
export const findDatabase = async (ctx: Context, title: unknown, integration: unknown): Promise<string | undefined> => {
  if (typeof title !== 'string') return undefined
  const id = typeof integration === 'string' ? (readId(integration) ?? null) : null
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r
    where r.entity_type = 'database' and lower(r.title) collate "C" = lower(${title}) and r.title = ${title} and ${visibleTo(ctx.actor)}
      and (${id}::uuid is null or r.integration = ${id}::uuid)
    order by r.id limit 2
  `.execute(ctx.db)
  if (rows.length === 1) return rows[0]!.id
  throw invalid({
    database: [
      rows.length === 0 ? `There is no database called "${title}".` : `Several databases are called "${title}": give its ID as parent.`,
    ],
  })
}
