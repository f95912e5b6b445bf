import type { ResourceChange } from '../../catalog/records/schema.ts'
import type { TypeFields } from '../../catalog/records/type-fields.ts'
import { editResources } from '../../catalog/resources/edit.ts'
import type { Context } from '../../platform/context/context.ts'
import { entryId } from './entries.ts'
import { readPages } from './files.ts'
import { contextAsPerson, PEOPLE, type Person } from './people.ts'

/** Edits by users after the first sync, so that the history is not empty. */
export interface Edit {
  readonly by: Person
  readonly days_ago: number
  readonly id: string
  readonly data: ResourceChange
  /** Fields of its entity type only. */
  readonly own?: TypeFields
}

const REVENUE_QUESTION = 'why-did-last-weeks-revenue-fall-since-monday'
const table = (key: string): string => entryId('table', key)

const EDITS: readonly Edit[] = [
  { by: 'grace', days_ago: 33, id: table('demo_marts.campaign_performance'), data: { owners: [PEOPLE.grace.id, PEOPLE.noor.id] } },
  // Publishing a table publishes its columns.
  { by: 'grace', days_ago: 26, id: table('demo_marts.customer_lifetime_value'), data: { published: true } },
  {
    by: 'katsu',
    days_ago: 27,
    id: table('demo_marts.daily_revenue'),
    data: { description: 'Revenue day by day. What the company looks at every morning. Past days fall a little while refunds come in.' },
  },
  { by: 'katsu', days_ago: 12, id: table('demo_marts.daily_revenue'), data: { verified: true } },
  {
    by: 'katsu',
    days_ago: 28,
    id: entryId('question', REVENUE_QUESTION),
    data: {},
    own: {
      accepted_reply: entryId('question_reply', `${REVENUE_QUESTION}/1`),
      question_status: 'answered',
      question_answered_by: PEOPLE.grace.id,
    },
  },
  {
    by: 'grace',
    days_ago: 9,
    id: table('demo_marts.product_performance'),
    data: {
      deprecation: {
        reason: 'An order that is returned in parts is counted twice. Sum the order items instead.',
        replacement_id: table('demo_marts.fct_order_items'),
      },
    },
  },
  { by: 'ada', days_ago: 6, id: table('demo_raw.orders_backup'), data: { archived: true } },
  { by: 'ada', days_ago: 5, id: table('demo_marts.fct_orders'), data: { subscribers: [PEOPLE.ada.id, PEOPLE.katsu.id] } },
  {
    by: 'grace',
    days_ago: 3,
    id: entryId('column', 'demo_raw.web_sessions.utm_source'),
    data: { description: 'Who sent the visitor, from the link’s utm_source. Mostly empty since the last release: being looked into.' },
  },
  { by: 'ada', days_ago: 2, id: entryId('glossary', 'churn'), data: { verified: true, terms: [entryId('glossary', 'active-customer')] } },
  {
    by: 'katsu',
    days_ago: 20,
    id: entryId('glossary', 'revenue'),
    data: { terms: [entryId('glossary', 'average-order-value')] },
    own: { synonyms: ['Net revenue', 'Turnover'] },
  },
  ...['gross-revenue', 'margin'].map(
    (term): Edit => ({
      by: 'katsu',
      days_ago: 20,
      id: entryId('glossary', term),
      data: { parent: entryId('glossary', 'revenue') },
    }),
  ),
]

/** Documentation of the important tables. */
const readDocumentation = async (): Promise<Edit[]> =>
  (await readPages('tables')).map(({ title, text }, i) => ({
    by: title.startsWith('demo_finance') ? 'katsu' : i % 2 ? 'ada' : 'grace',
    days_ago: 60 - 4 * i,
    id: table(title),
    data: { definition: text },
  }))

/** Applies edits to the created entries, oldest first. */
export const createEdits = async (ctx: Context, created: ReadonlySet<string>, others: readonly Edit[]): Promise<void> => {
  const edits = [...(await readDocumentation()), ...EDITS, ...others].filter(({ id }) => created.has(id))
  for (const { by, days_ago, id, data, own } of edits.sort((a, b) => b.days_ago - a.days_ago))
    await editResources(contextAsPerson(ctx, by, days_ago), [{ id, data, own }])
}
