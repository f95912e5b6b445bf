import { type Static, type TSchema, Type } from 'typebox'
import {
  Id,
  IdInput,
  Ids,
  IdsInput,
  Nullable,
  NullableId,
  NullableString,
  NullableTimestamp,
  OneOf,
  Timestamp,
} from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'
import { permissions, ROLES, SCOPES } from '../../platform/permissions/permissions.ts'

/** Schemas of users, tokens, teams and groups. */
const record = { id: Id(), created_at: Timestamp, updated_at: Timestamp }
const optional = <T extends TSchema>(type: T) => Type.Optional(Nullable(type))
const part = (of: string) => Type.Optional(Type.String({ maxLength: 1000, description: `Filters by part of the ${of}.` }))

// The pattern requires a visible character; whitespace around the name is trimmed when it is saved.
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const PersonName = Type.String({ maxLength: 100 })
const EXAMPLE_ID = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'

export const Token = Type.Object(
  {
    ...record,
    name: Type.String(),
    hint: Type.String({ description: 'The last characters of the token, to tell tokens apart.' }),
    scope: OneOf(SCOPES, 'Limits the permissions of the user the token acts as.'),
    user: Id('The user the token acts as.'),
    client: NullableString('The application the user connected with this token. Null for tokens that were created here.'),
    expires_at: NullableTimestamp,
    revoked_at: NullableTimestamp,
    last_used_at: Nullable({ ...Timestamp, description: 'Updated at most once a minute.' }),
  },
  { title: 'Token' },
)
export type Token = Static<typeof Token>

export const NewToken = Type.Object(
  {
    ...Token.properties,
    token: Type.Optional(
      Type.String({ description: 'Returned only in this response. A replay with the same `Idempotency-Key` does not contain it.' }),
    ),
  },
  { title: 'NewToken' },
)
export type NewToken = Static<typeof NewToken>

export const TokenCreate = Type.Object(
  {
    name: Name,
    scope: Type.Optional(OneOf(SCOPES, 'At most the scope of the token of this request, which is also the default.')),
    expires_at: optional({
      ...Timestamp,
      description: 'Not after the expiry of the token of this request, which is also the default.',
    }),
    user: Type.Optional(IdInput),
  },
  { title: 'TokenCreate', examples: [{ name: 'Nightly sync', scope: 'write', expires_at: '2030-01-01T00:00:00Z' }] },
)
export type TokenCreate = Static<typeof TokenCreate>

export const TokenEdit = Type.Object({ name: Type.Optional(Name) }, { title: 'TokenEdit', examples: [{ name: 'Hourly sync' }] })
export type TokenEdit = Static<typeof TokenEdit>

export const TokenQuery = Type.Object({
  ...PageQuery.properties,
  name: part('name'),
  user: Type.Optional(IdInput),
  scope: Type.Optional(OneOf(SCOPES)),
  active: Type.Optional(Type.Boolean({ description: 'Neither revoked nor expired.' })),
})
export type TokenQuery = Static<typeof TokenQuery>

export const User = Type.Object(
  {
    ...record,
    email: Type.String(),
    first_name: NullableString(),
    last_name: NullableString(),
    name: Type.String({ description: 'First and last name, or the e-mail address if neither is set.' }),
    display_name: Type.String({ description: 'The same as `name`.' }),
    role: OneOf(ROLES),
    disabled: Type.Boolean({ description: 'The user can no longer sign in.' }),
    disabled_at: NullableTimestamp,
    invited_by: NullableId('The user who invited this one.'),
    last_seen_at: Nullable({ ...Timestamp, description: 'Updated at most once a minute.' }),
    teams: Ids('Team IDs.'),
    groups: Ids('Group IDs.'),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

export const Me = Type.Object(
  {
    ...User.properties,
    workspace_id: Id(),
    token_id: NullableId('The token of this request.'),
    scope: OneOf(SCOPES, 'The scope of the token or session.'),
    permissions: Type.Array(OneOf(permissions), { description: 'Your permissions with this token.' }),
  },
  { title: 'Me' },
)
export type Me = Static<typeof Me>

const person = { first_name: optional(PersonName), last_name: optional(PersonName) }

export const UserInvite = Type.Object(
  {
    email: Type.String({ format: 'email', maxLength: 254 }),
    role: OneOf(ROLES),
    ...person,
    teams: optional(IdsInput),
    groups: optional(IdsInput),
  },
  { title: 'UserInvite', examples: [{ email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', role: 'editor' }] },
)
export type UserInvite = Static<typeof UserInvite>

export const UserEdit = Type.Object(
  { ...person, role: Type.Optional(OneOf(ROLES)), disabled: Type.Optional(Type.Boolean()) },
  { title: 'UserEdit', examples: [{ role: 'viewer' }] },
)
export type UserEdit = Static<typeof UserEdit>

export const UserQuery = Type.Object({
  ...PageQuery.properties,
  email: part('e-mail address'),
  name: part('name'),
  role: Type.Optional(OneOf(ROLES)),
  disabled: Type.Optional(Type.Boolean()),
})
export type UserQuery = Static<typeof UserQuery>

const memberGroupFields = { ...record, name: Type.String(), description: NullableString() }
const memberGroupEditFields = { description: optional(Type.String({ maxLength: 10_000 })), members: optional(IdsInput) }
const teamEditFields = {
  ...memberGroupEditFields,
  icon: optional(Type.String({ maxLength: 100 })),
  closed: Type.Optional(Type.Boolean({ description: 'Only members and admins can see the resources of the team.' })),
}
const members = Ids('User IDs.')

export const Team = Type.Object({ ...memberGroupFields, icon: NullableString(), closed: Type.Boolean(), members }, { title: 'Team' })
export const TeamCreate = Type.Object(
  { name: Name, ...teamEditFields },
  { title: 'TeamCreate', examples: [{ name: 'Finance', closed: true, members: [EXAMPLE_ID] }] },
)
export const TeamEdit = Type.Object({ name: Type.Optional(Name), ...teamEditFields }, { title: 'TeamEdit', examples: [{ closed: false }] })

export const Group = Type.Object({ ...memberGroupFields, members }, { title: 'Group' })
export const GroupCreate = Type.Object(
  { name: Name, ...memberGroupEditFields },
  { title: 'GroupCreate', examples: [{ name: 'Data stewards', members: [EXAMPLE_ID] }] },
)
export const GroupEdit = Type.Object(
  { name: Type.Optional(Name), ...memberGroupEditFields },
  { title: 'GroupEdit', examples: [{ members: [] }] },
)

/** A team or a group: a group has a subset of a team's fields. */
export type MemberGroup = Static<typeof Group> & Partial<Static<typeof Team>>
export type MemberGroupCreate = Static<typeof TeamCreate>
export type MemberGroupEdit = Static<typeof TeamEdit>

export const MemberGroupQuery = Type.Object({ ...PageQuery.properties, name: part('name') })
export type MemberGroupQuery = Static<typeof MemberGroupQuery>

export const NewMembers = Type.Object({ members: IdsInput }, { title: 'NewMembers', examples: [{ members: [EXAMPLE_ID] }] })
export type NewMembers = Static<typeof NewMembers>
