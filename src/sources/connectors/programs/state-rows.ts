import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connect.ts'

/** What a connector saved for its next run, unless its settings have changed since. */
export const findConnectorState = async (db: Db, integration: string, settings_hash: string): Promise<unknown> => {
  const row = await db
    .selectFrom('connector_states')
    .select('state')
    .where('integration', '=', integration)
    .where('settings_hash', '=', settings_hash)
    .executeTakeFirst()
  return row?.state
}

export const saveConnectorState = async (db: Db, integration: string, settings_hash: string, state: unknown): Promise<void> => {
  await sql`
    insert into connector_states (integration, settings_hash, state) values (${integration}, ${settings_hash}, ${JSON.stringify(state)}::text::jsonb)
    on conflict (integration) do update set settings_hash = excluded.settings_hash, state = excluded.state
  `.execute(db)
}
