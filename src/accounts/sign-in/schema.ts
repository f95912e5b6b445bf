import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, NullableString, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { PageQuery } from '../../platform/lists/page.ts'
import { SCOPES } from '../../platform/permissions/permissions.ts'
import { User } from '../shared/schema.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './passwords.ts'

/** Schemas of sign-in. */
const METHODS = ['password', 'token', 'oidc', 'invitation'] as const
export type Method = (typeof METHODS)[number]

export const Session = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    last_used_at: { ...Timestamp, description: 'Updated at most once a minute.' },
    expires_at: { ...Timestamp, description: 'Latest end of the session; it ends earlier if unused.' },
    method: OneOf(METHODS, 'How the user signed in.'),
    address: NullableString('IP address of the sign-in.'),
    user_agent: NullableString('User agent of the sign-in.'),
    scope: OneOf(SCOPES, 'A session started with a token has the scope of the token and ends with it.'),
    user: Id('The user of the session.'),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>

export const SignedIn = Type.Object({ session: Session, user: User }, { title: 'SignedIn' })

export const SessionQuery = Type.Object({
  ...PageQuery.properties,
  user: Type.Optional({ ...IdInput, description: 'Sessions of this user. Requires `people.manage` for other users.' }),
})
export type SessionQuery = Static<typeof SessionQuery>

export const Setup = Type.Object(
  {
    setup_needed: Type.Boolean({ description: 'No admin has a password yet.' }),
    has_passwords: Type.Boolean({ description: 'At least one user can sign in with a password.' }),
    password: Type.Boolean({ description: 'Sign-in with a password is available.' }),
    token: Type.Boolean({ description: 'Sign-in with a token is available.' }),
    oidc: Nullable(
      Type.Object({
        name: Type.String({ description: 'Display name of the identity provider.' }),
        url: Type.String({ description: 'URL that starts the sign-in at the identity provider; `return_to` is the path to return to.' }),
      }),
    ),
  },
  { title: 'Setup' },
)
export type Setup = Static<typeof Setup>

const Password = Type.String({ maxLength: MAX_PASSWORD_LENGTH, description: `At least ${MIN_PASSWORD_LENGTH} characters.` })
const Code = Type.String({ minLength: 1, maxLength: 200, description: 'From a one-time link.' })
const PersonName = Type.Optional(Nullable(Type.String({ maxLength: 100 })))
const names = { first_name: PersonName, last_name: PersonName }

export const SetupBody = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 200, description: 'The setup code printed at startup, or the admin’s token.' }),
    password: Password,
    email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
    workspace_name: Type.Optional(Type.String({ maxLength: 100, description: 'The name of the workspace. Empty: unchanged.' })),
    ...names,
  },
  { title: 'SetupBody', examples: [{ code: 'tbl_…', password: 'a long sentence will do', email: 'ada@example.com', first_name: 'Ada' }] },
)
export type SetupBody = Static<typeof SetupBody>

export const SignIn = Type.Object(
  {
    login: Type.String({ minLength: 1, maxLength: 254, description: 'E-mail address, its part before the @, or full name.' }),
    password: Type.String({ maxLength: MAX_PASSWORD_LENGTH }),
  },
  { title: 'SignIn', examples: [{ login: 'ada@example.com', password: 'a long sentence will do' }] },
)
export type SignIn = Static<typeof SignIn>

export const TokenSignIn = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 500 }) },
  { title: 'TokenSignIn', examples: [{ token: 'tbl_…' }] },
)

export const PasswordChange = Type.Object(
  {
    current_password: Type.Optional(Type.String({ maxLength: MAX_PASSWORD_LENGTH, description: 'Required if you have a password.' })),
    password: Password,
    revoke_tokens: Type.Optional(Type.Boolean({ default: false, description: 'Also revoke your tokens, except the one of this request.' })),
  },
  { title: 'PasswordChange', examples: [{ current_password: 'a long sentence will do', password: 'a longer one does better' }] },
)
export type PasswordChange = Static<typeof PasswordChange>

export const Invitation = Type.Object(
  {
    link: Type.Optional(
      Type.String({
        description:
          'Returned only in this response. A replay with the same `Idempotency-Key` does not contain it. Without `PUBLIC_URL` it is a path on this server.',
      }),
    ),
    code: Type.Optional(Type.String({ description: 'The code in the link.' })),
    expires_at: Timestamp,
    mailed: Type.Boolean({ description: 'Whether the link was sent to the user by e-mail.' }),
  },
  { title: 'Invitation' },
)
export type Invitation = Static<typeof Invitation>

export const InvitationLook = Type.Object({ code: Code }, { title: 'InvitationLook', examples: [{ code: 'wyVn0…' }] })

export const Invited = Type.Object(
  {
    email: Type.String(),
    name: Type.String(),
    expires_at: Timestamp,
    setup: Type.Boolean({ description: 'The link is for the first admin: continue with `POST /auth/setup`.' }),
  },
  { title: 'Invited' },
)
export type Invited = Static<typeof Invited>

export const InvitationAccept = Type.Object(
  { code: Code, password: Password, ...names },
  { title: 'InvitationAccept', examples: [{ code: 'wyVn0…', password: 'a long sentence will do' }] },
)
export type InvitationAccept = Static<typeof InvitationAccept>
