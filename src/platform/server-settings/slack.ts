import { invalid } from '../core/errors.ts'
import { translatable } from '../core/translatable.ts'
import type { SlackSettingsEdit } from './schema.ts'
import type { StoredSettings } from './store.ts'

/** The Slack app: both of its settings are secrets, stored as one. Pure. */
interface SlackSecrets {
  readonly bot_token?: string
  readonly signing_secret?: string
}

export const parseSlackSecrets = (secret: string | null | undefined): SlackSecrets => (secret ? (JSON.parse(secret) as SlackSecrets) : {})

export const prepareSlack = (
  edit: SlackSettingsEdit,
  before: StoredSettings | undefined,
): { config: Record<string, never>; secret: string } => {
  const old = parseSlackSecrets(before?.secret)
  const bot_token = edit.bot_token?.trim() || old.bot_token
  if (bot_token === undefined) throw invalid({ bot_token: [translatable('is required.')] })
  const signing_secret = edit.signing_secret === undefined ? old.signing_secret : (edit.signing_secret?.trim() ?? undefined)
  return { config: {}, secret: JSON.stringify({ bot_token, signing_secret }) }
}
