import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteResource } from '../../src/catalog/resources/delete.ts'
import { addManualEdges } from '../../src/lineage/edges/edges.ts'
import { compactLineageCounts } from '../../src/lineage/edges/list.ts'
import type { Context } from '../../src/platform/context/context.ts'
import { runConcurrently } from '../support/concurrency.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const UNKNOWN = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'

const createEntry = (from_entity: string, to_entity: string, direction: 'UPSTREAM' | 'DOWNSTREAM' = 'DOWNSTREAM') => ({
  body: { from_entity, to_entity, direction },
})

const createResources = async (app: TestApp, n: number): Promise<string[]> => {
  const ids: string[] = []
  for (let i = 0; i < n; i += 1) ids.push((await app.createResource({ title: `r${i}`, published: true })).id)
  return ids
}

/** Entries as `from>to` (DOWNSTREAM) and `from<to` (UPSTREAM), by the positions of the endpoints in a list. */
const toArrows = (ids: readonly string[], entries: readonly { from_entity: string; to_entity: string; direction: string }[]) =>
  entries
    .map(
      ({ from_entity, to_entity, direction }) =>
        `${ids.indexOf(from_entity)}${direction === 'DOWNSTREAM' ? '>' : '<'}${ids.indexOf(to_entity)}`,
    )
    .join(' ')

test('creates and deletes an entry together with its mirror, each with its own ID', async () => {
  await using app = await createTestApp()
  const [a, b] = (await createResources(app, 2)) as [string, string]
  const created = await app.call('POST', '/lineage/manual', createEntry(a.replaceAll('-', '').toUpperCase(), b))
  expect(created.status).toBe(201)
  const { id, created_at } = created.body
  const down = { id, created_at, updated_at: created_at, from_entity: a, to_entity: b, direction: 'DOWNSTREAM', is_manual: true }
  expect(created.body).toEqual(down)
  expect(created.headers.etag).toBeDefined()
  const { body: list } = await app.call('GET', '/lineage/manual')
  expect([list.count, list.results[0]]).toEqual([2, down])
  const up = list.results[1]
  expect(up).toEqual({ ...down, id: up.id, from_entity: b, to_entity: a, direction: 'UPSTREAM' })
  expect(up.id).not.toBe(id)
  for (const one of [down, up]) expect((await app.call('GET', `/lineage/manual/${one.id}`)).body).toEqual(one)

  expect((await app.call('DELETE', `/lineage/manual/${up.id}`)).status).toBe(204)
  for (const one of [down, up])
    for (const method of ['GET', 'DELETE']) expect((await app.call(method, `/lineage/manual/${one.id}`)).status).toBe(404)
  expect((await app.call('GET', '/lineage/manual')).body).toMatchObject({ count: 0, total_pages: 0, results: [] })
})

test('adding the same relation again returns the existing entry, in either direction', async () => {
  await using app = await createTestApp()
  const [a, b] = (await createResources(app, 2)) as [string, string]
  const { body: down } = await app.call('POST', '/lineage/manual', createEntry(a, b))
  const mirrored = await app.call('POST', '/lineage/manual', createEntry(b, a, 'UPSTREAM'))
  expect([mirrored.status, mirrored.body.direction, mirrored.body.from_entity]).toEqual([201, 'UPSTREAM', b])
  expect((await app.call('POST', '/lineage/manual', createEntry(a, b))).body).toEqual(down)
  expect((await app.call('GET', '/lineage/manual')).body.results).toEqual([down, mirrored.body])
  expect((await app.listActivities()).filter(({ activity_type }) => activity_type.startsWith('lineage'))).toHaveLength(2)
  // The reverse relation is a different one: cycles are allowed.
  await app.call('POST', '/lineage/manual', createEntry(a, b, 'UPSTREAM'))
  expect((await app.call('GET', '/lineage/manual')).body.count).toBe(4)
  const both = await Promise.all([1, 2, 3, 4].map(() => addManualEdges(app.ctx, [{ from_id: a, to_id: b }])))
  expect(both.flat().map(({ id, created }) => [id, created])).toEqual(Array(4).fill([down.id, false]))
})

