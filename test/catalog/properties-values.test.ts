import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ValueType } from '../../src/catalog/properties/value-types.ts'
import { newId } from '../../src/platform/core/id.ts'
import { type CallOptions, createTestApp, type TestApp } from '../support/test-app.ts'

const ALL = '/resource/all_v2/custom_properties/'
const BULK = '/resource/all_v2/bulk_update/custom_properties/'

const define = async (app: TestApp, name: string, value_type: ValueType = 'string', more: object = {}): Promise<string> =>
  (await app.call('POST', ALL, { body: { name, value_type, ...more } })).body.id
const pathOf = (property: string, entity: string) => `${ALL}${encodeURIComponent(property)}/${entity}`
const put = (app: TestApp, property: string, entity: string, value: unknown, more: CallOptions = {}) =>
  app.call('PUT', pathOf(property, entity), { body: { value }, ...more })
const bulk = (app: TestApp, entity_ids: unknown, properties: unknown, more: CallOptions = {}) =>
  app.call('PUT', BULK, { body: { entity_ids, properties }, ...more })
const valuesOf = async (app: TestApp, entity: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await app.call('GET', `/resource/all/${entity}/custom_properties`)).body.map((each: { name: string; value: string }) => [
      each.name,
      each.value,
    ]),
  )
const findValueActivities = async ({ db }: TestApp) =>
  (await db.selectFrom('activities').selectAll().orderBy('logged_at').orderBy('id').execute())
    .filter(({ activity_type }) => activity_type === 'property_set' || activity_type === 'property_cleared')
    .map(({ activity_type, resource_id, changes }) => ({ activity_type, resource_id, changes }))

