import type { Reaction } from '../../catalog/comments/schema.ts'
import type { Context } from '../../platform/context/context.ts'
import { entryId } from './entries.ts'
import { demoId } from './id.ts'
import { PEOPLE, type Person } from './people.ts'

const DAY_MS = 86_400_000

interface DemoThread {
  readonly table: string
  readonly column?: string
  readonly days_ago: number
  readonly comments: readonly (readonly [by: Person, text: string])[]
  readonly resolved_by?: Person
  /** Reactions to the last comment. */
  readonly reactions?: readonly (readonly [by: Person, kind: Reaction])[]
}

const THREADS: readonly DemoThread[] = [
  {
    table: 'demo_raw.orders',
    days_ago: 6,
    comments: [
      ['katsu', 'Are cancelled orders deleted here, or do they stay with their status?'],
      ['ada', 'They stay. `status` is `cancelled`, and the payment is refunded in `payments`.'],
    ],
    reactions: [
      ['katsu', 'thumbs_up'],
      ['grace', 'thumbs_up'],
      ['noor', 'heart'],
    ],
  },
  {
    table: 'demo_raw.orders',
    column: 'status',
    days_ago: 3,
    comments: [['noor', 'Can we add “returned” to the description? I keep asking what it means.']],
  },
  {
    table: 'demo_raw.orders',
    days_ago: 20,
    comments: [['grace', 'The load moved to 02:00 UTC.']],
    resolved_by: 'grace',
  },
]

/** Discussions of the demo: an open one, one about a column and a resolved one. */
export const seedComments = async (ctx: Context): Promise<void> => {
  const { db, now } = ctx
  const rows = THREADS.flatMap(({ table, column, days_ago, comments, resolved_by }, i) => {
    const thread = demoId(`comment:${i}:0`)
    const thread_at = new Date(now.getTime() - days_ago * DAY_MS)
    return comments.map(([by, text], n) => {
      const at = new Date(thread_at.getTime() + n * 3_600_000)
      return {
        id: demoId(`comment:${i}:${n}`),
        resource_id: column ? entryId('column', `${table}.${column}`) : entryId('table', table),
        ...{ thread, thread_at, text },
        created_by: PEOPLE[by].id,
        ...(n === 0 && resolved_by ? { resolved_by: PEOPLE[resolved_by].id, resolved_at: new Date(thread_at.getTime() + DAY_MS) } : {}),
        created_at: at,
        updated_at: at,
      }
    })
  })
  for (const row of rows)
    await db
      .insertInto('comments')
      .values(row)
      .onConflict((c) => c.column('id').doNothing())
      .execute()
  await seedReactions(ctx)
}

const seedReactions = async ({ db, now }: Context): Promise<void> => {
  const rows = THREADS.flatMap(({ table, comments, reactions = [] }, i) =>
    reactions.map(([by, kind]) => ({
      comment_id: demoId(`comment:${i}:${comments.length - 1}`),
      resource_id: entryId('table', table),
      ...{ user_id: PEOPLE[by].id, kind, created_at: now },
    })),
  )
  await db
    .insertInto('comment_reactions')
    .values(rows)
    .onConflict((c) => c.doNothing())
    .execute()
}
