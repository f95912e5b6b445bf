import { type Static, Type } from 'typebox'
import { Nullable, NullableString, NullableTimestamp, OneOf } from '../core/schema-types.ts'
import { Translatable } from '../core/translatable.ts'

/** Services that the environment or an admin sets: mail server, Slack app, identity provider. */
export const SERVICES = ['email', 'slack', 'oidc'] as const
export type Service = (typeof SERVICES)[number]

const SOURCES = ['environment', 'stored', 'none'] as const
const SECURITY = ['tls', 'starttls', 'none'] as const
const ROLES = ['editor', 'viewer', 'guest'] as const

const state = {
  source: OneOf(
    SOURCES,
    'Where the settings come from. `environment`: from variables of the server, which win over stored settings and cannot be changed here.',
  ),
  problem: NullableString('Why the stored settings cannot be used.'),
  updated_at: NullableTimestamp,
}

const Secret = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 5000, description }))
const Host = Type.String({ minLength: 1, maxLength: 253, description: 'Name or address of the mail server.' })
const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
const Security = OneOf(
  SECURITY,
  '`tls`: encrypted from the start (port 465). `starttls`: encryption is required (port 587). `none`: encrypted only if the server offers it.',
)
const From = Type.String({ minLength: 3, maxLength: 320, description: 'Sender, e.g. `Tablinum <tablinum@example.com>`.' })
const User = Nullable(Type.String({ maxLength: 320, description: 'User name; null if the server needs none.' }))

const EmailSettings = Type.Object(
  {
    ...state,
    host: NullableString(),
    port: Nullable(Port),
    security: Nullable(Security),
    user: NullableString(),
    from: NullableString(),
    has_password: Type.Boolean({ description: 'Whether a password is set. It is never returned.' }),
  },
  { title: 'EmailSettings' },
)
export type EmailSettings = Static<typeof EmailSettings>

export const EmailSettingsEdit = Type.Object(
  {
    host: Host,
    port: Port,
    security: Security,
    user: User,
    from: From,
    password: Secret('Absent: the stored one is kept, unless the host, the port or the encryption changes.'),
  },
  {
    title: 'EmailSettingsEdit',
    additionalProperties: false,
    examples: [{ host: 'localhost', port: 25, security: 'none', user: null, from: 'Tablinum <tablinum@example.com>' }],
  },
)
export type EmailSettingsEdit = Static<typeof EmailSettingsEdit>

const SlackSettings = Type.Object(
  {
    ...state,
    has_bot_token: Type.Boolean(),
    has_signing_secret: Type.Boolean({ description: 'Whether messages about incidents have buttons.' }),
  },
  { title: 'SlackSettings' },
)
export type SlackSettings = Static<typeof SlackSettings>

export const SlackSettingsEdit = Type.Object(
  {
    bot_token: Secret('`xoxb-…`, with the scope `chat:write`. Absent: the stored one is kept.'),
    signing_secret: Type.Optional(
      Nullable(
        Type.String({ minLength: 1, maxLength: 500, description: 'Absent: the stored one is kept. Null: messages have no buttons.' }),
      ),
    ),
  },
  { title: 'SlackSettingsEdit', additionalProperties: false, examples: [{ bot_token: 'xoxb-…' }] },
)
export type SlackSettingsEdit = Static<typeof SlackSettingsEdit>

const oidcFields = {
  name: Type.String({ maxLength: 100, description: 'Text of the button on the sign-in page. Empty: the host of the issuer.' }),
  domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 100,
    description: 'Only e-mail addresses of these domains can sign in; empty: any.',
  }),
  role: Nullable(OneOf(ROLES, 'Unknown people become users with this role; null: only existing users can sign in.')),
  trust_emails: Type.Boolean({ description: 'Trust addresses although the provider does not report them as verified, as with Entra ID.' }),
}

const OidcSettings = Type.Object(
  {
    ...state,
    issuer: NullableString(),
    client_id: NullableString(),
    ...oidcFields,
    has_client_secret: Type.Boolean(),
    redirect_uri: Type.String({ description: 'To register with the provider.' }),
  },
  { title: 'OidcSettings' },
)
export type OidcSettings = Static<typeof OidcSettings>

export const OidcSettingsEdit = Type.Object(
  {
    issuer: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'URL of the provider, as in its `/.well-known/openid-configuration`. Private addresses need `TABLINUM_WEBHOOK_ALLOW`.',
    }),
    client_id: Type.String({ minLength: 1, maxLength: 500 }),
    ...oidcFields,
    client_secret: Secret('Absent: the stored one is kept, unless the issuer or the client ID changes.'),
  },
  {
    title: 'OidcSettingsEdit',
    additionalProperties: false,
    examples: [
      {
        issuer: 'https://login.example.com',
        client_id: 'tablinum',
        client_secret: '…',
        name: 'Example',
        domains: ['example.com'],
        role: 'viewer',
        trust_emails: false,
      },
    ],
  },
)
export type OidcSettingsEdit = Static<typeof OidcSettingsEdit>

export const ServerSettings = Type.Object({ email: EmailSettings, slack: SlackSettings, oidc: OidcSettings }, { title: 'ServerSettings' })
export type ServerSettings = Static<typeof ServerSettings>

export const ServerSettingsTest = Type.Object(
  { ok: Type.Boolean(), message: Type.String({ description: 'What was done, or why it failed.' }), translatable: Translatable },
  { title: 'ServerSettingsTest' },
)
export type ServerSettingsTest = Static<typeof ServerSettingsTest>