describe('a value', () => {
  test('can be set, read, changed and deleted, and each change is recorded once', async () => {
    await using app = await createTestApp()
    const { id, version } = await app.createResource({ title: 'orders' })
    const property = await define(app, 'Tier')
    const set = await put(app, 'tier', id, ' gold ')
    expect([set.status, set.text, set.headers['content-length']]).toEqual([200, '', '0'])
    expect((await app.call('GET', pathOf(property, id))).body).toEqual({
      custom_property: property,
      entity_id: id,
      name: 'Tier',
      value_type: 'string',
      value: 'gold',
      updated_at: expect.any(String),
    })
    expect((await put(app, property, id, 'gold')).status).toBe(200) // nothing changes, nothing is recorded
    expect((await app.call('PATCH', pathOf('Tier', id), { body: { value: 'silver' } })).status).toBe(200)
    expect(await valuesOf(app, id)).toEqual({ Tier: 'silver' })
    expect((await put(app, 'Tier', id, '')).status).toBe(200)
    expect((await put(app, 'Tier', id, '')).status).toBe(200)
    expect((await app.call('GET', pathOf('Tier', id))).status).toBe(404)
    await put(app, 'Tier', id, 'bronze')
    const gone = await app.call('DELETE', pathOf('Tier', id))
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await app.call('DELETE', pathOf('Tier', id))).status).toBe(404)
    const change = (from: string | null, to: string | null) => [
      { field: 'custom_property:Tier', from, to, custom_property: property, value_type: 'string' },
    ]
    expect(await findValueActivities(app)).toEqual([
      { activity_type: 'property_set', resource_id: id, changes: change(null, 'gold') },
      { activity_type: 'property_set', resource_id: id, changes: change('gold', 'silver') },
      { activity_type: 'property_cleared', resource_id: id, changes: change('silver', null) },
      { activity_type: 'property_set', resource_id: id, changes: change(null, 'bronze') },
      { activity_type: 'property_cleared', resource_id: id, changes: change('bronze', null) },
    ])
    // Values are not part of the record and create no version.
    expect((await app.call('GET', `/resource/all/${id}`)).body.version).toBe(version)
  })

  test('must be valid for its type', async () => {
    await using app = await createTestApp()
    const { id } = await app.createResource()
    for (const [type, wrong, right, kept] of [
      ['string', 'x'.repeat(256), 'x', 'x'],
      ['number', 'seven', '07.0', '7'],
      ['boolean', 'yes', 'TRUE', 'true'],
      ['date', '2026-02-30', '2026-02-28', '2026-02-28'],
      ['select', 'x'.repeat(256), 'any', 'any'],
      ['multi_select', 'a,b', '["a", "b"]', '["a","b"]'],
      ['tag', 'gold', id.toUpperCase(), id],
      ['url', 'example.com', 'https://example.com', 'https://example.com/'],
    ] as const) {
      await define(app, type, type)
      const rejected = await put(app, type, id, wrong)
      expect([type, rejected.status, Object.keys(rejected.body.errors)]).toEqual([type, 400, ['value']])
      expect((await put(app, type, id, right)).status).toBe(200)
      expect((await valuesOf(app, id))[type]).toBe(kept)
    }
    for (const value of [7, true, null, ['a'], 'a\0b', '\ud800', 'x'.repeat(30_000)])
      expect([value, (await put(app, 'string', id, value)).status]).toEqual([value, 400])
    expect((await app.call('PUT', pathOf('string', id), { body: {} })).status).toBe(400)
    expect((await valuesOf(app, id)).string).toBe('x')
  })

  test('can only reference existing users and visible resources', async () => {
    await using app = await createTestApp()
    const [editor, someone] = [await app.createUser('editor'), await app.createUser('viewer')]
    const [target, shown] = [await app.createResource(), await app.createResource()]
    const hidden = await app.createResource({ teams: [await app.createTeam(true)] })
    await define(app, 'Steward', 'user')
    await define(app, 'Source', 'resource')
    const as = { token: editor.token }
    expect((await put(app, 'Steward', target.id, someone.id, as)).status).toBe(200)
    expect((await put(app, 'Source', target.id, shown.id, as)).status).toBe(200)
    const unknownUser = newId()
    expect((await put(app, 'Steward', target.id, unknownUser, as)).body.errors).toEqual({
      value: [`The user ${unknownUser} does not exist.`],
    })
    const missing = await put(app, 'Source', target.id, unknownUser, as)
    const unseen = await put(app, 'Source', target.id, hidden.id, as)
    expect([missing.status, missing.body.errors]).toEqual([400, { value: [`The resource ${unknownUser} does not exist.`] }])
    expect({ ...unseen.body, request_id: '' }).toEqual(
      JSON.parse(JSON.stringify({ ...missing.body, request_id: '' }).replaceAll(unknownUser, hidden.id)),
    )
  })

  test('is rejected for entity types that the property does not apply to', async () => {
    await using app = await createTestApp()
    const [table, column] = [await app.createResource({ entity_type: 'table' }), await app.createResource({ entity_type: 'column' })]
    await define(app, 'Tier', 'string', { entity_types: ['table'] })
    expect((await put(app, 'Tier', table.id, 'gold')).status).toBe(200)
    const rejected = await put(app, 'Tier', column.id, 'gold')
    expect([rejected.status, rejected.body.errors]).toEqual([400, { value: ['Tier does not apply to resources of type column.'] }])
    expect((await bulk(app, [table.id, column.id], { Tier: 'silver' })).status).toBe(400)
    expect(await valuesOf(app, table.id)).toEqual({ Tier: 'gold' })
  })

  test('of a hidden resource is not found', async () => {
    await using app = await createTestApp()
    const [editor, viewer] = [await app.createUser('editor'), await app.createUser('viewer')]
    const hidden = await app.createResource({ teams: [await app.createTeam(true)], published: true })
    const draft = await app.createResource()
    await define(app, 'Tier')
    for (const { id } of [hidden, draft]) await put(app, 'Tier', id, 'gold')
    const nothing = newId()
    const same = (response: { text: string }) =>
      response.text.replaceAll(/"request_id":"[^"]*"/g, '').replaceAll(new RegExp(`${hidden.id}|${draft.id}|${nothing}`, 'g'), 'ID')
    for (const [token, id] of [
      [editor.token, hidden.id],
      [viewer.token, hidden.id],
      [viewer.token, draft.id],
    ] as const) {
      for (const path of [(id: string) => `/resource/all/${id}/custom_properties`, (id: string) => pathOf('Tier', id)]) {
        const [there, not] = [await app.call('GET', path(id), { token }), await app.call('GET', path(nothing), { token })]
        expect([there.status, same(there)]).toEqual([404, same(not)])
      }
    }
    for (const call of [
      (id: string) => put(app, 'Tier', id, 'x', { token: editor.token }),
      (id: string) => app.call('DELETE', pathOf('Tier', id), { token: editor.token }),
      (id: string) => bulk(app, [id], { Tier: 'x' }, { token: editor.token }),
    ]) {
      const [there, not] = [await call(hidden.id), await call(nothing)]
      expect([there.status, same(there)]).toEqual([404, same(not)])
    }
    expect(await valuesOf(app, hidden.id)).toEqual({ Tier: 'gold' })
    expect((await put(app, 'Tier', draft.id, 'x', { token: viewer.token })).status).toBe(403)
  })

  test('If-Match allows only one of two concurrent writes', async () => {
    await using app = await createTestApp({ now: () => new Date('2026-03-01T00:00:00Z') })
    const { id } = await app.createResource()
    await define(app, 'Tier')
    await put(app, 'Tier', id, 'gold')
    const { headers } = await app.call('GET', pathOf('Tier', id))
    const match = { headers: { 'if-match': headers.etag! } }
    expect((await put(app, 'Tier', id, 'silver', match)).status).toBe(200)
    expect((await put(app, 'Tier', id, 'bronze', match)).status).toBe(412)
    expect((await app.call('DELETE', pathOf('Tier', id), match)).status).toBe(412)
    expect(await valuesOf(app, id)).toEqual({ Tier: 'silver' })
    const other = await app.createResource()
    expect((await put(app, 'Tier', other.id, 'x', match)).status).toBe(412)
  })
})

