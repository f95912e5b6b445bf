import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../src/platform/db/connect.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Reading lists during concurrent writes: rows that stay are returned exactly once. */
const insert = (db: Db, title: string, n: number) =>
  sql`
  insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, external_usage, row_count)
  select gen_random_uuid(), now() - make_interval(secs => (random() * 50)::int), now(), 1, 'table', ${title}::text || (random() * 20)::int, ${title}, 't',
    (random() * 9)::int, case when random() < 0.6 then (random() * 9)::int end
  from generate_series(1, ${n}::int)`.execute(db)

/** Rows are added, deleted and moved all the time among those that stay. */
const writeConcurrently = (db: Db) => {
  let over = false
  const work = async () => {
    while (!over) {
      await insert(db, 'restless', 4)
      await sql`update resources set external_usage = (random() * 9)::int, row_count = null, description = random()::text
        where id in (select id from resources where title like 'restless%' order by random() limit 4 for update skip locked)`.execute(db)
      await sql`delete from resources where id in (select id from resources where title like 'restless%' order by random() limit 3 for update skip locked)`.execute(
        db,
      )
      await sql`update resources set description = random()::text where id in (select id from resources where title like 'stays%' order by random() limit 5 for update skip locked)`.execute(
        db,
      )
    }
  }
  const working = Promise.all([work(), work()])
  return {
    stop: async () => {
      over = true
      await working
    },
  }
}

const staying = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select id from resources where title like 'stays%' order by id`.execute(db)
  return rows.map(({ id }) => id)
}

const readAllPages = async (app: TestApp, sort: object, page_size: number): Promise<string[]> => {
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await app.call(
      'GET',
      `/resource/catalog?sort=${encodeURIComponent(JSON.stringify(sort))}&page_size=${page_size}&cursor=${cursor}`,
    )
    seen.push(...body.results.filter(({ title }: { title: string }) => title.startsWith('stays')).map(({ id }: { id: string }) => id))
    cursor = body.meta.next_cursor
  }
  return seen
}

test('a cursor neither skips nor repeats rows that stay', async () => {
  await using app = await createTestApp()
  await using other = await app.createInstance()
  await insert(app.db, 'stays', 60)
  await insert(app.db, 'restless', 40)
  const expected = await staying(app.db)
  const others = writeConcurrently(other.database.db)
  try {
    for (const sort of [
      { field: 'external_usage', order: 'desc' },
      { field: 'row_count', order: 'asc' },
      { field: 'row_count', order: 'desc', tie_breaker: { field: 'title', order: 'desc' } },
      { field: 'created_at', order: 'desc' },
      { field: 'id', order: 'asc' },
    ])
      expect((await readAllPages(app, sort, 9)).sort(), JSON.stringify(sort)).toEqual(expected)
  } finally {
    await others.stop()
  }
})

test('pages neither skip nor repeat rows while rows change without moving', async () => {
  await using app = await createTestApp()
  await using other = await app.createInstance()
  await insert(app.db, 'stays', 80)
  const expected = await staying(app.db)
  let over = false
  const writing = (async () => {
    while (!over)
      await sql`update resources set description = random()::text, verified = not verified where id in (select id from resources order by random() limit 10 for update skip locked)`.execute(
        other.database.db,
      )
  })()
  for (let round = 0; round < 4; round += 1) {
    const seen: string[] = []
    for (let page: number | null = 1; page !== null; ) {
      const { body } = await app.call('GET', `/resource/catalog?page_size=9&page=${page}`)
      expect(body.count).toBe(80)
      seen.push(...body.results.map(({ id }: { id: string }) => id))
      page = body.meta.next_page
    }
    expect(seen.sort()).toEqual(expected)
  }
  over = true
  await writing
})

test('a page shows a consistent snapshot of its rows', async () => {
  await using app = await createTestApp()
  await using other = await app.createInstance()
  const { id } = await app.createResource({ title: 'v1', description: 'v1' })
  let over = false
  const writing = (async () => {
    for (let n = 2; !over; n += 1) await other.call('PATCH', `/resource/all/${id}`, { body: { title: `v${n}`, description: `v${n}` } })
  })()
  let last = 0
  for (let i = 0; i < 40; i += 1) {
    const { body } = await app.call('GET', i % 2 ? '/resource/catalog' : `/resource/all/${id}`)
    const record = i % 2 ? body.results[0] : body
    expect([record.title, record.description, record.title_full]).toEqual(Array(3).fill(`v${record.version}`))
    expect(record.version).toBeGreaterThanOrEqual(last)
    last = record.version
  }
  over = true
  await writing
})
