import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { emptyIntegrationRow, recordIntegrationChange } from './apply-edit.ts'
import { insertIntegrationRow } from './integration-rows.ts'

const MAX_NAME_LENGTH = 200

/**
 * The ID of the integration of this type and name, which is created if there is none: each namespace that metadata is pushed under is an
 * integration. In a transaction, the integration is locked until that ends.
 */
export const findOrRegisterIntegration = async (ctx: Context, type: string, namespace: string): Promise<string> => {
  const name = namespace.trim().slice(0, MAX_NAME_LENGTH).toWellFormed()
  const existing = await findByName(ctx, type, name)
  if (existing) return existing
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${type} namespace ${name}`}, 0))`.execute(ctx.db)
  const meanwhile = await findByName(ctx, type, name)
  if (meanwhile) return meanwhile
  const row = { ...emptyIntegrationRow(newId(), ctx.now), name, type }
  await insertIntegrationRow(ctx, row)
  await recordIntegrationChange(ctx, 'created', row, [])
  return row.id
}

const findByName = async (ctx: Context, type: string, name: string): Promise<string | undefined> => {
  const isVisible = ctx.actor.role === 'admin' ? sql`true` : visibleTo(ctx.actor, 'i')
  const { rows } = await sql<{ id: string }>`
    select i.id from integrations i
    where lower(i.name) collate "C" = lower(${name}) and i.type = ${type} and ${isVisible}
      and not exists (select from background_jobs j where j.id = i.removal_job and j.completed is null)
    order by i.created_at, i.id limit 1 for key share of i
  `.execute(ctx.db)
  return rows[0]?.id
}
