import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../../src/app/tasks.ts'
import { newId } from '../../../src/platform/core/id.ts'
import { runJob } from '../../../src/platform/jobs/run.ts'
import { buildItemKey, type Item } from '../../../src/sources/sync/item.ts'
import { reconcile } from '../../../src/sources/sync/reconcile.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const noReport = async () => {}
async function* toAsync(items: readonly Item[]) {
  yield* items
}

/** An integration whose source is defined by the test. */
const createSource = async (app: TestApp) => {
  const { body } = await app.call('POST', '/integration/integrations', { body: { name: 'Shop' } })
  const id: string = body.id
  const sync = async (items: readonly Item[], more: { ctx?: TestApp['ctx']; whole?: boolean; sync_id?: string } = {}) => {
    const { ctx = app.ctx, whole = true, sync_id = newId() } = more
    const { report } = await reconcile({ ...ctx, now: addMinutes(ctx.now) }, { id, sync_id, whole }, toAsync(items), noReport)
    return Object.fromEntries(
      Object.entries(report).filter(([, counts]) => Object.values(counts as Record<string, number>).some((n) => n > 0)),
    )
  }
  return { id, sync }
}
const addMinutes = (now: Date) => new Date(Math.max(now.getTime(), Date.now()))

const database: Item = { key: 'shop', stable_id: '1', entity_type: 'database', fields: { title: 'shop' } }
const table = (title: string, more: Partial<Item['fields']> = {}, stable_id?: string): Item => ({
  key: buildItemKey('shop', title),
  parent: 'shop',
  ...(stable_id ? { stable_id } : {}),
  entity_type: 'table',
  fields: { title, native_type: 'table', description: null, ...more },
})
const column = (of: string, title: string, native_type = 'int', stable_id?: string): Item => ({
  key: buildItemKey('shop', of, title),
  parent: buildItemKey('shop', of),
  ...(stable_id ? { stable_id } : {}),
  entity_type: 'column',
  fields: { title, native_type },
  own: { sort_order: 1, is_pk: true },
})
const find = async (app: TestApp, key: string) => {
  const { rows } = await sql<{ id: string }>`select id from resources where databuilder_id = ${key}`.execute(app.db)
  expect([key, rows.length]).toEqual([key, 1])
  return (await app.call('GET', `/resource/all/${rows[0]!.id}`)).body
}
const edit = async (app: TestApp, id: string, body: object) =>
  expect((await app.call('PATCH', `/resource/all/${id}`, { body })).status).toBe(200)

