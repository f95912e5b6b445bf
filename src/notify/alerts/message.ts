import type { Actor } from '../../access/permissions.ts'
import { canSee } from '../../access/permissions.ts'
import type { Context } from '../../context.ts'
import type { Message, Section } from '../channels/channel.ts'
import { oneLine, short } from '../message.ts'
import type { Alert, AlertItem } from './alert.ts'
import { chartAddress } from './chart-address.ts'
import { impactOf } from './impact.ts'

const MOST_IN_FULL = 3 // with chart and impact; the others are text only

export interface AlertReading {
  /** Undefined for the Slack channel of a monitor. */
  readonly reader?: Actor
  readonly to: string
  readonly publicUrl?: string
}

/** Builds the message with what the reader can see now; undefined if that is nothing. */
export const alertMessageOf = async (
  ctx: Context,
  id: string,
  { phase, items, together }: Alert,
  { reader, to, publicUrl }: AlertReading,
): Promise<Message | undefined> => {
  const seen = reader ? await seenBy(ctx, reader, items) : items
  const [first] = seen
  if (!first) return undefined
  const inFull = phase === 'opened' ? seen.slice(0, MOST_IN_FULL) : []
  const sections = await Promise.all(
    seen.map(async (item): Promise<Section> => {
      const { title, lines, path, monitor, place } = item
      const full = inFull.includes(item)
      const impact = full && place ? await impactOf(ctx, place, reader) : undefined
      const address = publicUrl && monitor && full ? await chartAddress(ctx, publicUrl, monitor) : undefined
      return {
        title: oneLine(title),
        link: publicUrl && path ? `${publicUrl}${path}` : undefined,
        lines: [...lines, ...(impact ? [impact] : [])].map(oneLine).filter((line) => line !== ''),
        ...(address ? { image: { address, text: `Latest measurements: ${oneLine(title)}` } } : {}),
      }
    }),
  )
  const more = seen.length - 1
  return {
    id,
    to,
    subject: short(
      `${first.title}${more > 0 ? ` and ${more} more${together ? ' downstream' : ''}` : first.lines[0] ? `: ${first.lines[0]}` : ''}`,
    ),
    sections,
    ...(reader ? { reason: REASONS[phase], settings_link: publicUrl && `${publicUrl}/settings/notifications` } : {}),
  }
}

const REASONS: Record<Alert['phase'], string> = {
  opened: 'You receive this because you own or subscribe to this resource or a resource downstream of it.',
  resolved: 'You receive this because you own or subscribe to this resource or a resource downstream of it.',
  notice: 'You receive this because you are an admin of this workspace.',
}

const seenBy = async (ctx: Context, reader: Actor, items: readonly AlertItem[]): Promise<AlertItem[]> => {
  const ids = items.flatMap(({ resource_id }) => resource_id ?? [])
  const rows =
    ids.length === 0 ? [] : await ctx.db.selectFrom('resources').select(['id', 'published', 'teams']).where('id', 'in', ids).execute()
  const visible = new Set(rows.filter((row) => canSee(reader, row)).map(({ id }) => id))
  return items.filter(({ resource_id }) => resource_id === null || visible.has(resource_id))
}
