import { DeliveryError } from './channel.ts'

export interface SlackApi {
  readonly token: string
  /** `https://slack.com/api`, or the URL of a test server. */
  readonly url: string
}

const REQUEST_TIMEOUT_MS = 20_000
const CONNECT_ERRORS = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** Calls a method of Slack. Methods that read accept only a form. */
export const callSlack = async ({ token, url }: SlackApi, method: string, body: object | URLSearchParams): Promise<Response> => {
  const form = body instanceof URLSearchParams
  try {
    return await fetch(`${url.replace(/\/+$/, '')}/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(form ? {} : { 'content-type': 'application/json; charset=utf-8' }) },
      body: form ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      redirect: 'error', // the token must not be sent to another host
    })
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as { code?: string }
    throw new DeliveryError(
      CONNECT_ERRORS.includes(code) ? 'again' : 'unknown',
      `Could not connect to Slack: ${code || (error as Error).message}`,
    )
  }
}
