import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '../src/id.ts'
import { runJob } from '../src/jobs/run.ts'
import { type Item, keyOf } from '../src/sync/item.ts'
import { reconcile } from '../src/sync/reconcile.ts'
import { JOBS } from '../src/tasks.ts'
import { aHouse, type House } from './house.ts'

const quiet = async () => {}
async function* told(items: readonly Item[]) {
  yield* items
}

/** An integration whose source is defined by the test. */
const aSource = async (house: House) => {
  const { body } = await house.call('POST', '/integration/integrations', { body: { name: 'Shop' } })
  const id: string = body.id
  const sync = async (items: readonly Item[], more: { ctx?: House['ctx']; whole?: boolean; sync_id?: string } = {}) => {
    const { ctx = house.ctx, whole = true, sync_id = newId() } = more
    const { report } = await reconcile({ ...ctx, now: later(ctx.now) }, { id, sync_id, whole }, told(items), quiet)
    return Object.fromEntries(
      Object.entries(report).filter(([, counts]) => Object.values(counts as Record<string, number>).some((n) => n > 0)),
    )
  }
  return { id, sync }
}
const later = (now: Date) => new Date(Math.max(now.getTime(), Date.now()))

const database: Item = { key: 'shop', stable_id: '1', entity_type: 'database', fields: { title: 'shop' } }
const table = (title: string, more: Partial<Item['fields']> = {}, stable_id?: string): Item => ({
  key: keyOf('shop', title),
  parent: 'shop',
  ...(stable_id ? { stable_id } : {}),
  entity_type: 'table',
  fields: { title, native_type: 'table', description: null, ...more },
})
const column = (of: string, title: string, native_type = 'int', stable_id?: string): Item => ({
  key: keyOf('shop', of, title),
  parent: keyOf('shop', of),
  ...(stable_id ? { stable_id } : {}),
  entity_type: 'column',
  fields: { title, native_type },
  own: { sort_order: 1, is_pk: true },
})
const find = async (house: House, key: string) => {
  const { rows } = await sql<{ id: string }>`select id from resources where databuilder_id = ${key}`.execute(house.db)
  expect([key, rows.length]).toEqual([key, 1])
  return (await house.call('GET', `/resource/all/${rows[0]!.id}`)).body
}
const edit = async (house: House, id: string, body: object) =>
  expect((await house.call('PATCH', `/resource/all/${id}`, { body })).status).toBe(200)

