import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createDatabaseProxy, type Fault } from '../faults/database-proxy.ts'
import { eventually } from '../support/eventually.ts'
import { findWrongVersions } from '../support/find-wrong-locations.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Edits of concurrent requests are written together (docs/decisions/0049-grouped-edits.md). */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ requestTimeoutMs: 5_000 })
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(async () => expect(await findWrongVersions(app.db)).toEqual([]))

const edit = (id: string, body: object, options = {}) => app.call('PATCH', `/resource/all/${id}`, { body, ...options })
const read = async (id: string) => (await app.call('GET', `/resource/all/${id}`)).body
const listEdits = async (ids: readonly string[]) =>
  app.db
    .selectFrom('activities')
    .select(['resource_id', 'performer_id', 'version', 'changes', 'xid'])
    .where('resource_id', 'in', ids)
    .where('activity_type', '=', 'resource_updated')
    .execute()
const createResources = (n: number) => Promise.all(Array.from({ length: n }, (_, i) => app.createResource({ title: `table ${i}` })))

test('edits at once share transactions; each has its own version, author and response', async () => {
  const editors = await Promise.all(Array.from({ length: 4 }, () => app.createUser('editor')))
  const before = await createResources(24)
  const responses = await Promise.all(
    before.map(({ id }, i) => {
      const body = i % 3 === 0 ? { owners: [newId()], verified: true } : { description: `words ${i}` }
      return edit(id, body, { token: editors[i % 4]!.token, headers: { 'if-match': '"v1"' } })
    }),
  )
  for (const [i, { status, headers, body }] of responses.entries()) {
    expect(status).toBe(200)
    expect(headers.etag).toBe('"v2"')
    expect(body).toMatchObject({ id: before[i]!.id, version: 2, ...(i % 3 === 0 ? { verified: true } : { description: `words ${i}` }) })
    expect(await read(before[i]!.id)).toEqual(body)
  }
  const edits = await listEdits(before.map(({ id }) => id))
  expect(edits).toHaveLength(24)
  for (const [i, { id }] of before.entries()) {
    const own = edits.find(({ resource_id }) => resource_id === id)
    expect(own).toMatchObject({ performer_id: editors[i % 4]!.id, version: 2 })
    expect(own?.changes).toHaveLength(i % 3 === 0 ? 2 : 1)
  }
  expect(new Set(edits.map(({ xid }) => xid)).size).toBeLessThan(12)
  const found = await app.call('GET', '/resource/catalog?search_term=words%2023')
  expect(found.body.results.map(({ id }: { id: string }) => id)).toContain(before[23]!.id)
})

test('edits of one resource at once are all made, one after the other', async () => {
  const { id } = await app.createResource({ title: 'orders' })
  const [one, other] = [await app.createInstance(), await app.createInstance()]
  await using _one = one
  await using _other = other
  const bodies = [
    ...['a', 'b', 'c', 'd', 'e', 'f'].map((description) => ({ description })),
    ...[{ verified: true }, { pii: true }, { url: 'https://example.com' }, { native_type: 'VIEW' }, { title: 'all orders' }],
  ]
  const responses = await Promise.all(bodies.map((body, i) => [app, one, other][i % 3]!.call('PATCH', `/resource/all/${id}`, { body })))
  expect(responses.map(({ status }) => status)).toEqual(bodies.map(() => 200))
  expect(responses.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(bodies.map((_, i) => i + 2))
  expect(await read(id)).toMatchObject({
    ...{ title: 'all orders', verified: true, pii: true, url: 'https://example.com', native_type: 'VIEW', version: bodies.length + 1 },
  })
})

test('an edit of a row that another transaction has locked waits alone', async () => {
  const [locked, ...others] = (await createResources(4)).map(({ id }) => id)
  const [waiting] = await inTransaction(app.ctx, async ({ db }) => {
    await sql`update resources set external_usage = 7 where id = ${locked}`.execute(db)
    const waiting = edit(locked!, { description: 'late' })
    const prompt = await Promise.all(others.map((id) => edit(id, { description: 'prompt' })))
    expect(prompt.map(({ status }) => status)).toEqual([200, 200, 200])
    return [waiting]
  })
  expect(await waiting).toMatchObject({ status: 200, body: { description: 'late', external_usage: 7, version: 2 } })
})

test('an edit that Postgres rejects does not affect the others', async () => {
  const ids = (await createResources(5)).map(({ id }) => id)
  await sql`
    create function fail_edit() returns trigger language plpgsql as $$ begin raise exception 'rejected'; end $$;
    create trigger fail_edit before update on resources for each row when (new.description = 'fails') execute function fail_edit();
  `.execute(app.db)
  const responses = await Promise.all(ids.map((id, i) => edit(id, { description: i === 2 ? 'fails' : 'works' })))
  await sql`drop function fail_edit() cascade`.execute(app.db)
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 500, 200, 200])
  expect(await Promise.all(ids.map(async (id) => (await read(id)).version))).toEqual([2, 2, 1, 2, 2])
})

