import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import type { Db } from '../../platform/db/connect.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { PiiDetection } from './detect-pii.ts'
import type { PiiSuggestion, SuggestionQuery } from './pii-schema.ts'

/** SQL of PII suggestions. */
export interface DetectedColumn extends PiiDetection {
  readonly resource_id: string
}

/**
 * Saves what was detected in these columns. Pending suggestions are updated, or deleted if nothing is detected any more. Decided ones stay; another
 * kind of personal data is another suggestion.
 */
export const savePiiSuggestions = async (
  ctx: Context,
  integration: string,
  columns: readonly string[],
  found: readonly DetectedColumn[],
): Promise<void> => {
  const rows = found.map(({ resource_id, class: of, confidence, evidence }) => ({
    id: newId(),
    resource_id,
    class: of,
    confidence,
    evidence,
  }))
  await sql`
    delete from pii_suggestions s where s.resource_id = any(${columns}::uuid[]) and s.status = 'open'
      and not exists (select from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(resource_id uuid, class text)
        where x.resource_id = s.resource_id and x.class = s.class)
  `.execute(ctx.db)
  await sql`
    insert into pii_suggestions (id, resource_id, integration, class, confidence, evidence, status, created_at, updated_at)
    select x.id, x.resource_id, ${integration}::uuid, x.class, x.confidence, x.evidence, 'open', ${ctx.now}::timestamptz, ${ctx.now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(id uuid, resource_id uuid, class text, confidence double precision, evidence jsonb)
    on conflict (resource_id, class) do update set confidence = excluded.confidence, evidence = excluded.evidence, updated_at = excluded.updated_at
    where pii_suggestions.status = 'open'
      and (pii_suggestions.confidence, pii_suggestions.evidence) is distinct from (excluded.confidence, excluded.evidence)
  `.execute(ctx.db)
}

/** Columns with a pending suggestion. */
export const findPendingColumns = async (db: Db, columns: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ resource_id: string }>`
    select distinct s.resource_id from pii_suggestions s where s.resource_id = any(${columns}::uuid[]) and s.status = 'open'
  `.execute(db)
  return new Set(rows.map(({ resource_id }) => resource_id))
}

/** Columns with a suggestion that was not rejected. */
export const findSuggestedColumns = async (db: Db, columns: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql<{ resource_id: string; status: string }>`
    select s.resource_id, min(s.status) as status from pii_suggestions s
    where s.resource_id = any(${columns}::uuid[]) and s.status in ('open', 'accepted') group by s.resource_id
  `.execute(db)
  return new Map(rows.map(({ resource_id, status }) => [resource_id, status]))
}

const SUGGESTION_SQL = sql`s.id, s.created_at, s.updated_at, s.resource_id, r.title as resource_title, r.title_full as resource_title_full,
  r.parent as table_id, s.integration as integration_id, r.pii, s.class, s.confidence, s.evidence, s.status, s.decided_at, s.decided_by`

export const listPiiSuggestionRows = (ctx: Context, query: SuggestionQuery, page: PageRequest) => {
  const { status, class: of, min_confidence, integration_id, resource_id } = query
  const of_resource = parseId(resource_id ?? '')
  const when = (value: unknown, condition: RawBuilder<boolean>) => (value === undefined ? sql`true` : condition)
  const where = sql`
    ${visibleTo(ctx.actor)} and ${when(status, sql`s.status = ${status}`)} and ${when(of, sql`s.class = ${of}`)}
      and ${when(min_confidence, sql`s.confidence >= ${min_confidence}::float8`)}
      and ${when(integration_id, sql`s.integration = ${parseId(integration_id ?? '')}::uuid`)}
      and ${when(resource_id, sql`s.resource_id in (select ${of_resource}::uuid union all select c.id from resources c where c.parent = ${of_resource}::uuid)`)}`
  return readPage<PiiSuggestion>(ctx, page, {
    select: SUGGESTION_SQL,
    from: sql`pii_suggestions s join resources r on r.id = s.resource_id`,
    where,
    order: [desc('float', 's.confidence'), asc('id', 's.id')],
  })
}

/** `hold` locks the row, so that no one else decides at the same time. */
export const findPiiSuggestion = async (ctx: Context, id: string, lock = false): Promise<PiiSuggestion | undefined> => {
  const { rows } = await sql<PiiSuggestion>`
    select ${SUGGESTION_SQL} from pii_suggestions s join resources r on r.id = s.resource_id
    where s.id = ${id} and ${visibleTo(ctx.actor)} ${lock ? sql`for update of s` : sql``}
  `.execute(ctx.db)
  return rows[0]
}

/** Pending suggestions with at least this confidence. */
export const findConfidentSuggestions = async (ctx: Context, integration: string, from: number, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select s.id from pii_suggestions s join resources r on r.id = s.resource_id
    where s.integration = ${integration} and s.status = 'open' and s.confidence >= ${from}::float8
    order by s.confidence desc, s.id limit ${sql.lit(limit)}
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}

export const saveDecision = async (ctx: Context, id: string, status: 'accepted' | 'rejected'): Promise<void> => {
  await sql`
    update pii_suggestions set status = ${status}, decided_at = ${ctx.now}::timestamptz, decided_by = ${ctx.actor.user_id}::uuid, updated_at = ${ctx.now}::timestamptz
    where id = ${id}
  `.execute(ctx.db)
}
