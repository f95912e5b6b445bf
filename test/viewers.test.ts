import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '../src/id.ts'
import { aHouse, type House } from './house.ts'

/** What viewers and guests see around the things that are published to them. */

const warehouse = async (house: House) => {
  const database = await house.resource({ entity_type: 'database', title: 'acme' })
  const schema = await house.resource({ entity_type: 'schema', title: 'hr', parent: database.id })
  const table = await house.resource({ entity_type: 'table', title: 'employees', parent: schema.id })
  const column = await house.resource({ entity_type: 'column', title: 'salary', parent: table.id })
  const other = await house.resource({ entity_type: 'table', title: 'payroll', parent: schema.id })
  return { database, schema, table, column, other }
}

describe('containers of what is published', () => {
  test('publishing a table gives viewers its schema and database, with the visible children only', async () => {
    await using house = await aHouse()
    const { database, schema, table, other } = await warehouse(house)
    const { token } = await house.someone('viewer')
    const body = [{ id: table.id, data: { published: true } }]
    expect((await house.call('POST', '/resource/all/bulk_update/', { body })).status).toBe(200)

    const page = await house.call('GET', `/ui/resource/${table.id}`, { token })
    expect(page.body.breadcrumbs.map(({ title }: { title: string }) => title)).toEqual(['acme', 'hr'])
    const tree = async (query: string) => (await house.call('GET', `/ui/tree?${query}`, { token })).body
    expect((await tree('')).results).toMatchObject([{ id: database.id, children_count: 1 }])
    expect(await tree(`parent_id=${database.id}`)).toMatchObject({ count: 1, results: [{ id: schema.id, children_count: 1 }] })
    expect(await tree(`parent_id=${schema.id}`)).toMatchObject({ count: 1, results: [{ id: table.id }] })
    const container = await house.call('GET', `/resource/all/${schema.id}`, { token })
    expect([container.status, container.body.children_count]).toEqual([200, 1])
    expect((await house.call('GET', `/resource/all/${other.id}`, { token })).status).toBe(404)
    expect((await house.call('GET', '/resource/catalog', { token })).body.count).toBe(4) // with the column
  })

  test('each container gets one version, and its history says so', async () => {
    await using house = await aHouse()
    const { database, schema, table, other } = await warehouse(house)
    const body = [table, other].map(({ id }) => ({ id, data: { published: true } }))
    await house.call('POST', '/resource/all/bulk_update/', { body })
    for (const { id } of [database, schema]) {
      const { results } = (await house.call('GET', `/resource/all/${id}/versions`)).body
      expect(results.map(({ version, changes }: { version: number; changes: unknown }) => [version, changes])[0]).toEqual([
        2,
        [{ field: 'published', from: false, to: true }],
      ])
      expect(results).toHaveLength(2)
    }
  })

  test('what is created published or moved publishes its containers too', async () => {
    await using house = await aHouse()
    const { database, schema } = await warehouse(house)
    const loose = await house.resource({ entity_type: 'table', title: 'loose', published: true })
    const published = async (id: string) => (await house.call('GET', `/resource/all/${id}`)).body.published
    expect(await published(schema.id)).toBe(false)
    await house.call('PATCH', `/resource/all/${loose.id}`, { body: { parent: schema.id } })
    expect([await published(schema.id), await published(database.id)]).toEqual([true, true])
    const second = await house.resource({ entity_type: 'schema', title: 'ops' })
    await house.call('POST', '/table/tables', { body: { title: 'new', parent: second.id, published: true } })
    expect(await published(second.id)).toBe(true)
  })

  test('a container can be hidden again; hiding the last table leaves it as it is; a draft stays a draft', async () => {
    await using house = await aHouse()
    const { schema, table } = await warehouse(house)
    const edit = (id: string, published: boolean) => house.call('PATCH', `/resource/all/${id}`, { body: { published } })
    await edit(table.id, true)
    expect((await edit(schema.id, false)).body.published).toBe(false)
    await edit(table.id, false)
    await edit(table.id, true)
    expect((await house.call('GET', `/resource/all/${schema.id}`)).body.published).toBe(true)
    const draft = await house.resource({ entity_type: 'document', title: 'draft' })
    await house.resource({ entity_type: 'document', title: 'page', parent: draft.id, published: true })
    expect((await house.call('GET', `/resource/all/${draft.id}`)).body.published).toBe(false)
  })

  test('an upgrade publishes the containers of what was published before, with a version each', async () => {
    await using house = await aHouse()
    const { database, schema, table, other } = await warehouse(house)
    await sql`update resources set published = true where id = ${table.id}`.execute(house.db) // as before the upgrade
    const migration = readFileSync('migrations/0033_viewers.sql', 'utf8')
    await sql.raw(migration.slice(migration.indexOf('with recursive'))).execute(house.db)
    for (const [{ id }, published, version] of [
      [database, true, 2],
      [schema, true, 2],
      [other, false, 1],
    ] as const)
      expect((await house.call('GET', `/resource/all/${id}`)).body).toMatchObject({ published, version })
    const [last] = (await house.call('GET', `/resource/all/${schema.id}/versions`)).body.results
    expect(last).toMatchObject({ version: 2, performer_type: 'SYSTEM', changes: [{ field: 'published', from: false, to: true }] })
    expect((await house.call('GET', `/resource/all/${schema.id}/versions/1`)).body.published).toBe(false)
  })

  test('a container in a closed team stays with its members', async () => {
    await using house = await aHouse()
    const closed = await house.team(true)
    const schema = await house.resource({ entity_type: 'schema', title: 'secret', teams: [closed] })
    const table = await house.resource({ entity_type: 'table', title: 'open', parent: schema.id })
    const [editor, viewer] = [await house.someone('editor'), await house.someone('viewer')]
    await house.call('PATCH', `/resource/all/${table.id}`, { token: editor.token, body: { published: true } })
    expect((await house.call('GET', `/resource/all/${schema.id}`)).body).toMatchObject({ published: false, version: 1 })
    await house.call('PATCH', `/resource/all/${schema.id}`, { body: { published: true } })
    expect((await house.call('GET', `/resource/all/${schema.id}`, { token: viewer.token })).status).toBe(404)
    // What a closed team keeps publishes containers of that team, and no others.
    const open = await house.resource({ entity_type: 'database', title: 'open' })
    const kept = await house.resource({ entity_type: 'schema', title: 'kept', parent: open.id, teams: [closed] })
    await house.resource({ entity_type: 'table', title: 'plans', parent: kept.id, teams: [closed], published: true })
    for (const [{ id }, published] of [
      [kept, true],
      [open, false],
    ] as const)
      expect((await house.call('GET', `/resource/all/${id}`)).body.published).toBe(published)
  })
})

