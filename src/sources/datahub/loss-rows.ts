import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { toStorableLine } from './losses.ts'

/** What the last sync of an integration could not take over. */

const MAX_LOSSES = 100_000

/** Replaces the lines of the sync before. What is beyond the limit is only counted, in the last line. */
export const saveLosses = (ctx: Context, integration: string, lines: readonly string[]): Promise<void> =>
  inTransaction(ctx, async ({ db }) => {
    await sql`delete from integration_losses where integration = ${integration}`.execute(db)
    await sql`
      insert into integration_losses (integration, number, line)
      select ${integration}::uuid, l.number, l.line from unnest(${limit(lines).map(toStorableLine)}::text[]) with ordinality l (line, number)
    `.execute(db)
  })

const limit = (lines: readonly string[]): readonly string[] =>
  lines.length <= MAX_LOSSES
    ? lines
    : [
        ...lines.slice(0, MAX_LOSSES - 1),
        `${(lines.length - MAX_LOSSES + 1).toLocaleString('en')} more: the report has at most ${MAX_LOSSES.toLocaleString('en')} lines.`,
      ]
