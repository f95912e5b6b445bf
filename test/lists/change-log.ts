import { sql } from 'kysely'
import { deleteOldChanges } from '../../src/catalog/listing/count.ts'
import { eventually } from '../support/eventually.ts'
import type { TestApp } from '../support/test-app.ts'

/**
 * Simulates the passing of time until all change rows are deleted. One pass is not always enough: a transaction in another database of the
 * same server holds the horizon back while it runs.
 */
export const waitUntilChangesDeleted = (app: TestApp): Promise<void> =>
  eventually(async () => {
    await deleteOldChanges(app.ctx)
    await sql`update resource_change_horizons set at = at - interval '11 minutes'`.execute(app.db)
    await deleteOldChanges(app.ctx)
    const { rows } = await sql`select from resource_changes union all select from property_changes`.execute(app.db)
    if (rows.length > 0) throw new Error(`${rows.length} changes are not deleted yet`)
  })
