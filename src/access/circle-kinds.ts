import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { conflict } from '../errors.ts'
import type { Circle } from './schema.ts'

/** A circle is people under a name: a team, which decides what they see, or a group, which owns things together. */
export interface CircleKind {
  readonly noun: 'team' | 'group'
  readonly table: 'teams' | 'groups'
  readonly members: 'team_members' | 'group_members'
  readonly key: 'team_id' | 'group_id'
  /** What is written of it beside its members, and where it starts. */
  readonly blank: Omit<Circle, 'id' | 'created_at' | 'updated_at' | 'members'>
  /** What stands against deleting one. */
  readonly mayGo?: (ctx: Context, circle: Circle) => Promise<void>
}

/**
 * A closed team that went would open its resources to everyone; in an open one there is nothing to give away. A resource put into the
 * team at this very moment is as one put there a moment later: in a team nobody knows.
 */
const mustHideNothing = async (ctx: Context, { id, closed }: Circle): Promise<void> => {
  if (!closed) return
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from resource_refs where target = ${id} and field = 'teams'`.execute(ctx.db)
  const { count } = rows[0]!
  if (count === 0) return
  throw conflict(
    `${count} ${count === 1 ? 'resource is' : 'resources are'} in this closed team and would be seen by everyone. Move them or open the team first.`,
  )
}

export const TEAM: CircleKind = {
  noun: 'team',
  table: 'teams',
  members: 'team_members',
  key: 'team_id',
  blank: { name: '', description: null, icon: null, closed: false },
  mayGo: mustHideNothing,
}

export const GROUP: CircleKind = {
  noun: 'group',
  table: 'groups',
  members: 'group_members',
  key: 'group_id',
  blank: { name: '', description: null },
}
