import { expect, test } from 'vitest'
import { formatText } from '../core/translatable.ts'
import { type ActivityFacts, describeActivity, toEventBlocks } from './describe-activity.ts'

const orders: ActivityFacts = {
  activity_type: 'resource_updated',
  performer: 'Ada',
  resource_type: 'table',
  resource_title: 'orders',
  caused: false,
  changes: [],
}
const change = (field: string, from: unknown, to: unknown): Partial<ActivityFacts> => ({ changes: [{ field, from, to }] })
const changes = (...fields: string[]): Partial<ActivityFacts> => ({ changes: fields.map((field) => ({ field, from: 'a', to: 'b' })) })
const toSentence = (more: Partial<ActivityFacts>): string =>
  toEventBlocks(describeActivity({ ...orders, ...more }))
    .map(({ value }) => value)
    .join(' ')

for (const [more, sentence] of [
  [{ activity_type: 'resource_created' }, 'Ada created the table orders'],
  [{ activity_type: 'resource_deleted' }, 'Ada deleted the table orders'],
  [{ activity_type: 'resource_deleted', caused: true }, 'Ada deleted the table orders together with its parent'],
  [{ activity_type: 'resource_restored', resource_type: 'test_suite' }, 'Ada restored the test suite orders'],
  [{ activity_type: 'document_created', resource_type: 'document', resource_title: 'Guide' }, 'Ada created the document Guide'],
  [{ activity_type: 'token_revoked', resource_type: null, resource_title: null }, 'Ada revoked the token'],
  [{ activity_type: 'monitor_created', ...change('name', null, 'Rows') }, 'Ada created the monitor “Rows” on orders'],
  [{ activity_type: 'monitor_updated', payload: { monitor: 'Rows' } }, 'Ada changed the monitor “Rows” on orders'],
  [{ activity_type: 'monitor_deleted', ...change('name', 'Rows', null) }, 'Ada deleted the monitor “Rows” on orders'],
  [
    { activity_type: 'incident_opened', payload: { summary: '3 rows,\n usually 900.' } },
    'Tablinum opened an incident on orders – 3 rows, usually 900.',
  ],
  [{ activity_type: 'incident_resolved', payload: { name: 'Rows' } }, 'Ada resolved the incident on orders – Rows'],
  [
    {
      activity_type: 'incident_assigned',
      payload: { assignee: 'x', assignee_name: 'Katsu' },
    },
    'Ada assigned the incident on orders to Katsu',
  ],
  [{ activity_type: 'incident_assigned', payload: { assignee: null } }, 'Ada unassigned the incident on orders'],
  [
    { activity_type: 'schema_changed', payload: { columns_nullability: [{ name: 'id', nullable: false }] } },
    'Ada changed the columns of orders – made id not null',
  ],
  [
    { activity_type: 'change_suggested', payload: { field: 'owner', value: 'ada@example.com' } },
    'Ada suggested an owner of orders – ada@example.com',
  ],
  // The ID of a person means nothing to readers.
  [
    { activity_type: 'change_suggested', payload: { field: 'owner', value: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f' } },
    'Ada suggested an owner of orders',
  ],
  [changes('verified', 'description'), 'Ada changed the verification and the description of orders'],
  [change('description', 'Old', 'New'), 'Ada changed the description of orders from “Old” to “New”'],
  [change('description', null, 'New'), 'Ada set the description of orders to “New”'],
  [change('description', 'Old', null), 'Ada cleared the description of orders which was “Old”'],
  [change('definition', null, '# A\n\n  b'), 'Ada set the documentation of orders to “# A b”'],
  [change('title', 'order', 'orders'), 'Ada renamed orders from “order” to “orders”'],
  [change('entity_type', 'table', 'query'), 'Ada changed the type of orders from “table” to “query”'],
  [change('parent', 'x', 'y'), 'Ada moved orders to another parent'],
  [change('parent', 'x', null), 'Ada moved orders to the top level'],
  [change('integration', null, 'x'), 'Ada set the integration of orders'],
  [change('published', false, true), 'Ada published orders'],
  [{ ...change('published', true, false), caused: true }, 'Ada hid orders from viewers together with its parent'],
  [change('pii', false, true), 'Ada marked orders as containing personal data'],
  [change('verified', true, false), 'Ada removed the verification of orders'],
  [change('archived', true, false), 'Ada unarchived orders'],
  [change('owners', null, ['a', 'b']), 'Ada added 2 owners to orders'],
  [change('owners_groups', ['a'], null), 'Ada removed 1 owner group from orders'],
  [change('tags', ['a', 'b'], ['b', 'c', 'd']), 'Ada added 2 tags to and removed 1 tag from orders'],
  [change('tags', ['a', 'b'], ['b', 'a']), 'Ada reordered the tags of orders'],
  [{ activity_type: 'property_set', ...change('custom_property:Tier', null, 'gold') }, 'Ada set the property Tier of orders to “gold”'],
  [
    { activity_type: 'property_set', ...change('custom_property:Cost_centre', '7', '8') },
    'Ada changed the property Cost_centre of orders from “7” to “8”',
  ],
  [
    { activity_type: 'property_cleared', ...change('custom_property:Tier', 'gold', null), caused: true },
    'Ada cleared the property Tier of orders which was “gold” together with the property',
  ],
  [
    { activity_type: 'property_set', ...change('custom_property:Steward', null, '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f') },
    'Ada set the property Steward of orders',
  ],
  [
    { activity_type: 'property_set', ...changes('custom_property:Tier', 'custom_property:Region') },
    'Ada changed the property Tier and the property Region of orders',
  ],
  [{ activity_type: 'property_created', resource_type: 'custom_property', resource_title: 'Tier' }, 'Ada created the property Tier'],
  [{ activity_type: 'lineage_created', ...change('downstream', null, ['a']) }, 'Ada added lineage from orders to another resource'],
  [
    { activity_type: 'lineage_deleted', ...change('upstream', ['a'], null), caused: true },
    'Ada removed lineage to orders from another resource',
  ],
  [{ activity_type: 'lineage_derived', ...change('upstream', null, ['a', 'b']) }, 'Ada derived the lineage of orders from a query'],
  [changes('title', 'tags'), 'Ada changed the title and the tags of orders'],
  [changes('title', 'tags', 'teams', 'url'), 'Ada changed the title, the tags, the teams and the URL of orders'],
  [changes('title', 'tags', 'teams', 'url', 'icon'), 'Ada changed the title, the tags, the teams and 2 other fields of orders'],
] as const satisfies [Partial<ActivityFacts>, string][])
  test(sentence, () => expect(toSentence(more)).toBe(sentence))

test('shortens long texts without splitting characters', () => {
  expect(toSentence(change('description', null, '😀'.repeat(81)))).toBe(`Ada set the description of orders to “${'😀'.repeat(80)}…”`)
  expect(toSentence(change('description', null, '😀'.repeat(80)))).toBe(`Ada set the description of orders to “${'😀'.repeat(80)}”`)
})

test('each part has its type', () =>
  expect(toEventBlocks(describeActivity({ ...orders, ...change('verified', false, true) }))).toEqual([
    { type: 'performer', style: 'normal', value: 'Ada' },
    { type: 'text', style: 'normal', value: 'verified' },
    { type: 'resource', style: 'normal', value: 'orders' },
  ]))

test('a template of the whole sentence, in which a translation can order the parts differently', () => {
  const sentence = describeActivity({ ...orders, ...change('tags', null, ['a', 'b']), caused: true })
  expect(sentence).toEqual({
    template: '{sentence} together with the tag',
    values: {
      sentence: {
        template: '{performer} added {added} to {resource}',
        values: { added: { template: '{n:# tag|# tags}', values: { n: 2 } }, performer: 'Ada', resource: 'orders' },
      },
    },
  })
  expect(formatText(sentence)).toBe('Ada added 2 tags to orders together with the tag')
})
