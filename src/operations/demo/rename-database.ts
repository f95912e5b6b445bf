import { sql } from 'kysely'
import { editResource } from '../../catalog/resources/edit.ts'
import type { Context } from '../../platform/context/context.ts'
import { buildItemKey } from '../../sources/sync/item.ts'
import { entryId } from './entries.ts'
import { INTEGRATIONS } from './id.ts'
import { contextAsDemoIntegration } from './people.ts'

/** The shop's database has a new name: updates the catalog so that the next sync matches its tables. */
export const renameDemoDatabase = async (ctx: Context, database: string): Promise<void> => {
  const id = entryId('database', 'shop')
  const { rows } = await sql<{ key: string; title: string; named: string | null }>`
    select o.key, r.title, o.reported_values ->> 'title' as named from resource_origins o join resources r on r.id = o.resource_id
    where o.resource_id = ${id} and o.integration = ${INTEGRATIONS.warehouse.id}
  `.execute(ctx.db)
  const [before] = rows
  const key = buildItemKey(database)
  if (!before || before.key === key) return
  await sql`
    update resource_origins o set key = ${key} || substr(o.key, length(${before.key}) + 1), stable_id = null, fingerprint = ''
    where o.integration = ${INTEGRATIONS.warehouse.id} and (o.key = ${before.key} or starts_with(o.key, ${before.key} || '.'))
      and not exists (select from resource_origins t where t.integration = o.integration
        and t.key = ${key} || substr(o.key, length(${before.key}) + 1))
  `.execute(ctx.db)
  await sql`update resource_origins set reported_values = reported_values || jsonb_build_object('title', ${database}::text) where resource_id = ${id}`.execute(
    ctx.db,
  )
  if (before.title === before.named) await editResource(contextAsDemoIntegration(ctx, 0), id, { title: database })
}
