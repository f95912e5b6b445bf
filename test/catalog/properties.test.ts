import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { VALUE_TYPES } from '../../src/catalog/properties/value-types.ts'
import { loadContract, loadOpenApi } from '../support/contract.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const ALL = '/resource/all_v2/custom_properties/'
const BULK = '/resource/all_v2/bulk_update/custom_properties/'
const UNKNOWN = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'

const define = async (app: TestApp, body: object) => (await app.call('POST', ALL, { body: { value_type: 'string', ...body } })).body
const put = (app: TestApp, property: string, entity: string, value: string) =>
  app.call('PUT', `${ALL}${encodeURIComponent(property)}/${entity}`, { body: { value } })
const getStoredValue = async (app: TestApp, property: string, entity: string) =>
  (await app.call('GET', `${ALL}${encodeURIComponent(property)}/${entity}`)).body?.value
const history = async ({ db }: TestApp) =>
  (await db.selectFrom('activities').selectAll().orderBy('logged_at').orderBy('id').execute())
    .filter(({ activity_type }) => activity_type.startsWith('property_'))
    .map(({ activity_type, resource_id, changes }) => [activity_type, resource_id, changes])

describe('a property', () => {
  test('can be created, listed, read, replaced, edited and deleted, and each change is recorded once', async () => {
    await using app = await createTestApp()
    const created = await app.call('POST', ALL, { body: { name: ' Cost centre ', value_type: 'string', entity_types: ['all'] } })
    expect(created.status).toBe(200)
    expect(created.body).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      name: 'Cost centre',
      value_type: 'string',
      entity_types: ['all'],
      options: null,
    })
    const { id } = created.body
    await define(app, { name: 'area', entity_types: ['table', 'column', 'table'] })
    const list = await app.call('GET', ALL)
    expect(list.status).toBe(200)
    expect(list.body.map(({ name, entity_types }: { name: string; entity_types: string[] }) => [name, entity_types])).toEqual([
      ['area', ['column', 'table']],
      ['Cost centre', ['all']],
    ])
    for (const key of [id, id.replaceAll('-', '').toUpperCase(), 'Cost%20centre', 'cost%20CENTRE'])
      expect((await app.call('GET', `${ALL}${key}`)).body, key).toEqual(created.body)

    const replaced = await app.call('PUT', `${ALL}${id}`, { body: { name: 'Budget', value_type: 'number', entity_types: ['table'] } })
    expect([replaced.status, replaced.body.name, replaced.body.value_type, replaced.body.entity_types]).toEqual([
      200,
      'Budget',
      'number',
      ['table'],
    ])
    expect(replaced.headers.etag).not.toBe(created.headers.etag)
    // Without entity types it applies to every type, like on creation.
    expect((await app.call('PUT', `${ALL}budget`, { body: { name: 'Budget', value_type: 'number' } })).body.entity_types).toEqual(['all'])
    const edited = await app.call('PATCH', `${ALL}${id}`, { body: { name: 'Budget 2026' } })
    expect(edited.body).toMatchObject({ name: 'Budget 2026', value_type: 'number' })
    expect((await app.call('PATCH', `${ALL}${id}`, { body: { name: 'Budget 2026' } })).body).toEqual(edited.body)
    const gone = await app.call('DELETE', `${ALL}Budget%202026`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await app.call('GET', `${ALL}${id}`)).status).toBe(404)
    expect((await history(app)).filter(([, of]) => of === id)).toEqual([
      [
        'property_created',
        id,
        [
          { field: 'name', from: null, to: 'Cost centre' },
          { field: 'value_type', from: null, to: 'string' },
        ],
      ],
      [
        'property_updated',
        id,
        [
          { field: 'name', from: 'Cost centre', to: 'Budget' },
          { field: 'value_type', from: 'string', to: 'number' },
          { field: 'entity_types', from: null, to: ['table'] },
        ],
      ],
      ['property_updated', id, [{ field: 'entity_types', from: ['table'], to: null }]],
      ['property_updated', id, [{ field: 'name', from: 'Budget', to: 'Budget 2026' }]],
      [
        'property_deleted',
        id,
        [
          { field: 'name', from: 'Budget 2026', to: null },
          { field: 'value_type', from: 'number', to: null },
        ],
      ],
    ])
  })

  test('rejects a duplicate name in any case', async () => {
    await using app = await createTestApp()
    await define(app, { name: 'Tier' })
    const other = await define(app, { name: 'Other' })
    const twice = await app.call('POST', ALL, { body: { name: 'TIER', value_type: 'string' } })
    expect([twice.status, twice.body.code, twice.body.errors]).toEqual([
      409,
      'conflict',
      { name: ['A custom property named TIER already exists.'] },
    ])
    expect((await app.call('PATCH', `${ALL}${other.id}`, { body: { name: 'tier' } })).status).toBe(409)
    expect((await app.call('PATCH', `${ALL}tier`, { body: { name: 'TIER' } })).body.name).toBe('TIER')
    expect((await app.call('GET', ALL)).body).toHaveLength(2)
  })

  test('accepts almost any name and is found by it', async () => {
    await using app = await createTestApp()
    for (const name of [
      'a/b',
      'a%20b',
      '100 %',
      'Ω',
      '😀',
      "o'r",
      'a\tb',
      'x'.repeat(255),
      '😀'.repeat(200),
      '__proto__',
      'custom_properties',
    ]) {
      const { id } = await define(app, { name })
      expect((await app.call('GET', `${ALL}${encodeURIComponent(name)}`)).body.id, name).toBe(id)
    }
  })

  test('rejects invalid definitions and changes nothing', async () => {
    await using app = await createTestApp()
    const { id } = await define(app, { name: 'Tier' })
    const before = await app.listActivities()
    for (const [body, field] of [
      [{ value_type: 'string' }, 'name'],
      [{ name: 'x' }, 'value_type'],
      [{ name: '', value_type: 'string' }, 'name'],
      [{ name: '  ', value_type: 'string' }, 'name'],
      [{ name: 7, value_type: 'string' }, 'name'],
      [{ name: UNKNOWN, value_type: 'string' }, 'name'],
      [{ name: UNKNOWN.replaceAll('-', ''), value_type: 'string' }, 'name'],
      [{ name: 'x'.repeat(256), value_type: 'string' }, 'name'],
      [{ name: 'a\0b', value_type: 'string' }, 'name'],
      [{ name: '\ud800', value_type: 'string' }, 'name'],
      [{ name: 'x', value_type: 'text' }, 'value_type'],
      [{ name: 'x', value_type: null }, 'value_type'],
      [{ name: 'x', value_type: 'string', entity_types: 'table' }, 'entity_types'],
      [{ name: 'x', value_type: 'string', entity_types: ['tables'] }, 'entity_types'],
      [{ name: 'x', value_type: 'string', options: ['a'] }, 'options'],
      [{ name: 'x', value_type: 'select', options: [' '] }, 'options'],
      [{ name: 'x', value_type: 'select', options: [7] }, 'options'],
    ] as const)
      for (const [method, path] of [
        ['POST', ALL],
        ['PUT', `${ALL}${id}`],
      ] as const) {
        const response = await app.call(method, path, { body })
        expect([response.status, response.body.code], JSON.stringify(body)).toEqual([400, 'validation_failed'])
        expect(Object.keys(response.body.errors)[0], JSON.stringify(body)).toMatch(field)
      }
    for (const key of [UNKNOWN, 'nothing', '%00', 'a%00b', 'x'.repeat(400)])
      for (const method of ['GET', 'DELETE']) expect([key, (await app.call(method, `${ALL}${key}`)).status]).toEqual([key, 404])
    expect(await app.listActivities()).toEqual(before)
  })

  test('honors If-Match and Idempotency-Key', async () => {
    await using app = await createTestApp()
    const headers = { 'idempotency-key': 'once' }
    const body = { name: 'Tier', value_type: 'string' }
    const first = await app.call('POST', ALL, { body, headers })
    expect((await app.call('POST', ALL, { body, headers })).text).toBe(first.text)
    const old = { 'if-match': first.headers.etag! }
    const edited = await app.call('PATCH', `${ALL}Tier`, { body: { value_type: 'select' }, headers: old })
    expect(edited.status).toBe(200)
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await app.call(method, `${ALL}Tier`, { body: method === 'DELETE' ? undefined : body, headers: old })).status).toBe(412)
    expect((await app.call('DELETE', `${ALL}Tier`, { headers: { 'if-match': edited.headers.etag! } })).status).toBe(204)
  })

  test('viewers can read and editors can edit properties', async () => {
    await using app = await createTestApp()
    const [viewer, editor] = [await app.createUser('viewer'), await app.createUser('editor')]
    const body = { name: 'Tier', value_type: 'string' }
    expect((await app.call('POST', ALL, { body, token: viewer.token })).status).toBe(403)
    expect((await app.call('POST', ALL, { body, token: editor.token })).status).toBe(200)
    expect((await app.call('GET', ALL, { token: viewer.token })).body).toHaveLength(1)
    expect((await app.call('DELETE', `${ALL}Tier`, { token: viewer.token })).status).toBe(403)
    expect((await app.call('DELETE', `${ALL}Tier`, { token: editor.token })).status).toBe(204)
  })
})

