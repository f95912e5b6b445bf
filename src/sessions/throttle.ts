import { sql } from 'kysely'
import { hashOf } from '../access/tokens.ts'
import type { Context } from '../context.ts'
import { deleteInBatches } from '../db/in-batches.ts'
import { Refusal } from '../errors.ts'

/**
 * How often one may try: by account, and by the address tries come from, over all instances together. A try is counted before it is
 * looked at, so many at the same moment are still many; the one that was right is taken back.
 */
const WITHIN_MS = 15 * 60_000
const PER_ACCOUNT = 10
const PER_ADDRESS = 100

class TooManyTries extends Refusal {
  override readonly retry_after: number

  constructor(retry_after: number) {
    super('rate_limited', `Too many tries. Wait ${retry_after < 90 ? `${retry_after} s` : `${Math.ceil(retry_after / 60)} min`}.`)
    this.retry_after = retry_after
  }
}

/** What a try is counted by. An account is told by a hash: what people mistype there can be their password. */
export const keysOf = (account: string | undefined, address: string): string[] => [
  ...(account === undefined ? [] : [`account ${hashOf(account.trim().toLowerCase()).toString('hex')}`]),
  `address ${address}`,
]

export const countTry = async ({ db, now }: Context, keys: readonly string[]): Promise<void> => {
  const begin = new Date(now.getTime() - WITHIN_MS)
  const { rows } = await sql<{ key: string; tries: number; since: string }>`
    insert into sign_in_tries as t (key, tries, since) select k, 1, ${now}::timestamptz from unnest(${[...keys].sort()}::text[]) k
    on conflict (key) do update set
      tries = case when t.since <= ${begin}::timestamptz then 1 else least(t.tries + 1, 1000000) end,
      since = case when t.since <= ${begin}::timestamptz then ${now}::timestamptz else t.since end
    returning key, tries, since
  `.execute(db)
  const over = rows.filter(({ key, tries }) => tries > (key.startsWith('account ') ? PER_ACCOUNT : PER_ADDRESS))
  if (over.length === 0) return
  const free = Math.max(...over.map(({ since }) => Date.parse(since) + WITHIN_MS))
  throw new TooManyTries(Math.max(1, Math.ceil((free - now.getTime()) / 1000)))
}

/** It was right: the account begins anew, and its address has one try less. */
export const forgiveTry = async ({ db }: Context, keys: readonly string[]): Promise<void> => {
  await sql`
    with account as (delete from sign_in_tries where key = any(${keys}::text[]) and starts_with(key, 'account '))
    update sign_in_tries set tries = greatest(tries - 1, 0) where key = any(${keys}::text[]) and starts_with(key, 'address ')
  `.execute(db)
}

export const forgetOldTries = ({ db, now }: Context): Promise<void> =>
  deleteInBatches(db, 'sign_in_tries', sql`since <= ${new Date(now.getTime() - WITHIN_MS)}::timestamptz`)
