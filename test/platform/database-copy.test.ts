import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect, type Db } from '../../src/platform/db/connect.ts'
import { copyIn } from '../../src/platform/db/copy-in.ts'
import { isDatabaseError } from '../../src/platform/db/database-error.ts'
import { rowsParam } from '../../src/platform/db/rows-param.ts'
import { createDatabaseProxy } from '../faults/database-proxy.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp } from '../support/test-app.ts'

const TYPES = { id: 'int', text: 'text', texts: 'text[]', data: 'jsonb', at: 'timestamptz', flag: 'boolean' }

const createTable = (db: Db) =>
  sql`create table copied (id int primary key, text text, texts text[], data jsonb, at timestamptz, flag boolean default true, batch text)`.execute(
    db,
  )

const TEXTS = [
  '',
  'a\tb',
  'a\nb\r\nc',
  '\\N',
  '\\.',
  '\\',
  'a\\tb',
  '"quoted", {braces}',
  "it's",
  'é 漢字 😀',
  'null',
  '\u0001\b\f\v',
  '\\\\n',
]

test('every text, list and JSON is stored as it was by COPY', async () => {
  await using app = await createTestApp()
  await createTable(app.db)
  const at = new Date('2026-11-19T05:00:00.123Z')
  const rows = TEXTS.map((text, id) => ({
    id,
    text,
    texts: [text, ...TEXTS],
    data: { [text]: [text, 1.5, null, false] },
    at,
    flag: id % 2 === 0,
  }))
  await app.db.transaction().execute((db) => copyIn(db, 'copied', TYPES, rows, { batch: 'a\tb' }))
  const { rows: stored } = await sql`select id, text, texts, data, at, flag, batch from copied order by id`.execute(app.db)
  expect(stored).toEqual(rows.map((row) => ({ ...row, at: at.toISOString(), batch: 'a\tb' })))
})

/** The same rows as JSON, as fewer rows are inserted. */
const insertAsJson = (db: Db, rows: readonly object[]) =>
  sql`insert into copied (${sql.join(Object.keys(TYPES).map((name) => sql.ref(name)))}) select * from ${rowsParam(TYPES)(rows, 'x')}`.execute(
    db,
  )

test('what a row lacks is null and never a default, whether other rows have it or not, as in an insert of JSON', async () => {
  await using app = await createTestApp()
  await createTable(app.db)
  const batches = [
    [
      { id: 1, text: null, texts: ['a', null, 'null'] },
      { id: 2, text: 'b', flag: undefined },
    ],
    [{ id: 3, flag: false, texts: [] }, { id: 4, flag: null }, { id: 5 }],
  ]
  const read = async () => (await sql`select id, text, texts, data, at, flag, batch from copied order by id`.execute(app.db)).rows
  for (const rows of batches) await copyIn(app.db, 'copied', TYPES, rows)
  await copyIn(app.db, 'copied', TYPES, [])
  const copied = await read()
  const empty = { text: null, texts: null, data: null, at: null, flag: null, batch: null }
  expect(copied).toEqual([
    { ...empty, id: 1, texts: ['a', null, 'null'] },
    { ...empty, id: 2, text: 'b' },
    { ...empty, id: 3, flag: false, texts: [] },
    { ...empty, id: 4 },
    { ...empty, id: 5 },
  ])
  await sql`delete from copied`.execute(app.db)
  for (const rows of batches) await insertAsJson(app.db, rows)
  expect(await read()).toEqual(copied)
})

test.each([
  ['a text', { text: 'a\ud83d' }],
  ['a list', { texts: ['\ude00\ud83d'] }],
  ['JSON', { data: { a: '\ude00' } }],
])('half a surrogate pair in %s is rejected, as in an insert of JSON', async (_, fields) => {
  await using app = await createTestApp()
  await createTable(app.db)
  const rows = [{ id: 1, ...fields }]
  for (const insert of [() => copyIn(app.db, 'copied', TYPES, rows), () => insertAsJson(app.db, rows)]) {
    const error = await insert().then(
      () => undefined,
      (error) => error,
    )
    expect(error).toMatchObject({ code: '22P02' })
    expect(isDatabaseError(error)).toBe(true)
  }
  expect((await sql`select from copied`.execute(app.db)).rows).toEqual([])
})

test('a COPY can begin a transaction; if one fails, nothing sent with it counts and the connection can be used again', async () => {
  await using app = await createTestApp()
  const database = connect(app.url, { poolSize: 1 })
  const { db } = database
  await createTable(db)
  const add = (db: Db, ids: readonly number[]) =>
    copyIn(
      db,
      'copied',
      TYPES,
      ids.map((id) => ({ id })),
    )
  const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid
  const ids = async () => (await sql<{ id: number }>`select id from copied order by id`.execute(db)).rows.map(({ id }) => id)
  const before = await pid()
  const failed = db
    .transaction()
    .execute((db) => Promise.all([add(db, [1, 2]), add(db, [3, 2, 4]), add(db, [5]), sql`select 1`.execute(db)]))
  await expect(failed).rejects.toMatchObject({ code: '23505' })
  expect(await ids()).toEqual([])
  await expect(copyIn(db, 'missing', TYPES, [{ id: 1 }])).rejects.toMatchObject({ code: '42P01' })
  await db.transaction().execute((db) => Promise.all([add(db, [1, 2]), add(db, [3])]))
  expect(await ids()).toEqual([1, 2, 3])
  expect(await pid()).toBe(before)
  await database.close()
})

test('concurrent statements of a transaction are sent without waiting for each other', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  const database = connect(proxy.url, { poolSize: 1 })
  await createTable(app.db)
  await app.db.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(7)`.execute(holder)
    const running = database.db.transaction().execute(async (db) => {
      await sql`select 'first'`.execute(db)
      const waiting = sql`select pg_advisory_xact_lock(7)`.execute(db)
      await Promise.all([waiting, copyIn(db, 'copied', TYPES, [{ id: 1 }]), sql`select 'second'`.execute(db)])
    })
    await eventually(async () => expect(proxy.statements.some(({ text }) => text.includes("'second'"))).toBe(true))
    await sql`select pg_advisory_unlock(7)`.execute(holder)
    await running
  })
  expect((await sql`select from copied`.execute(app.db)).rows).toHaveLength(1)
  await database.close()
})