describe('in bulk', () => {
  test('sets each value on each resource, deletes on an empty string, and records one activity per changed resource', async () => {
    await using app = await createTestApp()
    const ids = [(await app.createResource()).id, (await app.createResource()).id, (await app.createResource()).id] as const
    const tier = await define(app, 'Tier', 'select', { options: ['gold', 'silver'] })
    const centre = await define(app, 'Cost centre', 'number')
    await define(app, 'Note')
    await put(app, 'Note', ids[0], 'old')
    await put(app, 'Tier', ids[1], 'gold')
    const before = (await findValueActivities(app)).length
    const response = await bulk(app, [...ids, ids[0].toUpperCase().replaceAll('-', '')], {
      [tier]: 'gold',
      'cost%20centre': '007',
      Note: '',
    })
    expect([response.status, response.text]).toEqual([200, ''])
    for (const id of ids) expect(await valuesOf(app, id)).toEqual({ 'Cost centre': '7', Tier: 'gold' })
    const change = (name: string, custom_property: string, value_type: string, to: string) => ({
      field: `custom_property:${name}`,
      from: null,
      to,
      custom_property,
      value_type,
    })
    const entries = (await findValueActivities(app)).slice(before)
    expect(entries.map(({ resource_id }) => resource_id).sort()).toEqual([...ids].sort())
    expect(entries.find(({ resource_id }) => resource_id === ids[2])!.changes).toEqual([
      change('Cost centre', centre, 'number', '7'),
      change('Tier', tier, 'select', 'gold'),
    ])
    expect((entries.find(({ resource_id }) => resource_id === ids[1])!.changes as unknown[]).length).toBe(1)
    // Repeating the request changes and records nothing.
    expect((await bulk(app, ids, { Tier: 'gold', 'Cost centre': '7.0', Note: ' ' })).status).toBe(200)
    expect((await findValueActivities(app)).length).toBe(before + 3)
    expect((await app.call('PATCH', BULK, { body: { entity_ids: ids, properties: { Tier: '' } } })).status).toBe(200)
    expect((await findValueActivities(app)).slice(-1)[0]!.activity_type).toBe('property_cleared')
  })

  test('all or nothing', async () => {
    await using app = await createTestApp()
    const { id } = await app.createResource()
    await define(app, 'Tier')
    await define(app, 'Rows', 'number')
    await define(app, 'a b')
    const missing = newId()
    for (const [status, entity_ids, properties, names] of [
      [404, [id, missing], { Tier: 'gold' }, missing],
      [400, [id], { Tier: 'gold', Rows: 'many' }, 'properties.Rows'],
      [400, [id], { Tier: 'gold', Nothing: 'x' }, 'properties.Nothing'],
      [400, [id], { Tier: 'gold', tier: 'silver' }, 'properties.tier'],
      [400, [id], { 'a b': 'x', 'a%20b': 'x' }, 'specified twice'],
      [400, [id], { Tier: 'gold', '%00': 'x' }, 'properties.%00'],
      [400, [id], { Tier: 'gold', '%': 'x' }, 'properties.%'],
      [400, [id], { Tier: 7 }, 'Tier'],
      [400, [id, 'no id'], { Tier: 'gold' }, 'entity_ids'],
      [400, [id, 7], { Tier: 'gold' }, 'entity_ids'],
      [400, id, { Tier: 'gold' }, 'entity_ids'],
      [400, [id], ['gold'], 'properties'],
      [400, [id], { Tier: 'a\0b' }, 'Tier'],
      [400, undefined, { Tier: 'gold' }, 'entity_ids'],
      [400, [id], undefined, 'properties'],
      [400, Array.from({ length: 10_001 }, newId), { Tier: 'gold' }, '10,000'],
      [400, [id], Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`p${i}`, 'x'])), '100'],
      [400, Array.from({ length: 5_001 }, newId), Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`p${i}`, 'x'])), '50,000'],
    ] as const) {
      const response = await bulk(app, entity_ids, properties)
      expect([response.status, response.text.includes(names)], response.text).toEqual([status, true])
    }
    expect(await valuesOf(app, id)).toEqual({})
    expect(await findValueActivities(app)).toEqual([])
    expect((await bulk(app, [], { Tier: 'gold' })).status).toBe(200)
    expect((await bulk(app, [id], {})).status).toBe(200)
  })

  test('writes 10,000 values at once, each with an activity', async () => {
    await using app = await createTestApp()
    await sql`
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full)
      select gen_random_uuid(), now(), now(), 1, 'table', 't', 't', 't' from generate_series(1, 10000)
    `.execute(app.db)
    const ids = (await app.db.selectFrom('resources').select('id').execute()).map(({ id }) => id)
    await define(app, 'Tier')
    expect((await bulk(app, ids, { Tier: 'gold' })).status).toBe(200)
    expect(await findValueActivities(app)).toHaveLength(10_000)
    const filter = encodeURIComponent('{"operator":"exact","field":"custom_property:Tier","value":"gold"}')
    expect((await app.call('GET', `/resource/catalog?page_size=1&filter=${filter}`)).body.count).toBe(10_000)
  })

  test('serializes concurrent writes to the same resources: each activity starts from the value of the previous one', async () => {
    await using app = await createTestApp()
    await using other = await app.createInstance()
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await app.createResource()).id))
    await define(app, 'Tier')
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 ? app : other).call('PUT', BULK, {
          body: { entity_ids: i % 3 ? ids : ids.toReversed(), properties: { Tier: i % 4 ? `v${i}` : '' } },
        }),
      ),
    ).then((responses) => expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200)))
    for (const id of ids) {
      const changes = (await findValueActivities(app))
        .filter(({ resource_id }) => resource_id === id)
        .map((each) => (each.changes as [{ from: string; to: string }])[0])
      const now = (await valuesOf(app, id)).Tier ?? null
      // The recorded changes form one chain from no value to the current value.
      const chains = (at: string | null, left: typeof changes): boolean =>
        left.length === 0
          ? at === now
          : left.some(
              (each, i) =>
                each.from === at &&
                chains(
                  each.to,
                  left.filter((_, k) => k !== i),
                ),
            )
      expect(chains(null, changes), JSON.stringify(changes)).toBe(true)
    }
  })
})

