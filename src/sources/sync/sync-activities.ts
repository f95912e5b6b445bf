import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import type { SyncOutcome } from './report.ts'

/** What a sync has written, by its history. */

/** A sync and when its first attempt started. */
export interface StartedSync {
  readonly id: string
  readonly integration: string
  readonly started_at: string
}

/** The activities `a` of a sync. Limited by start time, because there is no index on the related resource. */
export const isOfSyncSql = ({ id, started_at }: Pick<StartedSync, 'id' | 'started_at'>): RawBuilder<unknown> => sql`
  a.performer_type = 'INTEGRATION' and a.logged_at >= ${started_at}::timestamptz and a.related_resource_type = 'sync' and a.related_resource_ids = array[${id}::uuid]`

type Counted = Extract<SyncOutcome, 'new' | 'changed' | 'stale' | 'back'>

/** What earlier attempts of a sync have written, for its report. Facts have no history. */
export const countWritten = async (
  db: Db,
  sync: Pick<StartedSync, 'id' | 'started_at'>,
): Promise<{ outcome: Counted; entity_type: string; n: number }[]> => {
  const { rows } = await sql<{ outcome: Counted; entity_type: string; n: number }>`
    with written as (
      select a.resource_type as entity_type, bool_or(a.version = 1) as created,
        bool_or(jsonb_path_exists(a.changes, '$[*] ? (@.field <> "stale" && @.field <> "archived")')) as edited,
        bool_or(a.changes @> '[{"field": "stale", "to": true}]') as stale, bool_or(a.changes @> '[{"field": "stale", "to": false}]') as back
      from activities a where ${isOfSyncSql(sync)} and a.version is not null group by a.resource_id, a.resource_type
    )
    select o.outcome, w.entity_type, count(*)::int as n from written w cross join lateral (
      values ('new', w.created), ('changed', w.edited and not w.created), ('stale', w.stale and not w.created), ('back', w.back and not w.created)
    ) o(outcome, applies)
    where o.applies group by o.outcome, w.entity_type
  `.execute(db)
  return rows
}
