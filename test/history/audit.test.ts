import { expect, test } from 'vitest'
import { PASSWORD, signInAdmin } from '../support/browser-session.ts'
import { findByTitle } from '../support/profiles.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp, type TestInstance } from '../support/test-app.ts'

/** Actions that are recorded although they change nothing. */
const entries = async (app: TestApp, activity_type: string) => {
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'activity_type', value: activity_type }))
  return (await app.call('GET', `/activity_log/audit_logs/?filter=${filter}`)).body
}
const getPayload = async (app: TestApp, id: string) =>
  (await app.db.selectFrom('activities').select('payload').where('id', '=', id).executeTakeFirstOrThrow()).payload

test('viewing personal data is recorded with user, time, table and columns; other previews are not', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table people (id int, contact text)',
    `insert into people values (1, 'a@example.de')`,
  )
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const table = await findByTitle(app, 'people')
  const contact = await findByTitle(app, 'contact', 'column')
  const editor = await app.createUser('editor')
  const preview = (query: string) => app.call('GET', `/resource/preview_v2/table/${table.id}/${query}`, { token: editor.token })
  await preview('')
  await preview('?show_pii=true') // nothing is marked as PII yet
  await app.call('PATCH', `/resource/all/${contact.id}`, { body: { pii: true } })
  await preview('')
  expect((await entries(app, 'pii_viewed')).count).toBe(0)
  expect((await preview('?show_pii=true')).body.rows).toEqual([[1, 'a@example.de']])
  const { count, results } = await entries(app, 'pii_viewed')
  expect(count).toBe(1)
  expect(results[0]).toMatchObject({ performer_id: editor.id, resource_id: table.id, resource_type: 'table' })
  expect(results[0].event_blocks.map(({ value }: { value: string }) => value)).toEqual([
    'editor Person',
    'viewed personal data of',
    'people',
  ])
  expect(await getPayload(app, results[0].id)).toEqual({ columns: ['contact'] })
})

test('exports are recorded with file and parameters', async () => {
  await using app = await createTestApp()
  await app.createResource({ title: 'orders', published: true })
  const viewer = await app.createUser('viewer')
  expect((await app.call('GET', '/resource/export?format=jsonl&title=ord', { token: viewer.token })).text).toContain('orders')
  await app.call('HEAD', '/resource/export')
  expect((await app.call('GET', '/resource/export?fields=nothing')).status).toBe(400)
  const { count, results } = await entries(app, 'catalog_exported')
  expect(count).toBe(1)
  expect(results[0]).toMatchObject({
    performer_id: viewer.id,
    resource_metadata: { title: expect.stringMatching(/^catalog-[\d-]+\.jsonl$/) },
  })
  expect(await getPayload(app, results[0].id)).toEqual({ format: 'jsonl', title: 'ord' })
  await app.call('GET', '/activity_log/export')
  expect((await entries(app, 'audit_log_exported')).count).toBe(1)
})

const signIn = async (at: TestInstance, address: string, login: string, password: string) =>
  (await at.call('POST', '/auth/sign_in', { token: null, headers: { 'x-forwarded-for': address }, body: { login, password } })).status

test('failed sign-ins are recorded once per name and address and again at the limit', async () => {
  let now = new Date('2026-03-01T12:00:00Z')
  await using app = await createTestApp({ now: () => now })
  await using at = await app.createInstance({ config: { trustProxy: true } })
  await signInAdmin(app)
  const admin = app.ctx.actor.user_id!
  for (let i = 0; i < 12; i += 1) await signIn(at, '198.51.100.7', 'admin', `guess ${i}`)
  const read = async () => {
    const { results } = await entries(app, 'sign_in_failed')
    return Promise.all(
      results
        .toReversed()
        .map(async ({ id, resource_id, performer_id }: { id: string; resource_id: string; performer_id: string }) => [
          resource_id,
          performer_id,
          await getPayload(app, id),
        ]),
    )
  }
  expect(await read()).toEqual(
    expect.arrayContaining([
      [admin, null, { address: '198.51.100.7', tries: 1 }],
      [admin, null, { address: '198.51.100.7', tries: 10 }],
    ]),
  )
  expect(await read()).toHaveLength(2)
  // A password may be typed as a name: for unknown accounts only the address is recorded.
  expect(await signIn(at, '203.0.113.9', 'my secret password', 'x')).toBe(401)
  expect((await entries(app, 'sign_in_failed')).count).toBe(3)
  expect(JSON.stringify(await app.db.selectFrom('activities').selectAll().execute())).not.toContain('my secret password')
  expect((await at.call('POST', '/auth/sign_in/token', { token: null, body: { token: 'tbl_wrong' } })).status).toBe(401)
  expect((await entries(app, 'sign_in_failed')).count).toBe(4)
  // A correct password starts a session and is not recorded as a failure. After 15 minutes the next failure is recorded again.
  expect(await signIn(at, '192.0.2.1', 'admin', PASSWORD)).toBe(200)
  now = new Date('2026-03-01T12:20:00Z')
  await signIn(at, '198.51.100.7', 'admin', 'guess again')
  expect((await entries(app, 'sign_in_failed')).count).toBe(5)
})

test('at most 500 failed sign-ins are recorded in 15 minutes, however many networks and names are used', async () => {
  await using app = await createTestApp({ now: () => new Date('2026-03-01T12:00:00Z') })
  await using at = await app.createInstance({ config: { trustProxy: true } })
  await app.db
    .insertInto('sign_in_tries')
    .values({ key: 'recorded failed sign-ins', tries: 499, since: new Date('2026-03-01T12:00:00Z') })
    .execute()
  for (let i = 0; i < 5; i += 1) expect(await signIn(at, `198.51.100.${i}`, `name ${i}`, 'x')).toBe(401)
  expect((await entries(app, 'sign_in_failed')).count).toBe(1)
})
