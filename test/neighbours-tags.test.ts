import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../src/id.ts'
import { type TakeOffTask, takeOffRest } from '../src/resources/take-off.ts'
import { aHouse, type House } from './house.ts'

const create = (house: House, body: object, headers = {}) => house.call('POST', '/tag', { body, headers })

test('creates, lists, renames and deletes a tag and records each change', async () => {
  await using house = await aHouse()
  const made = await create(
    house,
    { name: ' Source of truth ', color: '#2F855A', description: 'Look here first.' },
    { 'idempotency-key': 'k' },
  )
  expect(made).toMatchObject({
    status: 201,
    body: { name: 'Source of truth', color: '#2f855a', description: 'Look here first.', resource_count: 0 },
  })
  expect(
    (await create(house, { name: ' Source of truth ', color: '#2F855A', description: 'Look here first.' }, { 'idempotency-key': 'k' }))
      .body,
  ).toEqual(made.body)
  await create(house, { name: 'nightly' })
  const { body: all } = await house.call('GET', '/tag')
  expect([all.count, all.results.map(({ name }: { name: string }) => name)]).toEqual([2, ['nightly', 'Source of truth']])
  expect((await house.call('GET', '/tag?name=TRUTH')).body.results).toEqual([made.body])
  const at = `/tag/${made.body.id}`
  expect((await house.call('GET', at)).body).toEqual(made.body)
  const match = { 'if-match': made.headers.etag! }
  const edited = await house.call('PATCH', at, { body: { name: 'Truth', color: null }, headers: match })
  expect(edited).toMatchObject({ status: 200, body: { name: 'Truth', color: null, description: 'Look here first.' } })
  for (const [method, body] of [['PATCH', { name: 'x' }], ['DELETE']] as const)
    expect((await house.call(method, at, { body, headers: match })).status).toBe(412)
  expect((await house.call('PATCH', at, { body: { name: 'Truth' } })).headers.etag).toBe(edited.headers.etag)
  expect((await house.call('DELETE', at)).status).toBe(204)
  expect((await house.call('GET', at)).status).toBe(404)
  expect((await house.changes()).map(({ activity_type }) => activity_type)).toEqual([
    'tag_created',
    'tag_created',
    'tag_updated',
    'tag_deleted',
  ])
})

