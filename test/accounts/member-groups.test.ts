import { describe, expect, test } from 'vitest'
import { GROUP, TEAM } from '../../src/accounts/member-groups/member-group-types.ts'
import { addMembers } from '../../src/accounts/member-groups/member-groups.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const history = async ({ db }: TestApp) =>
  (await db.selectFrom('activities').selectAll().orderBy('logged_at').orderBy('id').execute()).map(
    ({ activity_type, resource_id, changes }) => [activity_type, resource_id, changes],
  )
const UNKNOWN = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'

for (const [noun, path, kind, own] of [
  ['team', '/auth/teams', TEAM, { icon: 'coins', closed: true }],
  ['group', '/auth/group', GROUP, {}],
] as const)
  describe(`a ${noun}`, () => {
    test('can be created, edited and deleted, each recorded once with the changes', async () => {
      await using app = await createTestApp()
      const [ada, bob] = [(await app.createUser('viewer')).id, (await app.createUser('viewer')).id].sort()
      const created = await app.call('POST', path, {
        body: { name: ' Finance ', description: 'Money', members: [bob, ada!.replaceAll('-', '').toUpperCase(), ada], ...own },
      })
      expect(created.status).toBe(201)
      const { id, created_at } = created.body
      expect(created.body).toEqual({
        id,
        created_at,
        updated_at: created_at,
        name: 'Finance',
        description: 'Money',
        members: [ada, bob],
        ...own,
      })
      expect((await app.call('GET', `${path}/${id}`)).body).toEqual(created.body)
      const edited = await app.call('PATCH', `${path}/${id}`, { body: { description: null, members: [bob] } })
      expect(edited.body).toMatchObject({ name: 'Finance', description: null, members: [bob], ...own })
      expect(edited.body.updated_at > created_at).toBe(true)
      const same = await app.call('PATCH', `${path}/${id}`, { body: { name: 'Finance', members: [bob] } })
      expect(same.body).toEqual(edited.body)
      expect((await app.call('PATCH', `${path}/${id}`, { body: { members: null } })).body.members).toEqual([])
      expect((await app.call('DELETE', `${path}/${id}`)).status).toBe(204)
      expect((await app.call('GET', `${path}/${id}`)).status).toBe(404)

      const own_changes = Object.entries(own).map(([field, value]) => ({ field, from: null, to: value }))
      expect(await history(app)).toEqual([
        [
          `${noun}_created`,
          id,
          [
            { field: 'name', from: null, to: 'Finance' },
            { field: 'description', from: null, to: 'Money' },
            ...own_changes,
            { field: 'members', from: null, to: [ada, bob] },
          ],
        ],
        [
          `${noun}_updated`,
          id,
          [
            { field: 'description', from: 'Money', to: null },
            { field: 'members', from: [ada, bob], to: [bob] },
          ],
        ],
        [`${noun}_updated`, id, [{ field: 'members', from: [bob], to: null }]],
        [
          `${noun}_deleted`,
          id,
          [{ field: 'name', from: 'Finance', to: null }, ...own_changes.map(({ field, to }) => ({ field, from: to, to: null }))],
        ],
      ])
    })

    test('members can be added and removed one by one', async () => {
      await using app = await createTestApp()
      const { id: ada } = await app.createUser('viewer')
      const { body } = await app.call('POST', path, { body: { name: 'Sales' } })
      const members = `${path}/${body.id}/members`
      for (let i = 0; i < 2; i += 1) expect((await app.call('POST', members, { body: { members: [ada] } })).body.members).toEqual([ada])
      expect((await app.call('GET', `/user/${ada}`)).body[`${noun}s`]).toEqual([body.id])
      expect((await app.call('DELETE', `${members}/${ada}`)).status).toBe(204)
      expect((await app.call('DELETE', `${members}/${ada}`)).status).toBe(404)
      expect((await app.call('GET', `/user/${ada}`)).body[`${noun}s`]).toEqual([])
      expect((await history(app)).slice(1)).toEqual([
        [`${noun}_updated`, body.id, [{ field: 'members', from: null, to: [ada] }]],
        [`${noun}_updated`, body.id, [{ field: 'members', from: [ada], to: null }]],
      ])
      for (const [method, at, sent] of [
        ['POST', `${path}/${UNKNOWN}/members`, { members: [ada] }],
        ['DELETE', `${path}/${UNKNOWN}/members/${ada}`],
        ['PATCH', `${path}/${UNKNOWN}`, { name: 'x' }],
        ['DELETE', `${path}/${UNKNOWN}`],
        ['GET', `${path}/sales`],
      ] as const)
        expect([method, at, (await app.call(method, at, { body: sent })).status]).toEqual([method, at, 404])
    })

    test('concurrent additions lose no member', async () => {
      await using app = await createTestApp()
      const { body } = await app.call('POST', path, { body: { name: 'Sales' } })
      const people = await Promise.all(Array.from({ length: 6 }, async () => (await app.createUser('viewer')).id))
      await Promise.all(people.map((id) => addMembers(app.ctx, kind, body.id, [id])))
      expect((await app.call('GET', `${path}/${body.id}`)).body.members).toEqual(people.sort())
      const recorded = (await history(app)).filter(([type]) => type === `${noun}_updated`)
      expect(recorded.map(([, , changes]) => (changes as [{ to: string[] }])[0].to.length).sort()).toEqual([1, 2, 3, 4, 5, 6])
    })

    test('rejects a duplicate name in any case', async () => {
      await using app = await createTestApp()
      const create = (name: string, headers = {}) => app.call('POST', path, { body: { name }, headers })
      const both = await Promise.all([create('Sales'), create('sales ')])
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
      const { body: other } = await create('Support', { 'idempotency-key': 'k' })
      expect((await create('Support', { 'idempotency-key': 'k' })).body).toEqual(other)
      expect((await create('Marketing', { 'idempotency-key': 'k' })).status).toBe(409)
      const renamed = await app.call('PATCH', `${path}/${other.id}`, { body: { name: 'SALES' } })
      expect([renamed.status, renamed.body.code, Object.keys(renamed.body.errors)]).toEqual([409, 'conflict', ['name']])
      expect((await app.call('PATCH', `${path}/${other.id}`, { body: { name: 'SUPPORT' } })).body.name).toBe('SUPPORT')
      expect((await history(app)).map(([type]) => type)).toEqual([`${noun}_created`, `${noun}_created`, `${noun}_updated`])
    })

    test('rejects an edit with an outdated ETag', async () => {
      const now = new Date()
      await using app = await createTestApp({ now: () => now })
      const { id: ada } = await app.createUser('viewer')
      const created = await app.call('POST', path, { body: { name: 'Sales', members: [ada] } })
      const at = `${path}/${created.body.id}`
      const headers = { 'if-match': created.headers.etag! }
      expect((await app.call('PATCH', at, { body: { description: 'new' }, headers })).status).toBe(200)
      for (const [method, to, body] of [
        ['PATCH', at, { description: 'newer' }],
        ['DELETE', at],
        ['POST', `${at}/members`, { members: [] }],
        ['DELETE', `${at}/members/${ada}`],
      ] as const)
        expect([method, to, (await app.call(method, to, { body, headers })).status]).toEqual([method, to, 412])
      expect((await app.call('GET', at)).body).toMatchObject({ description: 'new', members: [ada] })
    })

    test('rejects invalid input by field and records nothing', async () => {
      await using app = await createTestApp()
      const { body: there } = await app.call('POST', path, { body: { name: 'Sales' } })
      for (const [field, body] of [
        ['name', {}],
        ['name', { name: ' ' }],
        ['name', { name: null }],
        ['name', { name: 'x'.repeat(201) }],
        ['description', { name: 'x', description: 5 }],
        ['description', { name: 'x', description: 'x'.repeat(10_001) }],
        ['members', { name: 'x', members: [UNKNOWN] }],
        ['members', { name: 'x', members: 'ada' }],
        ['members[0]', { name: 'x', members: ['ada'] }],
        ...(noun === 'team' ? ([['closed', { name: 'x', closed: 'yes' }]] as const) : []),
      ] as const) {
        const created = await app.call('POST', path, { body })
        expect([body, created.status, Object.keys(created.body.errors ?? {})]).toEqual([body, 400, [field]])
        if (!('name' in body)) continue
        const edited = await app.call('PATCH', `${path}/${there.id}`, { body })
        expect([body, edited.status, Object.keys(edited.body.errors ?? {})]).toEqual([body, 400, [field]])
      }
      expect((await app.call('POST', `${path}/${there.id}/members`, { body: { members: [UNKNOWN] } })).status).toBe(400)
      expect((await app.call('GET', path)).body.results).toEqual([there])
      expect(await history(app)).toHaveLength(1)
    })

    test('is visible to users with people.read and to its members', async () => {
      await using app = await createTestApp()
      const [editor, viewer, guest] = [await app.createUser('editor'), await app.createUser('viewer'), await app.createUser('guest')]
      const { body: a } = await app.call('POST', path, { body: { name: 'a', members: [viewer.id] } })
      const { body: b } = await app.call('POST', path, { body: { name: 'B' } })
      for (const [who, seen] of [
        [editor, ['a', 'B']],
        [viewer, ['a']],
        [guest, []],
      ] as const) {
        const { body } = await app.call('GET', path, { token: who.token })
        expect([body.count, body.results.map(({ name }: { name: string }) => name)]).toEqual([seen.length, seen])
      }
      expect((await app.call('GET', `${path}/${a.id}`, { token: viewer.token })).body).toEqual(a)
      expect((await app.call('GET', `${path}/${b.id}`, { token: viewer.token })).status).toBe(404)
      expect((await app.call('GET', `${path}?name=b`)).body.results).toEqual([b])
    })
  })

