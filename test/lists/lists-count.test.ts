import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { deleteOldChanges } from '../../src/catalog/listing/count.ts'
import { listResources } from '../../src/catalog/listing/list.ts'
import { parseCatalogRequest } from '../../src/catalog/listing/query.ts'
import { newId } from '../../src/platform/core/id.ts'
import type { Db } from '../../src/platform/db/connect.ts'
import { parsePageRequest } from '../../src/platform/lists/page.ts'
import { createTestApp, type TestApp, type TestInstance } from '../support/test-app.ts'
import { waitUntilChangesDeleted } from './change-log.ts'
import { countQueries } from './count-queries.ts'

/** `count` is exact: a cached count updated from later writes always equals a full count. The same holds for cached pages. */
const TAG = newId()
const LISTS: readonly [filter: object | undefined, sql: RawBuilder<unknown>][] = [
  [undefined, sql`true`],
  [{ operator: 'exact', field: 'verified', value: true }, sql`verified`],
  [{ operator: 'contains', field: 'title', value: 'a' }, sql`title ilike '%a%'`],
  [{ operator: 'exact', field: 'tags', value: TAG }, sql`tags @> array[${TAG}]::uuid[]`],
  [{ operator: 'not', operands: [{ operator: 'gt', field: 'external_usage', value: 5 }] }, sql`external_usage <= 5`],
]

const requestCount = async ({ call }: Pick<TestInstance, 'call'>, filter: object | undefined): Promise<number> =>
  (await call('GET', `/resource/catalog?page_size=1${filter ? `&filter=${encodeURIComponent(JSON.stringify(filter))}` : ''}`)).body.count
