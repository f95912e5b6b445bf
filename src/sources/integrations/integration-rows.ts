import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import type { IntegrationsTable } from '../../platform/db/tables/sources.ts'
import { asc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { IntegrationQuery } from './schema.ts'

/** SQL of integrations. Private to this module. */
export type IntegrationRow = Selectable<IntegrationsTable>

/** With the deleting job only while it is running: a failed one leaves a normal integration. */
const ROW_SQL = sql`i.id, i.created_at, i.updated_at, i.name, i.type, i.teams, i.connection, i.secrets, i.secrets_key, i.secret_fields, i.schedule,
  i.last_synced_at, i.last_sync_status, i.last_sync_error, i.next_sync_at, i.preview_enabled, i.sql_dialect, i.hidden_teams,
  (select j.id from background_jobs j where j.id = i.removal_job and j.completed is null) as removal_job`

/** Integrations the actor can see. An integration is always published; its teams restrict it like a resource. */
const visibleSql = (ctx: Context): RawBuilder<boolean> => (ctx.actor.role === 'admin' ? sql<boolean>`true` : visibleTo(ctx.actor, 'i'))

export const listIntegrationRows = (ctx: Context, { type, name, title }: IntegrationQuery, page: PageRequest) => {
  const contains = (part: string | undefined) => (part ? sql`strpos(lower(i.name), lower(${part})) > 0` : sql`true`)
  return readPage<IntegrationRow>(ctx, page, {
    select: ROW_SQL,
    from: sql`integrations i`,
    where: sql`${visibleSql(ctx)} and ${type ? sql`i.type = ${type}` : sql`true`} and ${contains(name)} and ${contains(title)}`,
    order: [{ name: 'i.name', type: 'text', value: sql`lower(i.name) collate "C"` }, asc('id', 'i.id')],
  })
}

export const getIntegrationRow = async (ctx: Context, id: string): Promise<IntegrationRow> => {
  const { rows } = await sql<IntegrationRow>`select ${ROW_SQL} from integrations i where i.id = ${id} and ${visibleSql(ctx)}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw notFound('integration', id)
  return rows[0]
}

/** `delete` prevents resources from being assigned to it until the transaction ends. */
export const lockIntegrationRow = async (ctx: Context, id: string, purpose: 'update' | 'delete' = 'update'): Promise<IntegrationRow> => {
  await sql`select from integrations i where i.id = ${id} ${purpose === 'delete' ? sql`for update` : sql`for no key update`}`.execute(
    ctx.db,
  )
  return getIntegrationRow(ctx, id)
}

const toColumns = ({
  name,
  type,
  teams,
  connection,
  secrets,
  secrets_key,
  secret_fields,
  schedule,
  next_sync_at,
  preview_enabled,
}: IntegrationRow) => ({
  name,
  type,
  teams,
  connection: toJsonb(connection),
  secrets,
  secrets_key,
  secret_fields,
  schedule: toJsonb(schedule),
  next_sync_at: next_sync_at === null ? null : new Date(next_sync_at),
  preview_enabled,
})
const toJsonb = (value: unknown) => (value === null ? null : sql`${JSON.stringify(value)}::text::jsonb`)

export const insertIntegrationRow = (ctx: Context, row: IntegrationRow) =>
  ctx.db
    .insertInto('integrations')
    .values({ id: row.id, ...toColumns(row), created_at: ctx.now, updated_at: ctx.now })
    .execute()

/** Always later than the previous write, so that two writes in one millisecond have different ETags. */
export const updateIntegrationRow = (ctx: Context, row: IntegrationRow) =>
  ctx.db
    .updateTable('integrations')
    .set({ ...toColumns(row), updated_at: nextUpdatedAtSql(ctx.now) })
    .where('id', '=', row.id)
    .execute()

export const deleteIntegrationRow = (ctx: Context, id: string) => ctx.db.deleteFrom('integrations').where('id', '=', id).execute()
