import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type ReferenceRemovalTask, removeRemainingReferences } from '../../src/catalog/records/remove-references.ts'
import { ensureTags } from '../../src/catalog/tags/tags.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const create = (app: TestApp, body: object, headers = {}) => app.call('POST', '/tag', { body, headers })

test('creates, lists, renames and deletes a tag and records each change', async () => {
  await using app = await createTestApp()
  const created = await create(
    app,
    { name: ' Source of truth ', color: '#2F855A', description: 'Look here first.' },
    { 'idempotency-key': 'k' },
  )
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'Source of truth', color: '#2f855a', description: 'Look here first.', resource_count: 0 },
  })
  expect(
    (await create(app, { name: ' Source of truth ', color: '#2F855A', description: 'Look here first.' }, { 'idempotency-key': 'k' })).body,
  ).toEqual(created.body)
  await create(app, { name: 'nightly' })
  const { body: all } = await app.call('GET', '/tag')
  expect([all.count, all.results.map(({ name }: { name: string }) => name)]).toEqual([2, ['nightly', 'Source of truth']])
  expect((await app.call('GET', '/tag?name=TRUTH')).body.results).toEqual([created.body])
  const at = `/tag/${created.body.id}`
  expect((await app.call('GET', at)).body).toEqual(created.body)
  const match = { 'if-match': created.headers.etag! }
  const edited = await app.call('PATCH', at, { body: { name: 'Truth', color: null }, headers: match })
  expect(edited).toMatchObject({ status: 200, body: { name: 'Truth', color: null, description: 'Look here first.' } })
  for (const [method, body] of [['PATCH', { name: 'x' }], ['DELETE']] as const)
    expect((await app.call(method, at, { body, headers: match })).status).toBe(412)
  expect((await app.call('PATCH', at, { body: { name: 'Truth' } })).headers.etag).toBe(edited.headers.etag)
  expect((await app.call('DELETE', at)).status).toBe(204)
  expect((await app.call('GET', at)).status).toBe(404)
  expect((await app.listActivities()).map(({ activity_type }) => activity_type)).toEqual([
    'tag_created',
    'tag_created',
    'tag_updated',
    'tag_deleted',
  ])
})

test('rejects a duplicate name in any case and an invalid color', async () => {
  await using app = await createTestApp()
  const both = await Promise.all([create(app, { name: 'PII' }), create(app, { name: 'pii ' })])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  const { body: other } = await create(app, { name: 'nightly' })
  const taken = await app.call('PATCH', `/tag/${other.id}`, { body: { name: 'pii' } })
  expect([taken.status, Object.keys(taken.body.errors)]).toEqual([409, ['name']])
  const before = await app.listActivities()
  for (const [field, body] of [
    ['name', { name: ' ' }],
    ['name', { name: null }],
    ['name', { name: 5 }],
    ['name', { name: 'x'.repeat(201) }],
    ['color', { name: 'x', color: 'red' }],
    ['color', { name: 'x', color: '#12345' }],
    ['color', { name: 'x', color: '#1234567' }],
    ['color', { name: 'x', color: 0x123456 }],
    ['description', { name: 'x', description: [] }],
  ] as const)
    for (const response of [await create(app, body), await app.call('PATCH', `/tag/${other.id}`, { body })])
      expect([body, response.status, Object.keys(response.body.errors ?? {})]).toEqual([body, 400, [field]])
  expect((await create(app, {})).body.errors).toHaveProperty('name')
  expect((await create(app, JSON.parse('{"name":"a\\u0000b"}'))).status).toBe(400)
  for (const id of [newId(), 'x']) expect((await app.call('GET', `/tag/${id}`)).status).toBe(404)
  expect(await app.listActivities()).toEqual(before)
})

test('viewers can read but not edit tags, and counts only include visible resources', async () => {
  await using app = await createTestApp()
  const viewer = await app.createUser('viewer')
  const { body: tag } = await create(app, { name: 'nightly' })
  await app.createResource({ title: 'a', tags: [tag.id], published: true })
  const { id } = await app.createResource({ title: 'b', tags: [tag.id] })
  const counts = async () => [
    (await app.call('GET', `/tag/${tag.id}`)).body.resource_count,
    (await app.call('GET', '/tag', { token: viewer.token })).body.results[0].resource_count,
  ]
  expect(await counts()).toEqual([2, 1])
  await app.call('PATCH', `/resource/all/${id}`, { body: { published: true } })
  expect(await counts()).toEqual([2, 2])
  await app.call('DELETE', `/resource/all/${id}`)
  expect(await counts()).toEqual([1, 1])
  for (const [method, path] of [
    ['POST', '/tag'],
    ['PATCH', `/tag/${tag.id}`],
    ['DELETE', `/tag/${tag.id}`],
  ] as const)
    expect((await app.call(method, path, { token: viewer.token, body: method === 'DELETE' ? undefined : { name: 'x' } })).status).toBe(403)
})