const counts = (at: Pick<TestInstance, 'call'>) => Promise.all(LISTS.map(([filter]) => requestCount(at, filter)))
const countDirectly = async (db: Db): Promise<number[]> => {
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(LISTS.map(([, where]) => sql`count(*) filter (where ${where})::int`))}] as counts from resources
  `.execute(db)
  return rows[0]!.counts
}

/** The second page of each list: which resources, in which version. */
const pages = ({ call }: Pick<TestInstance, 'call'>): Promise<string[]> =>
  Promise.all(
    LISTS.map(async ([filter]) => {
      const { body } = await call(
        'GET',
        `/resource/catalog?page=2&page_size=5${filter ? `&filter=${encodeURIComponent(JSON.stringify(filter))}` : ''}`,
      )
      return `${body.count}: ${body.results.map(({ id, description }: { id: string; description: string | null }) => `${id} ${description}`).join()}`
    }),
  )
const readPagesDirectly = (db: Db): Promise<string[]> =>
  Promise.all(
    LISTS.map(async ([, where]) => {
      const { rows } = await sql<{ page: string }>`
        select (select count(*) from resources where ${where}) || ': ' || coalesce(string_agg(id || ' ' || coalesce(description, 'null'), ',' order by external_usage desc, id), '') as page
        from (select * from resources where ${where} order by external_usage desc, id limit 5 offset 5) p
      `.execute(db)
      return rows[0]!.page
    }),
  )

const insert = (db: Db, n: number) =>
  sql`
  insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, verified, external_usage, tags)
  select gen_random_uuid(), now(), now(), 1, 'table', (array['alpha', 'beta', 'xyz'])[1 + i % 3], 't', 't', i % 4 = 0, i % 11,
    case when i % 5 = 0 then array[${TAG}]::uuid[] end
  from generate_series(1, ${n}::int) i`.execute(db)
const some = (n: number) => sql`(select id from resources order by md5(id::text) limit ${n}::int for update skip locked)`
const move = (db: Db, n: number) =>
  sql`
  update resources set verified = not verified, title = case when title = 'xyz' then 'alpha' else 'xyz' end, external_usage = 10 - external_usage,
    tags = case when tags is null then array[${TAG}]::uuid[] end where id in ${some(n)}`.execute(db)
/** Affects only the lists whose pages contain these resources. */
const say = (db: Db) =>
  sql`update resources set description = md5(random()::text) where id in (select id from resources where not verified order by external_usage desc, id limit 7)`.execute(
    db,
  )
const remove = (db: Db, n: number) => sql`delete from resources where id in ${some(n)}`.execute(db)

const rolledBack = (app: TestApp, work: (db: Db) => Promise<unknown>) =>
  app.db
    .transaction()
    .execute(async (db) => {
      await work(db)
      throw new Error('rolled back')
    })
    .catch(() => {})

const STEPS: readonly ((app: TestApp) => Promise<unknown>)[] = [
  ({ db }) => insert(db, 3),
  ({ db }) => move(db, 4),
  ({ db }) => remove(db, 2),
  ({ db }) => say(db),
  ({ db }) => insert(db, 600),
  ({ db }) => move(db, 501),
  ({ db }) => remove(db, 510),
  ({ db }) => db.transaction().execute(async (db) => void [await insert(db, 5), await move(db, 9), await remove(db, 3), await move(db, 2)]),
  (app) => rolledBack(app, async (db) => void [await insert(db, 7), await move(db, 7), await remove(db, 7)]),
  (app) => rolledBack(app, (db) => insert(db, 900)),
  (app) => deleteOldChanges(app.ctx),
  ({ call }) => call('POST', '/resource/catalog', { body: { title: 'area', verified: true, tags: [TAG] } }),
]

test('after any writes in any order, two instances return correct counts and pages', async () => {
  await using app = await createTestApp()
  await using other = await app.createInstance()
  app.ctx.runtime.caches.results.cooldownMs = 0 // otherwise most results would be computed instead of cached
  await insert(app.db, 400)
  await pages(app)
  const orders = fc.sample(fc.array(fc.nat(STEPS.length - 1), { minLength: 14, maxLength: 14 }), { numRuns: 3, seed: 7 })
  for (const [i, step] of orders.flat().entries()) {
    await STEPS[step]!(app)
    const expected = await countDirectly(app.db)
    expect(await counts(app), `after step ${i}: ${step}`).toEqual(expected)
    const shown = await readPagesDirectly(app.db)
    for (const again of ['once', 'again']) expect(await pages(app), `${again}, after step ${i}: ${step}`).toEqual(shown)
    if (i % 3 === 2) expect(await counts(other), `elsewhere, after step ${i}`).toEqual(expected)
  }
})

test('a long transaction is counted when it commits, however late, even if counts were taken and changes deleted meanwhile', async () => {
  await using app = await createTestApp()
  await using other = await app.createInstance()
  await insert(app.db, 50)
  const started = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const long = other.database.db.transaction().execute(async (db) => {
    await insert(db, 8)
    await sql`update resources set verified = not verified where id in (select id from resources where title = 'beta' order by id limit 5)`.execute(
      db,
    )
    started.resolve()
    await gate.promise
    await sql`delete from resources where id in (select id from resources where title = 'alpha' order by id limit 3)`.execute(db)
  })
  await started.promise
  for (let i = 0; i < 3; i += 1) {
    expect(await counts(app)).toEqual(await countDirectly(app.db))
    await insert(app.db, 2)
    await deleteOldChanges(app.ctx)
    // Simulates ten minutes: changes recorded so far can be deleted, except those of the long transaction.
    await sql`update resource_change_horizons set at = at - interval '11 minutes'`.execute(app.db)
    expect(await counts(app)).toEqual(await countDirectly(app.db))
    await deleteOldChanges(app.ctx)
  }
  gate.resolve()
  await long
  await deleteOldChanges(app.ctx)
  expect(await counts(app)).toEqual(await countDirectly(app.db))
  expect((await counts(app))[0]).toBe(50 + 6 + 8 - 3)
})

test('old changes are deleted', async () => {
  await using app = await createTestApp()
  await insert(app.db, 20)
  await waitUntilChangesDeleted(app)
  const { rows } = await sql`select from resource_changes`.execute(app.db)
  expect(rows).toEqual([])
})

test('a count in use is not taken again while nothing is written', async () => {
  await using app = await createTestApp()
  await insert(app.db, 20)
  let passed = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
  try {
    const list = async () => {
      const { ctx, count } = countQueries(app.ctx)
      const request = await parseCatalogRequest(app.ctx, {}, parsePageRequest({ page_size: 1 }, 'http://localhost/'))
      const { count: total } = JSON.parse((await listResources(ctx, request)).toString())
      return [total, count.statements] as const
    }
    const [total] = await list()
    const [, usual] = await list()
    for (let minutes = 4; minutes <= 12; minutes += 4) {
      passed = minutes * 60_000
      expect(await list()).toEqual([total, usual])
    }
    await insert(app.db, 2)
    passed += 4 * 60_000
    expect((await list())[0]).toBe(total + 2)
  } finally {
    clock.mockRestore()
  }
})

test('with too many changes the count is taken again', async () => {
  await using app = await createTestApp()
  await insert(app.db, 100)
  await counts(app)
  for (let i = 0; i < 6; i += 1) await insert(app.db, 400)
  expect(await counts(app)).toEqual(await countDirectly(app.db))
})

for (const [what, grows, work] of [
  ['rows come', true, (db: Db) => insert(db, 5)],
  ['rows go', false, (db: Db) => remove(db, 3)],
  [
    'rows move in',
    true,
    (db: Db) =>
      sql`update resources set verified = true, title = 'alpha', tags = array[${TAG}]::uuid[], external_usage = least(external_usage, 5) where id in ${some(4)}`.execute(
        db,
      ),
  ],
] as const)
  test(`while ${what}, every count was correct at some moment of the request`, async () => {
    await using app = await createTestApp()
    await using other = await app.createInstance()
    await insert(app.db, 300)
    let writing = true
    const writers = Array.from({ length: 2 }, async () => {
      while (writing) await work(other.database.db)
    })
    for (let i = 0; i < 12; i += 1) {
      const before = await countDirectly(app.db)
      const seen = await counts(app)
      const after = await countDirectly(app.db)
      const [low, high] = grows ? [before, after] : [after, before]
      for (const [n, count] of seen.entries()) {
        expect(count, `list ${n} in round ${i}`).toBeGreaterThanOrEqual(low[n]!)
        expect(count, `list ${n} in round ${i}`).toBeLessThanOrEqual(high[n]!)
      }
      await sleep(5)
    }
    writing = false
    await Promise.all(writers)
    expect(await counts(app)).toEqual(await countDirectly(app.db))
  })

test('each visibility has its own count', async () => {
  await using app = await createTestApp()
  const [viewer, editor] = [await app.createUser('viewer'), await app.createUser('editor')]
  const closed = await app.createTeam(true)
  const count = async (token?: string) => (await app.call('GET', '/resource/catalog?page_size=1', { token })).body.count
  await app.createResource({ published: true })
  const draft = await app.createResource()
  await app.createResource({ teams: [closed], published: true })
  expect([await count(), await count(editor.token), await count(viewer.token)]).toEqual([3, 2, 1])
  await app.call('PATCH', `/resource/all/${draft.id}`, { body: { published: true } })
  expect([await count(), await count(editor.token), await count(viewer.token)]).toEqual([3, 2, 2])
  await app.db.insertInto('team_members').values({ team_id: closed, user_id: viewer.id }).execute()
  expect(await count(viewer.token)).toBe(3)
})
