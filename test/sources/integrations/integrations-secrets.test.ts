import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../../src/app/tasks.ts'
import { ConfigError, readConfig } from '../../../src/platform/config/config.ts'
import type { Context } from '../../../src/platform/context/context.ts'
import { newId } from '../../../src/platform/core/id.ts'
import { runJob } from '../../../src/platform/jobs/run.ts'
import { Keyring } from '../../../src/platform/secrets/keyring.ts'
import { deriveKey, seal, unseal } from '../../../src/platform/secrets/seal.ts'
import { CONNECTORS } from '../../../src/sources/connectors/registry/all.ts'
import type { Source } from '../../../src/sources/connectors/shared/connector.ts'
import { resealCredentials } from '../../../src/sources/integrations/vault.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'
const SECRET = 'correct horse/battery+staple'
const BODY = { name: 'Shop', type: 'postgres', credentials: { host: 'db', database: 'shop', user: 'reader', password: SECRET } }
/** Its forms in JSON, in a URL, in hex and in base64. */
const ENCODED_SECRETS = [
  SECRET,
  encodeURIComponent(SECRET),
  Buffer.from(SECRET).toString('hex'),
  Buffer.from(SECRET).toString('base64').slice(0, 30),
]

/** Every row of every table as text, like in a backup. */
const dumpDatabase = async ({ db }: TestApp): Promise<string> => {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'
  `.execute(db)
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string | null }>`select string_agg(t::text, ' ') as text from ${sql.raw(name)} t`.execute(db)
    texts.push(rows[0]!.text ?? '')
  }
  return texts.join('\n')
}

/** Replaces the Postgres connector: what it receives and returns. Real connectors are tested with their sources. */
const receivedSources: Source[] = []
let respond: () => string = () => 'Reached.'
const connect = () =>
  CONNECTORS.set('postgres', {
    test: async (source) => {
      receivedSources.push(source)
      return respond()
    },
    async *discover(source, { log }) {
      receivedSources.push(source)
      await log(respond())
      yield* []
    },
  })
const real = CONNECTORS.get('postgres')!
afterEach(() => {
  CONNECTORS.set('postgres', real)
  receivedSources.length = 0
  respond = () => 'Reached.'
})
const findCredentials = async (app: Pick<TestApp, 'call'>, id: string) => {
  connect()
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  return tested.status === 200 ? receivedSources.at(-1)!.credentials : [tested.status, tested.body.detail]
}
const works = (app: TestApp, job_id: string, integration_id: string) =>
  runJob(app.ctx, JOB_HANDLERS, job_id, { integration_id, sync_id: job_id }, true).catch((error: Error) => error.message)

test('never reveals a secret in responses, logs, the history or the database', async () => {
  await using app = await createTestApp()
  const texts: string[] = []
  const call: TestApp['call'] = async (...args) => {
    const response = await app.call(...args)
    texts.push(JSON.stringify(response.headers), response.text)
    return response
  }
  const headers = { 'idempotency-key': 'k' }
  const { body } = await call('POST', PATH, { body: BODY, headers })
  await call('POST', PATH, { body: BODY, headers })
  await call('POST', PATH, { body: { ...BODY, credentials: { ...BODY.credentials, port: SECRET } } })
  await call('POST', PATH, { body: { ...BODY, credentials: { password: SECRET } } })
  await call('POST', PATH, { body: { ...BODY, type: 'custom' } })
  await call('POST', PATH, { body: `{"name": "x", "credentials": {"password": "${SECRET}"` })
  await call('PATCH', `${PATH}/${body.id}`, { body: { credentials: { password: `${SECRET}!` } } })
  await call('PATCH', `${PATH}/${body.id}`, { body: { credentials: { password: SECRET } }, headers: { 'if-match': '"old"' } })
  connect()
  respond = () => {
    throw new Error(`no entry for reader:${encodeURIComponent(SECRET)}! or ${SECRET}!`)
  }
  await call('POST', `${PATH}/${body.id}/test`)
  const { body: job } = await call('POST', `${PATH}/${body.id}/sync`)
  await works(app, job.id, body.id)
  const failed = await call('GET', `${PATH}/${body.id}`)
  expect(failed.body).toMatchObject({ last_sync_status: 'FAILED', last_sync_error: 'no entry for reader:••• or •••' })
  await call('GET', `/background_jobs/${job.id}`)
  await call('GET', '/activity_log/audit_logs/')
  await call('GET', `/activity_log/resource_logs/?resource_id=${body.id}`)
  const kept = await dumpDatabase(app)
  expect(kept).toContain('reader') // proves that the check sees what is not secret
  for (const disguise of ENCODED_SECRETS) {
    expect(kept).not.toContain(disguise)
    expect(texts.join('\n')).not.toContain(disguise)
  }
  expect(await tryFindCredentials(app, body.id)).toMatchObject({ password: `${SECRET}!` })
})
const tryFindCredentials = (app: TestApp, id: string) => {
  respond = () => 'Reached.'
  return findCredentials(app, id)
}

test('edits each credential field separately', async () => {
  await using app = await createTestApp()
  const { body } = await app.call('POST', PATH, { body: BODY })
  const at = `${PATH}/${body.id}`
  await app.call('PATCH', at, { body: { credentials: { user: 'writer' } } })
  expect(await findCredentials(app, body.id)).toEqual({ ...BODY.credentials, user: 'writer' })
  await app.call('PATCH', at, { body: { name: 'Store' } })
  await app.call('PATCH', at, { body: { credentials: { password: null } } })
  expect((await app.call('GET', at)).body.secrets_set).toEqual([])
  const { password: _, ...rest } = BODY.credentials
  expect(await findCredentials(app, body.id)).toEqual({ ...rest, user: 'writer' })
  const cleared = await app.call('PATCH', at, { body: { credentials: null } })
  expect(cleared.body).toMatchObject({ connection: {}, secrets_set: [] })
  expect(await findCredentials(app, body.id)).toEqual([400, 'credentials.host: is required.'])
})

test('runs a sync as a job, records its outcome, and passes all credentials to the connector', async () => {
  await using app = await createTestApp()
  const { body } = await app.call('POST', PATH, { body: BODY })
  connect()
  expect((await app.call('POST', `${PATH}/${body.id}/test`)).body).toEqual({ status: 'OK', detail: 'Reached.' })
  const { status, body: job } = await app.call('POST', `${PATH}/${body.id}/sync`)
  expect([status, job.status, job.title]).toEqual([200, 'PENDING', 'Sync Shop'])
  expect((await app.call('GET', `${PATH}/${body.id}`)).body.last_sync_status).toBe('PENDING')
  await works(app, job.id, body.id)
  expect(receivedSources.at(-1)).toMatchObject({ id: body.id, name: 'Shop', credentials: BODY.credentials, allow: [] })
  expect((await app.call('GET', `${PATH}/${body.id}`)).body).toMatchObject({
    last_sync_status: 'COMPLETED',
    last_sync_error: null,
    last_synced_at: expect.any(String),
  })
  expect((await app.call('GET', `/background_jobs/${job.id}`)).body).toMatchObject({
    status: 'COMPLETED',
    logs: expect.stringContaining('Reached.'),
  })
})

describe('a sealed secret', () => {
  const [key, other] = [deriveKey(Buffer.alloc(32, 1)), deriveKey(Buffer.alloc(32, 2))]

  test('opens only with its key and for its owner', () => {
    const sealed = seal(key, 'a', SECRET)
    expect(unseal(key, 'a', sealed)).toBe(SECRET)
    expect(unseal(key, 'b', sealed)).toBeUndefined()
    expect(unseal(other, 'a', sealed)).toBeUndefined()
    for (let i = 0; i < sealed.length; i += 1) {
      const bent = Buffer.from(sealed)
      bent[i]! ^= 1
      expect(unseal(key, 'a', bent)).toBeUndefined()
      expect(unseal(key, 'a', sealed.subarray(0, i))).toBeUndefined()
    }
  })

  test('differs each time it is sealed', () => expect(seal(key, 'a', SECRET)).not.toEqual(seal(key, 'a', SECRET)))

  test('cannot be opened in a row copied to another integration', async () => {
    await using app = await createTestApp()
    const { body: a } = await app.call('POST', PATH, { body: BODY })
    const { body: b } = await app.call('POST', PATH, {
      body: { ...BODY, credentials: { ...BODY.credentials, host: 'evil', password: 'x' } },
    })
    await sql`update integrations b set secrets = a.secrets from integrations a where a.id = ${a.id} and b.id = ${b.id}`.execute(app.db)
    expect(await findCredentials(app, b.id)).toEqual([409, expect.stringContaining('encrypted for another one')])
    expect(receivedSources).toEqual([])
  })
})

describe('the encryption key', () => {
  const aFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tablinum-keys-'))
    return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
  }
  const ringOf = (dataFolder: string) => {
    return new Keyring({ dataFolder })
  }

  test('is created when first needed, readable by the owner only, and then used by every process', async () => {
    await using folder = await aFolder()
    const data = join(folder.folder, 'data')
    const all = await Promise.all(Array.from({ length: 8 }, () => ringOf(data).keys()))
    expect(new Set(all.map(([key]) => key!.id)).size).toBe(1)
    expect((await stat(join(data, 'secret.key'))).mode & 0o777).toBe(0o600)
    expect(Buffer.from(await readFile(join(data, 'secret.key'), 'utf8'), 'base64')).toHaveLength(32)
    await writeFile(join(data, 'secret.key'), 'damaged')
    await expect(ringOf(data).keys()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('damaged') })
    expect(await readFile(join(data, 'secret.key'), 'utf8')).toBe('damaged')
  })

  test('is read from the environment, comma-separated, and never shown', () => {
    const read = (TABLINUM_SECRET_KEY?: string) => readConfig({ TABLINUM_SECRET_KEY }, []).secretKeys
    expect(read()).toEqual([])
    expect(read(' a new key , an old key ')).toEqual(['a new key', 'an old key'])
    expect(() => read('hunter2')).toThrow(ConfigError)
    expect(() => read('hunter2')).not.toThrow(/hunter2/)
  })

  test('can be rotated: the old key opens, the new one seals, and after the next start the old one is not needed', async () => {
    await using app = await createTestApp({ secretKeys: ['the old key'] })
    const { body } = await app.call('POST', PATH, { body: BODY })
    const before = (await app.call('GET', `${PATH}/${body.id}`)).body
    await using both = await app.createInstance({ secretKeys: ['the new key', 'the old key'] })
    expect(await findCredentials(both, body.id)).toEqual(BODY.credentials)
    expect(await resealCredentials(both.ctx)).toBeUndefined()
    await using renewed = await app.createInstance({ secretKeys: ['the new key'] })
    expect(await findCredentials(renewed, body.id)).toEqual(BODY.credentials)
    expect(await resealCredentials(renewed.ctx)).toBeUndefined()
    expect((await renewed.call('GET', `${PATH}/${body.id}`)).body).toEqual(before)
  })

  test('of another process is detected: nothing is sealed, existing secrets stay, and the start warns', async () => {
    await using app = await createTestApp()
    const { body } = await app.call('POST', PATH, { body: BODY })
    await using otherInstance = await app.createInstance({ secretKeys: ['quite another key'] })
    const rejected = await otherInstance.call('POST', PATH, { body: BODY })
    expect([rejected.status, rejected.body.detail]).toEqual([409, expect.stringContaining('the same TABLINUM_SECRET_KEY')])
    expect(await findCredentials(otherInstance, body.id)).toEqual([409, expect.stringContaining('encrypted with another key')])
    expect((await otherInstance.call('PATCH', `${PATH}/${body.id}`, { body: { credentials: { include: 'a.*' } } })).status).toBe(409)
    expect(await resealCredentials(otherInstance.ctx)).toMatch(/^The secrets of 1 of 1 integrations were encrypted with a key/)
    expect((await otherInstance.call('POST', PATH, { body: { name: 'without secrets' } })).status).toBe(201)
    expect(await findCredentials(app, body.id)).toEqual(BODY.credentials)
    // If the key is lost, the secrets can be set again.
    expect((await otherInstance.call('PATCH', `${PATH}/${body.id}`, { body: { credentials: { password: 'new' } } })).status).toBe(200)
    expect(await findCredentials(otherInstance, body.id)).toEqual({ ...BODY.credentials, password: 'new' })
  })

  test('of two processes with different keys, only one can seal', async () => {
    await using app = await createTestApp()
    await using otherInstance = await app.createInstance({ secretKeys: ['quite another key'] })
    const both = await Promise.all([app.call('POST', PATH, { body: BODY }), otherInstance.call('POST', PATH, { body: BODY })])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('is not needed without secrets', async () => {
    await using app = await createTestApp({ secretKeys: [] })
    expect((await app.call('POST', PATH, { body: { name: 'x', type: 'sqlite', credentials: { path: 'a.db' } } })).status).toBe(201)
    expect(await resealCredentials(app.ctx as Context)).toBeUndefined()
    const rejected = await app.call('POST', PATH, { body: BODY })
    expect([rejected.status, rejected.body.detail]).toEqual([503, expect.stringContaining('TABLINUM_SECRET_KEY')])
    expect((await app.call('GET', `${PATH}/${newId()}`)).status).toBe(404)
  })
})
