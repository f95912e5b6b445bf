import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { newId } from '../src/id.ts'
import { CONNECTORS } from '../src/integrations/connectors/all.ts'
import type { Source } from '../src/integrations/connectors/connector.ts'
import { Keyring } from '../src/integrations/keyring.ts'
import { keyOf, seal, unseal } from '../src/integrations/secrets.ts'
import { renewSecrets } from '../src/integrations/vault.ts'
import { runJob } from '../src/jobs/run.ts'
import { JOBS } from '../src/tasks.ts'
import { aHouse, type House } from './house.ts'

const PATH = '/integration/integrations'
const SECRET = 'correct horse/battery+staple'
const BODY = { name: 'Shop', type: 'postgres', credentials: { host: 'db', database: 'shop', user: 'reader', password: SECRET } }
/** Its forms in JSON, in a URL, in hex and in base64. */
const DISGUISES = [
  SECRET,
  encodeURIComponent(SECRET),
  Buffer.from(SECRET).toString('hex'),
  Buffer.from(SECRET).toString('base64').slice(0, 30),
]

/** Every row of every table as text, like in a backup. */
const everything = async ({ db }: House): Promise<string> => {
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
const told: Source[] = []
let answer: () => string = () => 'Reached.'
const connect = () =>
  CONNECTORS.set('postgres', {
    test: async (source) => {
      told.push(source)
      return answer()
    },
    async *discover(source, { say }) {
      told.push(source)
      await say(answer())
      yield* []
    },
  })
const real = CONNECTORS.get('postgres')!
afterEach(() => {
  CONNECTORS.set('postgres', real)
  told.length = 0
  answer = () => 'Reached.'
})
const credentialsOf = async (house: Pick<House, 'call'>, id: string) => {
  connect()
  const tested = await house.call('POST', `${PATH}/${id}/test`)
  return tested.status === 200 ? told.at(-1)!.credentials : [tested.status, tested.body.detail]
}
const works = (house: House, job_id: string, integration_id: string) =>
  runJob(house.ctx, JOBS, job_id, { integration_id, sync_id: job_id }, true).catch((error: Error) => error.message)

test('never reveals a secret in responses, logs, the history or the database', async () => {
  await using house = await aHouse()
  const texts: string[] = []
  const call: House['call'] = async (...asked) => {
    const given = await house.call(...asked)
    texts.push(JSON.stringify(given.headers), given.text)
    return given
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
  answer = () => {
    throw new Error(`no entry for reader:${encodeURIComponent(SECRET)}! or ${SECRET}!`)
  }
  await call('POST', `${PATH}/${body.id}/test`)
  const { body: job } = await call('POST', `${PATH}/${body.id}/sync`)
  await works(house, job.id, body.id)
  const failed = await call('GET', `${PATH}/${body.id}`)
  expect(failed.body).toMatchObject({ last_sync_status: 'FAILED', last_sync_error: 'no entry for reader:••• or •••' })
  await call('GET', `/background_jobs/${job.id}`)
  await call('GET', '/activity_log/audit_logs/')
  await call('GET', `/activity_log/resource_logs/?resource_id=${body.id}`)
  const kept = await everything(house)
  expect(kept).toContain('reader') // proves that the check sees what is not secret
  for (const disguise of DISGUISES) {
    expect(kept).not.toContain(disguise)
    expect(texts.join('\n')).not.toContain(disguise)
  }
  expect(await credentialsOfQuietly(house, body.id)).toMatchObject({ password: `${SECRET}!` })
})
const credentialsOfQuietly = (house: House, id: string) => {
  answer = () => 'Reached.'
  return credentialsOf(house, id)
}

test('edits each credential field separately', async () => {
  await using house = await aHouse()
  const { body } = await house.call('POST', PATH, { body: BODY })
  const at = `${PATH}/${body.id}`
  await house.call('PATCH', at, { body: { credentials: { user: 'writer' } } })
  expect(await credentialsOf(house, body.id)).toEqual({ ...BODY.credentials, user: 'writer' })
  await house.call('PATCH', at, { body: { name: 'Store' } })
  await house.call('PATCH', at, { body: { credentials: { password: null } } })
  expect((await house.call('GET', at)).body.secrets_set).toEqual([])
  const { password: _, ...rest } = BODY.credentials
  expect(await credentialsOf(house, body.id)).toEqual({ ...rest, user: 'writer' })
  const cleared = await house.call('PATCH', at, { body: { credentials: null } })
  expect(cleared.body).toMatchObject({ connection: {}, secrets_set: [] })
  expect(await credentialsOf(house, body.id)).toEqual([400, 'credentials.host: is required.'])
})

test('runs a sync as a job, records its outcome, and passes all credentials to the connector', async () => {
  await using house = await aHouse()
  const { body } = await house.call('POST', PATH, { body: BODY })
  connect()
  expect((await house.call('POST', `${PATH}/${body.id}/test`)).body).toEqual({ status: 'OK', detail: 'Reached.' })
  const { status, body: job } = await house.call('POST', `${PATH}/${body.id}/sync`)
  expect([status, job.status, job.title]).toEqual([200, 'PENDING', 'Sync Shop'])
  expect((await house.call('GET', `${PATH}/${body.id}`)).body.last_sync_status).toBe('PENDING')
  await works(house, job.id, body.id)
  expect(told.at(-1)).toMatchObject({ id: body.id, name: 'Shop', credentials: BODY.credentials, allow: [] })
  expect((await house.call('GET', `${PATH}/${body.id}`)).body).toMatchObject({
    last_sync_status: 'COMPLETED',
    last_sync_error: null,
    last_synced_at: expect.any(String),
  })
  expect((await house.call('GET', `/background_jobs/${job.id}`)).body).toMatchObject({
    status: 'COMPLETED',
    logs: expect.stringContaining('Reached.'),
  })
})

describe('a sealed secret', () => {
  const [key, other] = [keyOf(Buffer.alloc(32, 1)), keyOf(Buffer.alloc(32, 2))]

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
    await using house = await aHouse()
    const { body: a } = await house.call('POST', PATH, { body: BODY })
    const { body: b } = await house.call('POST', PATH, {
      body: { ...BODY, credentials: { ...BODY.credentials, host: 'evil', password: 'x' } },
    })
    await sql`update integrations b set secrets = a.secrets from integrations a where a.id = ${a.id} and b.id = ${b.id}`.execute(house.db)
    expect(await credentialsOf(house, b.id)).toEqual([409, expect.stringContaining('encrypted for another one')])
    expect(told).toEqual([])
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
    await using place = await aFolder()
    const data = join(place.folder, 'data')
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
    await using house = await aHouse({ secretKeys: ['the old key'] })
    const { body } = await house.call('POST', PATH, { body: BODY })
    const before = (await house.call('GET', `${PATH}/${body.id}`)).body
    await using both = await house.instance({ secretKeys: ['the new key', 'the old key'] })
    expect(await credentialsOf(both, body.id)).toEqual(BODY.credentials)
    expect(await renewSecrets(both.ctx)).toBeUndefined()
    await using renewed = await house.instance({ secretKeys: ['the new key'] })
    expect(await credentialsOf(renewed, body.id)).toEqual(BODY.credentials)
    expect(await renewSecrets(renewed.ctx)).toBeUndefined()
    expect((await renewed.call('GET', `${PATH}/${body.id}`)).body).toEqual(before)
  })

  test('of another process is detected: nothing is sealed, existing secrets stay, and the start warns', async () => {
    await using house = await aHouse()
    const { body } = await house.call('POST', PATH, { body: BODY })
    await using stranger = await house.instance({ secretKeys: ['quite another key'] })
    const refused = await stranger.call('POST', PATH, { body: BODY })
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('the same TABLINUM_SECRET_KEY')])
    expect(await credentialsOf(stranger, body.id)).toEqual([409, expect.stringContaining('encrypted with another key')])
    expect((await stranger.call('PATCH', `${PATH}/${body.id}`, { body: { credentials: { include: 'a.*' } } })).status).toBe(409)
    expect(await renewSecrets(stranger.ctx)).toMatch(/^The secrets of 1 of 1 integrations were encrypted with a key/)
    expect((await stranger.call('POST', PATH, { body: { name: 'without secrets' } })).status).toBe(201)
    expect(await credentialsOf(house, body.id)).toEqual(BODY.credentials)
    // If the key is lost, the secrets can be set again.
    expect((await stranger.call('PATCH', `${PATH}/${body.id}`, { body: { credentials: { password: 'new' } } })).status).toBe(200)
    expect(await credentialsOf(stranger, body.id)).toEqual({ ...BODY.credentials, password: 'new' })
  })

  test('of two processes with different keys, only one can seal', async () => {
    await using house = await aHouse()
    await using stranger = await house.instance({ secretKeys: ['quite another key'] })
    const both = await Promise.all([house.call('POST', PATH, { body: BODY }), stranger.call('POST', PATH, { body: BODY })])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('is not needed without secrets', async () => {
    await using house = await aHouse({ secretKeys: [] })
    expect((await house.call('POST', PATH, { body: { name: 'x', type: 'sqlite', credentials: { path: 'a.db' } } })).status).toBe(201)
    expect(await renewSecrets(house.ctx as Context)).toBeUndefined()
    const refused = await house.call('POST', PATH, { body: BODY })
    expect([refused.status, refused.body.detail]).toEqual([503, expect.stringContaining('TABLINUM_SECRET_KEY')])
    expect((await house.call('GET', `${PATH}/${newId()}`)).status).toBe(404)
  })
})
