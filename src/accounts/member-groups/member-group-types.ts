import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { MemberGroup } from '../shared/schema.ts'

/** A team or a group. A team affects what its members can see; a group owns resources together. */
export interface MemberGroupType {
  readonly noun: 'team' | 'group'
  readonly table: 'teams' | 'groups'
  readonly members: 'team_members' | 'group_members'
  readonly key: 'team_id' | 'group_id'
  /** The fields besides members, with their initial values. */
  readonly defaults: Omit<MemberGroup, 'id' | 'created_at' | 'updated_at' | 'members'>
  /** Throws if it must not be deleted. */
  readonly assertDeletable?: (ctx: Context, group: MemberGroup) => Promise<void>
}

/**
 * Deleting a closed team would make its resources visible to everyone. A resource added to the team concurrently is not locked: it ends up
 * with the ID of a team that no longer exists, as if it had been added a moment later.
 */
const assertHidesNoResources = async (ctx: Context, { id, closed }: MemberGroup): Promise<void> => {
  if (!closed) return
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from resource_refs where target = ${id} and field = 'teams'`.execute(ctx.db)
  const { count } = rows[0]!
  if (count === 0) return
  throw conflict(
    translatable(
      'This closed team has {n:# resource|# resources} that would become visible to everyone. Move them to another team or open this team first.',
      { n: count },
    ),
  )
}

export const TEAM: MemberGroupType = {
  noun: 'team',
  table: 'teams',
  members: 'team_members',
  key: 'team_id',
  defaults: { name: '', description: null, icon: null, closed: false },
  assertDeletable: assertHidesNoResources,
}

export const GROUP: MemberGroupType = {
  noun: 'group',
  table: 'groups',
  members: 'group_members',
  key: 'group_id',
  defaults: { name: '', description: null },
}
