import { type Static, Type } from 'typebox'
import { findActorOf } from '../access/actors.ts'
import { type Actor, can, mustBeAble, permissionsOn, type Reason, reasonsToSee } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { invalid, notFound } from '../errors.ts'
import { readId } from '../id.ts'
import { Id, OneOf } from '../wire.ts'
import type { ResourceRow } from './record.ts'
import { findRow } from './store.ts'

/** Why somebody may or may not see a resource: the decision of access/permissions.ts, in words. */
const SENTENCES = {
  published: 'It is published.',
  unpublished: 'It is not published, and viewers and guests see published resources only.',
  own_team: 'It is in a team this guest belongs to.',
  other_teams: 'It is in no team this guest belongs to, and guests see the resources of their teams only.',
  closed_team_member: 'It is in a closed team this user belongs to.',
  closed_team: 'It is in a closed team, which only members and admins see into.',
} as const satisfies Record<Reason['code'], string>

const CODES = [...(Object.keys(SENTENCES) as Reason['code'][]), 'role', 'disabled', 'role_reads_only', 'token_scope'] as const

export const Access = Type.Object(
  {
    user: Id(),
    read: Type.Boolean(),
    write: Type.Boolean(),
    execute: Type.Boolean({ description: 'May run monitors on it.' }),
    reasons: Type.Array(
      Type.Object({
        code: OneOf(CODES),
        allows: Type.Boolean({ description: 'Speaks for it; one that speaks against it is enough.' }),
        about: OneOf(['read', 'write']),
        detail: Type.String(),
      }),
    ),
  },
  { title: 'Access' },
)
export type Access = Static<typeof Access>
type Because = Access['reasons'][number]

export const AccessQuery = Type.Object({
  user: Type.Optional(Type.String({ maxLength: 100, description: 'A user ID; yourself when absent.' })),
})

/** Everybody may ask about themselves, with the token at hand; about others, those who may read people. */
export const explainAccess = async (ctx: Context, id: string, user: string | undefined): Promise<Access> => {
  const row = await findRow(ctx.db, ctx.actor, id)
  if (!row) throw notFound('resource', id)
  const user_id = user === undefined ? ctx.actor.user_id : readId(user)
  if (!user_id) throw invalid({ user: ['must be a UUID.'] })
  if (user_id === ctx.actor.user_id) return accessOf(user_id, ctx.actor, row)
  mustBeAble(ctx.actor, 'people.read')
  return accessOf(user_id, await findUser(ctx, user_id), row)
}

/** Nothing for a disabled user: they do not act. */
const findUser = async (ctx: Context, id: string): Promise<Actor | undefined> => {
  const actor = await findActorOf(ctx.db, id)
  const user = ctx.db.selectFrom('users').select('id').where('id', '=', id).where('deleted_at', 'is', null)
  if (actor || (await user.executeTakeFirst())) return actor
  throw notFound('user', id)
}

const accessOf = (user: string, actor: Actor | undefined, row: ResourceRow): Access => {
  if (!actor)
    return { user, read: false, write: false, execute: false, reasons: [because('disabled', false, 'read', 'This user is disabled.')] }
  const seeing = reasonsToSee(actor, row)
  const read = seeing.every(({ allows }) => allows)
  const { write, execute } = permissionsOn(actor)
  return {
    user,
    read,
    write: read && write,
    execute: read && execute,
    reasons: [
      because('role', true, 'read', ROLE[actor.role]),
      ...seeing.map(({ code, allows }) => because(code, allows, 'read', SENTENCES[code])),
      ...(write ? [] : [whyNotWrite(actor)]),
    ],
  }
}

const ROLE = {
  admin: 'Admins see everything.',
  editor: 'Editors see everything but what is in closed teams of others.',
  viewer: 'Viewers see what is published, but not what is in closed teams of others.',
  guest: 'Guests see what is published in their teams.',
} as const satisfies Record<Actor['role'], string>

const whyNotWrite = (actor: Actor): Because =>
  can({ ...actor, scope: 'admin' }, 'catalog.write')
    ? because('token_scope', false, 'write', `The scope of the token at hand is "${actor.scope}", which does not write.`)
    : because('role_reads_only', false, 'write', 'Viewers and guests do not write the catalog.')

const because = (code: Because['code'], allows: boolean, about: Because['about'], detail: string): Because => ({
  code,
  allows,
  about,
  detail,
})
