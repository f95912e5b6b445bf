import type { Context } from '../../platform/context/context.ts'
import type { Actor } from '../../platform/permissions/permissions.ts'
import { demoId, INTEGRATIONS } from './id.ts'

/** The fictional users of the demo. They have no tokens; an admin can create some to see the catalog as one of them. */
export const PEOPLE = {
  ada: { id: demoId('user:ada'), first_name: 'Ada', last_name: 'Okafor', role: 'editor' },
  grace: { id: demoId('user:grace'), first_name: 'Grace', last_name: 'Lindqvist', role: 'editor' },
  katsu: { id: demoId('user:katsu'), first_name: 'Katsu', last_name: 'Mori', role: 'editor' },
  noor: { id: demoId('user:noor'), first_name: 'Noor', last_name: 'Haddad', role: 'viewer' },
  emil: { id: demoId('user:emil'), first_name: 'Emil', last_name: 'Bauer', role: 'viewer' },
} as const
export type Person = keyof typeof PEOPLE

export const TEAMS = {
  shop: { id: demoId('team:shop'), name: 'Demo shop', closed: false, members: ['ada', 'grace', 'katsu', 'noor', 'emil'] },
  finance: { id: demoId('team:finance'), name: 'Demo finance', closed: true, members: ['grace', 'katsu'] },
} as const satisfies Record<string, { id: string; name: string; closed: boolean; members: readonly Person[] }>

export const GROUPS = {
  data: { id: demoId('group:data'), name: 'Demo data team', members: ['ada', 'grace'] },
  business: { id: demoId('group:business'), name: 'Demo business users', members: ['katsu', 'noor', 'emil'] },
} as const satisfies Record<string, { id: string; name: string; members: readonly Person[] }>

export const seedPeople = async ({ db, now }: Context): Promise<void> => {
  const times = { created_at: now, updated_at: now }
  const members = (some: Record<string, { id: string; members: readonly Person[] }>) =>
    Object.values(some).flatMap(({ id, members }) => members.map((person) => ({ id, user_id: PEOPLE[person].id })))
  await db
    .insertInto('users')
    .values(Object.entries(PEOPLE).map(([name, person]) => ({ ...person, email: `${name}@shop.example.com`, ...times })))
    .onConflict((c) => c.column('id').doNothing())
    .execute()
  await db
    .insertInto('teams')
    .values(Object.values(TEAMS).map(({ id, name, closed }) => ({ id, name, closed, ...times })))
    .onConflict((c) => c.column('id').doNothing())
    .execute()
  await db
    .insertInto('team_members')
    .values(members(TEAMS).map(({ id, user_id }) => ({ team_id: id, user_id })))
    .onConflict((c) => c.doNothing())
    .execute()
  await db
    .insertInto('groups')
    .values(Object.values(GROUPS).map(({ id, name }) => ({ id, name, ...times })))
    .onConflict((c) => c.column('id').doNothing())
    .execute()
  await db
    .insertInto('group_members')
    .values(members(GROUPS).map(({ id, user_id }) => ({ group_id: id, user_id })))
    .onConflict((c) => c.doNothing())
    .execute()
}

const DAY_MS = 86_400_000

/** A context of a demo user some days ago, so that the history shows who did what and when. */
export const contextAsPerson = (ctx: Context, person: Person, daysAgo: number): Context => {
  const { id, role } = PEOPLE[person]
  const teams = Object.values(TEAMS).filter(({ members }) => (members as readonly Person[]).includes(person))
  const closed = Object.values(TEAMS).filter((team) => team.closed)
  const actor: Actor = {
    user_id: id,
    token_id: null,
    performer_type: 'USER',
    role,
    scope: 'write',
    teams: teams.map((team) => team.id),
    closed_teams: closed.filter((team) => teams.includes(team)).map((team) => team.id),
    foreign_teams: closed.filter((team) => !teams.includes(team)).map((team) => team.id),
  }
  return { ...ctx, actor, now: new Date(ctx.now.getTime() - daysAgo * DAY_MS) }
}

/** A context of the warehouse some days ago, as in a sync. */
export const contextAsDemoIntegration = (ctx: Context, daysAgo: number): Context => ({
  ...ctx,
  actor: { ...ctx.actor, user_id: null, token_id: null, performer_type: 'INTEGRATION', role: 'admin', scope: 'admin', foreign_teams: [] },
  part_of: { id: INTEGRATIONS.warehouse.id, type: 'integration', integration: INTEGRATIONS.warehouse.id },
  now: new Date(ctx.now.getTime() - daysAgo * DAY_MS),
})
