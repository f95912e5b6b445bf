import { type Actor, canSee } from '../access/permissions.ts'
import type { Audience, Opened, Seen, Told } from './outbox.ts'

/** Recipients of a change: owners, members of owner groups and subscribers, except its performer and users who cannot see it. Pure. */
export const recipientsOf = (
  { performer_id, audience, former, container, now }: Told,
  then: Seen,
  members: ReadonlyMap<string, readonly string[]>,
  actors: ReadonlyMap<string, Actor>,
): Actor[] => {
  const hearsOfContainer = namedIn(members, container)
  return [...namedIn(members, audience, former)].flatMap((id) => {
    const actor = actors.get(id) // unknown and disabled users have none
    if (!actor || id === performer_id || !canSee(actor, then) || !canSee(actor, now)) return []
    const { published = false, teams = null } = container
    return hearsOfContainer.has(id) && canSee(actor, { published, teams }) ? [] : [actor]
  })
}

/** All users of these audiences, with groups replaced by their members. */
export const namedIn = (members: ReadonlyMap<string, readonly string[]>, ...audiences: readonly Audience[]): Set<string> =>
  new Set(
    audiences.flatMap(({ users, groups, subscribers }) => [
      ...(users ?? []),
      ...(subscribers ?? []),
      ...(groups ?? []).flatMap((group) => members.get(group) ?? []),
    ]),
  )

/** Visibility right after the change, checked in addition to the current one: a change of a hidden resource stays hidden when it is published. */
export const seenThen = (told: Told, opened: readonly Opened[]): Seen => {
  const later = opened.filter((each) => each.resource_id === told.resource_id && isAfter(each, told))
  return {
    published: later.find(({ published }) => published !== null)?.published ?? told.now.published,
    teams: (later.find(({ teams }) => teams.length > 0)?.teams ?? [told.now.teams])[0] ?? null,
  }
}

type Moment = Pick<Told, 'id' | 'version' | 'logged_at'>
const isAfter = (a: Moment, b: Moment): boolean => {
  if (a.logged_at !== b.logged_at) return a.logged_at > b.logged_at
  return a.version !== null && b.version !== null ? a.version > b.version : a.id > b.id
}
