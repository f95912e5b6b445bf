import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { aDoorTo } from './door.ts'
import { aHouse } from './house.ts'
import { aPostgres, connectTo, sync } from './sources.ts'

test('the queries that a Postgres was asked become resources, with how often and by whom', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-queries-'))
  const server = await startEmbedded({ dataFolder: folder, settings: { shared_preload_libraries: 'pg_stat_statements', fsync: 'off' } })
  const door = await aDoorTo(server.url)
  const admin = connect(server.url, { poolSize: 1 })
  try {
    await using house = await aHouse()
    for (const statement of [
      'create extension pg_stat_statements',
      'create role reader login in role pg_read_all_stats',
      'create table orders (id int, secret text)',
      'select pg_stat_statements_reset()',
      "create role somebody password 'swordfish'",
      ...Array.from({ length: 12 }, (_, i) => `select  id from orders where secret = 'swordfish ${i}'`),
      "insert into orders values (1, 'swordfish')",
    ])
      await sql.raw(statement).execute(admin.db)
    const [, database] = new URL(server.url).pathname.split('/')
    const credentials = { host: '127.0.0.1', port: door.port, database, user: 'reader', query_history: true }
    const id = await connectTo(house, 'postgres', credentials)
    expect(await sync(house, id)).toMatchObject({ status: 'COMPLETED', error: null })
    const { body } = await house.call('GET', '/query/queries?sort={"field":"freq","order":"desc"}')
    const queries = body.results.filter(({ title }: { title: string }) => title.includes('orders'))
    expect(queries).toMatchObject([
      { title: 'select id from orders where secret = $1', freq: 12, type: 'history', external_users: [new URL(server.url).username] },
      { title: 'insert into orders values ($1, $2)', freq: 1 },
    ])
    expect(JSON.stringify(body)).not.toContain('swordfish')
    const before = await house.changes()
    await sync(house, id)
    expect(await house.changes()).toEqual(before)
  } finally {
    await admin.close()
    await door.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

test('a Postgres that keeps no history says so, and everything else is told', async () => {
  await using house = await aHouse()
  await using source = await aPostgres('create table orders (id int)')
  const id = await connectTo(house, 'postgres', { ...source.credentials, query_history: true })
  const told = await sync(house, id)
  expect(told).toMatchObject({ status: 'COMPLETED', report: { new: { table: 1, column: 1 } } })
  const { body } = await house.call('GET', `/background_jobs/${told.id}`)
  expect(body.logs).toContain('pg_stat_statements is not installed')
  await source.run('create extension pg_stat_statements')
  const again = await sync(house, id)
  expect(again).toMatchObject({ status: 'COMPLETED', report: { unchanged: { table: 1 } } })
  expect((await house.call('GET', `/background_jobs/${again.id}`)).body.logs).toContain('cannot be read: pg_stat_statements must be loaded')
})
