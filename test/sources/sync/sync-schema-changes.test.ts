import { expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../../src/app/tasks.ts'
import { newId } from '../../../src/platform/core/id.ts'
import { runJob } from '../../../src/platform/jobs/run.ts'
import { buildItemKey, type Item } from '../../../src/sources/sync/item.ts'
import { reconcile } from '../../../src/sources/sync/reconcile.ts'
import { createTestNotifier } from '../../support/notification-servers.ts'
import { createDataset, createOpenLineageEvent, FACETS } from '../../support/openlineage.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/** Columns that are added, removed or retyped: shown on the table, notified and listed in the report. */
const database: Item = { key: 'shop', entity_type: 'database', fields: { title: 'shop' } }
const table = (title: string, more: Partial<Item> = {}): Item => ({
  key: buildItemKey('shop', title),
  parent: 'shop',
  entity_type: 'table',
  fields: { title, native_type: 'table' },
  ...more,
})
const column = (of: string, title: string, native_type = 'int'): Item => ({
  key: buildItemKey('shop', of, title),
  parent: buildItemKey('shop', of),
  entity_type: 'column',
  fields: { title, native_type },
})

const createSource = async (app: TestApp) => {
  const { body } = await app.call('POST', '/integration/integrations', { body: { name: 'Shop' } })
  const lines: string[] = []
  const sync = async (items: readonly Item[], sync_id = newId()) => {
    const reported = (async function* () {
      yield* items
    })()
    const { report } = await reconcile(
      { ...app.ctx, now: new Date() },
      { id: body.id, sync_id, whole: true },
      reported,
      async (_, line) => {
        if (line) lines.push(line)
      },
    )
    return report
  }
  return { id: body.id as string, sync, lines }
}

test('reports a schema change in one notification, an activity of the table and the sync report', async () => {
  await using app = await createTestApp()
  const { sync, lines } = await createSource(app)
  const kept = [column('orders', 'id'), column('lines', 'id')]
  const first = await sync([
    database,
    table('orders'),
    table('lines'),
    ...kept,
    column('orders', 'discount'),
    column('orders', 'tax', 'numeric'),
  ])
  expect(first.schema_changes).toEqual([])
  const { id } = await app.db.selectFrom('resources').select('id').where('databuilder_id', '=', 'shop.orders').executeTakeFirstOrThrow()
  const [owner, follower, bystander] = [await app.createUser('editor'), await app.createUser('viewer'), await app.createUser('editor')]
  await app.call('PATCH', `/resource/all/${id}`, { body: { owners: [owner.id], subscribers: [follower.id], published: true } })
  const notifier = createTestNotifier(app)
  await notifier.follow()

  const next = [database, table('orders'), table('lines'), ...kept, column('orders', 'tax', 'text'), column('orders', 'channel', 'text')]
  const report = await sync([...next, table('new'), column('new', 'id')])
  expect(report.schema_changes).toEqual([
    {
      table_id: id,
      table: 'shop.orders',
      added: ['channel'],
      removed: ['discount'],
      retyped: [{ name: 'tax', from: 'numeric', to: 'text' }],
      renamed: [],
      reordered: [],
      nullability: [],
      columns: 3,
    },
  ])
  expect(lines.at(-1)).toContain('shop.orders: added channel; removed discount; changed the type of tax from numeric to text.')
  await notifier.follow()
  const text = 'Shop changed the columns of orders – added channel; removed discount; changed the type of tax from numeric to text'
  for (const { token } of [owner, follower]) {
    const { body } = await app.call('GET', '/notification/inbox?unread=true', { token })
    const changes = body.results.flatMap((each: { changes: { text: string; activity_type: string }[] }) => each.changes)
    expect(changes.filter(({ activity_type }: { activity_type: string }) => activity_type === 'schema_changed')).toMatchObject([{ text }])
  }
  expect((await app.call('GET', '/notification/inbox', { token: bystander.token })).body.count).toBe(0)
  const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${id}`)
  expect(log.non_versioned_logs.filter(({ activity_type }: { activity_type: string }) => activity_type === 'schema_changed')).toHaveLength(
    1,
  )

  // The table counts its current columns; the removed one is stale.
  const { body: page } = await app.call('GET', `/ui/resource/${id}`)
  expect(page.tabs).toMatchObject({ columns: 3, columns_gone: 1 })
  const { body: columns } = await app.call('GET', `/table/columns?parent_id=${id}`)
  expect(columns.results.filter(({ stale }: { stale: boolean }) => stale).map(({ title }: { title: string }) => title)).toEqual([
    'discount',
  ])

  expect((await sync([...next, table('new'), column('new', 'id')])).schema_changes).toEqual([])
  // A column that is found again counts as added; a table that is missing as a whole is not reported by its columns.
  const back = await sync([
    database,
    table('orders'),
    ...kept.slice(0, 1),
    ...['tax', 'channel', 'discount'].map((name) => column('orders', name, 'text')),
  ])
  expect(back.schema_changes).toMatchObject([{ table: 'shop.orders', added: ['discount'], removed: [] }])
})

test('a new table with more columns than a batch is described for the first time', async () => {
  await using app = await createTestApp()
  const { sync } = await createSource(app)
  const columns = (of: string, count: number) => Array.from({ length: count }, (_, i) => column(of, `c${i}`))
  const before = [database, table('orders')]
  await sync([...before, ...columns('orders', 1)])
  const { schema_changes } = await sync([
    ...before,
    table('lines'),
    table('wide'),
    ...columns('orders', 2),
    ...columns('lines', 700),
    ...columns('wide', 1_500),
  ])
  expect(schema_changes.map(({ table, added }) => [table, added])).toEqual([['shop.orders', ['c1']]])
})

test('keeps the schema history of a table: every kind of change, by sync, cut to what the reader sees', async () => {
  await using app = await createTestApp()
  const { sync } = await createSource(app)
  const at = (
    title: string,
    sort_order: number,
    more: { type?: string; nullable?: boolean; stable_id?: string; key?: string } = {},
  ): Item => ({
    ...column('orders', title, more.type ?? 'int'),
    own: { sort_order },
    facts: { nullable: more.nullable ?? true },
    stable_id: more.stable_id ?? title,
  })
  const first = [
    at('id', 1, { nullable: false }),
    at('amount', 2),
    at('note', 3),
    at('total', 4),
    at('tax', 5),
    at('secret', 6),
    at('zip', 7),
  ]
  await sync([database, table('orders'), ...first])
  const { id } = await app.db.selectFrom('resources').select('id').where('databuilder_id', '=', 'shop.orders').executeTakeFirstOrThrow()
  await app.call('PATCH', `/resource/all/${id}`, { body: { published: true } })
  const readHistory = async (token = app.token, query = '') =>
    (await app.call('GET', `/table/tables/${id}/schema_history${query}`, { token })).body
  expect(await readHistory()).toMatchObject({ count: 0, results: [] })

  // note is dropped, so that all later positions shift; only zip has really moved.
  const second = [
    at('id', 1, { nullable: false }),
    at('zip', 2),
    at('net_amount', 3, { stable_id: 'amount' }),
    at('total', 4, { type: 'bigint' }),
    at('tax', 5, { nullable: false }),
    at('secret', 6, { type: 'text' }),
    at('channel', 7, { type: 'text' }),
  ]
  const sync_id = newId()
  const report = await sync([database, table('orders'), ...second], sync_id)
  const changes = [
    { kind: 'added', column: 'channel', from: null, to: 'text' },
    { kind: 'dropped', column: 'note', from: 'int', to: null },
    { kind: 'retyped', column: 'secret', from: 'int', to: 'text' },
    { kind: 'retyped', column: 'total', from: 'int', to: 'bigint' },
    { kind: 'renamed', column: 'net_amount', from: 'amount', to: 'net_amount' },
    { kind: 'reordered', column: 'zip', from: '7', to: '2' },
    { kind: 'nullability', column: 'tax', from: 'nullable', to: 'not null' },
  ]
  expect((await readHistory()).results).toEqual([{ id: expect.any(String), at: expect.any(String), sync_id, changes, breaks: [] }])
  expect(report.schema_changes).toMatchObject([{ reordered: ['zip'], nullability: [{ name: 'tax', nullable: false }], columns: 7 }])

  const viewer = await app.createUser('viewer')
  const { id: secret } = await app.db
    .selectFrom('resources')
    .select('id')
    .where('databuilder_id', '=', 'shop.orders.secret')
    .executeTakeFirstOrThrow()
  await app.call('PATCH', `/resource/all/${secret}`, { body: { published: false } })
  expect((await readHistory(viewer.token)).results[0].changes).toEqual(changes.filter(({ column }) => column !== 'secret'))
  // An entry about nothing but a hidden column does not exist for the reader, and the activity of the table does not name it.
  const third = second.map((each) => (each.key === 'shop.orders.secret' ? at('secret', 6, { type: 'bytea' }) : each))
  await sync([database, table('orders'), ...third])
  expect(await readHistory()).toMatchObject({ count: 2 })
  expect(await readHistory(viewer.token)).toMatchObject({ count: 1, results: [{ sync_id }] })
  const page = await readHistory(app.token, '?page_size=1&cursor=')
  expect(page.results).toMatchObject([{ changes: [{ kind: 'retyped', column: 'secret', from: 'text', to: 'bytea' }] }])
  const rest = await readHistory(app.token, `?page_size=1&cursor=${encodeURIComponent(page.meta.next_cursor)}`)
  expect(rest).toMatchObject({ meta: { next_cursor: null }, results: [{ sync_id }] })
  const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${id}`)
  expect(log.non_versioned_logs.filter(({ activity_type }: { activity_type: string }) => activity_type === 'schema_changed')).toHaveLength(
    2,
  )
  expect(JSON.stringify(log.non_versioned_logs[0].event_blocks)).not.toContain('secret')

  // A table that is missing and comes back is described anew.
  await sync([database])
  expect((await sync([database, table('orders'), ...third])).schema_changes).toEqual([])
  expect(await readHistory()).toMatchObject({ count: 2 })

  // OpenLineage pushes its tables; an event without a schema changes nothing.
  const send = (fields?: { name: string; type: string }[]) =>
    app.call('POST', '/lineage', {
      body: createOpenLineageEvent({
        outputs: [createDataset('postgres://db:5432', 'shop.public.events', fields ? FACETS.schema(fields) : {})],
      }),
    })
  for (const fields of [
    [{ name: 'id', type: 'int' }],
    undefined,
    [
      { name: 'id', type: 'bigint' },
      { name: 'at', type: 'date' },
    ],
  ])
    expect((await send(fields)).status).toBe(201)
  const pushed = await app.db.selectFrom('resources').select('id').where('title', '=', 'events').executeTakeFirstOrThrow()
  expect((await app.call('GET', `/table/tables/${pushed.id}/schema_history`)).body.results).toMatchObject([
    {
      sync_id: null,
      changes: [
        { kind: 'added', column: 'at', to: 'date' },
        { kind: 'retyped', column: 'id', from: 'int', to: 'bigint' },
      ],
    },
  ])

  const hidden = await app.createResource({ entity_type: 'table', title: 'hidden' })
  expect((await app.call('GET', `/table/tables/${hidden.id}/schema_history`, { token: viewer.token })).status).toBe(404)
})

