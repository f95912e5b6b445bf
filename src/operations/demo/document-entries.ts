import { type Entry, entryId } from './entries.ts'
import { type MarkdownPage, readPages } from './files.ts'
import { PEOPLE, type Person } from './people.ts'
import { START_HERE } from './tables.ts'

/** Documents, glossary terms, questions and the tracking plan. */

const toSlug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')

export const documentEntries = async (): Promise<Entry[]> => {
  const [cover, ...chapters] = await readPages('handbook')
  const drafts = await readPages('draft')
  const page = ({ title, text }: MarkdownPage, by: Person, days_ago: number, more: Partial<Entry> = {}): Entry => ({
    id: entryId('document', toSlug(title)),
    entity_type: 'document',
    title,
    definition: text,
    owners: [PEOPLE[by].id],
    published: true,
    by,
    days_ago,
    ...more,
  })
  const book = page(cover!, 'ada', 80, { description: 'How we work with data here.' })
  return [
    book,
    // In the order of the file.
    ...chapters.map((chapter, i) =>
      page(chapter, i % 2 ? 'grace' : 'ada', 78 - 6 * i, { parent: book.id, own: { sort_order: 1024 * (i + 1) } }),
    ),
    ...(await readPages('template')).map((template) =>
      page(template, 'grace', 30, { description: 'Copy it for a new mart.', own: { is_template: true } }),
    ),
    ...drafts.map((draft) => page(draft, 'grace', 9, { parent: book.id, published: false })),
  ]
}

/** The first paragraph of a term is its description; the rest is documentation. */
export const glossaryEntries = async (): Promise<Entry[]> =>
  (await readPages('glossary')).map(({ title, text }, i) => {
    const [description, ...more] = text.split('\n\n')
    return {
      id: entryId('glossary', toSlug(title)),
      entity_type: 'glossary',
      title,
      description,
      definition: more.join('\n\n') || null,
      owners: [PEOPLE[i % 2 ? 'grace' : 'katsu'].id],
      published: true,
      verified: i < 3,
      by: i % 2 ? 'grace' : 'katsu',
      days_ago: 75 - i,
    }
  })

export const collectionEntries = (): Entry[] => [
  {
    id: START_HERE,
    entity_type: 'collection',
    title: 'Start here',
    description: 'The four tables that answer most questions.',
    published: true,
    owners: [PEOPLE.ada.id],
    by: 'ada',
    days_ago: 95,
  },
]

const QUESTIONS: readonly {
  readonly table: string
  readonly title: string
  readonly text: string
  readonly replies: readonly (readonly [Person, string])[]
}[] = [
  {
    table: 'demo_marts.daily_revenue',
    title: 'Why did last week’s revenue fall since Monday?',
    text: 'On Monday the mail said one number, today the table says a slightly smaller one.',
    replies: [
      ['grace', 'Refunds are booked on the day of the order, so the past keeps falling a little for about three weeks.'],
      ['katsu', 'Clear, thank you. I put it into the description.'],
    ],
  },
  {
    table: 'demo_marts.fct_sessions',
    title: 'Do visits from the app count?',
    text: 'I see phone as a device but no app.',
    replies: [['ada', 'Only the web shop sends visits. The app follows in spring.']],
  },
  {
    table: 'demo_raw.orders_backup',
    title: 'May we drop this table?',
    text: 'It was made before a migration more than a year ago.',
    replies: [],
  },
]

export const questionEntries = (): Entry[] =>
  QUESTIONS.flatMap(({ table, title, text, replies }, i) => {
    const question: Entry = {
      id: entryId('question', toSlug(title)),
      entity_type: 'question',
      title,
      description: text,
      definition: `About [${table}](/r/${entryId('table', table)})`,
      own: { base_entity_id: entryId('table', table) },
      published: true,
      by: 'katsu',
      days_ago: 30 - 8 * i,
    }
    return [
      question,
      ...replies.map(
        ([by, reply], n): Entry => ({
          id: entryId('question_reply', `${toSlug(title)}/${n + 1}`),
          entity_type: 'question_reply',
          parent: question.id,
          title: `Answer ${n + 1}`,
          description: reply,
          published: true,
          by,
          days_ago: 29 - 8 * i - n,
        }),
      ),
    ]
  })

/** Category, event, when it is sent, and its properties. The names are those in `demo_raw.web_events`. */
const TRACKED_EVENTS: readonly (readonly [category: string, event: string, when: string, properties: Readonly<Record<string, string>>])[] =
  [
    ['Browsing', 'page_viewed', 'A page was shown.', { page_path: 'Path without host and parameters.' }],
    [
      'Browsing',
      'product_viewed',
      'A product page was shown for more than a second.',
      { product_id: 'The product.', page_path: 'Path of the page.' },
    ],
    ['Buying', 'cart_added', 'Something was put into the cart.', { product_id: 'The product.', quantity: 'How many pieces.' }],
    ['Buying', 'checkout_started', 'The first page of the checkout was shown.', {}],
    ['Buying', 'order_completed', 'An order was placed.', { coupon: 'Whether a coupon was used.' }],
  ]

export const eventEntries = (): Entry[] => [
  ...[...new Set(TRACKED_EVENTS.map(([category]) => category))].map(
    (title): Entry => ({
      id: entryId('category', toSlug(title)),
      entity_type: 'category',
      title,
      description: `Events of ${title.toLowerCase()}, as the web shop sends them.`,
      published: true,
      owners: [PEOPLE.ada.id],
      by: 'ada',
      days_ago: 70,
    }),
  ),
  ...TRACKED_EVENTS.flatMap(([category, event, when, properties]): Entry[] => [
    {
      id: entryId('event', event),
      entity_type: 'event',
      parent: entryId('category', toSlug(category)),
      title: event,
      description: when,
      published: true,
      owners: [PEOPLE.ada.id],
      by: 'ada',
      days_ago: 70,
    },
    ...Object.entries(properties).map(
      ([property, description]): Entry => ({
        id: entryId('event_property', `${event}.${property}`),
        entity_type: 'event_property',
        parent: entryId('event', event),
        title: property,
        description,
        published: true,
        by: 'ada',
        days_ago: 70,
      }),
    ),
  ]),
]
