import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { type EntryRow, entryColumns, shortChanges, toLogEntry } from '../history/entry.ts'
import type { EventBlock } from '../history/schema.ts'

export const readEntries = async (ctx: Context, ids: readonly string[]): Promise<Map<string, EntryRow>> => {
  const { rows } = await sql<EntryRow>`
    select ${entryColumns(shortChanges)} from activities a left join users u on u.id = a.performer_id where a.id = any(${ids}::uuid[])
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Describes an activity for one reader. A reader who became or stopped being an owner is addressed as "you". */
export const wordsFor = (reader: string, row: EntryRow): EventBlock[] => {
  const { event_blocks } = toLogEntry(row)
  const [change, ...others] = row.changes ?? []
  if (change?.field !== 'owners' || others.length > 0) return event_blocks
  const [was, is] = [change.from, change.to].map((owners) => ((owners ?? []) as string[]).includes(reader))
  if (was === is) return event_blocks
  const said = is ? 'made you an owner of' : 'removed you from the owners of'
  return event_blocks.map((block) => (block.type === 'text' ? { ...block, value: said } : block))
}

export const sentenceOf = (blocks: readonly EventBlock[]): string => blocks.map(({ value }) => value).join(' ')