test('notifies downstream owners of what a schema change may break, cut to what they can see', async () => {
  await using app = await createTestApp()
  const { sync } = await createSource(app)
  const columns = (...names: string[]) => names.map((name) => column('orders', name))
  await sync([database, table('orders'), ...columns('id', 'discount')])
  const find = async (key: string) =>
    (await app.db.selectFrom('resources').select('id').where('databuilder_id', '=', key).executeTakeFirstOrThrow()).id
  const [orders, discount] = [await find('shop.orders'), await find('shop.orders.discount')]
  const team = (await app.call('POST', '/auth/teams', { body: { name: 'Finance', closed: true } })).body.id
  const [owner, downstreamOwner, bystander] = [
    await app.createUser('editor'),
    await app.createUser('editor'),
    await app.createUser('editor'),
  ]
  const daily = await app.createResource({ entity_type: 'table', title: 'daily', owners: [downstreamOwner.id] })
  const total = await app.createResource({ entity_type: 'column', title: 'total', parent: daily.id })
  const secret = await app.createResource({ entity_type: 'table', title: 'payroll', teams: [team] })
  await app.call('PATCH', `/resource/all/${orders}`, { body: { owners: [owner.id] } })
  for (const to of [total.id, secret.id])
    await app.call('POST', '/lineage/manual', { body: { from_entity: discount, to_entity: to, direction: 'DOWNSTREAM' } })
  const notifier = createTestNotifier(app)
  await notifier.follow()

  await sync([database, table('orders'), ...columns('id')])
  await notifier.follow()
  for (const { token } of [owner, downstreamOwner]) {
    const { body } = await app.call('GET', `/notification/inbox?unread=true&resource_id=${orders}`, { token })
    const texts = body.results.flatMap((each: { changes: { text: string }[] }) => each.changes.map(({ text }) => text))
    expect(texts).toContain('Shop changed the columns of orders – removed discount – may break daily.total')
  }
  expect((await app.call('GET', '/notification/inbox', { token: bystander.token })).body.count).toBe(0)
  const { payload } = await app.db
    .selectFrom('activities')
    .select('payload')
    .where('activity_type', '=', 'schema_changed')
    .executeTakeFirstOrThrow()
  expect(payload).toMatchObject({ breaks: [{ title: 'daily.total' }, { title: 'payroll' }] })
  // The history of the table says it too, with the table instead of its column, and its health names the columns.
  const readBreaks = async (token?: string) =>
    (await app.call('GET', `/table/tables/${orders}/schema_history`, { token })).body.results.map(
      ({ breaks }: { breaks: { title: string }[] }) => breaks.map(({ title }) => title),
    )
  expect([await readBreaks(), await readBreaks(owner.token)]).toEqual([[['daily', 'payroll']], [['daily']]])
  const expectText = async (text: string, token?: string) => {
    for (const path of [`/resource/all/${orders}/health`, `/lineage/root_cause?resource_id=${orders}`]) {
      const { body } = await app.call('GET', path, { token })
      expect(body.reasons ?? body.causes).toMatchObject([{ kind: 'schema_change', text }])
    }
  }
  await expectText('Its columns changed: removed discount.', owner.token)
  // A column that is hidden from them since is no longer named.
  expect((await app.call('PATCH', `/resource/all/${discount}`, { body: { teams: [team] } })).status).toBe(200)
  await expectText('Its columns changed in the last 7 days.', owner.token)
  await expectText('Its columns changed: removed discount.')
})

