import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Usage } from '../models/model.ts'
import type { AssistantSettingsRow } from '../settings/settings.ts'

/** What the tokens cost; null without prices. */
export const computeCost = ({ input_tokens, output_tokens }: Usage, { input_price, output_price }: AssistantSettingsRow): number | null =>
  input_price === null || output_price === null ? null : (input_tokens * input_price + output_tokens * output_price) / 1_000_000

/** Which daily limit the user has reached, or undefined. */
export const findReachedLimit = async (
  ctx: Context,
  { tokens_per_day, cost_per_day }: Pick<AssistantSettingsRow, 'tokens_per_day' | 'cost_per_day'>,
): Promise<string | undefined> => {
  const { input_tokens, output_tokens, cost } = await findUsageToday(ctx)
  if (input_tokens + output_tokens >= tokens_per_day)
    return `You have used today's ${tokens_per_day} tokens of the assistant. They are available again tomorrow (UTC).`
  if (cost_per_day !== null && cost >= cost_per_day)
    return "You have used today's budget of the assistant. It is available again tomorrow (UTC)."
  return undefined
}

/** What a user has used on a day (UTC). */
interface DayUsage extends Usage {
  readonly cost: number
}

const TODAY_SQL = sql`(clock_timestamp() at time zone 'UTC')::date`

export const addUsage = async ({ db, actor }: Context, { input_tokens, output_tokens }: Usage, cost: number): Promise<void> => {
  await sql`
    insert into assistant_usage (user_id, day, input_tokens, output_tokens, cost)
    values (${actor.user_id}::uuid, ${TODAY_SQL}, ${input_tokens}::bigint, ${output_tokens}::bigint, ${cost}::double precision)
    on conflict (user_id, day) do update set input_tokens = assistant_usage.input_tokens + excluded.input_tokens,
      output_tokens = assistant_usage.output_tokens + excluded.output_tokens, cost = assistant_usage.cost + excluded.cost`.execute(db)
}

export const findUsageToday = async ({ db, actor }: Context): Promise<DayUsage> => {
  const { rows } = await sql<DayUsage>`
    select u.input_tokens, u.output_tokens, u.cost from assistant_usage u
    where u.user_id = ${actor.user_id}::uuid and u.day = ${TODAY_SQL}`.execute(db)
  return rows[0] ?? { input_tokens: 0, output_tokens: 0, cost: 0 }
}
