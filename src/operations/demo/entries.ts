import type { ResourceCreate } from '../../catalog/records/schema.ts'
import { createResources, type ReportedMetadata } from '../../catalog/resources/create.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { demoId } from './id.ts'
import { contextAsDemoIntegration, contextAsPerson, type Person } from './people.ts'

/** A resource to create, with its author and age. Without an author, an integration reported it. */
export interface Entry extends ResourceCreate, Omit<ReportedMetadata, 'id'> {
  readonly id: string
  readonly by?: Person
  readonly days_ago?: number
}

const FIRST_SYNC_DAYS_AGO = 90

/** The ID of an entry: `demoId('table:demo_marts.fct_orders')`. */
export const entryId = (entity_type: string, key: string): string => demoId(`${entity_type}:${key}`)

/** Creates entries, parents first, through the catalog's own functions, and returns the new IDs. Existing ones are not changed. */
export const createEntries = (ctx: Context, entries: readonly Entry[]): Promise<Set<string>> =>
  inTransaction(ctx, async (ctx) => {
    const existing = await ctx.db
      .selectFrom('resources')
      .select('id')
      .where(
        'id',
        'in',
        entries.map(({ id }) => id),
      )
      .execute()
    const existingIds = new Set(existing.map(({ id }) => id))
    let remaining = entries.filter(({ id }) => !existingIds.has(id))
    const created = new Set(remaining.map(({ id }) => id))
    while (remaining.length > 0) {
      const ids = new Set(remaining.map(({ id }) => id))
      const level = remaining.filter(({ parent }) => !parent || !ids.has(parent))
      for (const [who, some] of Map.groupBy(level, ({ by, days_ago }) => `${by ?? ''} ${days_ago ?? FIRST_SYNC_DAYS_AGO}`)) {
        const [by, days_ago] = who.split(' ') as [Person | '', string]
        const then = by ? contextAsPerson(ctx, by, Number(days_ago)) : contextAsDemoIntegration(ctx, Number(days_ago))
        await createResources(
          then,
          some.map(({ by, days_ago, ...create }) => create),
        )
      }
      remaining = remaining.filter((entry) => !level.includes(entry))
    }
    return created
  })