test('nobody edits what they may not see or write', async () => {
  const closed = await app.createTeam(true)
  const { id } = await app.createResource({ title: 'salaries', teams: [closed], published: true })
  const [outsider, viewer, member] = [
    await app.createUser('editor'),
    await app.createUser('viewer'),
    await app.createUser('editor', { teams: [closed] }),
  ]
  const responses = await Promise.all([outsider, viewer, member].map(({ token }) => edit(id, { description: 'seen' }, { token })))
  expect(responses.map(({ status }) => status)).toEqual([404, 403, 200])
  expect((await listEdits([id])).map(({ performer_id }) => performer_id)).toEqual([member.id])
})

test('the children that a caller sees are counted in the response', async () => {
  const closed = await app.createTeam(true)
  const table = await app.createResource({ entity_type: 'table', title: 'orders' })
  await app.createResource({ entity_type: 'column', title: 'open', parent: table.id })
  await app.createResource({ entity_type: 'column', title: 'hidden', parent: table.id, teams: [closed] })
  const { token } = await app.createUser('editor')
  expect((await edit(table.id, { description: 'a' }, { token })).body).toMatchObject({ version: 2, children_count: 1 })
  expect((await edit(table.id, { description: 'b' })).body).toMatchObject({ version: 3, children_count: 2 })
})

