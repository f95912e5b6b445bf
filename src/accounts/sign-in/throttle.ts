import { sql } from 'kysely'
import { hashToken } from '../../platform/authentication/token-hash.ts'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { getNetworkPrefix } from '../../platform/core/network.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'

/**
 * Limits sign-in attempts across all instances. An attempt is counted before it is checked, so concurrent attempts all count; a successful
 * one is uncounted afterwards.
 *
 * Attempts are counted by the entered name and never by the account found, so that existing and unknown accounts behave alike. The limit by
 * name and network is low, because it affects only callers from that network; the limit by name alone is high, because anyone can exhaust it
 * for any user. Browsers that have signed in to the account before have a separate limit, which others cannot exhaust.
 */
const WINDOW_MS = 15 * 60_000

const LIMITS = { pair: 10, login: 100, network: 100, device: 10, account: 10, token: 100, recorded: 500 } as const
type ThrottleKind = keyof typeof LIMITS

class TooManyAttemptsError extends ApiError {
  override readonly retry_after: number

  constructor(retry_after: number) {
    super(
      'rate_limited',
      `Too many attempts. Try again in ${retry_after < 90 ? `${retry_after} s` : `${Math.ceil(retry_after / 60)} min`}.`,
    )
    this.retry_after = retry_after
  }
}

const throttleKey = (kind: ThrottleKind, what: string): string => `${kind} ${what}`
/** Hashed, because users sometimes type their password as their name. */
const hashText = (text: string): string => hashToken(text).toString('hex')

/** Sign-in with a password. The part before the @ means the same account as the full address, so they share a key. */
export const signInThrottleKeys = (login: string, address: string, device: string | undefined): string[] => {
  if (device !== undefined) return [throttleKey('device', hashText(device))]
  const name = hashText(login.trim().toLowerCase().split('@')[0]!)
  return [
    throttleKey('pair', `${name} ${getNetworkPrefix(address)}`),
    throttleKey('login', name),
    throttleKey('network', getNetworkPrefix(address)),
  ]
}

/** Attempts with a one-time code. */
export const codeThrottleKeys = (address: string): string[] => [throttleKey('network', getNetworkPrefix(address))]

/** Sign-in with a token. */
export const tokenThrottleKeys = (address: string): string[] => [
  throttleKey('token', getNetworkPrefix(address)),
  ...codeThrottleKeys(address),
]

/** A signed-in user who confirms their current password. */
export const accountThrottleKeys = (user_id: string): string[] => [throttleKey('account', user_id)]

const getLimit = (key: string): number => LIMITS[key.split(' ', 1)[0] as ThrottleKind]

/** Returns the number of attempts of the first key. */
export const countSignInAttempt = async ({ db, now }: Context, keys: readonly string[]): Promise<number> => {
  const windowStart = new Date(now.getTime() - WINDOW_MS)
  const { rows } = await sql<{ key: string; tries: number; since: string }>`
    insert into sign_in_tries as t (key, tries, since) select k, 1, ${now}::timestamptz from unnest(${[...keys].sort()}::text[]) k
    on conflict (key) do update set
      tries = case when t.since <= ${windowStart}::timestamptz then 1 else least(t.tries + 1, 1000000) end,
      since = case when t.since <= ${windowStart}::timestamptz then ${now}::timestamptz else t.since end
    returning key, tries, since
  `.execute(db)
  const over = rows.filter(({ key, tries }) => tries > getLimit(key))
  if (over.length === 0) return rows.find(({ key }) => key === keys[0])?.tries ?? 0
  const free = Math.max(...over.map(({ since }) => Date.parse(since) + WINDOW_MS))
  throw new TooManyAttemptsError(Math.max(1, Math.ceil((free - now.getTime()) / 1000)))
}

/** After a success: resets the caller's own limits. Shared limits are reduced by one only, so that nobody can reset them with an account of their own. */
export const resetAttempts = async ({ db }: Context, keys: readonly string[]): Promise<void> => {
  const own = keys.filter((key) => /^(?:pair|device|account|token) /.test(key))
  const shared = keys.filter((key) => !own.includes(key))
  await sql`
    with own as (delete from sign_in_tries where key = any(${own}::text[]))
    update sign_in_tries set tries = greatest(tries - 1, 0) where key = any(${shared}::text[])
  `.execute(db)
}

/**
 * Whether a failed sign-in is recorded: the first of a name (or of tokens) from a network, and the last before the limit. There is also a total
 * limit, so that guessing from many networks does not fill the audit log.
 */
export const shouldRecordFailure = async (ctx: Context, key: string, tries: number): Promise<boolean> => {
  if (tries !== 1 && tries !== getLimit(key)) return false
  try {
    await countSignInAttempt(ctx, [throttleKey('recorded', 'failed sign-ins')])
    return true
  } catch (error) {
    if (error instanceof TooManyAttemptsError) return false
    throw error
  }
}

export const deleteOldAttempts = ({ db, now }: Context): Promise<void> =>
  deleteInBatches(db, 'sign_in_tries', sql`since <= ${new Date(now.getTime() - WINDOW_MS)}::timestamptz`)
