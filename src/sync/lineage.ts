import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { readAsked, writeLineage } from '../lineage/from-query.ts'
import type { Tally } from './report.ts'
import { type Defined, nextDefined, noteLineage } from './store.ts'
import { putReads } from './uses.ts'

const AT_ONCE = 100

/** Updates the lineage of everything that is defined by a query, where the query has changed. */
export const readLineage = async (ctx: Context, integration: string, sync_id: string, tally: Tally): Promise<void> => {
  for (let after = 0; ; ) {
    const defined = await nextDefined(ctx.db, integration, sync_id, after, AT_ONCE)
    if (defined.length === 0) return
    for (const each of defined) tally.lineage[(await readOne(ctx, integration, each)) ? 'read' : 'unreadable'] += 1
    after = defined.at(-1)!.number
  }
}

/** SQL that cannot be parsed is not tried again until it changes. Existing lineage is replaced only when the definition replaces another. */
const readOne = async (ctx: Context, integration: string, defined: Defined): Promise<boolean> => {
  const { resource_id, entity_type, definition, lineage, before } = defined
  const { sql, dialect, database, schema } = definition
  const query = { sql, dialect, default_database: database, default_schema: schema }
  try {
    // A query may fill other tables; everything else is filled by its own definition.
    if (entity_type === 'query') await putReads(ctx, resource_id, await readAsked(ctx, query, integration))
    else await writeLineage(ctx, { ...query, table_id: resource_id }, { replace: before !== null })
    await noteLineage(ctx.db, resource_id, lineage)
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await noteLineage(ctx.db, resource_id, lineage)
    return false
  }
}