describe('names of people', () => {
  const aPerson = async (house: House, email: string, names: object = {}) =>
    (await house.call('POST', '/user', { body: { email, role: 'editor', ...names } })).body.id as string

  test('viewers read the names of owners and writers of what they see, and no addresses', async () => {
    await using house = await aHouse()
    const grace = await aPerson(house, 'grace@example.com', { first_name: 'Grace', last_name: 'Lindqvist' })
    const nameless = await aPerson(house, 'katsu@example.com')
    const bystander = await aPerson(house, 'by@example.com', { first_name: 'By', last_name: 'Stander' })
    const group = (await house.call('POST', '/auth/group', { body: { name: 'stewards', members: [grace] } })).body.id
    const shown = await house.resource({ title: 'shown', published: true, owners: [grace, nameless], owners_groups: [group] })
    const sink = await house.resource({ title: 'sink', published: true, owners: [grace] })
    await house.resource({ title: 'draft', owners: [bystander] })
    const writer = await house.someone('editor')
    await house.call('PATCH', `/resource/all/${shown.id}`, { token: writer.token, body: { definition: 'About.' } })
    await house.call('POST', '/lineage/manual', { body: { from_entity: shown.id, to_entity: sink.id, direction: 'DOWNSTREAM' } })
    const { token } = await house.someone('viewer')

    const page = await house.call('GET', `/ui/resource/${shown.id}`, { token })
    expect(page.body.names).toMatchObject({
      [grace]: { name: 'Grace Lindqvist' },
      [nameless]: { name: 'katsu' },
      [group]: { name: 'stewards' },
      [writer.id]: { name: 'editor Person' },
    })
    const names = await house.call('GET', `/ui/names?ids=${[grace, nameless, bystander, group, newId()].join(',')}`, { token })
    expect(Object.keys(names.body).sort()).toEqual([grace, nameless, group].sort())
    const impact = await house.call('GET', `/lineage/impact?resource_id=${shown.id}`, { token })
    expect(impact.body.results[0].owners).toEqual([{ id: grace, type: 'user', name: 'Grace Lindqvist', email: null }])
    for (const { text } of [page, names, impact]) expect(text).not.toContain('@example.com')
    expect((await house.call('GET', '/user', { token })).status).toBe(403)
    // Those who may read people read addresses as before.
    expect((await house.call('GET', `/lineage/impact?resource_id=${shown.id}`)).body.results[0].owners[0].email).toBe('grace@example.com')
    expect((await house.call('GET', `/ui/names?ids=${nameless},${bystander}`)).body[nameless].name).toBe('katsu@example.com')
  })

  test('guests learn the owners inside their teams only', async () => {
    await using house = await aHouse()
    const [inside, outside] = [await aPerson(house, 'in@example.com'), await aPerson(house, 'out@example.com')]
    const team = await house.team()
    await house.resource({ published: true, teams: [team], owners: [inside] })
    await house.resource({ published: true, owners: [outside] })
    const { token } = await house.someone('guest', { teams: [team] })
    expect(Object.keys((await house.call('GET', `/ui/names?ids=${inside},${outside}`, { token })).body)).toEqual([inside])
  })

  test('a source has its name, unless a closed team keeps it', async () => {
    await using house = await aHouse()
    const closed = await house.team(true)
    const add = async (body: object) => (await house.call('POST', '/integration/integrations', { body })).body.id as string
    const [shop, secret] = [await add({ name: 'Shop', type: 'postgres' }), await add({ name: 'Secret', teams: [closed] })]
    const { token } = await house.someone('viewer')
    expect((await house.call('GET', `/ui/names?ids=${shop},${secret}`, { token })).body).toEqual({
      [shop]: { type: 'integration', name: 'Shop', integration_type: 'postgres' },
    })
  })
})

