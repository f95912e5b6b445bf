import { sql } from 'kysely'
import { suggestChange } from '../../catalog/change-suggestions/suggestions.ts'
import { addComment } from '../../catalog/comments/comments.ts'
import { createResources } from '../../catalog/resources/create.ts'
import { recordDirectedEvents } from '../../catalog/resources/directed-events.ts'
import { editResources } from '../../catalog/resources/edit.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Edit } from './edits.ts'
import { entryId } from './entries.ts'
import { contextAsPerson, PEOPLE, TEAMS } from './people.ts'

/** What waits for the admin who opens the demo: they own some tables, follow others, and people ask them something. */
const table = (key: string): string => entryId('table', key)

/** The admin became an owner of these when they joined. */
const OWNED = {
  'demo_marts.fct_orders': [PEOPLE.grace.id],
  'demo_marts.revenue_by_country': [PEOPLE.grace.id],
  'demo_raw.orders': [PEOPLE.ada.id],
  'demo_raw.orders_backup': [PEOPLE.ada.id],
} as const
const FOLLOWED = ['demo_marts.daily_revenue', 'demo_ops.stock_movements'] as const
const JOINED_DAYS_AGO = 21

/** What made the admin an owner and subscriber. */
export const joiningEdits = (admin: string): Edit[] => [
  ...Object.entries(OWNED).map(
    ([key, owners]): Edit => ({ by: 'ada', days_ago: JOINED_DAYS_AGO, id: table(key), data: { owners: [...owners, admin] } }),
  ),
  ...FOLLOWED.map((key): Edit => ({ by: 'ada', days_ago: JOINED_DAYS_AGO, id: table(key), data: { subscribers: [admin] } })),
]

export const seedTasksOfAdmin = async (ctx: Context, admin: string): Promise<void> => {
  await ctx.db
    .insertInto('team_members')
    .values({ team_id: TEAMS.shop.id, user_id: admin })
    .onConflict((c) => c.doNothing())
    .execute()
  // People are notified of what happens from the start of the server on.
  await addComment(contextAsPerson(ctx, 'grace', 0), {
    resource_id: table('demo_marts.fct_orders'),
    text: 'Only a quarter of the orders came in last night. @ada@shop.example.com, did the load stop early? Please do not send the morning numbers before it has run again.',
  })
  await askQuestion(contextAsPerson(ctx, 'noor', 0), admin)
  await suggestChange(contextAsPerson(ctx, 'noor', 0), {
    resource_id: entryId('column', 'demo_raw.orders.status'),
    field: 'description',
    value:
      'Where the order stands: `placed`, `paid`, `shipped`, `returned` or `cancelled`. Returned orders are refunded within three weeks.',
    reason: 'I keep asking what “returned” means.',
  })
  const description =
    'Revenue day by day, after refunds. What the company looks at every morning. Past days fall a little while refunds come in.'
  await editResources(contextAsPerson(ctx, 'katsu', 0), [{ id: table('demo_marts.daily_revenue'), data: { description } }])
}

const askQuestion = async (ctx: Context, admin: string): Promise<void> => {
  const about = table('demo_marts.revenue_by_country')
  const [after] = await createResources(ctx, [
    {
      id: entryId('question', 'is-revenue-per-country-before-or-after-refunds'),
      entity_type: 'question',
      title: 'Is revenue per country before or after refunds?',
      description: 'My numbers of last month are 3 % higher than those on the dashboard.',
      definition: `About [demo_marts.revenue_by_country](/r/${about})`,
      published: true,
      own: { base_entity_id: about, question_assigned_to: admin },
    },
  ])
  await recordDirectedEvents(ctx, [{ after: after! }])
}

/** Who starts the demo, or the first admin. */
export const findAdmin = async ({ db, actor }: Context): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where u.role = 'admin' and u.disabled_at is null and u.deleted_at is null
    order by u.id = ${actor.user_id}::uuid desc nulls last, u.created_at, u.id limit 1
  `.execute(db)
  return rows[0]?.id
}
