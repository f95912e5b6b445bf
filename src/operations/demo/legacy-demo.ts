import { sql } from 'kysely'
import { editResource } from '../../catalog/resources/edit.ts'
import type { Context } from '../../platform/context/context.ts'
import { buildItemKey } from '../../sources/sync/item.ts'
import { quoteIdentifier } from './database.ts'
import { entryId } from './entries.ts'
import { INTEGRATIONS } from './id.ts'
import { contextAsDemoIntegration } from './people.ts'
import { REVOKED_FUNCTIONS } from './role.ts'
import { SCHEMAS } from './warehouse.ts'

const LEGACY_ROLE = 'tablinum_demo'

/** Earlier versions stored the shop's tables in our own database. */
export const findLegacyDemo = async ({ db }: Context): Promise<boolean> => {
  const { rows } = await sql`select from pg_namespace where nspname = any(${SCHEMAS}::text[])`.execute(db)
  return rows.length === SCHEMAS.length
}

/** Deletes them with everything set up for them, unless other objects depend on them. Returns those objects. */
export const deleteLegacyDemo = async ({ db }: Context): Promise<string[]> => {
  const { rows: dependents } = await sql<{ name: string }>`
    with shop as (select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = any(${SCHEMAS}::text[])),
    users as (
      select r.ev_class as oid from pg_depend d join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
      where d.refclassid = 'pg_class'::regclass and d.refobjid in (select oid from shop)
      union select k.conrelid from pg_constraint k where k.confrelid in (select oid from shop)
    )
    select distinct u.oid::regclass::text as name from users u where u.oid not in (select oid from shop) order by 1
  `.execute(db)
  if (dependents.length > 0) return dependents.map(({ name }) => name)
  await sql.raw(`drop schema ${SCHEMAS.join(', ')} cascade`).execute(db)
  await restoreFunctionPrivileges({ db })
  const { rows } = await sql<{ name: string; role: boolean }>`
    select current_database() as name, exists (select from pg_roles where rolname = ${LEGACY_ROLE}) as role
  `.execute(db)
  const [{ name, role } = { name: '', role: false }] = rows
  if (role) await sql.raw(`alter role ${LEGACY_ROLE} in database ${quoteIdentifier(name)} reset all`).execute(db)
  return []
}

/** Restores the privileges that were revoked in our own database for the role that read the shop there. */
const restoreFunctionPrivileges = async ({ db }: Pick<Context, 'db'>): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f' and p.proname ~ ${REVOKED_FUNCTIONS} and p.proacl is not null
      and not exists (select from pg_init_privs i where i.classoid = 'pg_proc'::regclass and i.objoid = p.oid)
      and not exists (select from aclexplode(p.proacl) a where a.grantee = 0)
      and (select r.rolsuper from pg_roles r where r.rolname = current_user)
  `.execute(db)
  if (rows.length > 0) await sql.raw(`grant execute on function ${rows.map(({ name }) => name).join(', ')} to public`).execute(db)
}

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
