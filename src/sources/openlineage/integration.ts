import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { emptyIntegrationRow, recordIntegrationChange } from '../integrations/apply-edit.ts'
import { getIntegrationRow, insertIntegrationRow } from '../integrations/integration-rows.ts'

/** The integration of events: the one the caller names, else the one with the name of the namespace. */
export const getOrCreateIntegration = (ctx: Context, namespace: string, named: string | undefined): Promise<string> =>
  named === undefined ? findOrRegister(ctx, namespace) : requireEventIntegration(ctx, named)

const EVENT_INTEGRATION_TYPES = ['openlineage', 'custom']

const requireEventIntegration = async (ctx: Context, named: string): Promise<string> => {
  const id = parseId(named)
  if (!id) throw invalid({ integration: ['must be a UUID.'] })
  const row = await getIntegrationRow(ctx, id).catch((error) => {
    throw error instanceof ApiError ? invalid({ integration: [`Integration ${id} does not exist.`] }) : error
  })
  if (!EVENT_INTEGRATION_TYPES.includes(row.type))
    throw invalid({ integration: ['Only integrations of type openlineage or custom accept events.'] })
  return id
}

const MAX_NAME_LENGTH = 200

/** Everyone who pushes metadata is an integration: the first event of a namespace creates it. */
const findOrRegister = async (ctx: Context, namespace: string): Promise<string> => {
  const name = namespace.trim().slice(0, MAX_NAME_LENGTH).toWellFormed()
  const existing = await findByNamespace(ctx, name)
  if (existing) return existing
  await sql`select pg_advisory_xact_lock(hashtextextended(${`openlineage namespace ${name}`}, 0))`.execute(ctx.db)
  const meanwhile = await findByNamespace(ctx, name)
  if (meanwhile) return meanwhile
  const row = { ...emptyIntegrationRow(newId(), ctx.now), name, type: 'openlineage' }
  await insertIntegrationRow(ctx, row)
  await recordIntegrationChange(ctx, 'created', row, [])
  return row.id
}

const findByNamespace = async (ctx: Context, name: string): Promise<string | undefined> => {
  const seen = ctx.actor.role === 'admin' ? sql`true` : visibleTo(ctx.actor, 'i')
  const { rows } = await sql<{ id: string }>`
    select i.id from integrations i
    where lower(i.name) collate "C" = lower(${name}) and i.type = 'openlineage' and ${seen}
      and not exists (select from background_jobs j where j.id = i.removal_job and j.completed is null)
    order by i.created_at, i.id limit 1
  `.execute(ctx.db)
  return rows[0]?.id
}