test('reports what an undo restored and what it kept, consistent with the sync report', async () => {
  await using app = await createTestApp()
  const { id, sync } = await createSource(app)
  const facts = (n: number) => ({ facts: { indexes: [`i${n}`] }, reported: { row_count: n } })
  await sync([database, table('a', facts(1)), table('b', facts(1))])
  const sync_id = newId()
  const report = await sync(
    [database, table('a', { ...facts(2), fields: { title: 'a', native_type: 'view' } }), table('b', facts(2)), table('c')],
    sync_id,
  )
  expect(report).toMatchObject({ new: { table: 1 }, changed: { table: 1 }, facts: { table: 1 }, unchanged: { database: 1 } })
  const times = { created_at: new Date(), started_at: new Date(Date.now() - 60_000) }
  await app.db
    .insertInto('integration_syncs')
    .values({ id: sync_id, integration: id, status: 'COMPLETED', ...times, report: JSON.stringify(report) })
    .execute()
  const { body: job } = await app.call('POST', `/integration/integrations/${id}/sync/${sync_id}/undo`)
  await runJob(app.ctx, JOB_HANDLERS, job.id, { integration_id: id, sync_id }, true)
  const { body: done } = await app.call('GET', `/background_jobs/${job.id}`)
  expect(done.logs).toContain('Undone: 1 resource restored, 1 deleted.')
  expect(done.logs).toContain('were not reset on up to 2 resources.')
})
