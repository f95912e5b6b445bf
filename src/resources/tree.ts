import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/** Where a resource stands: its full name and the containers it is found by. */
export interface Place {
  readonly title_full: string
  readonly cluster: string | null
  readonly database: string | null
  readonly schema: string | null
}

const NOWHERE: Place = { title_full: '', cluster: null, database: null, schema: null }

/** The full name joins the titles from the database down: a database begins anew, whatever it stands under. `refreshBelow` says the same in SQL. */
export const placeUnder = (parent: Place | undefined, entity_type: string, title: string): Place => {
  const above = entity_type === 'database' || !parent ? { ...NOWHERE, cluster: parent?.cluster ?? null } : parent
  return {
    title_full: above.title_full === '' ? title : `${above.title_full}.${title}`,
    cluster: entity_type === 'cluster' ? title : above.cluster,
    database: entity_type === 'database' ? title : above.database,
    schema: entity_type === 'schema' ? title : above.schema,
  }
}

/**
 * One lock for the shape of the tree. Whoever adds a child shares it; whoever renames, moves or deletes has it alone,
 * so no child is born under a name that is just changing, and two moves cannot make a cycle.
 */
export const shareTree = (db: Db) => sql`select pg_advisory_xact_lock_shared(hashtext('resources.tree'))`.execute(db)
export const lockTree = (db: Db) => sql`select pg_advisory_xact_lock(hashtext('resources.tree'))`.execute(db)

/** After a rename or a move: everything below takes the new full name. */
export const refreshBelow = async (db: Db, id: string): Promise<void> => {
  await sql`
    with recursive below as (
      select r.id, r.title_full, r.cluster, r.database, r.schema from resources r where r.id = ${id}
      union all
      select c.id,
        case when c.entity_type = 'database' then c.title else b.title_full || '.' || c.title end,
        case when c.entity_type = 'cluster' then c.title else b.cluster end,
        case when c.entity_type = 'database' then c.title else b.database end,
        case when c.entity_type = 'schema' then c.title when c.entity_type = 'database' then null else b.schema end
      from below b join resources c on c.parent = b.id
    )
    update resources r set title_full = b.title_full, cluster = b.cluster, database = b.database, schema = b.schema
    from below b
    where r.id = b.id and r.id <> ${id}
      and (r.title_full, r.cluster, r.database, r.schema) is distinct from (b.title_full, b.cluster, b.database, b.schema)
  `.execute(db)
}

/** Does the way up from this resource lead back to it? `union` forgets what it has seen, so it ends in a cycle too. */
export const isAboveItself = async (db: Db, id: string): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    with recursive above as (
      select r.parent from resources r where r.id = ${id}
      union
      select r.parent from above a join resources r on r.id = a.parent
    )
    select exists (select from above where parent = ${id}) as found
  `.execute(db)
  return rows[0]!.found
}

/** `order_items` → `Order Items`, `customerLTV` → `Customer LTV`. */
export const titleForPeople = (title: string): string =>
  title
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ') || title
