import { sql } from 'kysely'
import type { Context } from '../context/context.ts'

/** Tracks in memory when each token was last used and writes it periodically: a request must not cost a write. */
export const trackTokenUse = ({ actor, runtime, now }: Context): void => {
  if (actor.token_id) runtime.usage.tokens.set(actor.token_id, now)
}

/**
 * Writes the tracked uses, at most once a minute per token and user across all instances.
 * Locked rows are skipped until the next time, so writers never wait for each other.
 */
export const flushTokenUse = async (ctx: Context): Promise<void> => {
  const used = ctx.runtime.usage.tokens
  if (used.size === 0) return
  const rows = [...used].map(([token_id, at]) => ({ token_id, at }))
  used.clear()
  await sql`
    with used as (
      select u.* from json_to_recordset(${JSON.stringify(rows)}::text::json) as u(token_id uuid, at timestamptz)
    ), tokens_due as (
      select t.id, u.at from tokens t join used u on u.token_id = t.id
      where t.last_used_at is null or t.last_used_at <= u.at - interval '1 minute'
      for no key update of t skip locked
    ), tokens_written as (
      update tokens t set last_used_at = d.at from tokens_due d where t.id = d.id
    ), users_due as (
      select p.id, (select max(u.at) from used u join tokens t on t.id = u.token_id where t.user_id = p.id) as at
      from users p
      where exists (
        select from used u join tokens t on t.id = u.token_id
        where t.user_id = p.id and (p.last_seen_at is null or p.last_seen_at <= u.at - interval '1 minute')
      )
      for no key update of p skip locked
    )
    update users p set last_seen_at = d.at from users_due d where p.id = d.id
  `.execute(ctx.db)
}
