import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/platform/core/id.ts'
import { buildItemKey, getParentKey, type Item } from '../../../src/sources/sync/item.ts'
import { type ReconcileOptions, reconcile } from '../../../src/sources/sync/reconcile.ts'
import { UnlistedScopes } from '../../../src/sources/sync/removals.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const item = (entity_type: string, ...parts: string[]): Item => ({
  key: buildItemKey(...parts),
  ...(parts.length > 1 ? { parent: buildItemKey(...parts.slice(0, -1)) } : {}),
  entity_type,
  fields: { title: parts.at(-1)! },
})
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const schema = (name: string) => item('schema', 'shop', name)
const tables = (name: string, from: number, to: number) => numbers(from, to).map((n) => item('table', 'shop', name, `t${n}`))
const DATABASE = item('database', 'shop')

/** An integration whose source is a list of items. */
const createSource = async (app: TestApp) => {
  const { body } = await app.call('POST', '/integration/integrations', { body: { name: 'Shop' } })
  return async (items: readonly Item[], more: Partial<ReconcileOptions> = {}) => {
    async function* each() {
      yield* items
    }
    const ctx = { ...app.ctx, now: new Date() }
    const { report, needs_confirmation } = await reconcile(
      ctx,
      { id: body.id, sync_id: newId(), whole: true, ...more },
      each(),
      async () => {},
    )
    return { stale: report.stale, new: report.new, needs_confirmation }
  }
}
const staleTitles = async (app: TestApp) => {
  const { rows } = await sql<{ title: string }>`select title from resources where stale order by title`.execute(app.db)
  return rows.map(({ title }) => title)
}

describe('a source that suddenly lists much less', () => {
  test('lists only the database: nothing becomes stale, however small it was', async () => {
    await using app = await createTestApp()
    const list = await createSource(app)
    await list([DATABASE, schema('main'), ...tables('main', 1, 2)])
    for (const items of [[], [DATABASE], [DATABASE, schema('main')]]) {
      const missing = 4 - items.length
      expect(await list(items)).toEqual({ stale: {}, new: {}, needs_confirmation: { known: 4, missing, emptied: [] } })
    }
    expect(await staleTitles(app)).toEqual([])
  })

  test('lists less than half: nothing becomes stale, and new items are written', async () => {
    await using app = await createTestApp()
    const list = await createSource(app)
    await list([DATABASE, schema('main'), ...tables('main', 1, 20)])
    expect(await list([DATABASE, schema('main'), ...tables('main', 1, 8), item('table', 'shop', 'main', 'new')])).toEqual({
      stale: {},
      new: { table: 1 },
      needs_confirmation: { known: 22, missing: 12, emptied: [] },
    })
    expect(await staleTitles(app)).toEqual([])
    // A handful, or half of them, may be missing.
    expect(await list([DATABASE, schema('main'), ...tables('main', 1, 10), item('table', 'shop', 'main', 'new')])).toMatchObject({
      stale: { table: 10 },
      needs_confirmation: undefined,
    })
  })

  test('lists few tables with many columns: columns do not outweigh tables', async () => {
    await using app = await createTestApp()
    const list = await createSource(app)
    const wide = numbers(1, 60).map((n) => item('column', 'shop', 'main', 't1', `c${n}`))
    await list([DATABASE, schema('main'), ...tables('main', 1, 20), ...wide])
    expect(await list([DATABASE, schema('main'), ...tables('main', 1, 2), ...wide])).toMatchObject({
      stale: {},
      needs_confirmation: { known: 82, missing: 18 },
    })
  })

  test('lists a schema without its tables, or not at all: nothing becomes stale', async () => {
    await using app = await createTestApp()
    const list = await createSource(app)
    const main = [DATABASE, schema('main'), ...tables('main', 1, 40)]
    await list([...main, schema('sales'), ...tables('sales', 1, 11)])
    expect(await list([...main, schema('sales')])).toMatchObject({
      stale: {},
      needs_confirmation: { missing: 11, emptied: ['shop.sales'] },
    })
    expect(await list(main)).toMatchObject({ stale: {}, needs_confirmation: { missing: 12, emptied: ['shop.sales'] } })
    expect(await staleTitles(app)).toEqual([])
    expect(await list([...main, schema('sales'), ...tables('sales', 1, 1)])).toMatchObject({ stale: { table: 10 } })
    // A small one is marked without confirmation.
    expect(await list(main)).toMatchObject({ stale: { schema: 1, table: 1 }, needs_confirmation: undefined })
  })

  test('marks as many as were confirmed and no more', async () => {
    await using app = await createTestApp()
    const list = await createSource(app)
    await list([DATABASE, schema('main'), ...tables('main', 1, 20)])
    const left = [DATABASE, schema('main'), ...tables('main', 1, 5)]
    expect((await list(left, { confirmed_removals: 14 })).needs_confirmation).toMatchObject({ missing: 15 })
    expect(await list(left, { confirmed_removals: 15 })).toMatchObject({ stale: { table: 15 }, needs_confirmation: undefined })
  })

  test('ignores what could not be listed', async () => {
    await using app = await createTestApp()
    const list = await createSource(app)
    const queries = numbers(1, 30).map((n) => ({ ...item('query', 'shop', '', `q${n}`), parent: 'shop' }))
    const secret = [schema('secret'), ...tables('secret', 1, 30)]
    const main = [DATABASE, schema('main'), ...tables('main', 1, 3)]
    await list([...main, schema('secrets'), ...tables('secrets', 1, 2), ...secret, ...queries])
    const unlisted = new UnlistedScopes()
    unlisted.add({ entity_type: 'query' })
    unlisted.add({ under: buildItemKey('shop', 'secret') })
    expect(await list(main, { unlisted })).toMatchObject({ stale: { schema: 1, table: 2 }, needs_confirmation: undefined })
    expect(await staleTitles(app)).toEqual(['secrets', 't1', 't2'])
  })
})