/** What a user sees of the catalog: titles in the list, its count, and the status of reading each resource. */
const findVisible = async (app: TestApp, token: string, ids: readonly string[]) => {
  const { body } = await app.call('GET', '/resource/catalog?sort={"field":"title","order":"asc"}', { token })
  const statuses = await Promise.all(ids.map(async (id) => (await app.call('GET', `/resource/all/${id}`, { token })).status))
  return [body.results.map(({ title }: { title: string }) => title).join(''), body.count, ...statuses]
}

test('closing a team immediately hides its resources from everyone but members and admins', async () => {
  await using app = await createTestApp()
  const { body: team } = await app.call('POST', '/auth/teams', { body: { name: 'Finance' } })
  const ids = [
    (await app.createResource({ title: 'a', published: true, teams: [team.id] })).id,
    (await app.createResource({ title: 'b', published: true })).id,
  ]
  const [editor, viewer] = [await app.createUser('editor'), await app.createUser('viewer')]
  const seen = async () => [
    await findVisible(app, app.token, ids),
    await findVisible(app, editor.token, ids),
    await findVisible(app, viewer.token, ids),
  ]
  const [all, rest] = [
    ['ab', 2, 200, 200],
    ['b', 1, 404, 200],
  ]
  expect(await seen()).toEqual([all, all, all])
  await app.call('PATCH', `/auth/teams/${team.id}`, { body: { closed: true } })
  expect(await seen()).toEqual([all, rest, rest])
  await app.call('POST', `/auth/teams/${team.id}/members`, { body: { members: [viewer.id] } })
  expect(await seen()).toEqual([all, rest, all])
  await app.call('DELETE', `/auth/teams/${team.id}/members/${viewer.id}`)
  expect(await seen()).toEqual([all, rest, rest])
})

