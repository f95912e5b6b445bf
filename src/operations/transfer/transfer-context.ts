import type { AbortableQueryOptions } from 'kysely'
import type { Context } from '../../platform/context/context.ts'

/** The context of an import or export: uses the transfer pool and no deadline except the given signal. */
export const transferContext = (ctx: Context, signal?: AbortSignal): Context => {
  const limits: AbortableQueryOptions = signal ? { signal, inflightQueryAbortStrategy: 'cancel query' } : {}
  return { ...ctx, db: (ctx.replica ?? ctx.runtime.databases).transfer.db, limits }
}
