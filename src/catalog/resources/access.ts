import { type Static, Type } from 'typebox'
import { findUserActor } from '../../platform/authentication/actors.ts'
import type { Context } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { Id, OneOf } from '../../platform/core/schema-types.ts'
import {
  type Actor,
  can,
  explainVisibility,
  getRecordPermissions,
  requirePermission,
  type VisibilityReason,
} from '../../platform/permissions/permissions.ts'
import type { ResourceRow } from '../records/record.ts'
import { findResourceRow } from '../records/resource-rows.ts'

/** The reasons of `explainVisibility` (platform/permissions/permissions.ts), as text for the API. */
const REASON_TEXTS = {
  published: 'The resource is published.',
  unpublished: 'The resource is not published. Viewers and guests can only see published resources.',
  own_team: 'The resource belongs to a team this guest is a member of.',
  other_teams: 'The resource does not belong to any of this guest’s teams. Guests can only see resources of their own teams.',
  closed_team_member: 'The resource belongs to a closed team this user is a member of.',
  closed_team: 'The resource belongs to a closed team. Only its members and admins can see it.',
} as const satisfies Record<VisibilityReason['code'], string>

const REASON_CODES = [
  ...(Object.keys(REASON_TEXTS) as VisibilityReason['code'][]),
  'role',
  'disabled',
  'role_reads_only',
  'token_scope',
] as const

export const Access = Type.Object(
  {
    user: Id(),
    read: Type.Boolean(),
    write: Type.Boolean(),
    execute: Type.Boolean({ description: 'Whether the user can run monitors on the resource.' }),
    reasons: Type.Array(
      Type.Object({
        code: OneOf(REASON_CODES),
        allows: Type.Boolean({ description: 'Whether this reason grants access. A single reason that does not is enough to deny it.' }),
        about: OneOf(['read', 'write']),
        detail: Type.String(),
      }),
    ),
  },
  { title: 'Access' },
)
export type Access = Static<typeof Access>
type AccessReason = Access['reasons'][number]

export const AccessQuery = Type.Object({
  user: Type.Optional(Type.String({ maxLength: 100, description: 'A user ID. Defaults to the caller.' })),
})

/** The caller's own access is explained with the scope of the current token. Other users require `people.read`. */
export const explainAccess = async (ctx: Context, id: string, user: string | undefined): Promise<Access> => {
  const row = await findResourceRow(ctx.db, ctx.actor, id)
  if (!row) throw notFound('resource', id)
  const user_id = user === undefined ? ctx.actor.user_id : parseId(user)
  if (!user_id) throw invalid({ user: ['must be a UUID.'] })
  if (user_id === ctx.actor.user_id) return describeAccess(user_id, ctx.actor, row)
  requirePermission(ctx.actor, 'people.read')
  return describeAccess(user_id, await loadUserActor(ctx, user_id), row)
}

/** Returns undefined for a disabled user, who has no access. */
const loadUserActor = async (ctx: Context, id: string): Promise<Actor | undefined> => {
  const actor = await findUserActor(ctx.db, id)
  const user = ctx.db.selectFrom('users').select('id').where('id', '=', id).where('deleted_at', 'is', null)
  if (actor || (await user.executeTakeFirst())) return actor
  throw notFound('user', id)
}

const describeAccess = (user: string, actor: Actor | undefined, row: ResourceRow): Access => {
  if (!actor)
    return {
      user,
      read: false,
      write: false,
      execute: false,
      reasons: [toAccessReason('disabled', false, 'read', 'This user is disabled.')],
    }
  const visibility = explainVisibility(actor, row)
  const read = visibility.every(({ allows }) => allows)
  const { write, execute } = getRecordPermissions(actor)
  return {
    user,
    read,
    write: read && write,
    execute: read && execute,
    reasons: [
      toAccessReason('role', true, 'read', ROLE_TEXTS[actor.role]),
      ...visibility.map(({ code, allows }) => toAccessReason(code, allows, 'read', REASON_TEXTS[code])),
      ...(write ? [] : [explainReadOnly(actor)]),
    ],
  }
}

const ROLE_TEXTS = {
  admin: 'Admins can see every resource.',
  editor: 'Editors can see every resource except those of closed teams they are not in.',
  viewer: 'Viewers can see published resources, except those of closed teams they are not in.',
  guest: 'Guests can see published resources of their own teams.',
} as const satisfies Record<Actor['role'], string>

const explainReadOnly = (actor: Actor): AccessReason =>
  can({ ...actor, scope: 'admin' }, 'catalog.write')
    ? toAccessReason('token_scope', false, 'write', `The token has the scope "${actor.scope}", which does not allow writing.`)
    : toAccessReason('role_reads_only', false, 'write', 'Viewers and guests cannot edit the catalog.')

const toAccessReason = (code: AccessReason['code'], allows: boolean, about: AccessReason['about'], detail: string): AccessReason => ({
  code,
  allows,
  about,
  detail,
})
