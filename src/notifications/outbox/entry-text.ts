import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { type EntryRow, entryColumns, SHORT_CHANGES_SQL, toLogEntry } from '../../platform/history/entry.ts'
import type { EventPayloads } from '../../platform/history/events.ts'
import type { EventBlock } from '../../platform/history/schema.ts'
import { type Actor, visibleTo } from '../../platform/permissions/permissions.ts'

/** With a reader, what a schema change breaks is cut to what the reader may see. */
export const loadEntries = async (ctx: Context, ids: readonly string[], reader?: Actor): Promise<Map<string, EntryRow>> => {
  const { rows } = await sql<EntryRow>`
    select ${entryColumns(SHORT_CHANGES_SQL)} from activities a left join users u on u.id = a.performer_id where a.id = any(${ids}::uuid[])
  `.execute(ctx.db, ctx.limits)
  const visible =
    reader &&
    (await findVisibleIds(
      ctx,
      reader,
      rows.flatMap((row) => getBreaks(row).map(({ id }) => id)),
    ))
  return new Map(
    rows.map((row) => {
      if (!visible || getBreaks(row).length === 0) return [row.id, row]
      return [row.id, { ...row, payload: { ...row.payload, breaks: getBreaks(row).filter(({ id }) => visible.has(id)) } }]
    }),
  )
}

const getBreaks = ({ payload }: EntryRow) => (payload as Partial<EventPayloads['schema_changed']> | null)?.breaks ?? []

const findVisibleIds = async (ctx: Context, reader: Actor, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r where r.id = any(${[...new Set(ids)]}::uuid[]) and ${visibleTo(reader)}`.execute(ctx.db, ctx.limits)
  return new Set(rows.map(({ id }) => id))
}

const MAX_BREAKS = 5

/** Names what a schema change breaks, as far as the entry was loaded for a reader. */
const describeBreaks = (row: EntryRow): EventBlock[] => {
  const breaks = getBreaks(row)
  if (breaks.length === 0) return []
  const more = breaks.length - MAX_BREAKS
  const names = breaks.slice(0, MAX_BREAKS).map(({ title }) => title)
  return [{ type: 'text', style: 'normal', value: `– may break ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}` }]
}

/** Describes an activity for one reader. A reader who became or stopped being an owner is addressed as "you". */
export const describeEntryFor = (reader: string, row: EntryRow): EventBlock[] => {
  const event_blocks = [...toLogEntry(row).event_blocks, ...describeBreaks(row)]
  const [change, ...others] = row.changes ?? []
  if (change?.field !== 'owners' || others.length > 0) return event_blocks
  const [was, is] = [change.from, change.to].map((owners) => ((owners ?? []) as string[]).includes(reader))
  if (was === is) return event_blocks
  const text = is ? 'made you an owner of' : 'removed you from the owners of'
  return event_blocks.map((block) => (block.type === 'text' ? { ...block, value: text } : block))
}

export const joinSentence = (blocks: readonly EventBlock[]): string => blocks.map(({ value }) => value).join(' ')
