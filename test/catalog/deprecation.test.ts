import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createLineageCatalog } from '../support/lineage-catalog.ts'
import { createTestNotifier } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { CSV, exportLines, importLines } from '../support/transfer.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const edit = (id: string, deprecation: unknown, token = app.token) =>
  app.call('PATCH', `/resource/all/${id}`, { body: { deprecation }, token })
const read = async (id: string, token = app.token) => (await app.call('GET', `/resource/all/${id}`, { token })).body

test('is written like every field, dated once, kept in history and restored', async () => {
  const [old, fresh] = [await app.createResource({ title: 'orders_old' }), await app.createResource({ title: 'orders' })]
  expect(old.deprecation).toBe(null)
  const first = await edit(old.id, { reason: ' No longer loaded. ', replacement_id: fresh.id.toUpperCase() })
  expect(first.body.deprecation).toEqual({ reason: 'No longer loaded.', replacement_id: fresh.id, since: first.body.updated_at })
  expect(Object.keys((await read(old.id)).deprecation)).toEqual(['reason', 'replacement_id', 'since'])
  // Another reason keeps the date; sending the record back changes nothing.
  const second = await edit(old.id, { reason: 'Replaced.', replacement_id: fresh.id })
  expect(second.body).toMatchObject({ version: 3, deprecation: { reason: 'Replaced.', since: first.body.deprecation.since } })
  expect((await app.call('PATCH', `/resource/all/${old.id}`, { body: second.body })).body).toMatchObject({ version: 3 })
  expect((await edit(old.id, { since: '2026-03-01' })).body.deprecation).toEqual({
    reason: null,
    replacement_id: null,
    since: '2026-03-01T00:00:00.000Z',
  })
  expect((await edit(old.id, null)).body.deprecation).toBe(null)
  const { body: logs } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${old.id}`)
  expect(logs.version_histories.find(({ version }: { version: number }) => version === 2).changes).toEqual([
    { field: 'deprecation', from: null, to: first.body.deprecation },
  ])
  const restored = await app.call('POST', `/resource/all/${old.id}/restore`, { body: { version: 3 } })
  expect(restored.body.deprecation).toEqual(second.body.deprecation)
  await app.call('DELETE', `/resource/all/${old.id}`)
  const back = await app.call('POST', `/resource/all/${old.id}/restore`, { body: {} })
  expect(back.body.deprecation).toEqual(second.body.deprecation)
  const created = await app.call('POST', '/resource/catalog', { body: { title: 'x', deprecation: { replacement_id: fresh.id } } })
  expect(created.body.deprecation).toEqual({ reason: null, replacement_id: fresh.id, since: created.body.created_at })
  const bulk = [{ id: fresh.id, data: { deprecation: { reason: 'All of it.' } } }]
  expect((await app.call('POST', '/resource/all/bulk_update/', { body: bulk })).status).toBe(200)
  expect((await read(fresh.id)).deprecation.reason).toBe('All of it.')
})

test('the replacement is another resource that the writer can see', async () => {
  const table = await app.createResource({ title: 'payments' })
  const hidden = await app.createResource({ title: 'hidden', teams: [await app.createTeam(true)] })
  const editor = await app.createUser('editor')
  for (const [deprecation, field] of [
    [{ replacement_id: table.id }, 'deprecation.replacement_id'],
    [{ replacement_id: newId() }, 'deprecation.replacement_id'],
    [{ replacement_id: hidden.id }, 'deprecation.replacement_id'],
    [{ replacement_id: 'orders' }, 'deprecation.replacement_id'],
    [{ since: 'yesterday' }, 'deprecation.since'],
    [{ reason: 5 }, 'deprecation.reason'],
    [true, 'deprecation'],
  ] as const) {
    const { status, body } = await edit(table.id, deprecation, editor.token)
    expect([status, Object.keys(body.errors ?? {})[0]], JSON.stringify(deprecation)).toEqual([400, field])
  }
  expect((await read(table.id)).version).toBe(1)
  expect((await edit(table.id, { replacement_id: hidden.id })).status).toBe(200)
  // One that was set before stays, also for a writer who cannot see it.
  expect((await edit(table.id, { reason: 'Gone.', replacement_id: hidden.id }, editor.token)).status).toBe(200)
})

test('lists filter and sort by it, and files carry it', async () => {
  const filtered = async (operator: string, value?: string) => {
    const filter = JSON.stringify({
      operator: 'and',
      operands: [
        { operator: 'starts_with', field: 'title', value: 'filtered' },
        { operator, field: 'deprecation', value },
      ],
    })
    const sort = JSON.stringify({ field: 'deprecation' })
    const { body } = await app.call('GET', `/resource/catalog?filter=${encodeURIComponent(filter)}&sort=${encodeURIComponent(sort)}`)
    return [body.count, body.results.map(({ title }: { title: string }) => title)]
  }
  await app.createResource({ title: 'filtered 1' })
  await app.createResource({ title: 'filtered 2', deprecation: { since: '2026-02-01' } })
  const last = await app.createResource({ title: 'filtered 3', deprecation: { reason: 'Old, "really".', since: '2025-01-01T10:00:00Z' } })
  expect(await filtered('is_set')).toEqual([2, ['filtered 3', 'filtered 2']])
  expect(await filtered('is_not_set')).toEqual([1, ['filtered 1']])
  expect(await filtered('gt', '2026-01-01')).toEqual([1, ['filtered 2']])
  await edit(last.id, null)
  expect(await filtered('is_set')).toEqual([1, ['filtered 2']])

  const integration = newId()
  const line = { databuilder_id: 'a', title: 'a', deprecation: { reason: 'Old, "really".', replacement_id: last.id, since: '2025-01-01' } }
  expect((await importLines(app, [line], { integration })).body).toMatchObject({ created: 1, ignored_fields: [] })
  const [exported] = await exportLines(app, `&integration_id=${integration}`)
  expect(exported.deprecation).toEqual({ ...line.deprecation, since: '2025-01-01T00:00:00.000Z' })
  const { text } = await app.call('GET', `/resource/export?format=csv&integration_id=${integration}&fields=databuilder_id,deprecation`)
  expect((await importLines(app, text, { integration, headers: CSV })).body).toMatchObject({ updated: 0, unchanged: 1 })
  expect((await importLines(app, text.replace('really', 'truly'), { integration, headers: CSV })).body).toMatchObject({ updated: 1 })
  const wrong = [{ databuilder_id: 'a', deprecation: { replacement_id: newId() } }]
  expect((await importLines(app, wrong, { integration })).status).toBe(400)
})

test('search, what-if and the gate take it into account', async () => {
  const catalog = await createLineageCatalog(app, {
    'shop.public.orders': ['id'],
    'shop.public.legacy_orders': ['id'],
    'shop.public.mart': ['id'],
  })
  const [orders, legacy, mart] = ['orders', 'legacy_orders', 'mart'].map((name) => catalog.get(`shop.public.${name}`)!)
  await app.call('PATCH', `/resource/all/${legacy}`, { body: { verified: true, description: 'Orders.' } })
  const search = async () =>
    (await app.call('GET', '/search?q=orders&entity_type=table')).body.results
      .map(({ id }: { id: string }) => id)
      .filter((id: string) => id === orders || id === legacy)
  await edit(orders!, { reason: 'Wrong time zone.', replacement_id: legacy, since: '2026-01-02' })
  expect(await search()).toEqual([legacy, orders])
  await edit(orders!, null)
  expect(await search()).toEqual([orders, legacy])

  await edit(legacy!, { reason: 'Wrong time zone.', replacement_id: orders, since: '2026-01-02' })
  const warning = {
    resource_id: legacy,
    resource: 'shop.public.legacy_orders',
    text: 'Deprecated since 2026-01-02: Wrong time zone. Use shop.public.orders instead.',
    text_translatable: expect.objectContaining({ template: '{first} Use {replacement} instead.' }),
    since: '2026-01-02T00:00:00.000Z',
    replacement_id: orders,
  }
  const body = { sql: 'select id from shop.public.legacy_orders', table_id: mart }
  const whatIf = (await app.call('POST', '/lineage/what_if', { body })).body
  expect(whatIf.warnings).toEqual([warning])
  expect(whatIf.comment).toContain('- `shop.public.legacy_orders`: Deprecated since 2026-01-02: Wrong time zone.')
  const dropped = await app.call('POST', '/lineage/what_if', { body: { dropped_tables: [legacy] } })
  expect(dropped.body.warnings).toEqual([warning])
  await app.call('POST', '/lineage/lineage_from_query', { body })
  const gate = async (query: string, token = app.token) =>
    (await app.call('GET', `/monitor/gate?resource_id=${mart}${query}`, { token })).body
  expect((await gate('')).warnings).toEqual([])
  expect(await gate('&upstream=true')).toMatchObject({ status: 'unknown', warnings: [warning] })
  // A hidden replacement is not named.
  const team = await app.createTeam(true)
  await app.call('PATCH', `/resource/all/${orders}`, { body: { teams: [team] } })
  const editor = await app.createUser('editor')
  expect((await gate('&upstream=true', editor.token)).warnings).toEqual([
    { ...warning, text_translatable: expect.anything(), text: 'Deprecated since 2026-01-02: Wrong time zone.', replacement_id: null },
  ])
})

test('owners of what reads it are told, if they can see it', async () => {
  const [ada, ben, eve] = [await app.createUser('editor'), await app.createUser('editor'), await app.createUser('editor')]
  const catalog = await createLineageCatalog(app, { 'told.public.source': ['id'], 'told.public.copy': ['id'], 'told.public.far': ['id'] })
  const [source, copy, far] = ['source', 'copy', 'far'].map((name) => catalog.get(`told.public.${name}`)!)
  for (const [id, owner] of [
    [copy, ada],
    [far, eve],
  ] as const)
    await app.call('PATCH', `/resource/all/${id}`, { body: { owners: [owner.id] } })
  for (const [from_entity, to_entity] of [
    [source, copy],
    [copy, far],
  ])
    await app.call('POST', '/lineage/manual', { body: { from_entity, to_entity, direction: 'DOWNSTREAM' } })
  const notifier = createTestNotifier(app)
  await notifier.follow()
  await edit(source!, { reason: 'Old.' })
  await notifier.follow()
  const texts = async ({ token }: { token: string }) =>
    (await app.call('GET', `/notification/inbox?resource_id=${source}`, { token })).body.results.flatMap(
      (each: { changes: { text: string }[] }) => each.changes.map(({ text }) => text),
    )
  expect(await texts(ada)).toEqual([expect.stringContaining('deprecated source')])
  expect([await texts(ben), await texts(eve)]).toEqual([[], []]) // not an owner, and two steps away
  // Those who cannot see it are not told.
  await app.call('PATCH', `/resource/all/${source}`, { body: { teams: [await app.createTeam(true)] } })
  await edit(source!, null)
  await notifier.follow()
  expect(await texts(ada)).toHaveLength(0)
})
