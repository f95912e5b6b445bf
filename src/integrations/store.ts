import { type RawBuilder, type Selectable, sql } from 'kysely'
import { visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import type { IntegrationsTable } from '../db/tables/sources.ts'
import { notFound } from '../errors.ts'
import { asc } from '../lists/order.ts'
import type { PageRequest } from '../lists/page.ts'
import { readPage } from '../lists/read-page.ts'
import type { IntegrationQuery } from './schema.ts'

/** SQL of integrations. Private to this module. */
export type IntegrationRow = Selectable<IntegrationsTable>

/** With the deleting job only while it is running: a failed one leaves a normal integration. */
const ROW = sql`i.id, i.created_at, i.updated_at, i.name, i.type, i.teams, i.connection, i.secrets, i.secrets_key, i.secret_fields, i.schedule,
  i.last_synced_at, i.last_sync_status, i.last_sync_error, i.next_sync_at, i.preview_enabled,
  (select j.id from background_jobs j where j.id = i.removal_job and j.completed is null) as removal_job`

/** Integrations the actor can see. An integration is always published; its teams restrict it like a resource. */
const seen = (ctx: Context): RawBuilder<boolean> => (ctx.actor.role === 'admin' ? sql<boolean>`true` : visibleTo(ctx.actor, 'i'))

export const listRows = (ctx: Context, { type, name, title }: IntegrationQuery, page: PageRequest) => {
  const contains = (part: string | undefined) => (part ? sql`strpos(lower(i.name), lower(${part})) > 0` : sql`true`)
  return readPage<IntegrationRow>(ctx, page, {
    select: ROW,
    from: sql`integrations i`,
    where: sql`${seen(ctx)} and ${type ? sql`i.type = ${type}` : sql`true`} and ${contains(name)} and ${contains(title)}`,
    order: [{ name: 'i.name', type: 'text', value: sql`lower(i.name) collate "C"` }, asc('id', 'i.id')],
  })
}

export const getRow = async (ctx: Context, id: string): Promise<IntegrationRow> => {
  const { rows } = await sql<IntegrationRow>`select ${ROW} from integrations i where i.id = ${id} and ${seen(ctx)}`.execute(ctx.db)
  if (!rows[0]) throw notFound('integration', id)
  return rows[0]
}

/** `alone` prevents resources from being assigned to it until the transaction ends. */
export const lockRow = async (ctx: Context, id: string, how: 'shared' | 'alone' = 'shared'): Promise<IntegrationRow> => {
  await sql`select from integrations i where i.id = ${id} ${how === 'alone' ? sql`for update` : sql`for no key update`}`.execute(ctx.db)
  return getRow(ctx, id)
}

const written = ({
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
  connection: json(connection),
  secrets,
  secrets_key,
  secret_fields,
  schedule: json(schedule),
  next_sync_at: next_sync_at === null ? null : new Date(next_sync_at),
  preview_enabled,
})
const json = (value: unknown) => (value === null ? null : sql`${JSON.stringify(value)}::text::jsonb`)

export const insertRow = (ctx: Context, row: IntegrationRow) =>
  ctx.db
    .insertInto('integrations')
    .values({ id: row.id, ...written(row), created_at: ctx.now, updated_at: ctx.now })
    .execute()

/** Always later than the previous write, so that two writes in one millisecond have different ETags. */
export const updateRow = (ctx: Context, row: IntegrationRow) =>
  ctx.db
    .updateTable('integrations')
    .set({ ...written(row), updated_at: sql<Date>`greatest(${ctx.now}::timestamptz, updated_at + interval '1 millisecond')` })
    .where('id', '=', row.id)
    .execute()

export const removeRow = (ctx: Context, id: string) => ctx.db.deleteFrom('integrations').where('id', '=', id).execute()
