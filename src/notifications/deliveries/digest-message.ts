import type { Message, MessageSection } from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import type { EntryRow } from '../../platform/history/entry.ts'
import type { Actor } from '../../platform/permissions/permissions.ts'
import { canSee } from '../../platform/permissions/permissions.ts'
import { findCommonIncidents } from '../outbox/common-incidents.ts'
import { describeEntryBlocks, joinSentence, loadEntries } from '../outbox/entry-text.ts'
import { buildIncidentUrl, buildResourceUrl } from '../outbox/page-urls.ts'
import type { MessageDelivery } from './message-deliveries.ts'

/** Builds the message with what the reader can see now; undefined if that is nothing. */
export const buildDigestMessage = async (
  ctx: Context,
  { id, resources, resources_count }: MessageDelivery,
  { reader, to, publicUrl }: { reader: Actor; to: string; publicUrl?: string },
): Promise<Message | undefined> => {
  const entries = await loadEntries(
    ctx,
    resources.flatMap(({ activity_ids }) => activity_ids),
    reader,
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
  const existing = new Map(rows.map((row) => [row.id, row]))
  const activitiesOf = resources.map(({ activity_ids }) => activity_ids.flatMap((id) => entries.get(id) ?? []).sort(byTime))
  const incidents = await findCommonIncidents(ctx.db, activitiesOf)
  const parts = resources.flatMap(({ resource_id, changes_count }, i) => {
    const activities = activitiesOf[i]!
    const seen = existing.get(resource_id) ?? getFormerVisibility(activities)
    if (!seen || activities.length === 0 || !canSee(reader, seen)) return []
    const title = toSingleLine(existing.get(resource_id)?.title ?? activities.at(-1)!.resource_title ?? '')
    const sentences = activities.map((row) => toSingleLine(joinSentence(describeEntryBlocks(reader.user_id!, row))))
    const earlier = changes_count - activities.length
    const lines = earlier > 0 ? [`${earlier} earlier ${earlier === 1 ? 'change' : 'changes'}`, ...sentences] : sentences
    const incident = earlier > 0 ? undefined : incidents[i]
    const url = incident === undefined ? buildResourceUrl(publicUrl, resource_id) : buildIncidentUrl(publicUrl, incident)
    return [{ title, link: existing.has(resource_id) ? url : undefined, lines, changes_count, activities }]
  })
  if (parts.length === 0) return undefined
  const more = resources_count - resources.length
  const sections: MessageSection[] = parts.map(({ title, link, lines }) => ({ title, link, lines }))
  if (more > 0) sections.push({ title: `And ${more} more`, lines: ['See your inbox for all changes.'] })
  return {
    id,
    to,
    subject: buildSubject(reader, parts, more),
    sections,
    reason:
      'You receive this because you own or subscribe to these resources or own something that depends on them, or because a change is addressed to you, e.g. a mention.',
    settings_link: publicUrl && `${publicUrl}/settings/notifications`,
  }
}

interface MessagePart {
  readonly title: string
  readonly changes_count: number
  readonly activities: readonly EntryRow[]
}

const buildSubject = ({ user_id }: Actor, parts: readonly MessagePart[], more: number): string => {
  const [first, second] = parts as [MessagePart, MessagePart?]
  if (second) {
    const named = parts.slice(0, 3).map(({ title }) => title)
    return truncate(`${parts.length + more} resources changed: ${named.join(', ')}${parts.length > 3 ? ' and others' : ''}`)
  }
  if (first.changes_count > 1) return truncate(`${first.changes_count} changes to ${first.title}`)
  // The subject ends with the resource's name; the new value is only in the body.
  const blocks = describeEntryBlocks(user_id!, first.activities[0]!)
  return truncate(joinSentence(blocks.slice(0, blocks.findIndex(({ type }) => type === 'resource') + 1 || undefined)))
}

const byTime = (a: EntryRow, b: EntryRow): number =>
  a.logged_at < b.logged_at ? -1 : a.logged_at > b.logged_at ? 1 : (a.version ?? 0) - (b.version ?? 0)

/** A deleted resource stays visible to those who could see it before; its last entry records who that was. */
const getFormerVisibility = (activities: readonly EntryRow[]): { published: boolean; teams: string[] | null } | undefined => {
  const last = activities.findLast(({ activity_type }) => activity_type.endsWith('_deleted'))
  if (!last) return undefined
  const from = (field: string) => last.changes?.find((change) => change.field === field)?.from
  return { published: from('published') === true, teams: (from('teams') ?? null) as string[] | null }
}

const MAX_SUBJECT_LENGTH = 140
export const truncate = (text: string): string => {
  const letters = [...toSingleLine(text)]
  return letters.length > MAX_SUBJECT_LENGTH ? `${letters.slice(0, MAX_SUBJECT_LENGTH - 1).join('')}…` : letters.join('')
}

/** Titles may contain line breaks and control characters, lines of a message may not. */
export const toSingleLine = (text: string): string => text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()
