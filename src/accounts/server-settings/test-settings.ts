import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { formatText, type Translatable, translatable } from '../../platform/core/translatable.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { toEmailOptions } from '../../platform/server-settings/email.ts'
import { toOidcConfig } from '../../platform/server-settings/oidc.ts'
import type { EmailSettingsEdit, OidcSettingsEdit, ServerSettingsTest, SlackSettingsEdit } from '../../platform/server-settings/schema.ts'
import { readServices, type ServerConfig } from '../../platform/server-settings/services.ts'
import { prepareUnsaved, type SettingsOptions } from '../../platform/server-settings/settings.ts'
import { parseSlackSecrets } from '../../platform/server-settings/slack.ts'
import { findEmailProblem } from '../../platform/server-settings/test-email.ts'
import { testSlack } from '../../platform/server-settings/test-slack.ts'
import { findProviderProblem } from '../sign-in/identity-provider.ts'

/** Tests of settings before they are saved, or of those in use. They change nothing here. */
export const testEmailSettings = async (
  ctx: Context,
  edit: EmailSettingsEdit | undefined,
  config: ServerConfig,
): Promise<ServerSettingsTest> => {
  requirePermission(ctx.actor, 'server.manage')
  const options = edit ? await toUnsavedEmail(ctx, edit) : (await readServices(ctx, config)).email
  if (!options) throw notSet()
  const { email } = await findMe(ctx)
  if (!email) throw conflict(translatable('A test mail is sent to your own address, but this token belongs to no user.'))
  const problem = await findEmailProblem(options, email)
  return toResult(problem, translatable('A test mail was sent to {address}.', { address: email }))
}

const toUnsavedEmail = async (ctx: Context, edit: EmailSettingsEdit) => {
  const { config, secret } = await prepareUnsaved(ctx, 'email', edit)
  return toEmailOptions(config, secret)
}

export const testSlackSettings = async (
  ctx: Context,
  { settings, channel }: { readonly settings?: SlackSettingsEdit; readonly channel?: string },
  config: ServerConfig,
): Promise<ServerSettingsTest> => {
  requirePermission(ctx.actor, 'server.manage')
  const api = settings ? await toUnsavedSlack(ctx, settings, config) : (await readServices(ctx, config)).slack
  if (!api) throw notSet()
  const to = channel?.trim() || (await findMe(ctx)).slack_id || undefined
  const { team = '', problem } = await testSlack({ token: api.token, url: api.url }, to)
  return toResult(
    problem,
    to === undefined
      ? translatable('Slack accepts the bot token of the workspace {team}. No message was sent, because no channel was given.', { team })
      : translatable('A test message was posted in the workspace {team}.', { team }),
  )
}

const toUnsavedSlack = async (ctx: Context, settings: SlackSettingsEdit, { slackApiUrl }: ServerConfig) => {
  const { bot_token } = parseSlackSecrets((await prepareUnsaved(ctx, 'slack', settings)).secret)
  return bot_token !== undefined && slackApiUrl !== undefined ? { token: bot_token, url: slackApiUrl } : undefined
}

export const testOidcSettings = async (
  ctx: Context,
  edit: OidcSettingsEdit | undefined,
  { config, redirectUri }: SettingsOptions,
): Promise<ServerSettingsTest> => {
  requirePermission(ctx.actor, 'server.manage')
  const provider = edit ? await toUnsavedProvider(ctx, edit) : (await readServices(ctx, config)).oidc
  if (!provider) throw notSet()
  const problem = await findProviderProblem(ctx, provider, redirectUri)
  return toResult(
    problem,
    translatable('The provider was found and accepts the client. Register this redirect URI with it: {uri}', { uri: redirectUri }),
  )
}

const toUnsavedProvider = async (ctx: Context, edit: OidcSettingsEdit) => {
  const { config, secret } = await prepareUnsaved(ctx, 'oidc', edit)
  return { ...toOidcConfig(config, secret!), checked: true }
}

const notSet = () => conflict(translatable('Nothing to test: save the settings first, or send them with the request.'))

const toResult = (problem: Translatable | undefined, success: Translatable): ServerSettingsTest => {
  const text = problem ?? success
  return { ok: problem === undefined, message: formatText(text), translatable: text }
}

const findMe = async (ctx: Context): Promise<{ email: string | null; slack_id: string | null }> => {
  const { rows } = await sql<{ email: string | null; slack_id: string | null }>`
    select u.email, s.slack_id from users u left join notification_settings s on s.user_id = u.id
    where u.id = ${ctx.actor.user_id}::uuid`.execute(ctx.db)
  return rows[0] ?? { email: null, slack_id: null }
}
