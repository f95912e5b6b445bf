import { type Static, Type } from 'typebox'
import { findActorOf } from '../access/actors.ts'
import { type Actor, can, mustBeAble, permissionsOn, type Reason, reasonsToSee } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { invalid, notFound } from '../errors.ts'
import { readId } from '../id.ts'
import { Id, OneOf } from '../wire.ts'
import type { ResourceRow } from './record.ts'
import { findRow } from './store.ts'

/** The reasons behind a visibility decision of access/permissions.ts, as text for the API. */
const SENTENCES = {
  published: 'The resource is published.',
  unpublished: 'The resource is not published. Viewers and guests can only see published resources.',
  own_team: 'The resource belongs to a team this guest is a member of.',
  other_teams: 'The resource does not belong to any of this guest’s teams. Guests can only see resources of their own teams.',
  closed_team_member: 'The resource belongs to a closed team this user is a member of.',
  closed_team: 'The resource belongs to a closed team. Only its members and admins can see it.',
} as const satisfies Record<Reason['code'], string>

const CODES = [...(Object.keys(SENTENCES) as Reason['code'][]), 'role', 'disabled', 'role_reads_only', 'token_scope'] as const

export const Access = Type.Object(
  {
    user: Id(),
    read: Type.Boolean(),
    write: Type.Boolean(),
    execute: Type.Boolean({ description: 'Whether the user can run monitors on the resource.' }),
    reasons: Type.Array(
      Type.Object({
        code: OneOf(CODES),
        allows: Type.Boolean({ description: 'Whether this reason grants access. A single reason that does not is enough to deny it.' }),
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
  user: Type.Optional(Type.String({ maxLength: 100, description: 'A user ID. Defaults to the caller.' })),
})

/** The caller's own access is explained with the scope of the current token. Other users require `people.read`. */
export const explainAccess = async (ctx: Context, id: string, user: string | undefined): Promise<Access> => {
  const row = await findRow(ctx.db, ctx.actor, id)
  if (!row) throw notFound('resource', id)
  const user_id = user === undefined ? ctx.actor.user_id : readId(user)
  if (!user_id) throw invalid({ user: ['must be a UUID.'] })
  if (user_id === ctx.actor.user_id) return accessOf(user_id, ctx.actor, row)
  mustBeAble(ctx.actor, 'people.read')
  return accessOf(user_id, await findUser(ctx, user_id), row)
}

/** Returns undefined for a disabled user, who has no access. */
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
  admin: 'Admins can see every resource.',
  editor: 'Editors can see every resource except those of closed teams they are not in.',
  viewer: 'Viewers can see published resources, except those of closed teams they are not in.',
  guest: 'Guests can see published resources of their own teams.',
} as const satisfies Record<Actor['role'], string>

const whyNotWrite = (actor: Actor): Because =>
  can({ ...actor, scope: 'admin' }, 'catalog.write')
    ? because('token_scope', false, 'write', `The token has the scope "${actor.scope}", which does not allow writing.`)
    : because('role_reads_only', false, 'write', 'Viewers and guests cannot edit the catalog.')

const because = (code: Because['code'], allows: boolean, about: Because['about'], detail: string): Because => ({
  code,
  allows,
  about,
  detail,
})
