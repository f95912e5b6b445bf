import type { KyselyPlugin } from 'kysely'
import type { Context } from '../../src/platform/context/context.ts'

/** A context that counts its database statements and the bytes of the returned rows. */
export const countQueries = (ctx: Context) => {
  const count = { statements: 0, bytes: 0 }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count.statements += 1
      return node
    },
    transformResult: async ({ result }) => {
      count.bytes += JSON.stringify(result.rows).length
      return result
    },
  }
  return { ctx: { ...ctx, db: ctx.db.withPlugin(plugin) }, count }
}