test('viewers read the versions of what they see, without addresses, and restore nothing', async () => {
  await using house = await aHouse()
  const { id } = await house.resource({ published: true, description: 'One.' })
  const draft = await house.resource({ description: 'Draft.' })
  const nameless = (await house.call('POST', '/user', { body: { email: 'katsu@example.com', role: 'editor' } })).body.id
  const written = (await house.call('POST', '/auth/tokens', { body: { name: 'x', user: nameless } })).body.token
  await house.call('PATCH', `/resource/all/${id}`, { token: written, body: { description: 'Two.' } })
  const { token } = await house.someone('viewer')
  const get = (path: string) => house.call('GET', path, { token })
  const list = await get(`/resource/all/${id}/versions`)
  expect(list.body.results.map(({ version }: { version: number }) => version)).toEqual([2, 1])
  expect(list.body.results[0].performer_metadata).toEqual({
    id: nameless,
    email: null,
    first_name: 'katsu',
    last_name: null,
    name: 'katsu',
  })
  expect(list.text).not.toContain('@example.com')
  expect((await get(`/resource/all/${id}/versions/1`)).body.description).toBe('One.')
  expect((await get(`/resource/all/${id}/versions/compare?from=1&to=2`)).body).toEqual([{ field: 'description', from: 'One.', to: 'Two.' }])
  for (const path of ['versions', 'versions/1', 'versions/compare?from=1&to=1'])
    expect([path, (await get(`/resource/all/${draft.id}/${path}`)).status]).toEqual([path, 404])
  expect((await house.call('POST', `/resource/all/${id}/restore`, { token, body: { version: 1 } })).status).toBe(403)
  expect((await get(`/activity_log/resource_logs/?resource_id=${id}`)).status).toBe(403)
})

test('a deleted user is not found any more, while the name stays in history and with what they own', async () => {
  await using house = await aHouse()
  const team = await house.team()
  const body = { email: 'ada@example.com', role: 'editor', first_name: 'Ada', last_name: 'Byron', teams: [team] }
  const { id } = (await house.call('POST', '/user', { body })).body
  const token = (await house.call('POST', '/auth/tokens', { body: { name: 'x', user: id } })).body.token
  const resource = await house.resource({ published: true, owners: [id] })
  await house.call('PATCH', `/resource/all/${resource.id}`, { token, body: { description: 'By Ada.' } })
  expect((await house.call('DELETE', `/user/${id}`)).status).toBe(204)

  for (const [method, path, body] of [
    ['GET', `/user/${id}`],
    ['PATCH', `/user/${id}`, { disabled: false }],
    ['DELETE', `/user/${id}`],
    ['GET', `/resource/all/${resource.id}/access?user=${id}`],
  ] as const)
    expect([method, path, (await house.call(method, path, { body })).status]).toEqual([method, path, 404])
  expect((await house.call('GET', '/user?name=Ada')).body.count).toBe(0)
  expect((await house.call('GET', `/auth/teams/${team}`)).body.members).toEqual([])
  expect((await house.call('GET', '/user/me', { token })).status).toBe(401)
  expect((await house.call('POST', '/auth/tokens', { body: { name: 'y', user: id } })).status).toBe(400)
  const [last] = (await house.call('GET', `/resource/all/${resource.id}/versions`)).body.results
  expect([last.performer_id, last.performer_metadata.name]).toEqual([id, 'Ada Byron'])
  expect((await house.call('GET', `/ui/names?ids=${id}`)).body[id].name).toBe('Ada Byron')
  expect((await house.changes()).map(({ activity_type }) => activity_type)).toContain('user_deleted')
  // The address is free for another user.
  const again = await house.call('POST', '/user', { body })
  expect([again.status, again.body.id === id]).toEqual([201, false])
})
