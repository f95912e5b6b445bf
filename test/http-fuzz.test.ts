import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENTITY_TYPES } from '../src/resources/kinds.ts'
import { BulkUpdate, ResourceCreate, ResourceEdit } from '../src/resources/schema.ts'
import { aHouse, type House } from './house.ts'

/** Whatever comes in: an answer of the contract, never a 500. */
const SEED = 20_260_301
let house: House
let id: string
beforeAll(async () => {
  house = await aHouse()
  id = (await house.resource({ title: 'target' })).id
})
afterAll(() => house[Symbol.asyncDispose]())

const mustBeAnswered = async (method: string, path: string, body?: unknown) => {
  const answer = await house.call(method, path, { body: body === undefined ? undefined : JSON.stringify(body) })
  expect(answer.status, `${method} ${path} ${JSON.stringify(body)} ${answer.text}`).toBeLessThan(500)
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', 'null', '%', '_', '\\', "'", '\0', '\ud800', '٣', '0'.repeat(600), 'İ', 'ﬀ', 'ß', '\u202e', '{}', '$1'),
)
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  text,
  fc.uuid(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.uuid(), { maxLength: 3 }),
  fc.constantFrom(...ENTITY_TYPES),
)
const bodyOf = (schema: { properties: object }) =>
  fc.oneof(
    {
      arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(schema.properties), 'id', 'version', 'details', 'xmin'), value, {
        maxKeys: 4,
      }),
      weight: 5,
    },
    { arbitrary: fc.jsonValue(), weight: 1 },
  )
const bulkItem = fc.record({ id: fc.oneof(fc.constant('own'), value), data: bodyOf(BulkUpdate.items.properties.data) })

test('bodies', async () => {
  await fc.assert(
    fc.asyncProperty(bodyOf(ResourceCreate), bodyOf(ResourceEdit), fc.array(bulkItem, { maxLength: 3 }), async (create, edit, bulk) => {
      await mustBeAnswered('POST', '/resource/catalog', create)
      await mustBeAnswered('PATCH', `/resource/all/${id}`, edit)
      await mustBeAnswered(
        'POST',
        '/resource/all/bulk_update/',
        bulk.map((each) => (each.id === 'own' ? { ...each, id } : each)),
      )
    }),
    { numRuns: 80, seed: SEED },
  )
})

const scalar = fc.oneof(
  text,
  fc.double(),
  fc.boolean(),
  fc.uuid(),
  fc.constantFrom(
    '2026-02-30',
    '2026-01-01T25:00',
    '9999-12-31',
    '2026-01-01T00:00:00.123456789Z',
    1e308,
    -0,
    '1e999',
    '0x10',
    ' 7 ',
    2 ** 63,
  ),
)
const leaf = fc.record({
  operator: fc.constantFrom('exact', 'contains', 'starts_with', 'in', 'is_set', 'gt', 'lte'),
  field: fc.oneof(
    fc.constantFrom(
      'title',
      'id',
      'external_usage',
      'row_count',
      'created_at',
      'pii',
      'tags',
      'sources',
      'total_usage',
      'schema',
      'toString',
    ),
    text,
  ),
  value: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
})

test('queries', async () => {
  await fc.assert(
    fc.asyncProperty(
      leaf,
      fc.dictionary(
        fc.constantFrom(
          'page',
          'page_size',
          'cursor',
          'sort',
          'filter',
          'title',
          'entity_type',
          'teams',
          'integration_id',
          'parent_id',
          'search_term',
        ),
        text,
        { maxKeys: 3 },
      ),
      async (filter, parameters) => {
        await mustBeAnswered('GET', `/resource/catalog?filter=${encodeURIComponent(JSON.stringify(filter))}`)
        const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
        await mustBeAnswered('GET', `/resource/catalog?${query.join('&')}`)
      },
    ),
    { numRuns: 120, seed: SEED },
  )
})
