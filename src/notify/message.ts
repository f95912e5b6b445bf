import type { Actor } from '../access/permissions.ts'
import { canSee } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { EntryRow } from '../history/entry.ts'
import type { Message, Section } from './channels/channel.ts'
import type { Delivery } from './ledger.ts'
import { linkTo } from './links.ts'
import { readEntries, sentenceOf, wordsFor } from './words.ts'

/** Builds the message with what the reader can see now; undefined if that is nothing. */
export const messageOf = async (
  ctx: Context,
  { id, resources, resources_count }: Delivery,
  { reader, to, publicUrl }: { reader: Actor; to: string; publicUrl?: string },
): Promise<Message | undefined> => {
  const entries = await readEntries(
    ctx,
    resources.flatMap(({ activity_ids }) => activity_ids),
  )
  const rows = await ctx.db
    .selectFrom('resources')
    .select(['id', 'title', 'published', 'teams'])
    .where(
      'id',
      'in',
      resources.map(({ resource_id }) => resource_id),
    )
    .execute()
  const living = new Map(rows.map((row) => [row.id, row]))
  const parts = resources.flatMap(({ resource_id, activity_ids, changes_count }) => {
    const told = activity_ids.flatMap((id) => entries.get(id) ?? []).sort(byTime)
    const seen = living.get(resource_id) ?? asItWas(told)
    if (!seen || told.length === 0 || !canSee(reader, seen)) return []
    const title = oneLine(living.get(resource_id)?.title ?? told.at(-1)!.resource_title ?? '')
    const sentences = told.map((row) => oneLine(sentenceOf(wordsFor(reader.user_id!, row))))
    const earlier = changes_count - told.length
    const lines = earlier > 0 ? [`${earlier} earlier ${earlier === 1 ? 'change' : 'changes'}`, ...sentences] : sentences
    return [{ title, link: living.has(resource_id) ? linkTo(publicUrl, resource_id) : undefined, lines, changes_count, told }]
  })
  if (parts.length === 0) return undefined
  const more = resources_count - resources.length
  const sections: Section[] = parts.map(({ title, link, lines }) => ({ title, link, lines }))
  if (more > 0) sections.push({ title: `And ${more} more`, lines: ['See your inbox for all changes.'] })
  return {
    id,
    to,
    subject: subjectOf(reader, parts, more),
    sections,
    reason: 'You receive this because you own or subscribe to these resources, or because a change is addressed to you, e.g. a mention.',
    settings_link: publicUrl && `${publicUrl}/settings/notifications`,
  }
}

interface Part {
  readonly title: string
  readonly changes_count: number
  readonly told: readonly EntryRow[]
}

const subjectOf = ({ user_id }: Actor, parts: readonly Part[], more: number): string => {
  const [first, second] = parts as [Part, Part?]
  if (second) {
    const named = parts.slice(0, 3).map(({ title }) => title)
    return short(`${parts.length + more} resources changed: ${named.join(', ')}${parts.length > 3 ? ' and others' : ''}`)
  }
  if (first.changes_count > 1) return short(`${first.changes_count} changes to ${first.title}`)
  // The subject ends with the resource's name; the new value is only in the body.
  const blocks = wordsFor(user_id!, first.told[0]!)
  return short(sentenceOf(blocks.slice(0, blocks.findIndex(({ type }) => type === 'resource') + 1 || undefined)))
}

const byTime = (a: EntryRow, b: EntryRow): number =>
  a.logged_at < b.logged_at ? -1 : a.logged_at > b.logged_at ? 1 : (a.version ?? 0) - (b.version ?? 0)

/** A deleted resource stays visible to those who could see it before; its last entry records who that was. */
const asItWas = (told: readonly EntryRow[]): { published: boolean; teams: string[] | null } | undefined => {
  const last = told.findLast(({ activity_type }) => activity_type.endsWith('_deleted'))
  if (!last) return undefined
  const from = (field: string) => last.changes?.find((change) => change.field === field)?.from
  return { published: from('published') === true, teams: (from('teams') ?? null) as string[] | null }
}

const LONGEST_SUBJECT = 140
export const short = (text: string): string => {
  const letters = [...oneLine(text)]
  return letters.length > LONGEST_SUBJECT ? `${letters.slice(0, LONGEST_SUBJECT - 1).join('')}…` : letters.join('')
}

/** Titles may contain line breaks and control characters, lines of a message may not. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()
