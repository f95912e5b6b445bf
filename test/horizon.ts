import { sql } from 'kysely'
import { vi } from 'vitest'
import { forgetOldChanges } from '../src/resources/count.ts'
import type { House } from './house.ts'

/**
 * Simulates the passing of time until all change rows are deleted. One pass is not always enough: a transaction in another database of the
 * same server holds the horizon back while it runs.
 */
export const changesForgotten = (house: House): Promise<void> =>
  vi.waitFor(
    async () => {
      await forgetOldChanges(house.ctx)
      await sql`update resource_change_horizons set at = at - interval '11 minutes'`.execute(house.db)
      await forgetOldChanges(house.ctx)
      const { rows } = await sql`select from resource_changes union all select from property_changes`.execute(house.db)
      if (rows.length > 0) throw new Error(`${rows.length} changes are not deleted yet`)
    },
    { timeout: 60_000, interval: 50 },
  )