test('an edit inside a transaction is part of it', async () => {
  const { id } = await app.createResource({ title: 'orders' })
  const { editResourceTogether } = await import('../../src/catalog/resources/edit.ts')
  await expect(
    inTransaction(app.ctx, async (ctx) => {
      expect(await editResourceTogether(ctx, id, { description: 'lost' })).toMatchObject({ version: 2 })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await read(id)).toMatchObject({ description: null, version: 1 })
})

/** An instance whose statements for groups of edits meet this fault; `groups` counts them. */
const createFaultyInstance = async (fault: Fault, options = {}) => {
  const proxy = await createDatabaseProxy(app.url)
  const instance = await app.createInstance({ url: proxy.url, ...options })
  const faulty = {
    groups: 0,
    proxy,
    edit: (id: string, body: object, options = {}) => instance.call('PATCH', `/resource/all/${id}`, { body, ...options }),
    [Symbol.asyncDispose]: async () => {
      await instance[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    },
  }
  proxy.onStatement = (text) => {
    if (!text.includes('skip locked')) return 'pass'
    faulty.groups += 1
    return fault
  }
  return faulty
}

test.each([
  ['before it is sent', 'cut', 1],
  ['after it was committed', 'cut-answer', 2],
] as const)('edits of a group that loses its connection %s are 503 and are not repeated', async (_, fault, version) => {
  await using faulty = await createFaultyInstance(fault)
  const ids = (await createResources(3)).map(({ id }) => id)
  const responses = await Promise.all(ids.map((id, i) => faulty.edit(id, { description: `lost ${i}` })))
  expect(responses.map(({ status }) => status)).toEqual([503, 503, 503])
  expect(faulty.proxy.statements.filter(({ text }) => text.startsWith('begin'))).toEqual([])
  expect(await Promise.all(ids.map(async (id) => (await read(id)).version))).toEqual([version, version, version])
})

test.each([
  ['in another language', { error: 'P0001', severity: 'FEHLER' }],
  ['by its time limit', { error: '57014' }],
] as const)('edits of a group that Postgres rejects %s are repeated alone', async (_, fault) => {
  await using faulty = await createFaultyInstance(fault)
  const ids = (await createResources(3)).map(({ id }) => id)
  const responses = await Promise.all(ids.map((id, i) => faulty.edit(id, { description: `repeated ${i}` })))
  expect(responses.map(({ status, body }) => [status, body.version])).toEqual(ids.map(() => [200, 2]))
  expect(faulty.groups).toBeGreaterThan(0)
})

test('an edit whose request is over before its group is sent is not written', async () => {
  await using faulty = await createFaultyInstance({ delayMs: 1_000 }, { requestTimeoutMs: 500 })
  const [early, late] = (await createResources(2)).map(({ id }) => id)
  const first = faulty.edit(early!, { description: 'early' })
  await eventually(() => expect(faulty.groups).toBe(1))
  const { status, body } = await faulty.edit(late!, { description: 'late' })
  expect([status, body.detail]).toEqual([503, 'The request timed out and was rolled back. No changes were saved.'])
  expect((await first).status).toBe(200)
  expect(faulty.groups).toBe(1)
  expect(await read(late!)).toMatchObject({ description: null, version: 1 })
})

test('an edit is not saved if the children for its response cannot be counted', async () => {
  const closed = await app.createTeam(true)
  const { id } = await app.createResource({ entity_type: 'table', title: 'orders' })
  await app.createResource({ entity_type: 'column', title: 'hidden', parent: id, teams: [closed] })
  const { token } = await app.createUser('editor')
  await using faulty = await createFaultyInstance('pass')
  faulty.proxy.onStatement = (text) => (/as n from resources r where r\.id = \S+$/.test(text) ? 'cut' : 'pass')
  expect((await faulty.edit(id, { description: 'lost' }, { token })).status).toBe(503)
  expect(await read(id)).toMatchObject({ description: null, version: 1 })
})

test('edits that concern more than their row are made alone: mentions, questions and texts that the history stores separately', async () => {
  await using faulty = await createFaultyInstance('pass')
  const { id } = await app.createResource({ title: 'orders' })
  const question = await app.createResource({ entity_type: 'question', title: 'Net or gross?' })
  const person = await app.createUser('editor')
  const { email } = await app.db.selectFrom('users').select('email').where('id', '=', person.id).executeTakeFirstOrThrow()
  const long = 'x'.repeat(1_001)

  expect((await faulty.edit(id, { description: `Ask @${email}.` })).status).toBe(200)
  const events = app.db.selectFrom('activities').select('recipients').where('resource_id', '=', id)
  expect(await events.where('activity_type', '=', 'person_mentioned').execute()).toEqual([{ recipients: [person.id] }])
  expect((await faulty.edit(question.id, { description: 'With taxes?' })).body).toMatchObject({ description: 'With taxes?', version: 2 })
  expect((await faulty.edit(id, { definition: long })).body).toMatchObject({ definition: long, version: 3 })
  expect(await app.db.selectFrom('history_texts').select('text').where('resource_id', '=', id).execute()).toEqual([{ text: long }])
  expect(faulty.groups).toBe(0)

  expect((await faulty.edit(id, { description: 'x'.repeat(1_000) })).body).toMatchObject({ version: 4 })
  expect(faulty.groups).toBe(1)
})
