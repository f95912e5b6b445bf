import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { assertNotOwnDatabase, getOwnDatabaseIdentity } from '../../../src/sources/credentials/own-database.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../../support/sources.ts'
import { createTcpProxy } from '../../support/tcp-proxy.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'
const OWN_DATABASE_MESSAGE = /is Tablinum's own database and cannot be used as a source/

/** Our own database through another port than the one in our settings. */
const createDetour = async (app: TestApp) => {
  const proxy = await createTcpProxy(app.url)
  const { username, pathname } = new URL(app.url)
  return {
    credentials: { host: '127.0.0.1', port: proxy.port, database: pathname.slice(1), user: username },
    [Symbol.asyncDispose]: () => proxy.close(),
  }
}

describe("rejects Tablinum's own database as a source", () => {
  test.each(['postgres', 'redshift'])('%s: recognized after connecting, through any address', async (type) => {
    await using app = await createTestApp()
    await using own = await createDetour(app)
    const id = await createTestIntegration(app, type, own.credentials)
    const tested = await app.call('POST', `${PATH}/${id}/test`)
    expect([tested.status, tested.body.detail]).toEqual([409, expect.stringMatching(OWN_DATABASE_MESSAGE)])
    expect(await runSync(app, id)).toMatchObject({ status: 'FAILED' })
    const { body } = await app.call('GET', `${PATH}/${id}`)
    expect(body).toMatchObject({ last_sync_status: 'FAILED', last_sync_error: expect.stringMatching(OWN_DATABASE_MESSAGE) })
    expect(await app.db.selectFrom('resources').select('id').execute()).toEqual([])
  })

  test('recognized by a role without privileges', async () => {
    await using app = await createTestApp()
    await using own = await createDetour(app)
    const role = `reader_${own.credentials.database.slice(-20)}`
    await sql.raw(`create role ${role} login`).execute(app.db)
    await sql.raw('revoke execute on function pg_control_system() from public').execute(app.db)
    try {
      const id = await createTestIntegration(app, 'postgres', { ...own.credentials, user: role })
      expect((await app.call('POST', `${PATH}/${id}/test`)).body.detail).toMatch(OWN_DATABASE_MESSAGE)
    } finally {
      await sql.raw(`drop role ${role}`).execute(app.db)
    }
  })

  test('accepts another database on the same server', async () => {
    await using app = await createTestApp()
    await using source = await createPostgresSource('create table orders (id int)')
    const id = await createTestIntegration(app, 'postgres', source.credentials)
    expect((await app.call('POST', `${PATH}/${id}/test`)).status).toBe(200)
  })

  test('recognized by its address when it is saved', async () => {
    await using app = await createTestApp()
    await using own = await createDetour(app)
    await using source = await createPostgresSource()
    const { user, host, port, database } = own.credentials
    await using instance = await app.createInstance({ url: `postgres://${user}@${host}:${port}/${database}` })
    for (const host of ['127.0.0.1', 'localhost', '127.0.0.2', '0.0.0.0']) {
      const created = await instance.call('POST', PATH, {
        body: { name: 'x', type: 'postgres', credentials: { ...own.credentials, host } },
      })
      expect([host, created.status, created.body.errors]).toEqual([
        host,
        400,
        { 'credentials.database': [expect.stringMatching(OWN_DATABASE_MESSAGE)] },
      ])
    }
    const id = await createTestIntegration(instance, 'postgres', { ...own.credentials, database: source.name })
    const changed = await instance.call('PATCH', `${PATH}/${id}`, { body: { credentials: { database } } })
    expect([changed.status, changed.body.errors]).toEqual([400, { 'credentials.database': [expect.stringMatching(OWN_DATABASE_MESSAGE)] }])
    expect((await instance.call('PATCH', `${PATH}/${id}`, { body: { name: 'y' } })).status).toBe(200)
  })

  test('recognizes a replica, but not a database of another server with the same name and OID', async () => {
    await using app = await createTestApp()
    const own = await getOwnDatabaseIdentity(app.ctx)
    expect(own).toEqual({
      database: new URL(app.url).pathname.slice(1),
      oid: expect.stringMatching(/^\d+$/),
      started: expect.stringMatching(/^\d+\.\d+$/),
      system: expect.stringMatching(/^\d+$/),
    })
    expect(() => assertNotOwnDatabase({ ...own, started: '1' }, own)).toThrow(OWN_DATABASE_MESSAGE)
    expect(() => assertNotOwnDatabase({ ...own, started: '1', system: '2' }, own)).not.toThrow()
    expect(() => assertNotOwnDatabase({ ...own, started: '1', system: '' }, { ...own, system: '' })).not.toThrow()
    expect(() => assertNotOwnDatabase(undefined, own)).not.toThrow()
  })
})
