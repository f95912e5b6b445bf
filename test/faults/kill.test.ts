import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect } from '../../src/platform/db/connect.ts'
import { resolveDataHome } from '../../src/platform/db/embedded/embedded-location.ts'
import { findPassword } from '../../src/platform/db/embedded/embedded-password.ts'
import { readPostmasterFile } from '../../src/platform/db/embedded/embedded-process.ts'
import { ADMIN_TOKEN } from '../support/database.ts'
import { createTestApp } from '../support/test-app.ts'
import { findInconsistencies } from './consistency.ts'
import { callOnce, startTestServer } from './server.ts'
import { waitUntilBusy } from './wait-until-busy.ts'
import { WriteLoad } from './write-load.ts'

test('killing the server repeatedly', async () => {
  await using app = await createTestApp()
  const load = new WriteLoad()
  for (let round = 0; round < 2; round += 1) {
    await using server = await startTestServer({ DATABASE_URL: app.url })
    const writing = load.writeTo(server, 4)
    await waitUntilBusy(load)
    await sleep(round * 150) // at a different point of the work each time
    server.signal('SIGKILL')
    await writing
    expect(await server.ended).toEqual({ code: null, signal: 'SIGKILL' })
  }
  await using server = await startTestServer({ DATABASE_URL: app.url })
  expect(await findInconsistencies(app.db, load)).toEqual([])
  const { body } = await server.call('GET', '/resource/catalog?page_size=1')
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from resources`.execute(app.db)
  expect(body.count).toBe(rows[0]!.n)
})

test('killing the server and its embedded Postgres together', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-kill-'))
  try {
    const load = new WriteLoad()
    for (let round = 0; round < 2; round += 1) {
      await using server = await startTestServer({ TABLINUM_DATA: folder })
      const postmaster = await readPostmasterFile(join(await resolveDataHome(join(folder, 'postgres')), 'data'))
      const writing = load.writeTo(server, 4)
      await waitUntilBusy(load)
      process.kill(postmaster!.pid, 'SIGKILL')
      server.signal('SIGKILL')
      await writing.catch((error) => expect(String(error)).toMatch(/: 503/)) // requests running when Postgres was killed
      await server.ended
    }
    await using server = await startTestServer({ TABLINUM_DATA: folder })
    expect((await server.call('GET', '/resource/catalog?page_size=1')).status).toBe(200)
    const home = await resolveDataHome(join(folder, 'postgres'))
    const { socketFolder } = (await readPostmasterFile(join(home, 'data')))!
    const database = connect(`postgres://tablinum:${await findPassword(home)}@${encodeURIComponent(socketFolder)}/tablinum`, {
      poolSize: 1,
    })
    expect(await findInconsistencies(database.db, load)).toEqual([])
    await database.close()
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})

test('SIGTERM finishes running requests and then exits', async () => {
  await using app = await createTestApp()
  await using server = await startTestServer({ DATABASE_URL: app.url })
  const { id } = await app.createResource({ title: 'slow' })
  const release = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = app.db.transaction().execute(async (db) => {
    await sql`select from resources where id = ${id} for update`.execute(db)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const slow = callOnce(server, 'PATCH', `/resource/all/${id}`, { description: 'written while stopping' })
  await sleep(300)
  server.signal('SIGTERM')
  await sleep(300)
  release.resolve()
  await holding
  expect(await slow).toMatchObject({ status: 200, body: { description: 'written while stopping' } })
  expect(await server.ended).toEqual({ code: 0, signal: null }) // another server may respond on that port by now
})

test('the log identifies requests by ID and contains no secrets', async () => {
  await using app = await createTestApp()
  const server = await startTestServer({ DATABASE_URL: app.url, LOG_LEVEL: 'trace' })
  const { body: token } = await server.call('POST', '/auth/tokens', { name: 'logged' })
  const secret: string = Object.values(token as Record<string, unknown>).find((value) => String(value).startsWith('tbl_')) as string
  expect(secret).toMatch(/^tbl_/)
  await server.call('GET', '/resource/catalog?title=whisper', undefined, { authorization: `Bearer ${secret}` })
  await server.call('GET', '/user/me', undefined, { authorization: 'Bearer tbl_wrong_but_secret' })
  await server.call('POST', '/resource/catalog', { title: 5, description: 'a private word' })
  const { body: unknown } = await server.call('GET', '/nothing')
  await server[Symbol.asyncDispose]()
  const output = server.output()
  const lines = output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  expect(lines.find(({ request_id }) => request_id === unknown.request_id)).toMatchObject({
    method: 'GET',
    url: '/api/v1/nothing',
    status: 404,
    ms: expect.any(Number),
  })
  for (const word of [secret, ADMIN_TOKEN, 'tbl_wrong', 'whisper', 'a private word', app.url]) expect(output).not.toContain(word)
})
