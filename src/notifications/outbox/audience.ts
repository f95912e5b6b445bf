import { type Actor, canSee } from '../../platform/permissions/permissions.ts'
import type { Audience, OutboxEntry, VisibilityChange, VisibilitySnapshot } from './outbox.ts'

/** Recipients of a change: owners, members of owner groups and subscribers, except its performer and users who cannot see it. Pure. */
export const findRecipients = (
  { performer_id, audience, former, container, now }: OutboxEntry,
  atChange: VisibilitySnapshot,
  members: ReadonlyMap<string, readonly string[]>,
  actors: ReadonlyMap<string, Actor>,
): Actor[] => {
  const containerRecipients = listAudienceUsers(members, container)
  return [...listAudienceUsers(members, audience, former)].flatMap((id) => {
    const actor = actors.get(id) // unknown and disabled users have none
    if (!actor || id === performer_id || !canSee(actor, atChange) || !canSee(actor, now)) return []
    const { published = false, teams = null } = container
    return containerRecipients.has(id) && canSee(actor, { published, teams }) ? [] : [actor]
  })
}

/** All users of these audiences, with groups replaced by their members. */
export const listAudienceUsers = (members: ReadonlyMap<string, readonly string[]>, ...audiences: readonly Audience[]): Set<string> =>
  new Set(
    audiences.flatMap(({ users, groups, subscribers }) => [
      ...(users ?? []),
      ...(subscribers ?? []),
      ...(groups ?? []).flatMap((group) => members.get(group) ?? []),
    ]),
  )

/** Visibility right after the change, checked in addition to the current one: a change of a hidden resource stays hidden when it is published. */
export const getVisibilityAtChange = (entry: OutboxEntry, visibilityChanges: readonly VisibilityChange[]): VisibilitySnapshot => {
  const later = visibilityChanges.filter((each) => each.resource_id === entry.resource_id && isAfter(each, entry))
  return {
    published: later.find(({ published }) => published !== null)?.published ?? entry.now.published,
    teams: (later.find(({ teams }) => teams.length > 0)?.teams ?? [entry.now.teams])[0] ?? null,
  }
}

type LogPosition = Pick<OutboxEntry, 'id' | 'version' | 'logged_at'>
const isAfter = (a: LogPosition, b: LogPosition): boolean => {
  if (a.logged_at !== b.logged_at) return a.logged_at > b.logged_at
  return a.version !== null && b.version !== null ? a.version > b.version : a.id > b.id
}