test('deleting a tag removes it from every resource, each with a version and an activity', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam(true)
  const editor = await app.createUser('editor')
  const { body: tag } = await create(app, { name: 'old' })
  const other = newId()
  const [both, only, hidden, none] = [
    await app.createResource({ title: 'both', tags: [other, tag.id] }),
    await app.createResource({ title: 'only', tags: [tag.id], entity_type: 'document' }),
    await app.createResource({ title: 'hidden', tags: [tag.id], teams: [team] }),
    await app.createResource({ title: 'none', tags: [other] }),
  ]
  expect((await app.call('DELETE', `/tag/${tag.id}`, { token: editor.token })).status).toBe(204)
  const read = async ({ id }: { id: string }) => {
    const { body } = await app.call('GET', `/resource/all/${id}`)
    return [body.tags, body.version]
  }
  expect(await Promise.all([both, only, hidden, none].map(read))).toEqual([
    [[other], 2],
    [[], 2],
    [[], 2],
    [[other], 1],
  ])
  const { rows } = await sql<{ activity_type: string; changes: unknown; followed: boolean }>`
    select a.activity_type, a.changes, a.parent_id = (select id from activities where activity_type = 'tag_deleted') as followed
    from activities a where a.version = 2 order by a.resource_id
  `.execute(app.db)
  const change = (from: string[], to: string[] | null) => [{ field: 'tags', from, to }]
  expect(rows).toEqual([
    { activity_type: 'resource_updated', changes: change([other, tag.id], [other]), followed: true },
    { activity_type: 'document_updated', changes: change([tag.id], null), followed: true },
    { activity_type: 'resource_updated', changes: change([tag.id], null), followed: true },
  ])
  expect((await app.call('GET', `/resource/all/${both.id}/versions/1`)).body.tags).toEqual([other, tag.id])
  const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${only.id}`)
  const sentences = log.version_histories[0].event_blocks.map(({ value }: { value: string }) => value)
  expect(sentences.slice(1)).toEqual(['removed 1 tag from', 'only', 'together with the tag'])
})

test('tags that a source names again are those it named before, in any case and script', async () => {
  await using app = await createTestApp()
  const names = ['İstanbul', 'ΠΕΛΑΤΗΣ', 'Übersicht', 'Finance', ' finance', '']
  const first = await ensureTags(app.ctx, names)
  expect([first.get('Finance'), first.has('')]).toEqual([first.get(' finance'), false])
  expect(await ensureTags(app.ctx, names)).toEqual(first)
  expect((await app.call('GET', '/tag')).body.count).toBe(4)
})

test('search facets contain tag names', async () => {
  await using app = await createTestApp()
  const { body: tag } = await create(app, { name: 'nightly' })
  const unknown = newId()
  await app.createResource({ title: 'orders', tags: [tag.id, unknown] })
  const labels = async () => {
    const { body } = await app.call('GET', '/search?q=orders')
    return Object.fromEntries(body.facets.tags.values.map(({ value, label }: { value: string; label: string | null }) => [value, label]))
  }
  expect(await labels()).toEqual({ [tag.id]: 'nightly', [unknown]: null })
  await app.call('PATCH', `/tag/${tag.id}`, { body: { name: 'Every night' } })
  expect(await labels()).toEqual({ [tag.id]: 'Every night', [unknown]: null })
})

test('deletes a tag on very many resources immediately and removes the remaining references in the background', async () => {
  await using app = await createTestApp()
  const { body: tag } = await create(app, { name: 'wide' })
  const many = 2500
  await sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, tags)
    select gen_random_uuid(), now(), now(), 1, 'table', 'wide', 'Wide', 'wide', array[${tag.id}]::uuid[] from generate_series(1, ${many}::int)
  `.execute(app.db)
  const editor = await app.createUser('editor')
  expect((await app.call('GET', `/tag/${tag.id}`)).body.resource_count).toBe(many)
  expect((await app.call('DELETE', `/tag/${tag.id}`, { token: editor.token })).status).toBe(204)
  expect((await app.call('GET', `/tag/${tag.id}`)).status).toBe(404)
  const { rows: waiting } = await sql<{ payload: ReferenceRemovalTask }>`
    select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'take_off'
  `.execute(app.db)
  expect(waiting).toHaveLength(1)
  for (const _ of ['once', 'again after a crash']) await removeRemainingReferences({ ...app.ctx, now: new Date() }, waiting[0]!.payload)
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'tags', value: tag.id }))
  expect((await app.call('GET', `/resource/catalog?filter=${filter}`)).body.count).toBe(0)
  const { rows } = await sql`
    select count(*)::int as entries, count(distinct resource_id)::int as resources, count(distinct parent_id)::int as origins, min(performer_id::text) as by
    from activities where version = 2
  `.execute(app.db)
  expect(rows).toEqual([{ entries: many, resources: many, origins: 1, by: editor.id }])
})
