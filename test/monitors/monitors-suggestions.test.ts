import { expect, test } from 'vitest'
import { suggestMonitors } from '../../src/observability/monitor-suggestions/rules.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp } from '../support/test-app.ts'

const PATH = '/monitor/suggestions'

test('suggestions are based on columns and profiles, and accepting them creates monitors', async () => {
  await using app = await createTestApp()
  const orders = await app.createResource({ title: 'orders', entity_type: 'table' })
  const column = (title: string, native_type: string) =>
    app.createResource({ title, entity_type: 'column', parent: orders.id, native_type })
  const [id, customer, amount, status] = [
    await column('id', 'bigint'),
    await column('customer_id', 'bigint'),
    await column('amount', 'numeric(10,2)'),
    await column('status', 'text'),
  ]
  await column('created_at', 'timestamp with time zone')
  const read = async () => (await app.call('GET', `${PATH}?resource_id=${orders.id}`)).body
  const keys = async () => (await read()).suggestions.map(({ key }: { key: string }) => key.split(':')[0])
  const before = await read()
  expect(before.based_on).toBe('names and types of 5 columns')
  expect(await keys()).toEqual(['row_count', 'freshness', 'unique_percentage', 'null_percentage', 'null_percentage', 'mean', 'cardinality'])
  expect(before.suggestions.every(({ reason }: { reason: string }) => reason.length > 20)).toBe(true)
  expect(before.suggestions[1]).toMatchObject({ metric_config: { timestamp_column: 'created_at' } })

  const profile = (resource_id: string, more: object) =>
    app.db
      .insertInto('column_profiles')
      .values({
        ...{
          resource_id,
          table_id: orders.id,
          profiled_at: new Date(),
          sampled: 'all',
          rows_read: 1000,
          nulls: 0,
          distinct_approximate: false,
        },
        ...more,
      })
      .execute()
  await profile(customer.id, { distinct_values: 300 })
  await profile(amount.id, { distinct_values: 900, min: '0.5' })
  await profile(status.id, { distinct_values: 4 })
  const profiled = await read()
  expect(profiled.based_on).toBe('the profiles of 3 of 5 columns')
  expect(profiled.suggestions.find(({ target }: { target: string }) => target === customer.id)).toMatchObject({
    condition_manual_max: 0,
    condition_auto_sensitivity: null,
    reason: 'It looks like a foreign key, and none of 1,000 rows is null.',
  })
  expect(profiled.suggestions.find(({ key }: { key: string }) => key === `min:${amount.id}`)).toMatchObject({ condition_manual_min: 0 })

  const accept = [`row_count:${orders.id}`, `unique_percentage:${id.id}`]
  const accepted = await app.call('POST', PATH, { body: { resource_id: orders.id, accept, notify_slack_channel: 'C0DATA' } })
  expect([accepted.status, accepted.body.monitors]).toMatchObject([
    201,
    [
      { metric_type: 'row_count', target: orders.id, condition_auto_sensitivity: 5, notify_slack_channel: 'C0DATA' },
      { metric_type: 'unique_percentage', target: id.id, condition_manual_min: 100 },
    ],
  ])
  expect((await read()).suggestions.length).toBe(profiled.suggestions.length - 2)
  expect((await app.call('POST', PATH, { body: { resource_id: orders.id, accept } })).status).toBe(400)
  expect((await app.call('POST', PATH, { body: { resource_id: orders.id } })).body.monitors).toHaveLength(profiled.suggestions.length - 2)
  expect((await read()).suggestions).toEqual([])
  expect((await app.call('GET', '/monitor/monitors')).body.count).toBe(profiled.suggestions.length)
})

test('hidden tables and columns have no suggestions, and only tables have any', async () => {
  await using app = await createTestApp()
  const closed = await app.createTeam(true)
  const hidden = await app.createResource({ title: 'salaries', entity_type: 'table', teams: [closed] })
  const table = await app.createResource({ title: 'people', entity_type: 'table' })
  await app.createResource({ title: 'secret_id', entity_type: 'column', parent: table.id, teams: [closed] })
  const editor = await app.createUser('editor')
  const get = (id: string, token = editor.token) => app.call('GET', `${PATH}?resource_id=${id}`, { token })
  expect((await get(hidden.id)).status).toBe(404)
  expect((await get(table.id)).text).not.toContain('secret')
  expect((await get(table.id, app.token)).text).toContain('secret')
  expect((await get(newId())).status).toBe(404)
  for (const id of ['x', (await app.createResource({ title: 'd', entity_type: 'dashboard' })).id]) expect((await get(id)).status).toBe(400)
  expect((await app.call('POST', PATH, { token: editor.token, body: { resource_id: hidden.id } })).status).toBe(404)
  expect((await app.call('POST', PATH, { body: { resource_id: table.id, accept: ['a\0'] } })).status).toBe(400)
  expect((await app.call('GET', '/monitor/monitors')).body.count).toBe(0)
})

test('a wide table gets a limited number of the most useful suggestions', () => {
  const columns = Array.from({ length: 100 }, (_, i) => ({ id: `c${i}`, title: `thing${i}_id`, native_type: 'bigint', is_pk: i === 0 }))
  const created = suggestMonitors({ id: 't', title: 'wide', row_count: 5, usage: 12, downstream: 1, columns })
  expect(created).toHaveLength(15)
  expect(created.slice(0, 3).map(({ metric_type }) => metric_type)).toEqual(['row_count', 'unique_percentage', 'null_percentage'])
  expect(created[0]!.reason).toContain('it is queried 12 times a day and 1 downstream resource depends on it')
})