test('a closed team with resources cannot be deleted; an open or empty one can', async () => {
  await using app = await createTestApp()
  const { body: team } = await app.call('POST', '/auth/teams', { body: { name: 'Finance', closed: true } })
  const at = `/auth/teams/${team.id}`
  const { id } = await app.createResource({ title: 'a', teams: [team.id] })
  const rejected = await app.call('DELETE', at)
  expect([rejected.status, rejected.body.detail]).toEqual([409, expect.stringContaining('This closed team has 1 resource that')])
  await app.createResource({ title: 'b', teams: [team.id] })
  expect((await app.call('DELETE', at)).body.detail).toContain('2 resources that')
  const editor = await app.createUser('editor')
  expect((await app.call('GET', `/resource/all/${id}`, { token: editor.token })).status).toBe(404)
  await app.call('PATCH', at, { body: { closed: false } })
  expect((await app.call('DELETE', at)).status).toBe(204)
  expect((await app.call('GET', `/resource/all/${id}`, { token: editor.token })).body.teams).toEqual([team.id])
  const { body: empty } = await app.call('POST', '/auth/teams', { body: { name: 'Empty', closed: true } })
  expect((await app.call('DELETE', `/auth/teams/${empty.id}`)).status).toBe(204)
})

test('a guest sees only published resources of their teams', async () => {
  await using app = await createTestApp()
  const { body: team } = await app.call('POST', '/auth/teams', { body: { name: 'Finance' } })
  const ids = []
  for (const create of [
    { title: 'a', published: true, teams: [team.id] },
    { title: 'b', published: false, teams: [team.id] },
    { title: 'c', published: true },
  ])
    ids.push((await app.createResource(create)).id)
  const guest = await app.createUser('guest')
  expect(await findVisible(app, guest.token, ids)).toEqual(['', 0, 404, 404, 404])
  await app.call('POST', `/auth/teams/${team.id}/members`, { body: { members: [guest.id] } })
  expect(await findVisible(app, guest.token, ids)).toEqual(['a', 1, 200, 404, 404])
  await app.call('DELETE', `/auth/teams/${team.id}`)
  expect(await findVisible(app, guest.token, ids)).toEqual(['', 0, 404, 404, 404])
})
