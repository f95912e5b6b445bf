import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import type { PreviousSync } from './previous-sync.ts'

const BATCH_SIZE = 1000

/** Items that their source reports as unchanged: they, and everything below them, are still there, and nothing of them is read or written. */
export class UnchangedItems {
  readonly #keys: string[] = []
  readonly #withUsage: string[] = []

  add(key: string): void {
    this.#keys.push(key)
  }

  /** Resources whose usage was not counted this time and stays as it is. */
  get withUsage(): readonly string[] {
    return this.#withUsage
  }

  /** Returns how many there are, by entity type. */
  async markSeen(db: Db, integration: string, previous: PreviousSync): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    for (let start = 0; start < this.#keys.length; start += BATCH_SIZE)
      for (const { key, entity_type, used } of await findUnder(db, integration, this.#keys.slice(start, start + BATCH_SIZE))) {
        if (!previous.markUnchanged(key)) continue
        found.set(entity_type, (found.get(entity_type) ?? 0) + 1)
        if (used) this.#withUsage.push(used)
      }
    return found
  }
}

interface UnchangedRow {
  readonly key: string
  readonly entity_type: string
  /** The resource, if its source counts how often it is used. */
  readonly used: string | null
}

/** The resources of these keys, and of all keys that begin with one of them and a dot; in keys, the character after the dot is the slash. */
const findUnder = async (db: Db, integration: string, keys: readonly string[]): Promise<UnchangedRow[]> => {
  const { rows } = await sql<UnchangedRow>`
    select o.key, r.entity_type, case when exists (select from query_uses u where u.query_id = o.resource_id) then o.resource_id end as used
    from unnest(${keys}::text[]) k (key)
    cross join lateral (
      select o.key, o.resource_id from resource_origins o where o.integration = ${integration} and o.key = k.key and o.gone_at is null
      union all
      select o.key, o.resource_id from resource_origins o
      where o.integration = ${integration} and o.key > k.key || '.' and o.key < k.key || '/' and o.gone_at is null
    ) o join resources r on r.id = o.resource_id
  `.execute(db)
  return rows
}
