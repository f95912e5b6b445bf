import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { identityOf, mustBeForeign } from '../src/integrations/own-database.ts'
import { aDoorTo } from './door.ts'
import { aHouse, type House } from './house.ts'
import { aPostgres, connectTo, sync } from './sources.ts'

const PATH = '/integration/integrations'
const SENTENCE = /is Tablinum's own database and cannot be used as a source/

/** Our own database through another port than the one in our settings. */
const detour = async (house: House) => {
  const door = await aDoorTo(house.url)
  const { username, pathname } = new URL(house.url)
  return {
    credentials: { host: '127.0.0.1', port: door.port, database: pathname.slice(1), user: username },
    [Symbol.asyncDispose]: () => door.close(),
  }
}

describe("rejects Tablinum's own database as a source", () => {
  test.each(['postgres', 'redshift'])('%s: recognized after connecting, through any address', async (type) => {
    await using house = await aHouse()
    await using own = await detour(house)
    const id = await connectTo(house, type, own.credentials)
    const tested = await house.call('POST', `${PATH}/${id}/test`)
    expect([tested.status, tested.body.detail]).toEqual([409, expect.stringMatching(SENTENCE)])
    expect(await sync(house, id)).toMatchObject({ status: 'FAILED' })
    const { body } = await house.call('GET', `${PATH}/${id}`)
    expect(body).toMatchObject({ last_sync_status: 'FAILED', last_sync_error: expect.stringMatching(SENTENCE) })
    expect(await house.db.selectFrom('resources').select('id').execute()).toEqual([])
  })

  test('recognized by a role without privileges', async () => {
    await using house = await aHouse()
    await using own = await detour(house)
    const role = `reader_${own.credentials.database.slice(-20)}`
    await sql.raw(`create role ${role} login`).execute(house.db)
    await sql.raw('revoke execute on function pg_control_system() from public').execute(house.db)
    try {
      const id = await connectTo(house, 'postgres', { ...own.credentials, user: role })
      expect((await house.call('POST', `${PATH}/${id}/test`)).body.detail).toMatch(SENTENCE)
    } finally {
      await sql.raw(`drop role ${role}`).execute(house.db)
    }
  })

  test('accepts another database on the same server', async () => {
    await using house = await aHouse()
    await using source = await aPostgres('create table orders (id int)')
    const id = await connectTo(house, 'postgres', source.credentials)
    expect((await house.call('POST', `${PATH}/${id}/test`)).status).toBe(200)
  })

  test('recognized by its address when it is saved', async () => {
    await using house = await aHouse()
    await using own = await detour(house)
    await using source = await aPostgres()
    const { user, host, port, database } = own.credentials
    await using instance = await house.instance({ url: `postgres://${user}@${host}:${port}/${database}` })
    for (const host of ['127.0.0.1', 'localhost', '127.0.0.2', '0.0.0.0']) {
      const created = await instance.call('POST', PATH, {
        body: { name: 'x', type: 'postgres', credentials: { ...own.credentials, host } },
      })
      expect([host, created.status, created.body.errors]).toEqual([
        host,
        400,
        { 'credentials.database': [expect.stringMatching(SENTENCE)] },
      ])
    }
    const id = await connectTo(instance, 'postgres', { ...own.credentials, database: source.name })
    const changed = await instance.call('PATCH', `${PATH}/${id}`, { body: { credentials: { database } } })
    expect([changed.status, changed.body.errors]).toEqual([400, { 'credentials.database': [expect.stringMatching(SENTENCE)] }])
    expect((await instance.call('PATCH', `${PATH}/${id}`, { body: { name: 'y' } })).status).toBe(200)
  })

  test('recognizes a replica, but not a database of another server with the same name and OID', async () => {
    await using house = await aHouse()
    const own = await identityOf(house.ctx)
    expect(own).toEqual({
      database: new URL(house.url).pathname.slice(1),
      oid: expect.stringMatching(/^\d+$/),
      started: expect.stringMatching(/^\d+\.\d+$/),
      system: expect.stringMatching(/^\d+$/),
    })
    expect(() => mustBeForeign({ ...own, started: '1' }, own)).toThrow(SENTENCE)
    expect(() => mustBeForeign({ ...own, started: '1', system: '2' }, own)).not.toThrow()
    expect(() => mustBeForeign({ ...own, started: '1', system: '' }, { ...own, system: '' })).not.toThrow()
    expect(() => mustBeForeign(undefined, own)).not.toThrow()
  })
})
