import { DeliveryError } from '../channels/channel.ts'
import { createSlackChannel } from '../channels/slack.ts'
import { callSlack, type SlackApi } from '../channels/slack-api.ts'
import { newId } from '../core/id.ts'
import { type Translatable, translatable } from '../core/translatable.ts'

export interface SlackTestResult {
  /** Name of the workspace. */
  readonly team?: string
  readonly problem?: Translatable
}

/** Checks the token and, if there is somewhere to send it, posts a test message. */
export const testSlack = async (api: SlackApi, to: string | undefined): Promise<SlackTestResult> => {
  try {
    const response = await callSlack(api, 'auth.test', new URLSearchParams())
    const { ok, error = `status ${response.status}`, team } = (await response.json().catch(() => ({}))) as Partial<AuthTest>
    if (!ok) return { problem: describeError(error) }
    if (to === undefined) return { team }
    const section = { title: 'Test message from Tablinum', lines: ['If you can read this, Slack works.'] }
    await createSlackChannel(api).send({ id: newId(), to, subject: 'Test message from Tablinum', sections: [section] }, async () => {})
    return { team }
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    return { problem: describeError(error.message.replace(/^Slack returned an error: |^Could not (?=connect)/, '')) }
  }
}

interface AuthTest {
  readonly ok: boolean
  readonly error: string
  readonly team: string
}

const TOKEN_ERRORS = ['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired']
const CHANNEL_ERRORS = ['channel_not_found', 'is_archived', 'user_not_found', 'users_not_found']

const describeError = (error: string): Translatable => {
  if (TOKEN_ERRORS.includes(error)) return translatable('Slack does not accept the bot token ({error}).', { error })
  if (error === 'missing_scope') return translatable('The bot token lacks a scope: the Slack app needs chat:write.')
  if (error === 'not_in_channel') return translatable('The Slack app is not in this channel. Invite it, then test again.')
  if (CHANNEL_ERRORS.includes(error)) return translatable('Slack does not know this channel or person ({error}).', { error })
  if (/connect/.test(error)) return translatable('Could not connect to Slack ({error}).', { error })
  return translatable('Slack did not accept the message ({error}).', { error })
}
