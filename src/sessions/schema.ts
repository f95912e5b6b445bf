import { type Static, Type } from 'typebox'
import { SCOPES } from '../access/permissions.ts'
import { User } from '../access/schema.ts'
import { PageQuery } from '../lists/page.ts'
import { Id, IdIn, Nullable, NullableString, OneOf, Timestamp } from '../wire.ts'
import { LONGEST, SHORTEST } from './passwords.ts'

/** What travels on the wire about signing in. */
const METHODS = ['password', 'token', 'oidc', 'invitation'] as const
export type Method = (typeof METHODS)[number]

export const Session = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    last_used_at: { ...Timestamp, description: 'Written at most once a minute.' },
    expires_at: { ...Timestamp, description: 'When it is over at the latest; unused it ends earlier.' },
    method: OneOf(METHODS, 'How it was begun.'),
    address: NullableString('Where it was begun.'),
    user_agent: NullableString('With what.'),
    scope: OneOf(SCOPES, 'A session that was begun with a token has its scope, and ends with it.'),
    user: Id('Whose it is.'),
    current: Type.Boolean({ description: 'It is the one you are asking with.' }),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>

export const SignedIn = Type.Object({ session: Session, user: User }, { title: 'SignedIn' })

export const SessionQuery = Type.Object({
  ...PageQuery.properties,
  user: Type.Optional({ ...IdIn, description: 'Of this user: for those who manage people.' }),
})
export type SessionQuery = Static<typeof SessionQuery>

export const Setup = Type.Object(
  {
    setup_needed: Type.Boolean({ description: 'No admin has a password yet.' }),
    has_passwords: Type.Boolean({ description: 'Somebody can sign in with a password.' }),
    password: Type.Boolean({ description: 'One can sign in with a password.' }),
    token: Type.Boolean({ description: 'One can sign in with a token.' }),
    oidc: Nullable(
      Type.Object({
        name: Type.String({ description: 'What to call the identity provider.' }),
        url: Type.String({ description: 'Where the browser is sent to sign in there; `return_to` is where it comes back to.' }),
      }),
    ),
  },
  { title: 'Setup' },
)
export type Setup = Static<typeof Setup>

const Password = Type.String({ maxLength: LONGEST, description: `At least ${SHORTEST} characters.` })
const Code = Type.String({ minLength: 1, maxLength: 200, description: 'From a one-time link.' })
const PersonName = Type.Optional(Nullable(Type.String({ maxLength: 100 })))
const names = { first_name: PersonName, last_name: PersonName }

export const SetupBody = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 200, description: 'The code from the terminal, or the admin’s token.' }),
    password: Password,
    email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
    ...names,
  },
  { title: 'SetupBody', examples: [{ code: 'tbl_…', password: 'a long sentence will do', email: 'ada@example.com', first_name: 'Ada' }] },
)
export type SetupBody = Static<typeof SetupBody>

export const SignIn = Type.Object(
  {
    login: Type.String({ minLength: 1, maxLength: 254, description: 'An e-mail address, what stands before its @, or a full name.' }),
    password: Type.String({ maxLength: LONGEST }),
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
    current_password: Type.Optional(Type.String({ maxLength: LONGEST, description: 'Needed once there is one.' })),
    password: Password,
    revoke_tokens: Type.Optional(Type.Boolean({ default: false, description: 'Also revokes your tokens, but for the one you call with.' })),
  },
  { title: 'PasswordChange', examples: [{ current_password: 'a long sentence will do', password: 'a longer one does better' }] },
)
export type PasswordChange = Static<typeof PasswordChange>

export const Invitation = Type.Object(
  {
    link: Type.Optional(
      Type.String({
        description:
          'Shown in this answer and never again. A replay by `Idempotency-Key` comes without it. Without `PUBLIC_URL` it is a path on this server.',
      }),
    ),
    code: Type.Optional(Type.String({ description: 'What the link carries.' })),
    expires_at: Timestamp,
    mailed: Type.Boolean({ description: 'The user was sent the link by e-mail.' }),
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
    setup: Type.Boolean({ description: 'It is the first admin’s: go on with `POST /auth/setup`.' }),
  },
  { title: 'Invited' },
)
export type Invited = Static<typeof Invited>

export const InvitationAccept = Type.Object(
  { code: Code, password: Password, ...names },
  { title: 'InvitationAccept', examples: [{ code: 'wyVn0…', password: 'a long sentence will do' }] },
)
export type InvitationAccept = Static<typeof InvitationAccept>
