import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { type Translatable, translatable } from '../../platform/core/translatable.ts'
import { toEventBlocks } from '../../platform/history/describe-activity.ts'
import { type EntryRow, entryColumns, SHORT_CHANGES_SQL, toLogEntry } from '../../platform/history/entry.ts'
import type { EventPayloads } from '../../platform/history/events.ts'
import type { EventBlock } from '../../platform/history/schema.ts'
import { type Actor, visibleTo } from '../../platform/permissions/permissions.ts'

/** With a reader, what a schema change breaks and which integration acted is cut to what the reader may see. */
export const loadEntries = async (ctx: Context, ids: readonly string[], reader?: Actor): Promise<Map<string, EntryRow>> => {
  const { rows } = await sql<EntryRow>`
    select ${entryColumns(SHORT_CHANGES_SQL, reader)} from activities a left join users u on u.id = a.performer_id where a.id = any(${ids}::uuid[])
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
const addBreaks = (sentence: Translatable, row: EntryRow): Translatable => {
  const breaks = getBreaks(row)
  if (breaks.length === 0) return sentence
  const more = breaks.length - MAX_BREAKS
  const names = breaks.slice(0, MAX_BREAKS).map(({ title }) => title)
  return more > 0
    ? translatable('{sentence} – may break {names} and {n} more', { sentence, names: names.join(', '), n: more })
    : translatable('{sentence} – may break {names}', { sentence, names: names.join(', ') })
}

/** Describes an activity for one reader. A reader who became or stopped being an owner is addressed as "you". */
export const describeEntryFor = (reader: string, row: EntryRow): Translatable => {
  const sentence = toLogEntry(row).translatable
  const [change, ...others] = row.changes ?? []
  if (change?.field !== 'owners' || others.length > 0) return addBreaks(sentence, row)
  const [was, is] = [change.from, change.to].map((owners) => ((owners ?? []) as string[]).includes(reader))
  if (was === is) return sentence
  const { values } = 'sentence' in sentence.values ? (sentence.values.sentence as Translatable) : sentence
  const names = { performer: values.performer!, resource: values.resource! }
  return is
    ? translatable('{performer} made you an owner of {resource}', names)
    : translatable('{performer} removed you from the owners of {resource}', names)
}

export const describeEntryBlocks = (reader: string, row: EntryRow): EventBlock[] => toEventBlocks(describeEntryFor(reader, row))

export const joinSentence = (blocks: readonly EventBlock[]): string => blocks.map(({ value }) => value).join(' ')