test('rejects a duplicate name in any case and an invalid color', async () => {
  await using house = await aHouse()
  const both = await Promise.all([create(house, { name: 'PII' }), create(house, { name: 'pii ' })])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  const { body: other } = await create(house, { name: 'nightly' })
  const taken = await house.call('PATCH', `/tag/${other.id}`, { body: { name: 'pii' } })
  expect([taken.status, Object.keys(taken.body.errors)]).toEqual([409, ['name']])
  const before = await house.changes()
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
    for (const answer of [await create(house, body), await house.call('PATCH', `/tag/${other.id}`, { body })])
      expect([body, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([body, 400, [field]])
  expect((await create(house, {})).body.errors).toHaveProperty('name')
  expect((await create(house, JSON.parse('{"name":"a\\u0000b"}'))).status).toBe(400)
  for (const id of [newId(), 'x']) expect((await house.call('GET', `/tag/${id}`)).status).toBe(404)
  expect(await house.changes()).toEqual(before)
})

test('viewers can read but not edit tags, and counts only include visible resources', async () => {
  await using house = await aHouse()
  const viewer = await house.someone('viewer')
  const { body: tag } = await create(house, { name: 'nightly' })
  await house.resource({ title: 'a', tags: [tag.id], published: true })
  const { id } = await house.resource({ title: 'b', tags: [tag.id] })
  const counts = async () => [
    (await house.call('GET', `/tag/${tag.id}`)).body.resource_count,
    (await house.call('GET', '/tag', { token: viewer.token })).body.results[0].resource_count,
  ]
  expect(await counts()).toEqual([2, 1])
  await house.call('PATCH', `/resource/all/${id}`, { body: { published: true } })
  expect(await counts()).toEqual([2, 2])
  await house.call('DELETE', `/resource/all/${id}`)
  expect(await counts()).toEqual([1, 1])
  for (const [method, path] of [
    ['POST', '/tag'],
    ['PATCH', `/tag/${tag.id}`],
    ['DELETE', `/tag/${tag.id}`],
  ] as const)
    expect((await house.call(method, path, { token: viewer.token, body: method === 'DELETE' ? undefined : { name: 'x' } })).status).toBe(
      403,
    )
})

test('deleting a tag removes it from every resource, each with a version and an activity', async () => {
  await using house = await aHouse()
  const team = await house.team(true)
  const editor = await house.someone('editor')
  const { body: tag } = await create(house, { name: 'old' })
  const other = newId()
  const [both, only, hidden, none] = [
    await house.resource({ title: 'both', tags: [other, tag.id] }),
    await house.resource({ title: 'only', tags: [tag.id], entity_type: 'document' }),
    await house.resource({ title: 'hidden', tags: [tag.id], teams: [team] }),
    await house.resource({ title: 'none', tags: [other] }),
  ]
  expect((await house.call('DELETE', `/tag/${tag.id}`, { token: editor.token })).status).toBe(204)
  const read = async ({ id }: { id: string }) => {
    const { body } = await house.call('GET', `/resource/all/${id}`)
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
  `.execute(house.db)
  const change = (from: string[], to: string[] | null) => [{ field: 'tags', from, to }]
  expect(rows).toEqual([
    { activity_type: 'resource_updated', changes: change([other, tag.id], [other]), followed: true },
    { activity_type: 'document_updated', changes: change([tag.id], null), followed: true },
    { activity_type: 'resource_updated', changes: change([tag.id], null), followed: true },
  ])
  expect((await house.call('GET', `/resource/all/${both.id}/versions/1`)).body.tags).toEqual([other, tag.id])
  const { body: log } = await house.call('GET', `/activity_log/resource_logs/?resource_id=${only.id}`)
  const words = log.version_histories[0].event_blocks.map(({ value }: { value: string }) => value)
  expect(words.slice(1)).toEqual(['removed 1 tag from', 'only', 'along with the tag itself'])
})

test('search facets contain tag names', async () => {
  await using house = await aHouse()
  const { body: tag } = await create(house, { name: 'nightly' })
  const unknown = newId()
  await house.resource({ title: 'orders', tags: [tag.id, unknown] })
  const labels = async () => {
    const { body } = await house.call('GET', '/search?q=orders')
    return Object.fromEntries(body.facets.tags.values.map(({ value, label }: { value: string; label: string | null }) => [value, label]))
  }
  expect(await labels()).toEqual({ [tag.id]: 'nightly', [unknown]: null })
  await house.call('PATCH', `/tag/${tag.id}`, { body: { name: 'Every night' } })
  expect(await labels()).toEqual({ [tag.id]: 'Every night', [unknown]: null })
})

test('deletes a tag on very many resources immediately and removes the remaining references in the background', async () => {
  await using house = await aHouse()
  const { body: tag } = await create(house, { name: 'wide' })
  const many = 2500
  await sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, tags)
    select gen_random_uuid(), now(), now(), 1, 'table', 'wide', 'Wide', 'wide', array[${tag.id}]::uuid[] from generate_series(1, ${many}::int)
  `.execute(house.db)
  const editor = await house.someone('editor')
  expect((await house.call('GET', `/tag/${tag.id}`)).body.resource_count).toBe(many)
  expect((await house.call('DELETE', `/tag/${tag.id}`, { token: editor.token })).status).toBe(204)
  expect((await house.call('GET', `/tag/${tag.id}`)).status).toBe(404)
  const { rows: waiting } = await sql<{ payload: TakeOffTask }>`
    select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'take_off'
  `.execute(house.db)
  expect(waiting).toHaveLength(1)
  for (const _ of ['once', 'again after a crash']) await takeOffRest({ ...house.ctx, now: new Date() }, waiting[0]!.payload)
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'tags', value: tag.id }))
  expect((await house.call('GET', `/resource/catalog?filter=${filter}`)).body.count).toBe(0)
  const { rows } = await sql`
    select count(*)::int as entries, count(distinct resource_id)::int as resources, count(distinct parent_id)::int as origins, min(performer_id::text) as by
    from activities where version = 2
  `.execute(house.db)
  expect(rows).toEqual([{ entries: many, resources: many, origins: 1, by: editor.id }])
})
