import { sql } from 'kysely'
import { type Connector, requireCatalogContext, type Source } from '../connectors/shared/connector.ts'
import { getLoadTime, hasChangesSince } from './aspect-rows.ts'
import { connectEntities, discoverEntities } from './sync.ts'

/** When the running sync of a source loaded what it works with. */
const loadTimes = new WeakMap<Source, string>()

/** Builds the catalog from the events that DataHub's connectors sent. */
export const datahubConnector: Connector = {
  test: async () => 'Waiting for events: send a file with "tablinum ingest", or point the datahub-rest sink to this server.',

  async *discover(source, context) {
    const ctx = requireCatalogContext(context)
    loadTimes.set(source, await getLoadTime(ctx, source.id))
    yield* discoverEntities(ctx, source.id)
  },

  finish: async (source, context) => {
    const ctx = requireCatalogContext(context)
    const counts = await connectEntities(ctx, source.id, context.log)
    const loaded = loadTimes.get(source)
    // Events that arrived meanwhile are for the next sync, which starts within a minute.
    if (loaded && (await hasChangesSince(ctx.db, source.id, loaded)))
      await ctx.db.updateTable('integrations').set({ next_sync_at: sql`now()` }).where('id', '=', source.id).execute()
    return counts
  },
}