describe('edits by users', () => {
  test('stay, whatever the source reports next, and the source value is stored separately', async () => {
    await using app = await createTestApp()
    const { sync } = await createSource(app)
    await sync([database, table('orders', { description: 'From the source.' }), column('orders', 'id')])
    const { id } = await find(app, 'shop.orders')
    await edit(app, id, { description: 'By a person.' })
    expect(await sync([database, table('orders', { description: 'Changed there.' }), column('orders', 'id')])).toEqual({
      kept: { table: 1 },
      unchanged: { database: 1, column: 1 },
    })
    expect((await find(app, 'shop.orders')).description).toBe('By a person.')
    const at = `/resource/all/${id}/provenance`
    const { body } = await app.call('GET', at)
    expect(body).toContainEqual({
      field: 'description',
      by: 'person',
      value: 'By a person.',
      source: 'custom',
      source_value: 'Changed there.',
    })
    expect(body).toContainEqual({ field: 'native_type', by: 'source', value: 'table', source: 'custom', source_value: 'table' })
    const back = await app.call('POST', `${at}/take_back`, { body: { field: 'description' } })
    expect(back.body).toContainEqual({
      field: 'description',
      by: 'source',
      value: 'Changed there.',
      source: 'custom',
      source_value: 'Changed there.',
    })
    await sync([database, table('orders', { description: 'Changed again.' }), column('orders', 'id')])
    expect((await find(app, 'shop.orders')).description).toBe('Changed again.')
  })

  test('stay when a user cleared, moved or renamed something', async () => {
    await using app = await createTestApp()
    const { sync } = await createSource(app)
    await sync([database, table('orders', { description: 'a' }), column('orders', 'id')])
    const ownSchema = await app.createResource({ title: 'my place', entity_type: 'schema' })
    const orders = await find(app, 'shop.orders')
    const id = await find(app, 'shop.orders.id')
    await edit(app, orders.id, { description: null, title: 'Orders', parent: ownSchema.id })
    await app.call('PATCH', `/table/columns/${id.id}`, { body: { is_pk: false } })
    await sync([database, table('orders', { description: 'b', native_type: 'view' }), column('orders', 'id', 'bigint')])
    expect(await find(app, 'shop.orders')).toMatchObject({
      description: null,
      title: 'Orders',
      title_full: 'my place.Orders',
      native_type: 'view',
    })
    expect(await find(app, 'shop.orders.id')).toMatchObject({ is_pk: false, native_type: 'bigint' })
  })

  test('from before the first sync stay; only empty fields are filled', async () => {
    await using app = await createTestApp()
    const { id, sync } = await createSource(app)
    const body = `${JSON.stringify({ databuilder_id: 'shop.orders', entity_type: 'table', title: 'orders', description: 'Imported.' })}\n`
    const imported = await app.call('POST', `/integration/integrations/${id}/import_jsonl_metadata/`, {
      body,
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect([imported.status, imported.text]).toEqual([200, expect.any(String)])
    const before = await find(app, 'shop.orders')
    expect(await sync([database, table('orders', { description: 'From the source.' })])).toMatchObject({
      new: { database: 1 },
      changed: { table: 1 },
    })
    expect(await find(app, 'shop.orders')).toMatchObject({ id: before.id, description: 'Imported.', native_type: 'table' })
    expect((await find(app, 'shop.orders')).title_full).toBe('shop.orders')
  })

  test('are distinguished from the source’s in the history', async () => {
    await using app = await createTestApp()
    const { id, sync } = await createSource(app)
    await sync([database, table('orders', { description: 'a' })])
    await sync([database, table('orders', { description: 'b' })])
    const orders = await find(app, 'shop.orders')
    const { body } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${orders.id}`)
    expect(
      body.version_histories.map((each: { performer_type: string; activity_type: string; changes: unknown }) => [
        each.performer_type,
        each.activity_type,
      ]),
    ).toEqual([
      ['INTEGRATION', 'resource_updated'],
      ['INTEGRATION', 'resource_created'],
    ])
    expect(body.version_histories[0].changes).toEqual([{ field: 'description', from: 'a', to: 'b' }])
    expect(orders.integration).toBe(id)
  })

  test('are never lost in any sequence of edits and syncs', async () => {
    await using app = await createTestApp()
    const { sync } = await createSource(app)
    let seed = 7
    const random = (n: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % n
    }
    const reported = ['s0', 's0']
    const people: (string | null | undefined)[] = [undefined, undefined]
    const items = () => [database, ...reported.map((description, i) => table(`t${i}`, { description }))]
    await sync(items())
    for (let step = 0; step < 40; step += 1) {
      const i = random(2)
      const { id } = await find(app, `shop.t${i}`)
      if (random(3) === 0) {
        people[i] = random(4) === 0 ? null : `p${step}`
        await edit(app, id, { description: people[i] })
      } else if (random(4) === 0) {
        await app.call('POST', `/resource/all/${id}/provenance/take_back`, { body: { field: 'description' } })
        people[i] = undefined
      } else {
        if (random(3) > 0) reported[i] = `s${step}`
        await sync(items())
        for (const n of [0, 1])
          expect([step, n, (await find(app, `shop.t${n}`)).description]).toEqual([
            step,
            n,
            people[n] === undefined ? reported[n] : people[n],
          ])
      }
    }
  })
})

test('detects a rename by the stable ID of the source and keeps everything', async () => {
  await using app = await createTestApp()
  const { sync } = await createSource(app)
  const shop = (db: string, orders: string, id: string): Item[] => [
    { ...database, key: db, fields: { title: db } },
    { ...table(orders, {}, '2'), key: `${db}.${orders}`, parent: db },
    { ...column(orders, id, 'int', '2/1'), key: `${db}.${orders}.${id}`, parent: `${db}.${orders}` },
  ]
  await sync(shop('shop', 'orders', 'id'))
  const [orders, id] = [await find(app, 'shop.orders'), await find(app, 'shop.orders.id')]
  await edit(app, orders.id, { description: 'By a person.', verified: true })
  expect(await sync(shop('store', 'purchases', 'number'))).toEqual({ changed: { database: 1, table: 1, column: 1 } })
  expect(await find(app, 'store.purchases')).toMatchObject({
    id: orders.id,
    title: 'purchases',
    title_full: 'store.purchases',
    description: 'By a person.',
    verified: true,
    stale: false,
  })
  expect(await find(app, 'store.purchases.number')).toMatchObject({ id: id.id, title_full: 'store.purchases.number' })
  expect(await sync(shop('store', 'purchases', 'number'))).toEqual({ unchanged: { database: 1, table: 1, column: 1 } })
})

test('matches a renamed item to an existing resource with its new key', async () => {
  await using app = await createTestApp()
  const { id, sync } = await createSource(app)
  await sync([database, table('orders', {}, '2')])
  const body = `${JSON.stringify({ databuilder_id: 'shop.purchases', entity_type: 'table', title: 'purchases', description: 'Imported.' })}\n`
  const headers = { 'content-type': 'application/x-ndjson' }
  await app.call('POST', `/integration/integrations/${id}/import_jsonl_metadata/`, { body, headers })
  expect(await sync([database, table('purchases', {}, '2')])).toMatchObject({ changed: { table: 1 }, stale: { table: 1 } })
  expect(await find(app, 'shop.purchases')).toMatchObject({ description: 'Imported.', stale: false })
  expect(await find(app, 'shop.orders')).toMatchObject({ stale: true })
})

test('matches a table recreated under its name, but not a copy that took its ID', async () => {
  await using app = await createTestApp()
  const { sync } = await createSource(app)
  await sync([database, table('orders', {}, '2')])
  const { id } = await find(app, 'shop.orders')
  await sync([database, table('backup_of_orders', {}, '2'), table('orders', {}, '3')])
  expect((await find(app, 'shop.orders')).id).toBe(id)
  expect((await find(app, 'shop.backup_of_orders')).id).not.toBe(id)
})

describe('a missing item', () => {
  test('becomes stale with an activity, is archived later, and comes back unchanged', async () => {
    await using app = await createTestApp()
    const { sync } = await createSource(app)
    const all = [database, table('orders'), column('orders', 'id'), table('kept')]
    await sync(all)
    const { id } = await find(app, 'shop.orders')
    expect(await sync([database, table('kept')])).toEqual({ unchanged: { database: 1, table: 1 }, stale: { table: 1, column: 1 } })
    expect(await find(app, 'shop.orders')).toMatchObject({ id, stale: true, stale_at: expect.any(String), archived: false })
    const changes = (await app.listActivities()).length
    expect(await sync([database, table('kept')])).toEqual({ unchanged: { database: 1, table: 1 } })
    expect((await app.listActivities()).length).toBe(changes)
    const inDays = (days: number) => ({ ...app.ctx, now: new Date(Date.now() + days * 24 * 3_600_000) })
    expect(await sync([database, table('kept')], { ctx: inDays(31) })).toMatchObject({ archived: { table: 1, column: 1 } })
    expect(await find(app, 'shop.orders')).toMatchObject({ stale: true, archived: true })
    expect(await sync(all, { ctx: inDays(32) })).toMatchObject({ back: { table: 1, column: 1 } })
    expect(await find(app, 'shop.orders')).toMatchObject({ id, stale: false, stale_at: null, archived: false })
    const there = (await app.listActivities()).length
    expect(await sync(all, { ctx: inDays(33) })).toEqual({ unchanged: { database: 1, table: 2, column: 1 } })
    expect((await app.listActivities()).length).toBe(there)
    const { body } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${id}`)
    expect(body.version_histories.map((each: { changes: { field: string }[] }) => each.changes.map(({ field }) => field).join())).toEqual([
      'stale',
      'archived',
      'archived',
      'stale',
      expect.any(String),
    ])
    const sentences = body.version_histories.map((each: { event_blocks: { value: string }[] }) =>
      each.event_blocks.map(({ value }) => value).join(' '),
    )
    expect(sentences[3]).toBe('Shop marked orders as missing from its source')
    expect(await sync([database, table('kept')], { ctx: inDays(34) })).toMatchObject({ stale: { table: 1, column: 1 } })
  })

  test('is ignored in partial syncs and when a user overrode it; an archive by a user stays', async () => {
    await using app = await createTestApp()
    const { sync } = await createSource(app)
    const kept = table('kept')
    await sync([database, kept, table('forced'), table('archived')])
    const forced = await find(app, 'shop.forced')
    await sql`update resources set forced_unstale_by_user = true where id = ${forced.id}`.execute(app.db)
    await edit(app, (await find(app, 'shop.archived')).id, { archived: true })
    expect(
      await sync(
        [table('more')].map(({ parent: _, ...item }) => item),
        { whole: false },
      ),
    ).toEqual({ new: { table: 1 } })
    expect(await sync([database, kept])).toMatchObject({ stale: { table: 2 } })
    await sync([database, kept], { ctx: { ...app.ctx, now: new Date(Date.now() + 31 * 24 * 3_600_000) } })
    expect(await find(app, 'shop.forced')).toMatchObject({ stale: false, archived: false })
    await sync([database, table('forced'), table('archived')])
    expect(await find(app, 'shop.archived')).toMatchObject({ stale: false, archived: true })
  })

  test('is created again if a user deleted it and the source still has it', async () => {
    await using app = await createTestApp()
    const { sync } = await createSource(app)
    await sync([database, table('orders')])
    const { id } = await find(app, 'shop.orders')
    await app.call('DELETE', `/resource/all/${id}`)
    expect(await sync([database, table('orders')])).toMatchObject({ new: { table: 1 } })
    expect((await find(app, 'shop.orders')).id).not.toBe(id)
  })
})

describe('at any time', () => {
  const many = [database, ...Array.from({ length: 3000 }, (_, i) => table(`t${i}`))]

  test('a sync may crash: what it wrote stays, the next one continues, without duplicates', async () => {
    await using app = await createTestApp()
    const { id, sync } = await createSource(app)
    const sync_id = newId()
    let reports = 0
    const dying = reconcile(app.ctx, { id, sync_id, whole: true }, toAsync(many), async (progress) => {
      if (progress > 30 && ++reports === 1) throw new Error('killed')
    })
    await expect(dying).rejects.toThrow('killed')
    const { rows } = await sql<{ n: number }>`select count(*) as n from resources`.execute(app.db)
    expect(rows[0]!.n).toBe(2000)
    expect(await sync(many, { sync_id })).toEqual({ new: { table: 1001 }, unchanged: { database: 1, table: 1999 } })
    // The progress of reading is estimated from the number of items of the last sync.
    const percents: number[] = []
    const report = async (percent: number) => void percents.push(percent)
    await reconcile(app.ctx, { id, sync_id: newId(), whole: true }, toAsync(many), report)
    const reading = percents.filter((percent) => percent < 30)
    expect([reading.length, reading[0], reading.at(-1)]).toEqual([28, expect.closeTo(1, 1), expect.closeTo(28.1, 1)])
  })

  test('a source may fail halfway: nothing is written, and nothing becomes stale', async () => {
    await using app = await createTestApp()
    const { id, sync } = await createSource(app)
    await sync([database, table('orders')])
    const before = await app.listActivities()
    async function* broken() {
      yield database
      throw new Error('The source is gone.')
    }
    await expect(reconcile(app.ctx, { id, sync_id: newId(), whole: true }, broken(), noReport)).rejects.toThrow('The source is gone.')
    expect(await app.listActivities()).toEqual(before)
    expect(await app.db.selectFrom('sync_items').selectAll().execute()).toEqual([])
  })

  test('two syncs may start: one runs, the other is rejected', async () => {
    await using app = await createTestApp()
    await using other = await app.createInstance()
    const { id, sync } = await createSource(app)
    const gate = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    async function* waiting() {
      yield database
      started.resolve()
      await gate.promise
    }
    const first = reconcile(app.ctx, { id, sync_id: newId(), whole: true }, waiting(), noReport)
    await started.promise
    await expect(reconcile(other.ctx, { id, sync_id: newId(), whole: true }, toAsync([database]), noReport)).rejects.toThrow('is running')
    gate.resolve()
    await first
    expect(await sync([database])).toEqual({ unchanged: { database: 1 } })
  })

  test('the integration may be deleted: it is not created again', async () => {
    await using app = await createTestApp()
    const { id } = await createSource(app)
    async function* deleting() {
      yield database
      await app.call('DELETE', `/integration/integrations/${id}`)
    }
    await expect(reconcile(app.ctx, { id, sync_id: newId(), whole: true }, deleting(), noReport)).rejects.toThrow('being deleted')
    expect((await app.call('GET', `/integration/integrations/${id}`)).status).toBe(404)
  })
})

test('handles inconsistent sources as far as possible', async () => {
  await using app = await createTestApp()
  const { sync } = await createSource(app)
  const long = 'x'.repeat(3000)
  const lies = [
    database,
    table('twice', { description: 'first' }, '9'),
    table('twice', { description: 'second' }, '9'),
    table('same id', {}, '9'),
    table(`a\0b\ud800`, { description: 'c\0d\udfff' }),
    table(long),
    table(`${long}y`),
    table(''),
  ]
  expect(await sync(lies)).toEqual({ new: { database: 1, table: 6 } })
  expect((await find(app, 'shop.twice')).description).toBe('first')
  expect(await sync(lies)).toEqual({ unchanged: { database: 1, table: 6 } })
  expect(await sync([...lies, table('same id again', {}, '9')])).toEqual({ new: { table: 1 }, unchanged: { database: 1, table: 6 } })
  expect(await find(app, 'shop.a\uFFFDb\uFFFD')).toMatchObject({ title: 'a\uFFFDb\uFFFD', description: 'c\uFFFDd\uFFFD' })
  await expect(sync([{ ...table('lost'), parent: 'nowhere' }])).rejects.toThrow('before its parent nowhere')
})

test('writes many items in batches, each once and below its parent', async () => {
  await using app = await createTestApp()
  const { sync } = await createSource(app)
  const [tables, columns] = [200, 21]
  const names = Array.from({ length: tables }, (_, i) => `t${i}`)
  const all = (names: readonly string[]) => [
    database,
    ...names.map((name) => table(name, {}, name.split(' ')[0])),
    ...names.flatMap((name) => Array.from({ length: columns }, (_, i) => column(name, `c${i}`))),
  ]
  expect(await sync(all(names))).toEqual({ new: { database: 1, table: tables, column: tables * columns } })
  const { rows } = await sql<{ n: number; tables: number }>`
    select children_count as n, count(*)::int as tables from resources where entity_type = 'table' group by 1
  `.execute(app.db)
  expect(rows).toEqual([{ n: columns, tables }])
  const [first, ...rest] = names
  expect(await sync(all([`${first} renamed`, ...rest.slice(1)]))).toMatchObject({
    changed: { table: 1 },
    stale: { table: 1 },
    unchanged: { database: 1, table: tables - 2 },
  })
})

describe('undoing a sync', () => {
  const undo = async (app: TestApp, id: string, sync_id: string) => {
    await app.db
      .insertInto('integration_syncs')
      .values({ id: sync_id, integration: id, status: 'COMPLETED', created_at: new Date(), started_at: new Date(Date.now() - 60_000) })
      .execute()
    const at = `/integration/integrations/${id}/sync/${sync_id}/undo`
    const response = await app.call('POST', at)
    expect([response.status, response.text]).toEqual([200, expect.any(String)])
    await runJob(app.ctx, JOB_HANDLERS, response.body.id, { integration_id: id, sync_id }, true)
    expect((await app.call('POST', at)).status).toBe(409)
  }

  test('restores fields and missing resources and deletes created ones, except those edited by users', async () => {
    await using app = await createTestApp()
    const { id, sync } = await createSource(app)
    await sync([database, table('a', { description: 'a1' }), table('b', { description: 'b1' }), table('gone')])
    const sync_id = newId()
    await sync(
      [
        database,
        table('a', { description: 'a2' }),
        table('b', { description: 'b2' }),
        table('new'),
        column('new', 'id'),
        table('touched'),
        column('touched', 'id'),
      ],
      { sync_id },
    )
    await edit(app, (await find(app, 'shop.b')).id, { description: 'By a person.' })
    await edit(app, (await find(app, 'shop.touched')).id, { verified: true })
    await undo(app, id, sync_id)
    expect((await find(app, 'shop.a')).description).toBe('a1')
    expect((await find(app, 'shop.b')).description).toBe('By a person.')
    expect(await find(app, 'shop.gone')).toMatchObject({ stale: false })
    expect(await find(app, 'shop.touched')).toMatchObject({ verified: true, children_count: 0 })
    const { rows } = await sql`select from resources where databuilder_id in ('shop.new', 'shop.new.id')`.execute(app.db)
    expect(rows).toEqual([])
  })
})

test('shows provenance to users who see the resource, and lets editors reset fields', async () => {
  await using app = await createTestApp()
  const { sync } = await createSource(app)
  await sync([database, table('orders', { description: 'a' })])
  const { id } = await find(app, 'shop.orders')
  const at = `/resource/all/${id}/provenance`
  const viewer = await app.createUser('viewer')
  expect((await app.call('GET', at, { token: viewer.token })).status).toBe(404)
  await edit(app, id, { published: true, description: 'b' })
  const seen = await app.call('GET', at, { token: viewer.token })
  // The database it belongs to is hidden from them, its location is not: the resource itself shows it.
  expect(seen.body.map(({ field, by }: { field: string; by: string }) => `${field} ${by}`).sort()).toEqual([
    'description person',
    'native_type source',
    'parent source',
    'title source',
  ])
  const before = await app.listActivities()
  const takeBack = (body: unknown, token = app.token) => app.call('POST', `${at}/take_back`, { body, token })
  expect((await takeBack({ field: 'description' }, viewer.token)).status).toBe(403)
  for (const wrong of [
    {},
    { field: 5 },
    { field: '' },
    { field: 'owners' },
    { field: 'constructor' },
    { field: 'a\0b' },
    { field: 'x'.repeat(5000) },
    [],
  ])
    expect([wrong, (await takeBack(wrong)).status]).toEqual([wrong, 400])
  for (const unknown of ['x', newId()])
    for (const [method, more] of [
      ['GET', ''],
      ['POST', '/take_back'],
    ] as const)
      expect(
        (await app.call(method, `/resource/all/${unknown}/provenance${more}`, method === 'POST' ? { body: { field: 'title' } } : {}))
          .status,
      ).toBe(404)
  const old = { 'if-match': '"old"' }
  expect((await app.call('POST', `${at}/take_back`, { body: { field: 'description' }, headers: old })).status).toBe(412)
  expect(await app.listActivities()).toEqual(before)
  const ownSchema = await app.createResource({ title: 'place', entity_type: 'schema' })
  await edit(app, id, { parent: ownSchema.id })
  // This viewer cannot see its parent in the source.
  await sql`update resources set published = false where title_full = 'shop'`.execute(app.db)
  const moved = await app.call('GET', at, { token: viewer.token })
  expect(moved.body.map(({ field }: { field: string }) => field)).not.toContain('parent')
  expect((await takeBack({ field: 'parent' })).status).toBe(200)
  expect((await find(app, 'shop.orders')).title_full).toBe('shop.orders')
  // Nothing to reset is not a change.
  const after = await app.listActivities()
  expect((await takeBack({ field: 'parent' })).status).toBe(200)
  expect(await app.listActivities()).toEqual(after)
  const { id: own } = await app.createResource({ title: 'made here' })
  expect((await app.call('GET', `/resource/all/${own}/provenance`)).body).toEqual([])
})

test('does not overwrite an edit made during a sync', async () => {
  await using app = await createTestApp()
  const { sync } = await createSource(app)
  await sync([database, table('orders', { description: 'a' })])
  const { id } = await find(app, 'shop.orders')
  async function* slow() {
    yield database
    yield table('orders', { description: 'b' })
    await edit(app, id, { description: 'By a person.' })
  }
  const { id: integration } = (await app.call('GET', '/integration/integrations')).body.results[0]
  await reconcile(app.ctx, { id: integration, sync_id: newId(), whole: true }, slow(), noReport)
  expect((await find(app, 'shop.orders')).description).toBe('By a person.')
})
