import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Connector, DiscoveryContext, Source } from '../connectors/shared/connector.ts'
import { getLoadTime, hasChangesSince } from './aspect-rows.ts'
import { connectEntities, discoverEntities } from './sync.ts'

/** When the running sync of a source loaded what it works with. */
const loadTimes = new WeakMap<Source, string>()

/** Builds the catalog from the events that DataHub's connectors sent. */
export const datahubConnector: Connector = {
  test: async () => 'Waiting for events: send a file with "tablinum ingest", or point the datahub-rest sink to this server.',

  async *discover(source, context) {
    const ctx = requireCatalog(context)
    loadTimes.set(source, await getLoadTime(ctx, source.id))
    yield* discoverEntities(ctx, source.id)
  },

  finish: async (source, context) => {
    const ctx = requireCatalog(context)
    const counts = await connectEntities(ctx, source.id, context.log)
    const loaded = loadTimes.get(source)
    // Events that arrived meanwhile are for the next sync, which starts within a minute.
    if (loaded && (await hasChangesSince(ctx.db, source.id, loaded)))
      await ctx.db.updateTable('integrations').set({ next_sync_at: sql`now()` }).where('id', '=', source.id).execute()
    return counts
  },
}

const requireCatalog = ({ ctx }: DiscoveryContext): Context => {
  if (!ctx) throw new Error('The DataHub connector needs the catalog.')
  return ctx
}