test('returns a documented response for any input', async () => {
  await using app = await createTestApp()
  const contract = loadContract(await loadOpenApi(app.fastify))
  const { id } = await app.createResource()
  for (const value_type of VALUE_TYPES) await define(app, { name: value_type, value_type })
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      ...VALUE_TYPES,
      id,
      UNKNOWN,
      '',
      '%',
      '%00',
      '\0',
      '\ud800',
      '["\\u0000"]',
      '1e999',
      '9999-99-99',
      'http://[',
      '{}',
      'x'.repeat(600),
    ),
  )
  const any = fc.oneof(fc.jsonValue({ maxDepth: 2 }), odd, fc.array(odd, { maxLength: 3 }), fc.dictionary(odd, odd, { maxKeys: 3 }))
  const body = fc.oneof(
    fc.dictionary(fc.constantFrom('name', 'value_type', 'entity_types', 'options', 'value', 'entity_ids', 'properties'), any, {
      maxKeys: 5,
    }),
    fc.record({ value: odd }),
    fc.record({ entity_ids: fc.constant([id]), properties: fc.dictionary(odd, odd, { maxKeys: 3 }) }),
    any,
  )
  const route = fc.constantFrom(
    ['POST', ''],
    ['PUT', ':custom_property_id'],
    ['PATCH', ':custom_property_id'],
    ['GET', ':custom_property_id'],
    ['PUT', ':custom_property_id/:entity_id'],
    ['DELETE', ':custom_property_id/:entity_id'],
    ['PUT', BULK],
  )
  await fc.assert(
    fc.asyncProperty(route, odd, body, async ([method = '', rest = ''], key, body) => {
      const url = rest === BULK ? BULK : `${ALL}${rest}`
      const path = url.replace(':custom_property_id', encodeURIComponent(key.toWellFormed())).replace(':entity_id', id)
      const sent = ['GET', 'DELETE'].includes(method) ? undefined : JSON.stringify(body)
      const response = await app.call(method, path, { body: sent })
      // A URL without a name belongs to another endpoint, and one that is too long is not routed.
      if (key === '' || key.length > 500) expect(response.status).toBeLessThan(500)
      else expect(contract(method, `/api/v1${url}`, response), `${method} ${path} ${sent} ${response.text}`).toBeUndefined()
    }),
    { numRuns: 300, seed: 20_260_301 },
  )
})

