import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootstrapWorkspace } from '../../src/accounts/users/bootstrap.ts'
import { createApp } from '../../src/app/app.ts'
import { createRuntime } from '../../src/app/runtime.ts'
import { createResource } from '../../src/catalog/resources/create.ts'
import { connect, type Database } from '../../src/platform/db/connect.ts'
import { prepareDatabase } from '../../src/platform/db/migrate.ts'
import { SYSTEM } from '../../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../../src/platform/queue/worker.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../servers/replica.ts'
import { runCli } from '../support/cli.ts'
import { ADMIN_TOKEN } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

let postgres: ReplicatedPostgres
let replica: Database
let instances: Awaited<ReturnType<typeof startInstance>>[]

/** A process on the primary and the replica. */
const startInstance = async () => {
  const pools = { request: 4, background: 4, transfer: 2 }
  const runtime = createRuntime(postgres.primary.url, { pools, replicaUrls: [postgres.replicaUrl], secretKeys: ['a key for tests'] })
  const { workspace_id } = await runtime.databases.request.db
    .selectFrom('workspaces')
    .select('id as workspace_id')
    .executeTakeFirstOrThrow()
  const app = await createApp({
    backend: { runtime, workspace_id, now: () => new Date() },
    config: { rateLimit: 0, requestTimeoutMs: 30_000, logLevel: 'silent' },
  })
  await runtime.replicas.start()
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, token = ADMIN_TOKEN) => {
    const response = await app.inject({ method, url: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` }, payload: body })
    const json = String(response.headers['content-type']).includes('json')
    return { status: response.statusCode, body: json ? response.json() : response.body }
  }
  /** The path, and who answered. */
  const read = async (path: string, token?: string) => {
    const before = { ...runtime.replicas.answers }
    const response = await call('GET', path, undefined, token)
    const by = (['replica', 'retried', 'primary'] as const).find((each) => runtime.replicas.answers[each] > before[each])
    return { ...response, by }
  }
  return {
    runtime,
    workspace_id,
    app,
    call,
    read,
    stop: async () => {
      await app.close()
      await runtime[Symbol.asyncDispose]()
    },
  }
}

beforeAll(async () => {
  postgres = await startReplicatedPostgres()
  const { db, close } = connect(postgres.primary.url, { poolSize: 3 })
  await prepareDatabase(db)
  await migrateQueue(postgres.primary.url)
  await bootstrapWorkspace(db, ADMIN_TOKEN, new Date())
  await close()
  replica = connect(postgres.replicaUrl, { poolSize: 1 })
  await eventually(async () => {
    await sql`select 1 from workspaces`.execute(replica.db)
  })
  instances = [await startInstance(), await startInstance()]
})

afterAll(async () => {
  for (const instance of instances) await instance.stop()
  await replica.close()
  await postgres[Symbol.asyncDispose]()
})

const titles = ({ body }: { body: { results: { title: string }[] } }) => body.results.map(({ title }) => title).sort()

test('lists, search, graph and exports are read from the replica, and a caller sees what any process has just written', async () => {
  const [one, other] = instances as [(typeof instances)[0], (typeof instances)[0]]
  await eventually(() => expect(one.runtime.replicas.all[0]!.problem).toBeUndefined())
  for (let i = 0; i < 30; i += 1) {
    const title = `orders_${i}`
    const { status, body } = await one.call('POST', '/resource/catalog', { title, entity_type: 'table' })
    expect(status).toBe(201)
    const list = await other.read('/resource/catalog?page_size=100')
    expect([list.status, list.body.count, titles(list).includes(title)]).toEqual([200, i + 1, true])
    const renamed = `renamed_${i}`
    await other.call('PATCH', `/resource/all/${body.id}`, { title: renamed })
    expect(titles(await one.read(`/search?q=${renamed}&page_size=100`))).toContain(renamed)
    expect(titles(await one.read('/resource/catalog?page_size=100'))).toContain(renamed)
  }
  const { body } = await one.call('POST', '/resource/catalog', { title: 'upstream', entity_type: 'table' })
  for (const path of [
    `/lineage/graph?resource_id=${body.id}`,
    '/resource/export?format=csv',
    '/table/tables?page_size=3',
    '/search?q=renamed',
  ])
    await eventually(async () =>
      expect([path, await one.read(path)]).toEqual([path, expect.objectContaining({ status: 200, by: 'replica' })]),
    )
  expect((await one.read('/resource/export?format=csv')).body).toContain('renamed_29')
})

test('a count stays exact while another transaction is open', async () => {
  const [one] = instances as [(typeof instances)[0]]
  const path = '/resource/catalog?page_size=1&filter={"operator":"exact","field":"type","value":"schema"}'
  const [begun, early] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const open = one.runtime.databases.background.db.transaction().execute(async (db) => {
    await sql`select pg_current_xact_id()`.execute(db) // older than the write that is counted first
    begun.resolve()
    await early.promise
    await createResource(
      { db, runtime: one.runtime, workspace_id: one.workspace_id, actor: SYSTEM, now: new Date(), limits: {}, in_transaction: true },
      { title: 'late', entity_type: 'schema' },
    )
  })
  await begun.promise
  await one.call('POST', '/resource/catalog', { title: 'early', entity_type: 'schema' })
  expect((await one.read(path)).body.count).toBe(1)
  expect(titles(await one.read('/search?q=late'))).toEqual([])
  await eventually(async () => expect((await one.read(path)).by).toBe('replica')) // cached with a snapshot of the replica
  early.resolve()
  await open
  expect([(await one.read(path)).body.count, titles(await one.read('/search?q=late'))]).toEqual([2, ['late']])
})

test('a revoked token is rejected at once, and what became hidden is not shown, even if the replica is behind', async () => {
  const [one] = instances as [(typeof instances)[0]]
  const { body: token } = await one.call('POST', '/auth/tokens', { name: 'short-lived' })
  const secret = Object.values(token as Record<string, string>).find((value) => String(value).startsWith('tbl_'))!
  expect((await one.read('/search?q=early', secret)).status).toBe(200)
  await sql`select pg_wal_replay_pause()`.execute(replica.db)
  try {
    expect((await one.call('DELETE', `/auth/tokens/${token.id}`)).status).toBeLessThan(300)
    expect((await one.read('/search?q=early', secret)).status).toBe(401)
    const { body } = await one.call('POST', '/resource/catalog', { title: 'unseen', entity_type: 'table' })
    const found = await one.read('/search?q=unseen')
    expect([found.by, titles(found)]).toEqual(['primary', ['unseen']])
    await eventually(() => expect(one.runtime.replicas.all[0]!.problem).toBe('behind'))
    await one.call('DELETE', `/resource/all/${body.id}`)
    expect(titles(await one.read('/search?q=unseen'))).toEqual([])
  } finally {
    await sql`select pg_wal_replay_resume()`.execute(replica.db)
  }
  await eventually(async () => expect((await one.read('/search?q=early')).by).toBe('replica'))
})

test('a replica that dies is left out without an error, and is used again when it is back', async () => {
  const [one] = instances as [(typeof instances)[0]]
  await postgres.stopReplica()
  const during = []
  for (let i = 0; i < 5; i += 1) during.push(await one.read('/resource/catalog?page_size=1'))
  expect(during.map(({ status }) => status)).toEqual(during.map(() => 200))
  expect(during.at(-1)!.by).toBe('primary')
  const metrics = (await one.app.inject({ url: '/metrics' })).body
  expect(metrics).toMatch(/^tablinum_replica_up\{replica="[^"]+"\} 0$/m)
  await one.call('POST', '/resource/catalog', { title: 'while_away', entity_type: 'table' })
  await postgres.startReplica()
  await eventually(async () => {
    const found = await one.read('/search?q=while_away')
    expect([found.by, titles(found)]).toEqual(['replica', ['while_away']])
  })
  expect((await one.app.inject({ url: '/metrics' })).body).toMatch(/^tablinum_replica_requests_total\{answered_by="replica"\} [1-9]/m)
})

test('a server that is not a replica of the database is never used', async () => {
  const runtime = createRuntime(postgres.primary.url, { replicaUrls: [postgres.primary.url], secretKeys: ['a key for tests'] })
  await runtime.replicas.start()
  expect(runtime.replicas.all[0]!.problem).toBe('not a replica')
  await runtime[Symbol.asyncDispose]()
  const { out } = await runCli(['doctor'], {
    env: {
      DATABASE_URL: postgres.primary.url,
      DATABASE_REPLICA_URL: `${postgres.replicaUrl},${postgres.primary.url}`,
      TABLINUM_SECRET_KEY: 'a key that is long enough',
    },
  })
  expect(out).toMatch(/^warning {2}replicas: \S+ is \d+ bytes behind; \S+ is not in recovery\. The primary answers instead\.$/m)
})
