import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'

/** Location of a resource: its full title and containers. */
export interface ResourceLocation {
  readonly title_full: string
  readonly cluster: string | null
  readonly database: string | null
  readonly schema: string | null
}

const NO_LOCATION: ResourceLocation = { title_full: '', cluster: null, database: null, schema: null }

/**
 * Computes the location below a parent. The full title joins the titles from the database down: a database starts a new one, whatever its
 * parent. paths.ts has the same logic in SQL.
 */
export const computeLocation = (parent: ResourceLocation | undefined, entity_type: string, title: string): ResourceLocation => {
  const above = entity_type === 'database' || !parent ? { ...NO_LOCATION, cluster: parent?.cluster ?? null } : parent
  return {
    title_full: above.title_full === '' ? title : `${above.title_full}.${title}`,
    cluster: entity_type === 'cluster' ? title : above.cluster,
    database: entity_type === 'database' ? title : above.database,
    schema: entity_type === 'schema' ? title : above.schema,
  }
}

/** Number of advisory locks that all roots share, so that a move of very many roots does not fill the lock table. */
const ROOT_LOCKS = 64

/**
 * Only moves can create a cycle, so only moves that involve the same root exclude each other. Renames and inserts take no such lock
 * (docs/decisions/0019-tree-locks.md). A root can change while we wait for its lock, so roots are looked up again until all are locked.
 */
export const lockRoots = async (db: Db, ids: readonly string[]): Promise<void> => {
  const locked = new Set<number>()
  for (;;) {
    const { rows } = await sql<{ lock: number }>`
      with recursive above as (
        select r.id, r.parent from resources r where r.id = any(${ids}::uuid[])
        union
        select p.id, p.parent from above a join resources p on p.id = a.parent
      )
      select distinct (hashtext(id::text) & ${sql.lit(ROOT_LOCKS - 1)}) as lock from above where parent is null order by 1
    `.execute(db)
    const missing = rows.map(({ lock }) => lock).filter((lock) => !locked.has(lock))
    if (missing.length === 0) return
    await sql`select pg_advisory_xact_lock(hashtext('resources.roots'), lock) from unnest(${missing}::int[]) lock`.execute(db)
    for (const lock of missing) locked.add(lock)
  }
}

/** Whether this resource is its own ancestor. `union` removes duplicates, so the recursion ends in a cycle too. */
export const isInCycle = async (db: Db, id: string): Promise<boolean> => {
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
export const toDisplayTitle = (title: string): string =>
  title
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ') || title