describe('a property with values', () => {
  test('can change its type if every value is valid, and records values whose normal form changes', async () => {
    await using app = await createTestApp()
    const [one, two, three] = [await app.createResource(), await app.createResource(), await app.createResource()]
    const { id } = await define(app, { name: 'Rows' })
    await put(app, 'Rows', one.id, '007')
    await put(app, 'Rows', two.id, '12')
    await put(app, 'Rows', three.id, 'many')
    const rejected = await app.call('PATCH', `${ALL}Rows`, { body: { value_type: 'number' } })
    expect([rejected.status, rejected.body.errors]).toEqual([
      400,
      { value_type: ['Some existing values are not a decimal number, e.g. 12.5.'] },
    ])
    await put(app, 'Rows', three.id, '100')
    const before = (await history(app)).length
    expect((await app.call('PATCH', `${ALL}Rows`, { body: { value_type: 'number' } })).status).toBe(200)
    expect([await getStoredValue(app, 'Rows', one.id), await getStoredValue(app, 'Rows', two.id)]).toEqual(['7', '12'])
    const recorded = (await history(app)).slice(before)
    expect(recorded).toHaveLength(2)
    expect(recorded).toContainEqual(['property_updated', id, [{ field: 'value_type', from: 'string', to: 'number' }]])
    const change = { field: 'custom_property:Rows', from: '007', to: '7', custom_property: id, value_type: 'number' }
    expect(recorded).toContainEqual(['property_set', one.id, [change]])
    const more = `/resource/catalog?filter=${encodeURIComponent('{"operator":"gt","field":"custom_property:Rows","value":"9"}')}`
    expect((await app.call('GET', more)).body.count).toBe(2)
    expect((await app.call('PATCH', `${ALL}Rows`, { body: { value_type: 'string' } })).status).toBe(200)
    expect((await app.call('GET', more)).body.count).toBe(0)
  })

  test('rejects removing options and entity types that are in use', async () => {
    await using app = await createTestApp()
    const table = await app.createResource({ entity_type: 'table' })
    await define(app, { name: 'Tier', value_type: 'select', options: ['gold', 'silver'] })
    expect((await put(app, 'Tier', table.id, 'bronze')).body.errors).toEqual({ value: ['must be one of gold, silver.'] })
    await put(app, 'Tier', table.id, 'gold')
    const edit = (body: object) => app.call('PATCH', `${ALL}Tier`, { body })
    expect((await edit({ options: ['silver'] })).body.errors).toEqual({ options: ['Some existing values are not one of silver.'] })
    expect((await edit({ entity_types: ['column'] })).body.errors.entity_types).toBeTruthy()
    expect((await edit({ entity_types: ['table'], options: ['gold', 'bronze'] })).status).toBe(200)
    // A client that does not send options leaves them unchanged.
    const put2 = await app.call('PUT', `${ALL}Tier`, { body: { name: 'Tier', value_type: 'select', entity_types: ['table'] } })
    expect(put2.body.options).toEqual(['gold', 'bronze'])
    expect((await edit({ value_type: 'multi_select' })).status).toBe(400)
    expect((await edit({ value_type: 'string' })).body).toMatchObject({ value_type: 'string', options: null })
    expect(await getStoredValue(app, 'Tier', table.id)).toBe('gold')
  })

  test('is deleted with its values, with an activity for every resource', async () => {
    await using app = await createTestApp()
    const [one, two] = [await app.createResource({ title: 'orders' }), await app.createResource()]
    const { id } = await define(app, { name: 'Tier' })
    await define(app, { name: 'Other' })
    await put(app, 'Tier', one.id, 'gold')
    await put(app, 'Other', one.id, 'stays')
    const before = (await history(app)).length
    expect((await app.call('DELETE', `${ALL}Tier`)).status).toBe(204)
    const recorded = (await history(app)).slice(before)
    expect(recorded.map(([type, of]) => [type, of]).sort()).toEqual([
      ['property_cleared', one.id],
      ['property_deleted', id],
    ])
    expect((await app.call('GET', `/resource/all/${one.id}/custom_properties`)).body).toMatchObject([{ name: 'Other', value: 'stays' }])
    expect((await app.call('GET', `/resource/all/${two.id}/custom_properties`)).body).toEqual([])
    const log = await app.call('GET', `/activity_log/resource_logs/?resource_id=${one.id}`)
    const sentences = log.body.non_versioned_logs.map((entry: { event_blocks: { value: string }[] }) =>
      entry.event_blocks
        .slice(1)
        .map(({ value }) => value)
        .join(' '),
    )
    expect(sentences).toEqual([
      'cleared the property Tier of orders which was “gold” together with the property',
      'set the property Other of orders to “stays”',
      'set the property Tier of orders to “gold”',
    ])
  })
})