test('adds many pairs at once without duplicates, in order, and reports which are new', async () => {
  await using app = await createTestApp()
  const [a, b, c] = (await createResources(app, 3)) as [string, string, string]
  await addManualEdges(app.ctx, [{ from_id: a, to_id: b }])
  const pairs = [
    { from_id: b, to_id: c },
    { from_id: a, to_id: b },
    { from_id: b, to_id: c },
  ]
  const edges = await addManualEdges(app.ctx, pairs)
  expect(edges.map(({ upstream, downstream, created }) => [upstream, downstream, created])).toEqual([
    [b, c, true],
    [a, b, false],
    [b, c, true],
  ])
  await expect(
    addManualEdges(app.ctx, [
      { from_id: c, to_id: a },
      { from_id: c, to_id: UNKNOWN },
    ]),
  ).rejects.toThrow(UNKNOWN)
  expect((await app.call('GET', '/lineage/manual')).body.count).toBe(4)
})

test('logs creation and deletion at both resources', async () => {
  await using app = await createTestApp()
  const [a, b] = (await createResources(app, 2)) as [string, string]
  const { body } = await app.call('POST', '/lineage/manual', createEntry(a, b))
  await app.call('DELETE', `/lineage/manual/${body.id}`)
  for (const [id, other, words] of [
    [a, b, 'lineage from r0 to another resource'],
    [b, a, 'lineage to r1 from another resource'],
  ] as const) {
    const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${id}`)
    const entries = log.non_versioned_logs.map(
      (each: { activity_type: string; related_resource_ids: string[]; event_blocks: { value: string }[] }) => [
        each.activity_type,
        each.related_resource_ids,
        each.event_blocks.map(({ value }) => value).join(' '),
      ],
    )
    expect(entries).toEqual([
      ['lineage_deleted', [other], expect.stringContaining(`removed ${words}`)],
      ['lineage_created', [other], expect.stringContaining(`added ${words}`)],
    ])
  }
})

test('filters the list by either resource and by integration type, with exact counts', async () => {
  await using app = await createTestApp()
  const ids = await createResources(app, 4)
  const [a, b, c, d] = ids as [string, string, string, string]
  const { body: integration } = await app.call('POST', '/integration/integrations', { body: { name: 'wh', type: 'postgres' } })
  const of = integration.id as string
  await app.call('PATCH', `/resource/all/${d}`, { body: { integration: of } })
  for (const [from, to] of [
    [a, b],
    [b, c],
    [c, d],
    [a, c],
  ] as const)
    await app.call('POST', '/lineage/manual', createEntry(from, to))
  for (const [query, expected] of [
    ['', '0>1 1<0 1>2 2<1 2>3 3<2 0>2 2<0'],
    [`from_entity=${b}`, '1<0 1>2'],
    [`from_entity_id=${b.toUpperCase()}`, '1<0 1>2'],
    [`to_entity=${c}`, '1>2 3<2 0>2'],
    [`to_entity_id=${c}&from_entity=${a}`, '0>2'],
    [`from_entity__in=${a},${d}`, '0>1 3<2 0>2'],
    [`from_entity__in=${a},${d}&from_entity=${d}`, '3<2'],
    [`from_entity=${a}&from_entity_id=${d}`, ''],
    [`to_entity__in=${a}`, '1<0 2<0'],
    [`from_entity=${UNKNOWN}`, ''],
    ['integration_type=postgres', '2>3 3<2'],
    [`integration_type=postgres&from_entity=${d}`, '3<2'],
    ['integration_type=mysql', ''],
  ] as const) {
    const { body } = await app.call('GET', `/lineage/manual?${query}`)
    expect([query, toArrows(ids, body.results), body.count]).toEqual([query, expected, expected === '' ? 0 : expected.split(' ').length])
    const pages: string[] = []
    for (let page = 1; page <= Math.ceil(body.count / 3); page += 1) {
      const response = await app.call('GET', `/lineage/manual?${query}&page=${page}&page_size=3`)
      expect(response.body.count).toBe(body.count)
      pages.push(toArrows(ids, response.body.results))
    }
    expect([query, pages.join(' ')]).toEqual([query, expected])
  }
  await compactLineageCounts(app.ctx)
  expect((await app.call('GET', '/lineage/manual?page_size=1')).body).toMatchObject({ count: 8, total_pages: 8 })
})

test('deletes the edges of a resource in the same transaction', async () => {
  await using app = await createTestApp()
  const [a, b, c] = (await createResources(app, 3)) as [string, string, string]
  const ids = []
  for (const [from, to] of [
    [a, b],
    [b, c],
    [a, c],
  ] as const)
    ids.push((await app.call('POST', '/lineage/manual', createEntry(from, to))).body.id)
  await app.call('DELETE', `/resource/all/${b}`)
  const { body } = await app.call('GET', '/lineage/manual')
  expect([body.count, body.results.map(({ id }: { id: string }) => id)[0]]).toEqual([2, ids[2]])
  expect((await app.call('GET', `/lineage/manual/${ids[0]}`)).status).toBe(404)
})

test('creating an edge and deleting its resource concurrently: the second sees the result of the first', async () => {
  await using app = await createTestApp()
  const { ctx } = app
  const [a, b, c] = (await createResources(app, 3)) as [string, string, string]
  const edge = (ctx: Context) => addManualEdges(ctx, [{ from_id: a, to_id: b }])
  expect(await runConcurrently(app, edge, () => deleteResource(ctx, a))).toEqual(['first', 'second'])
  expect((await app.call('GET', '/lineage/manual')).body.count).toBe(0)
  const another = () => addManualEdges(ctx, [{ from_id: b, to_id: c }])
  expect(await runConcurrently(app, (ctx) => deleteResource(ctx, c), another)).toEqual(['first', 'validation_failed'])
  expect((await app.call('GET', '/lineage/manual')).body.count).toBe(0)
  const { rows } = await sql`select from lineage_edges`.execute(app.db)
  expect(rows.length).toBe(0)
})

test('an entry with a hidden resource does not exist for the caller', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam(true)
  const [a, b] = (await createResources(app, 2)) as [string, string]
  const { id: secret } = await app.createResource({ title: 'secret', published: true, teams: [team] })
  const { id: draft } = await app.createResource({ title: 'draft' })
  const { body: open } = await app.call('POST', '/lineage/manual', createEntry(a, b))
  const { body: closed } = await app.call('POST', '/lineage/manual', createEntry(a, secret))
  const { body: unpublished } = await app.call('POST', '/lineage/manual', createEntry(draft, a))
  const [editor, viewer, member] = [
    await app.createUser('editor'),
    await app.createUser('viewer'),
    await app.createUser('editor', { teams: [team] }),
  ]
  for (const [who, seen] of [
    [{ token: app.token }, [open, closed, unpublished]],
    [member, [open, closed, unpublished]],
    [editor, [open, unpublished]],
    [viewer, [open]],
  ] as const) {
    const { token } = who
    const { body } = await app.call('GET', '/lineage/manual', { token })
    expect([body.count, body.results.filter(({ direction }: { direction: string }) => direction === 'DOWNSTREAM')]).toEqual([
      2 * seen.length,
      seen,
    ])
    for (const one of [open, closed, unpublished]) {
      const status = seen.includes(one) ? 200 : 404
      expect((await app.call('GET', `/lineage/manual/${one.id}`, { token })).status).toBe(status)
    }
    expect((await app.call('GET', `/lineage/manual?from_entity=${a}`, { token })).body.count).toBe(seen.length)
  }
  // For callers who may not see it, a hidden resource is the same as a missing one.
  const { token } = editor
  const responses = [secret, UNKNOWN].map((id) => app.call('POST', '/lineage/manual', { ...createEntry(b, id), token }))
  const [hidden, missing] = await Promise.all(responses)
  expect([hidden!.status, hidden!.body.errors]).toEqual([400, { to_entity: [`Resource ${secret} was not found.`] }])
  expect(hidden!.text.replaceAll(secret, UNKNOWN).replace(/"request_id".*/, '')).toBe(missing!.text.replace(/"request_id".*/, ''))
  expect((await app.call('DELETE', `/lineage/manual/${closed.id}`, { token })).status).toBe(404)
  expect((await app.call('DELETE', `/lineage/manual/${open.id}`, { token: viewer.token })).status).toBe(403)
  const log = async (token: string) =>
    (await app.call('GET', `/activity_log/resource_logs/?resource_id=${a}`, { token })).body.non_versioned_logs.flatMap(
      ({ related_resource_ids }: { related_resource_ids: string[] }) => related_resource_ids,
    )
  expect((await log(token)).sort()).toEqual([b, draft].sort())
  expect((await log(member.token)).sort()).toEqual([b, draft, secret].sort())
})

test('keeps the count for callers with limited visibility correct after writes and publishing', async () => {
  await using app = await createTestApp()
  const { token } = await app.createUser('viewer')
  const [a, b] = (await createResources(app, 2)) as [string, string]
  const { id: draft } = await app.createResource({ title: 'draft' })
  const count = async () => (await app.call('GET', '/lineage/manual', { token })).body.count
  expect(await count()).toBe(0)
  await app.call('POST', '/lineage/manual', createEntry(a, b))
  await app.call('POST', '/lineage/manual', createEntry(a, draft))
  expect(await count()).toBe(2)
  await app.call('PATCH', `/resource/all/${draft}`, { body: { description: 'still a draft' } })
  expect(await count()).toBe(2)
  await app.call('PATCH', `/resource/all/${draft}`, { body: { published: true } })
  expect(await count()).toBe(4)
  await app.call('DELETE', `/resource/all/${b}`)
  expect(await count()).toBe(2)
})

test('supports If-Match and Idempotency-Key', async () => {
  await using app = await createTestApp()
  const [a, b, c] = (await createResources(app, 3)) as [string, string, string]
  const headers = { 'idempotency-key': 'k' }
  const created = await app.call('POST', '/lineage/manual', { ...createEntry(a, b), headers })
  expect((await app.call('POST', '/lineage/manual', { ...createEntry(a, b), headers })).headers['idempotent-replayed']).toBe('true')
  expect((await app.call('POST', '/lineage/manual', { ...createEntry(a, c), headers })).status).toBe(409)
  const at = `/lineage/manual/${created.body.id}`
  expect((await app.call('DELETE', at, { headers: { 'if-match': '"other"' } })).status).toBe(412)
  expect((await app.call('DELETE', at, { headers: { 'if-match': created.headers.etag! } })).status).toBe(204)
})

test('rejects invalid input by field and writes nothing', async () => {
  await using app = await createTestApp()
  const [a, b] = (await createResources(app, 2)) as [string, string]
  const before = await app.listActivities()
  for (const [field, body] of [
    ['from_entity', {}],
    ['from_entity', { from_entity: 'orders', to_entity: b, direction: 'DOWNSTREAM' }],
    ['from_entity', { from_entity: UNKNOWN, to_entity: b, direction: 'DOWNSTREAM' }],
    ['from_entity', { from_entity: UNKNOWN, to_entity: b, direction: 'UPSTREAM' }],
    ['to_entity', { from_entity: a, to_entity: UNKNOWN, direction: 'UPSTREAM' }],
    ['to_entity', { from_entity: a, to_entity: null, direction: 'UPSTREAM' }],
    ['to_entity', { from_entity: a, to_entity: 5, direction: 'UPSTREAM' }],
    ['to_entity', { from_entity: a, to_entity: a, direction: 'DOWNSTREAM' }],
    ['direction', { from_entity: a, to_entity: b }],
    ['direction', { from_entity: a, to_entity: b, direction: 'SIDEWAYS' }],
    ['direction', { from_entity: a, to_entity: b, direction: null }],
    ['from_entity', { from_entity: `${a}\0`, to_entity: b, direction: 'DOWNSTREAM' }],
  ] as const) {
    const response = await app.call('POST', '/lineage/manual', { body })
    expect([body, response.status, Object.keys(response.body.errors ?? {})]).toEqual([body, 400, [field]])
  }
  for (const query of [
    'from_entity=x',
    'to_entity=',
    'from_entity__in=a,b',
    `to_entity__in=${a},`,
    `from_entity__in=${Array(1001).fill(a).join(',')}`,
    'page=0',
    'page_size=1001',
  ])
    expect([query, (await app.call('GET', `/lineage/manual?${query}`)).status]).toEqual([query, 400])
  for (const id of ['orders', UNKNOWN]) expect((await app.call('GET', `/lineage/manual/${id}`)).status).toBe(404)
  const sent = await app.call('POST', '/lineage/manual', {
    body: { ...createEntry(a, b).body, id: UNKNOWN, is_manual: false, colour: 'red' },
  })
  expect([sent.status, sent.headers.warning]).toEqual([201, '199 - "ignored fields: colour"'])
  expect(await app.listActivities()).toHaveLength(before.length + 2)
})
