import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { type EntryRow, entryColumns, SHORT_CHANGES_SQL, toLogEntry } from '../../platform/history/entry.ts'
import type { EventBlock } from '../../platform/history/schema.ts'

export const loadEntries = async (ctx: Context, ids: readonly string[]): Promise<Map<string, EntryRow>> => {
  const { rows } = await sql<EntryRow>`
    select ${entryColumns(SHORT_CHANGES_SQL)} from activities a left join users u on u.id = a.performer_id where a.id = any(${ids}::uuid[])
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Describes an activity for one reader. A reader who became or stopped being an owner is addressed as "you". */
export const describeEntryFor = (reader: string, row: EntryRow): EventBlock[] => {
  const { event_blocks } = toLogEntry(row)
  const [change, ...others] = row.changes ?? []
  if (change?.field !== 'owners' || others.length > 0) return event_blocks
  const [was, is] = [change.from, change.to].map((owners) => ((owners ?? []) as string[]).includes(reader))
  if (was === is) return event_blocks
  const text = is ? 'made you an owner of' : 'removed you from the owners of'
  return event_blocks.map((block) => (block.type === 'text' ? { ...block, value: text } : block))
}

export const joinSentence = (blocks: readonly EventBlock[]): string => blocks.map(({ value }) => value).join(' ')
