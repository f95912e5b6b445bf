import { type Context, inTransaction } from '../context/context.ts'
import { conflict } from '../core/errors.ts'
import { newId } from '../core/id.ts'
import { translatable } from '../core/translatable.ts'
import { diffFields } from '../history/diff.ts'
import { type Change, recordActivity } from '../history/record.ts'
import { parseAllowlist } from '../outbound/address-policy.ts'
import { requirePermission } from '../permissions/permissions.ts'
import { prepareEmail, showEnvironmentEmail, showStoredEmail } from './email.ts'
import { prepareOidc, showEnvironmentOidc, showStoredOidc } from './oidc.ts'
import type { EmailSettingsEdit, OidcSettingsEdit, ServerSettings, Service, SlackSettingsEdit } from './schema.ts'
import { readEnvironmentServices, type ServerConfig } from './services.ts'
import { parseSlackSecrets, prepareSlack } from './slack.ts'
import { deleteStoredSettings, lockStoredSettings, readStoredSettings, type StoredSettings, writeStoredSettings } from './store.ts'

/** Settings of services that admins can change. What the environment sets is shown and cannot be changed. */
export interface SettingsOptions {
  readonly config: ServerConfig
  readonly redirectUri: string
}

/** For the audit log. */
const TITLES: Readonly<Record<Service, string>> = { email: 'E-mail', slack: 'Slack', oidc: 'Single sign-on' }

const VARIABLES: Readonly<Record<Service, string>> = { email: 'SMTP_URL', slack: 'SLACK_BOT_TOKEN', oidc: 'OIDC_ISSUER' }

const UNREADABLE = 'The secret was encrypted with a different key. Enter it again, or set TABLINUM_SECRET_KEY to its previous value.'

export const getServerSettings = async (ctx: Context, { config, redirectUri }: SettingsOptions): Promise<ServerSettings> => {
  const environment = readEnvironmentServices(config)
  const stored = await readStoredSettings(ctx)
  const state = (service: Service) => {
    if (environment[service]) return { source: 'environment' as const, problem: null, updated_at: null }
    const row = stored[service]
    if (!row) return { source: 'none' as const, problem: null, updated_at: null }
    return { source: 'stored' as const, problem: row.secret === undefined ? UNREADABLE : null, updated_at: row.updated_at }
  }
  const slack = parseSlackSecrets(stored.slack?.secret)
  return {
    email: { ...state('email'), ...(environment.email ? showEnvironmentEmail(environment.email) : showStoredEmail(stored.email)) },
    slack: {
      ...state('slack'),
      has_bot_token: environment.slack !== undefined || slack.bot_token !== undefined,
      has_signing_secret: environment.slack ? environment.slack.signingSecret !== undefined : slack.signing_secret !== undefined,
    },
    oidc: {
      ...state('oidc'),
      ...(environment.oidc ? showEnvironmentOidc(environment.oidc) : showStoredOidc(stored.oidc)),
      redirect_uri: redirectUri,
    },
  }
}

interface Edits {
  readonly email: EmailSettingsEdit
  readonly slack: SlackSettingsEdit
  readonly oidc: OidcSettingsEdit
}

interface PreparedSettings {
  readonly config: Readonly<Record<string, unknown>>
  readonly secret: string | null
}

/** What an edit would store, with the stored secret if it is kept. */
const prepareSettings = <S extends Service>(
  ctx: Context,
  service: S,
  edit: Edits[S],
  before: StoredSettings | undefined,
): PreparedSettings => {
  if (service === 'email') return prepareEmail(edit as EmailSettingsEdit, before)
  if (service === 'slack') return prepareSlack(edit as SlackSettingsEdit, before)
  return prepareOidc(edit as OidcSettingsEdit, before, parseAllowlist(ctx.runtime.webhookAllow))
}

/** What an edit that is not saved would store. */
export const prepareUnsaved = async <S extends Service>(ctx: Context, service: S, edit: Edits[S]): Promise<PreparedSettings> => {
  requirePermission(ctx.actor, 'server.manage')
  return prepareSettings(ctx, service, edit, (await readStoredSettings(ctx))[service])
}

export const setServerSettings = <S extends Service>(
  ctx: Context,
  service: S,
  edit: Edits[S],
  options: SettingsOptions,
): Promise<ServerSettings> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'server.manage')
    requireEditable(service, options.config)
    await lockStoredSettings(ctx)
    const before = (await readStoredSettings(ctx))[service]
    const { config, secret } = prepareSettings(ctx, service, edit, before)
    const changes: Change[] = [
      ...diffFields(before?.config ?? {}, config, Object.keys(config)),
      ...(secret === (before?.secret ?? null) ? [] : [{ field: 'secret', from: null, to: null }]), // its value is never logged
    ]
    if (before && changes.length === 0) return getServerSettings(ctx, options)
    const id = before?.id ?? newId()
    await writeStoredSettings(ctx, service, { id, config, secret })
    await record(ctx, 'updated', service, id, changes)
    return getServerSettings(ctx, options)
  })

export const deleteServerSettings = (ctx: Context, service: Service, options: SettingsOptions): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'server.manage')
    requireEditable(service, options.config)
    await lockStoredSettings(ctx)
    const before = (await readStoredSettings(ctx))[service]
    if (!before) return
    await deleteStoredSettings(ctx, service)
    await record(ctx, 'deleted', service, before.id, [])
  })

const requireEditable = (service: Service, config: ServerConfig): void => {
  if (readEnvironmentServices(config)[service])
    throw conflict(translatable('This is set with {variable} on the server and cannot be changed here.', { variable: VARIABLES[service] }))
}

const record = (ctx: Context, verb: 'updated' | 'deleted', service: Service, id: string, changes: readonly Change[]): Promise<void> =>
  recordActivity(ctx, {
    activity_type: `server_settings_${verb}`,
    resource_id: id,
    resource_type: 'server_settings',
    resource_title: TITLES[service],
    changes,
  })
