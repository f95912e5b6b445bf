import type { EmailOptions } from '../channels/email.ts'
import type { SlackApi } from '../channels/slack-api.ts'
import type { Config, OidcConfig } from '../config/config.ts'
import type { Context } from '../context/context.ts'
import { toEmailOptions } from './email.ts'
import { toOidcConfig } from './oidc.ts'
import { parseSlackSecrets } from './slack.ts'
import { readStoredSettings, type StoredSettings } from './store.ts'

/** Settings of the environment, which win over what an admin saved. */
export type ServerConfig = Partial<
  Pick<Config, 'smtpUrl' | 'smtpFrom' | 'slackBotToken' | 'slackApiUrl' | 'slackSigningSecret' | 'oidc' | 'publicUrl'>
>

/** The services in use; absent: not set. */
export interface Services {
  readonly email?: EmailOptions
  readonly slack?: SlackService
  readonly oidc?: IdentityProvider
}

export interface SlackService extends SlackApi {
  /** Verifies clicks on buttons. */
  readonly signingSecret?: string
}

export interface IdentityProvider extends OidcConfig {
  /** An admin chose its address, so it is checked like that of a webhook. */
  readonly checked: boolean
}

const DEFAULT_FROM = 'Tablinum <tablinum@localhost>'

/** Read for every use, so that a change takes effect in all processes at once. */
export const readServices = async (ctx: Context, config: ServerConfig): Promise<Services> => {
  const environment = readEnvironmentServices(config)
  if (environment.email && environment.slack && environment.oidc) return environment
  return { ...toServices(await readStoredSettings(ctx), config), ...environment }
}

/** What the environment sets. */
export const readEnvironmentServices = (config: ServerConfig): Services => {
  const { smtpUrl, smtpFrom = DEFAULT_FROM, slackBotToken, slackApiUrl, slackSigningSecret, oidc } = config
  return {
    ...(smtpUrl !== undefined && { email: { url: smtpUrl, from: smtpFrom } }),
    ...(slackBotToken !== undefined &&
      slackApiUrl !== undefined && { slack: { token: slackBotToken, url: slackApiUrl, signingSecret: slackSigningSecret } }),
    ...(oidc && { oidc: { ...oidc, checked: false } }),
  }
}

const toServices = ({ email, slack, oidc }: Awaited<ReturnType<typeof readStoredSettings>>, { slackApiUrl }: ServerConfig): Services => {
  const slackService = slack && slackApiUrl !== undefined ? toSlackService(slack, slackApiUrl) : undefined
  return {
    ...(email?.secret !== undefined && { email: toEmailOptions(email.config, email.secret) }),
    ...(slackService && { slack: slackService }),
    ...(typeof oidc?.secret === 'string' && { oidc: { ...toOidcConfig(oidc.config, oidc.secret), checked: true } }),
  }
}

const toSlackService = ({ secret }: StoredSettings, url: string): SlackService | undefined => {
  const { bot_token, signing_secret } = parseSlackSecrets(secret)
  return bot_token === undefined ? undefined : { token: bot_token, url, signingSecret: signing_secret }
}