test('finds parents of keys with dots in names', () => {
  for (const [key, parent] of [
    [buildItemKey('a'), undefined],
    [buildItemKey('a', 'b'), 'a'],
    [buildItemKey('a', 'b.c'), 'a'],
    [buildItemKey('a.b', 'c'), buildItemKey('a.b')],
    [buildItemKey('a\\', 'c'), buildItemKey('a\\')],
    [buildItemKey('a', '', 'q'), buildItemKey('a', '')],
  ])
    expect([key, getParentKey(key!)]).toEqual([key, parent])
})

const PATH = '/integration/integrations'

test('a lost grant fails the sync with a confirmation request, and confirming it continues', async () => {
  const orders = numbers(1, 12).map((n) => `create table sales.t${n} (id int)`)
  await using source = await createPostgresSource('create schema sales', ...orders, 'create table public.kept (id int)')
  await using app = await createTestApp()
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', needs_confirmation: null })
  await source.run('drop schema sales cascade', 'create table public.fresh (id int)')
  const result = await runSync(app, id)
  expect(result).toMatchObject({
    status: 'FAILED',
    error: expect.stringMatching(
      /^The source no longer lists 25 of 29 known resources\. Now empty: source_\w+\.sales\. Nothing was marked as stale/,
    ),
    needs_confirmation: { known: 29, missing: 25, emptied: [`${source.name}.sales`] },
    report: { stale: {}, new: { table: 1 } },
  })
  expect(await staleTitles(app)).toEqual([])
  const { body: record } = await app.call('GET', `${PATH}/${id}`)
  expect(record).toMatchObject({ last_sync_status: 'FAILED', last_sync_error: result.error })
  const { body: job } = await app.call('GET', `/background_jobs/${result.id}`)
  expect(job).toMatchObject({ status: 'FAILED' }) // and is not retried immediately
  expect(result.failed).toBeUndefined()

  const viewer = await app.createUser('viewer')
  expect((await app.call('POST', `${PATH}/${id}/sync`, { body: { confirm_removals: true }, token: viewer.token })).status).toBe(403)
  expect((await app.call('POST', `${PATH}/${id}/sync`, { body: { confirm_removals: 'yes' } })).status).toBe(400)
  expect(await runSync(app, id, { confirm_removals: true })).toMatchObject({
    status: 'COMPLETED',
    needs_confirmation: null,
    report: { stale: { table: 12, column: 12, schema: 1 } },
  })
})

test('keeps everything in a schema the role can no longer use', async () => {
  await using source = await createPostgresSource(
    'create schema sales',
    'create table sales.orders (id int)',
    'create table public.kept (id int)',
  )
  const role = `r_${source.name}`
  await source.run(`create role ${role} login`, `grant usage on schema sales to ${role}`)
  try {
    await using app = await createTestApp()
    const id = await createTestIntegration(app, 'postgres', { ...source.credentials, user: role })
    expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', report: { new: { table: 2 } } })
    await source.run(`revoke usage on schema sales from ${role}`)
    expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', report: { stale: {} } })
    expect(await staleTitles(app)).toEqual([])
  } finally {
    await source.run(`drop owned by ${role}`, `drop role ${role}`)
  }
})
