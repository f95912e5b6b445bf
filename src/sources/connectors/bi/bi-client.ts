import type { RunContext } from '../../../../connector/src/define.ts'
import { HttpClient, HttpError } from '../../../../connector/src/http.ts'
import type { UnlistedMessage } from '../../../../connector/src/protocol.ts'
import { parseAllowlist } from '../../../platform/outbound/address-policy.ts'
import { assertAddressAllowed, createSafeLookup } from '../../../platform/outbound/safe-lookup.ts'
import type { HttpSettings } from './http-settings.ts'

const rejectAddress = (host: string): Error =>
  new Error(`${host} is not on the public internet. An operator can allow it with TABLINUM_SOURCE_ALLOW.`)

/** A client for a URL that a user configured: it reaches the internal network only where the operator allows it. */
export const createBiClient = (
  name: string,
  baseUrl: string,
  { allowedHosts, log, settings }: Pick<RunContext<HttpSettings>, 'allowedHosts' | 'log' | 'settings'>,
): HttpClient => {
  const allowed = parseAllowlist(allowedHosts)
  const client = new HttpClient({ name, baseUrl, log, ca: settings.ca, lookup: createSafeLookup(allowed, rejectAddress) })
  assertAddressAllowed(new URL(baseUrl), allowed, rejectAddress)
  return client
}

/** Whether all other requests would meet the same: the credentials, or too many requests. 419: an expired token of Iceberg. */
export const concernsWholeSource = (error: unknown): boolean => error instanceof HttpError && [401, 419, 429].includes(error.status)

/** Whether the source has no such endpoint or does not know its parameters, as in a version before it was added. */
export const isUnknownEndpoint = (error: unknown): boolean => error instanceof HttpError && [400, 404, 405, 422, 501].includes(error.status)

/** Reads a list that only saves other requests, e.g. one of versions. If it fails for any reason, that is logged and everything is read: undefined. */
export const listIfPossible = async <T>(
  loading: Promise<T | undefined>,
  what: string,
  { log }: Pick<RunContext, 'log'>,
): Promise<T | undefined> => {
  const explain = (reason: string) =>
    log(`${what} cannot be listed, so everything is read. That takes longer, and nothing is missing. ${reason}`)
  try {
    const found = await loading
    if (found === undefined) await explain('This version of the source does not have the list.')
    return found
  } catch (error) {
    if (concernsWholeSource(error)) throw error
    await explain((error as Error).message)
    return undefined
  }
}

/** What to report about one object that was listed and could not be read; rethrows what concerns more than this object. */
export const explainUnreadable = (error: unknown, key: string): UnlistedMessage | undefined => {
  if (!(error instanceof HttpError) || concernsWholeSource(error)) throw error
  if (error.status === 404 || error.status === 410) return undefined // deleted after it was listed
  return { type: 'unlisted', key, reason: `${error.message} What is known of it stays as it is.` }
}

/** The message that this user may not list a part of the source. What earlier syncs found there stays, because the right may have been taken away. */
export const explainDenied = (error: unknown, key: string, needed: string): UnlistedMessage => {
  if (!(error instanceof HttpError) || error.status !== 403) throw error
  return { type: 'unlisted', key, reason: `${error.message} ${needed} What is known of it stays as it is.` }
}

/** Undefined if it does not exist (404), e.g. because this source has no such feature. */
export const findIfPresent = async <T>(loading: Promise<T>): Promise<T | undefined> => {
  try {
    return await loading
  } catch (error) {
    if (error instanceof HttpError && [404, 405].includes(error.status)) return undefined
    throw error
  }
}

/** Undefined if it does not exist, or this user may not see it. Only for details: items without them are complete. */
export const findIfAllowed = async <T>(loading: Promise<T>): Promise<T | undefined> => {
  try {
    return await loading
  } catch (error) {
    if (error instanceof HttpError && [403, 404, 405].includes(error.status)) return undefined
    throw error
  }
}

/** The object, or what to report instead. */
export const readListed = async <T>(loading: Promise<T>, key: string): Promise<{ found: T } | { messages: UnlistedMessage[] }> => {
  try {
    return { found: await loading }
  } catch (error) {
    const unlisted = explainUnreadable(error, key)
    return { messages: unlisted ? [unlisted] : [] }
  }
}