describe('edits by users', () => {
  test('stay, whatever the source reports next, and the source value is stored separately', async () => {
    await using house = await aHouse()
    const { sync } = await aSource(house)
    await sync([database, table('orders', { description: 'From the source.' }), column('orders', 'id')])
    const { id } = await find(house, 'shop.orders')
    await edit(house, id, { description: 'By a person.' })
    expect(await sync([database, table('orders', { description: 'Changed there.' }), column('orders', 'id')])).toEqual({
      kept: { table: 1 },
      unchanged: { database: 1, column: 1 },
    })
    expect((await find(house, 'shop.orders')).description).toBe('By a person.')
    const at = `/resource/all/${id}/provenance`
    const { body } = await house.call('GET', at)
    expect(body).toContainEqual({
      field: 'description',
      by: 'person',
      value: 'By a person.',
      source: 'custom',
      source_value: 'Changed there.',
    })
    expect(body).toContainEqual({ field: 'native_type', by: 'source', value: 'table', source: 'custom', source_value: 'table' })
    const back = await house.call('POST', `${at}/take_back`, { body: { field: 'description' } })
    expect(back.body).toContainEqual({
      field: 'description',
      by: 'source',
      value: 'Changed there.',
      source: 'custom',
      source_value: 'Changed there.',
    })
    await sync([database, table('orders', { description: 'Changed again.' }), column('orders', 'id')])
    expect((await find(house, 'shop.orders')).description).toBe('Changed again.')
  })

  test('stay when a user cleared, moved or renamed something', async () => {
    await using house = await aHouse()
    const { sync } = await aSource(house)
    await sync([database, table('orders', { description: 'a' }), column('orders', 'id')])
    const place = await house.resource({ title: 'my place', entity_type: 'schema' })
    const orders = await find(house, 'shop.orders')
    const id = await find(house, 'shop.orders.id')
    await edit(house, orders.id, { description: null, title: 'Orders', parent: place.id })
    await house.call('PATCH', `/table/columns/${id.id}`, { body: { is_pk: false } })
    await sync([database, table('orders', { description: 'b', native_type: 'view' }), column('orders', 'id', 'bigint')])
    expect(await find(house, 'shop.orders')).toMatchObject({
      description: null,
      title: 'Orders',
      title_full: 'my place.Orders',
      native_type: 'view',
    })
    expect(await find(house, 'shop.orders.id')).toMatchObject({ is_pk: false, native_type: 'bigint' })
  })

  test('from before the first sync stay; only empty fields are filled', async () => {
    await using house = await aHouse()
    const { id, sync } = await aSource(house)
    const body = `${JSON.stringify({ databuilder_id: 'shop.orders', entity_type: 'table', title: 'orders', description: 'Imported.' })}\n`
    const imported = await house.call('POST', `/integration/integrations/${id}/import_jsonl_metadata/`, {
      body,
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect([imported.status, imported.text]).toEqual([200, expect.any(String)])
    const before = await find(house, 'shop.orders')
    expect(await sync([database, table('orders', { description: 'From the source.' })])).toMatchObject({
      new: { database: 1 },
      changed: { table: 1 },
    })
    expect(await find(house, 'shop.orders')).toMatchObject({ id: before.id, description: 'Imported.', native_type: 'table' })
    expect((await find(house, 'shop.orders')).title_full).toBe('shop.orders')
  })

  test('are distinguished from the source’s in the history', async () => {
    await using house = await aHouse()
    const { id, sync } = await aSource(house)
    await sync([database, table('orders', { description: 'a' })])
    await sync([database, table('orders', { description: 'b' })])
    const orders = await find(house, 'shop.orders')
    const { body } = await house.call('GET', `/activity_log/resource_logs/?resource_id=${orders.id}`)
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
    await using house = await aHouse()
    const { sync } = await aSource(house)
    let seed = 7
    const random = (n: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % n
    }
    const says = ['s0', 's0']
    const people: (string | null | undefined)[] = [undefined, undefined]
    const items = () => [database, ...says.map((description, i) => table(`t${i}`, { description }))]
    await sync(items())
    for (let step = 0; step < 40; step += 1) {
      const i = random(2)
      const { id } = await find(house, `shop.t${i}`)
      if (random(3) === 0) {
        people[i] = random(4) === 0 ? null : `p${step}`
        await edit(house, id, { description: people[i] })
      } else if (random(4) === 0) {
        await house.call('POST', `/resource/all/${id}/provenance/take_back`, { body: { field: 'description' } })
        people[i] = undefined
      } else {
        if (random(3) > 0) says[i] = `s${step}`
        await sync(items())
        for (const n of [0, 1])
          expect([step, n, (await find(house, `shop.t${n}`)).description]).toEqual([step, n, people[n] === undefined ? says[n] : people[n]])
      }
    }
  })
})

test('detects a rename by the stable ID of the source and keeps everything', async () => {
  await using house = await aHouse()
  const { sync } = await aSource(house)
  const shop = (db: string, orders: string, id: string): Item[] => [
    { ...database, key: db, fields: { title: db } },
    { ...table(orders, {}, '2'), key: `${db}.${orders}`, parent: db },
    { ...column(orders, id, 'int', '2/1'), key: `${db}.${orders}.${id}`, parent: `${db}.${orders}` },
  ]
  await sync(shop('shop', 'orders', 'id'))
  const [orders, id] = [await find(house, 'shop.orders'), await find(house, 'shop.orders.id')]
  await edit(house, orders.id, { description: 'By a person.', verified: true })
  expect(await sync(shop('store', 'purchases', 'number'))).toEqual({ changed: { database: 1, table: 1, column: 1 } })
  expect(await find(house, 'store.purchases')).toMatchObject({
    id: orders.id,
    title: 'purchases',
    title_full: 'store.purchases',
    description: 'By a person.',
    verified: true,
    stale: false,
  })
  expect(await find(house, 'store.purchases.number')).toMatchObject({ id: id.id, title_full: 'store.purchases.number' })
  expect(await sync(shop('store', 'purchases', 'number'))).toEqual({ unchanged: { database: 1, table: 1, column: 1 } })
})

test('matches a renamed item to an existing resource with its new key', async () => {
  await using house = await aHouse()
  const { id, sync } = await aSource(house)
  await sync([database, table('orders', {}, '2')])
  const body = `${JSON.stringify({ databuilder_id: 'shop.purchases', entity_type: 'table', title: 'purchases', description: 'Imported.' })}\n`
  const headers = { 'content-type': 'application/x-ndjson' }
  await house.call('POST', `/integration/integrations/${id}/import_jsonl_metadata/`, { body, headers })
  expect(await sync([database, table('purchases', {}, '2')])).toMatchObject({ changed: { table: 1 }, stale: { table: 1 } })
  expect(await find(house, 'shop.purchases')).toMatchObject({ description: 'Imported.', stale: false })
  expect(await find(house, 'shop.orders')).toMatchObject({ stale: true })
})

test('matches a table recreated under its name, but not a copy that took its ID', async () => {
  await using house = await aHouse()
  const { sync } = await aSource(house)
  await sync([database, table('orders', {}, '2')])
  const { id } = await find(house, 'shop.orders')
  await sync([database, table('backup_of_orders', {}, '2'), table('orders', {}, '3')])
  expect((await find(house, 'shop.orders')).id).toBe(id)
  expect((await find(house, 'shop.backup_of_orders')).id).not.toBe(id)
})

describe('a missing item', () => {
  test('becomes stale with an activity, is archived later, and comes back unchanged', async () => {
    await using house = await aHouse()
    const { sync } = await aSource(house)
    const all = [database, table('orders'), column('orders', 'id'), table('kept')]
    await sync(all)
    const { id } = await find(house, 'shop.orders')
    expect(await sync([database, table('kept')])).toEqual({ unchanged: { database: 1, table: 1 }, stale: { table: 1, column: 1 } })
    expect(await find(house, 'shop.orders')).toMatchObject({ id, stale: true, stale_at: expect.any(String), archived: false })
    const changes = (await house.changes()).length
    expect(await sync([database, table('kept')])).toEqual({ unchanged: { database: 1, table: 1 } })
    expect((await house.changes()).length).toBe(changes)
    const inDays = (days: number) => ({ ...house.ctx, now: new Date(Date.now() + days * 24 * 3_600_000) })
    expect(await sync([database, table('kept')], { ctx: inDays(31) })).toMatchObject({ archived: { table: 1, column: 1 } })
    expect(await find(house, 'shop.orders')).toMatchObject({ stale: true, archived: true })
    expect(await sync(all, { ctx: inDays(32) })).toMatchObject({ back: { table: 1, column: 1 } })
    expect(await find(house, 'shop.orders')).toMatchObject({ id, stale: false, stale_at: null, archived: false })
    const there = (await house.changes()).length
    expect(await sync(all, { ctx: inDays(33) })).toEqual({ unchanged: { database: 1, table: 2, column: 1 } })
    expect((await house.changes()).length).toBe(there)
    const { body } = await house.call('GET', `/activity_log/resource_logs/?resource_id=${id}`)
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
    expect(sentences[3]).toBe('An integration marked orders as missing from its source')
    expect(await sync([database, table('kept')], { ctx: inDays(34) })).toMatchObject({ stale: { table: 1, column: 1 } })
  })

  test('is ignored in partial syncs and when a user overrode it; an archive by a user stays', async () => {
    await using house = await aHouse()
    const { sync } = await aSource(house)
    const kept = table('kept')
    await sync([database, kept, table('forced'), table('archived')])
    const forced = await find(house, 'shop.forced')
    await sql`update resources set forced_unstale_by_user = true where id = ${forced.id}`.execute(house.db)
    await edit(house, (await find(house, 'shop.archived')).id, { archived: true })
    expect(
      await sync(
        [table('more')].map(({ parent: _, ...item }) => item),
        { whole: false },
      ),
    ).toEqual({ new: { table: 1 } })
    expect(await sync([database, kept])).toMatchObject({ stale: { table: 2 } })
    await sync([database, kept], { ctx: { ...house.ctx, now: new Date(Date.now() + 31 * 24 * 3_600_000) } })
    expect(await find(house, 'shop.forced')).toMatchObject({ stale: false, archived: false })
    await sync([database, table('forced'), table('archived')])
    expect(await find(house, 'shop.archived')).toMatchObject({ stale: false, archived: true })
  })

  test('is created again if a user deleted it and the source still has it', async () => {
    await using house = await aHouse()
    const { sync } = await aSource(house)
    await sync([database, table('orders')])
    const { id } = await find(house, 'shop.orders')
    await house.call('DELETE', `/resource/all/${id}`)
    expect(await sync([database, table('orders')])).toMatchObject({ new: { table: 1 } })
    expect((await find(house, 'shop.orders')).id).not.toBe(id)
  })
})

describe('at any time', () => {
  const many = [database, ...Array.from({ length: 3000 }, (_, i) => table(`t${i}`))]

  test('a sync may crash: what it wrote stays, the next one continues, without duplicates', async () => {
    await using house = await aHouse()
    const { id, sync } = await aSource(house)
    const sync_id = newId()
    let reports = 0
    const dying = reconcile(house.ctx, { id, sync_id, whole: true }, told(many), async (progress) => {
      if (progress > 30 && ++reports === 1) throw new Error('killed')
    })
    await expect(dying).rejects.toThrow('killed')
    const { rows } = await sql<{ n: number }>`select count(*) as n from resources`.execute(house.db)
    expect(rows[0]!.n).toBe(2000)
    expect(await sync(many, { sync_id })).toEqual({ new: { table: 1001 }, unchanged: { database: 1, table: 1999 } })
  })

  test('a source may fail halfway: nothing is written, and nothing becomes stale', async () => {
    await using house = await aHouse()
    const { id, sync } = await aSource(house)
    await sync([database, table('orders')])
    const before = await house.changes()
    async function* broken() {
      yield database
      throw new Error('The source is gone.')
    }
    await expect(reconcile(house.ctx, { id, sync_id: newId(), whole: true }, broken(), quiet)).rejects.toThrow('The source is gone.')
    expect(await house.changes()).toEqual(before)
    expect(await house.db.selectFrom('sync_items').selectAll().execute()).toEqual([])
  })

  test('two syncs may start: one runs, the other is rejected', async () => {
    await using house = await aHouse()
    await using other = await house.instance()
    const { id, sync } = await aSource(house)
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    async function* waiting() {
      yield database
      begun.resolve()
      await gate.promise
    }
    const first = reconcile(house.ctx, { id, sync_id: newId(), whole: true }, waiting(), quiet)
    await begun.promise
    await expect(reconcile(other.ctx, { id, sync_id: newId(), whole: true }, told([database]), quiet)).rejects.toThrow('is running')
    gate.resolve()
    await first
    expect(await sync([database])).toEqual({ unchanged: { database: 1 } })
  })

  test('the integration may be deleted: it is not created again', async () => {
    await using house = await aHouse()
    const { id } = await aSource(house)
    async function* deleting() {
      yield database
      await house.call('DELETE', `/integration/integrations/${id}`)
    }
    await expect(reconcile(house.ctx, { id, sync_id: newId(), whole: true }, deleting(), quiet)).rejects.toThrow('being deleted')
    expect((await house.call('GET', `/integration/integrations/${id}`)).status).toBe(404)
  })
})

test('handles inconsistent sources as far as possible', async () => {
  await using house = await aHouse()
  const { sync } = await aSource(house)
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
  expect((await find(house, 'shop.twice')).description).toBe('first')
  expect(await sync(lies)).toEqual({ unchanged: { database: 1, table: 6 } })
  expect(await sync([...lies, table('same id again', {}, '9')])).toEqual({ new: { table: 1 }, unchanged: { database: 1, table: 6 } })
  expect(await find(house, 'shop.a\uFFFDb\uFFFD')).toMatchObject({ title: 'a\uFFFDb\uFFFD', description: 'c\uFFFDd\uFFFD' })
  await expect(sync([{ ...table('lost'), parent: 'nowhere' }])).rejects.toThrow('before its parent nowhere')
})

test('writes many items in batches, each once and below its parent', async () => {
  await using house = await aHouse()
  const { sync } = await aSource(house)
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
  `.execute(house.db)
  expect(rows).toEqual([{ n: columns, tables }])
  const [first, ...rest] = names
  expect(await sync(all([`${first} renamed`, ...rest.slice(1)]))).toMatchObject({
    changed: { table: 1 },
    stale: { table: 1 },
    unchanged: { database: 1, table: tables - 2 },
  })
})

describe('undoing a sync', () => {
  const undo = async (house: House, id: string, sync_id: string) => {
    await house.db
      .insertInto('integration_syncs')
      .values({ id: sync_id, integration: id, status: 'COMPLETED', created_at: new Date(), started_at: new Date(Date.now() - 60_000) })
      .execute()
    const at = `/integration/integrations/${id}/sync/${sync_id}/undo`
    const asked = await house.call('POST', at)
    expect([asked.status, asked.text]).toEqual([200, expect.any(String)])
    await runJob(house.ctx, JOBS, asked.body.id, { integration_id: id, sync_id }, true)
    expect((await house.call('POST', at)).status).toBe(409)
  }

  test('restores fields and missing resources and deletes created ones, except those edited by users', async () => {
    await using house = await aHouse()
    const { id, sync } = await aSource(house)
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
    await edit(house, (await find(house, 'shop.b')).id, { description: 'By a person.' })
    await edit(house, (await find(house, 'shop.touched')).id, { verified: true })
    await undo(house, id, sync_id)
    expect((await find(house, 'shop.a')).description).toBe('a1')
    expect((await find(house, 'shop.b')).description).toBe('By a person.')
    expect(await find(house, 'shop.gone')).toMatchObject({ stale: false })
    expect(await find(house, 'shop.touched')).toMatchObject({ verified: true, children_count: 0 })
    const { rows } = await sql`select from resources where databuilder_id in ('shop.new', 'shop.new.id')`.execute(house.db)
    expect(rows).toEqual([])
  })
})

test('shows provenance to users who see the resource, and lets editors reset fields', async () => {
  await using house = await aHouse()
  const { sync } = await aSource(house)
  await sync([database, table('orders', { description: 'a' })])
  const { id } = await find(house, 'shop.orders')
  const at = `/resource/all/${id}/provenance`
  const viewer = await house.someone('viewer')
  expect((await house.call('GET', at, { token: viewer.token })).status).toBe(404)
  await edit(house, id, { published: true, description: 'b' })
  const seen = await house.call('GET', at, { token: viewer.token })
  // The database it belongs to is hidden from them, its location is not: the resource itself shows it.
  expect(seen.body.map(({ field, by }: { field: string; by: string }) => `${field} ${by}`).sort()).toEqual([
    'description person',
    'native_type source',
    'parent source',
    'title source',
  ])
  const before = await house.changes()
  const takeBack = (body: unknown, token = house.token) => house.call('POST', `${at}/take_back`, { body, token })
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
        (await house.call(method, `/resource/all/${unknown}/provenance${more}`, method === 'POST' ? { body: { field: 'title' } } : {}))
          .status,
      ).toBe(404)
  const old = { 'if-match': '"old"' }
  expect((await house.call('POST', `${at}/take_back`, { body: { field: 'description' }, headers: old })).status).toBe(412)
  expect(await house.changes()).toEqual(before)
  const place = await house.resource({ title: 'place', entity_type: 'schema' })
  await edit(house, id, { parent: place.id })
  // This viewer cannot see its parent in the source.
  await sql`update resources set published = false where title_full = 'shop'`.execute(house.db)
  const moved = await house.call('GET', at, { token: viewer.token })
  expect(moved.body.map(({ field }: { field: string }) => field)).not.toContain('parent')
  expect((await takeBack({ field: 'parent' })).status).toBe(200)
  expect((await find(house, 'shop.orders')).title_full).toBe('shop.orders')
  // Nothing to reset is not a change.
  const after = await house.changes()
  expect((await takeBack({ field: 'parent' })).status).toBe(200)
  expect(await house.changes()).toEqual(after)
  const { id: own } = await house.resource({ title: 'made here' })
  expect((await house.call('GET', `/resource/all/${own}/provenance`)).body).toEqual([])
})

test('does not overwrite an edit made during a sync', async () => {
  await using house = await aHouse()
  const { sync } = await aSource(house)
  await sync([database, table('orders', { description: 'a' })])
  const { id } = await find(house, 'shop.orders')
  async function* slow() {
    yield database
    yield table('orders', { description: 'b' })
    await edit(house, id, { description: 'By a person.' })
  }
  const { id: integration } = (await house.call('GET', '/integration/integrations')).body.results[0]
  await reconcile(house.ctx, { id: integration, sync_id: newId(), whole: true }, slow(), quiet)
  expect((await find(house, 'shop.orders')).description).toBe('By a person.')
})