describe('a deleted resource', () => {
  test('loses its values, and a restore brings back those that are still valid', async () => {
    await using app = await createTestApp()
    const parent = await app.createResource({ entity_type: 'schema', title: 'shop' })
    const { id } = await app.createResource({ entity_type: 'table', title: 'orders', parent: parent.id })
    for (const [name, type] of [
      ['Tier', 'string'],
      ['Rows', 'number'],
      ['Gone', 'string'],
      ['Retyped', 'string'],
      ['Moved', 'string'],
    ] as const)
      await define(app, name, type)
    await bulk(app, [id], { Tier: 'gold', Rows: '7', Gone: 'x', Retyped: 'many', Moved: 'y' })
    await put(app, 'Tier', parent.id, 'silver')
    expect((await app.call('DELETE', `/resource/all/${parent.id}`)).status).toBe(204)
    expect(await app.db.selectFrom('property_values').selectAll().execute()).toEqual([])
    await app.call('DELETE', `${ALL}Gone`)
    await app.call('PATCH', `${ALL}Retyped`, { body: { value_type: 'number' } })
    await app.call('PATCH', `${ALL}Moved`, { body: { entity_types: ['column'] } })
    await app.call('PATCH', `${ALL}Tier`, { body: { name: 'Class' } })
    await app.call('POST', `/resource/all/${parent.id}/restore`, { body: { version: 1 } })
    expect((await app.call('POST', `/resource/all/${id}/restore`, { body: { version: 1 } })).status).toBe(200)
    expect(await valuesOf(app, id)).toEqual({ Class: 'gold', Rows: '7' })
    expect(await valuesOf(app, parent.id)).toEqual({ Class: 'silver' })
    const filter = encodeURIComponent('{"operator":"lt","field":"custom_property:Rows","value":10}')
    expect((await app.call('GET', `/resource/catalog?filter=${filter}`)).body.results).toMatchObject([{ id }])
    const [restored] = (await app.call('GET', `/resource/all/${id}/versions`)).body.results
    expect(restored.activity_type).toBe('resource_restored')
    expect(restored.changes).toContainEqual({
      field: 'custom_property:Class',
      from: null,
      to: 'gold',
      custom_property: expect.any(String),
      value_type: 'string',
    })
  })
})
