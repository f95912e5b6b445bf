import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { refreshIncidentPaths } from '../../src/observability/incidents/incident-paths.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** What viewers and guests see around the things that are published to them. */

const warehouse = async (app: TestApp) => {
  const database = await app.createResource({ entity_type: 'database', title: 'acme' })
  const schema = await app.createResource({ entity_type: 'schema', title: 'hr', parent: database.id })
  const table = await app.createResource({ entity_type: 'table', title: 'employees', parent: schema.id })
  const column = await app.createResource({ entity_type: 'column', title: 'salary', parent: table.id })
  const other = await app.createResource({ entity_type: 'table', title: 'payroll', parent: schema.id })
  return { database, schema, table, column, other }
}

describe('containers of what is published', () => {
  test('publishing a table gives viewers its schema and database, with the visible children only', async () => {
    await using app = await createTestApp()
    const { database, schema, table, other } = await warehouse(app)
    const { token } = await app.createUser('viewer')
    const body = [{ id: table.id, data: { published: true } }]
    expect((await app.call('POST', '/resource/all/bulk_update/', { body })).status).toBe(200)

    const page = await app.call('GET', `/ui/resource/${table.id}`, { token })
    expect(page.body.breadcrumbs.map(({ title }: { title: string }) => title)).toEqual(['acme', 'hr'])
    const tree = async (query: string) => (await app.call('GET', `/ui/tree?${query}`, { token })).body
    expect((await tree('')).results).toMatchObject([{ id: database.id, children_count: 1 }])
    expect(await tree(`parent_id=${database.id}`)).toMatchObject({ count: 1, results: [{ id: schema.id, children_count: 1 }] })
    expect(await tree(`parent_id=${schema.id}`)).toMatchObject({ count: 1, results: [{ id: table.id }] })
    const container = await app.call('GET', `/resource/all/${schema.id}`, { token })
    expect([container.status, container.body.children_count]).toEqual([200, 1])
    expect((await app.call('GET', `/resource/all/${other.id}`, { token })).status).toBe(404)
    expect((await app.call('GET', '/resource/catalog', { token })).body.count).toBe(4) // with the column
  })

  test('each container gets one version, and its history says so', async () => {
    await using app = await createTestApp()
    const { database, schema, table, other } = await warehouse(app)
    const body = [table, other].map(({ id }) => ({ id, data: { published: true } }))
    await app.call('POST', '/resource/all/bulk_update/', { body })
    for (const { id } of [database, schema]) {
      const { results } = (await app.call('GET', `/resource/all/${id}/versions`)).body
      expect(results.map(({ version, changes }: { version: number; changes: unknown }) => [version, changes])[0]).toEqual([
        2,
        [{ field: 'published', from: false, to: true }],
      ])
      expect(results).toHaveLength(2)
    }
  })

  test('what is created published or moved publishes its containers too', async () => {
    await using app = await createTestApp()
    const { database, schema } = await warehouse(app)
    const loose = await app.createResource({ entity_type: 'table', title: 'loose', published: true })
    const published = async (id: string) => (await app.call('GET', `/resource/all/${id}`)).body.published
    expect(await published(schema.id)).toBe(false)
    await app.call('PATCH', `/resource/all/${loose.id}`, { body: { parent: schema.id } })
    expect([await published(schema.id), await published(database.id)]).toEqual([true, true])
    const second = await app.createResource({ entity_type: 'schema', title: 'ops' })
    await app.call('POST', '/table/tables', { body: { title: 'new', parent: second.id, published: true } })
    expect(await published(second.id)).toBe(true)
  })

  test('a container can be hidden again; hiding the last table leaves it as it is; a draft stays a draft', async () => {
    await using app = await createTestApp()
    const { schema, table } = await warehouse(app)
    const edit = (id: string, published: boolean) => app.call('PATCH', `/resource/all/${id}`, { body: { published } })
    await edit(table.id, true)
    expect((await edit(schema.id, false)).body.published).toBe(false)
    await edit(table.id, false)
    await edit(table.id, true)
    expect((await app.call('GET', `/resource/all/${schema.id}`)).body.published).toBe(true)
    const draft = await app.createResource({ entity_type: 'document', title: 'draft' })
    await app.createResource({ entity_type: 'document', title: 'page', parent: draft.id, published: true })
    expect((await app.call('GET', `/resource/all/${draft.id}`)).body.published).toBe(false)
  })

  test('an upgrade publishes the containers of what was published before, with a version each', async () => {
    await using app = await createTestApp()
    const { database, schema, table, other } = await warehouse(app)
    await sql`update resources set published = true where id = ${table.id}`.execute(app.db) // as before the upgrade
    const migration = readFileSync('migrations/0033_viewers.sql', 'utf8')
    await sql.raw(migration.slice(migration.indexOf('with recursive'))).execute(app.db)
    for (const [{ id }, published, version] of [
      [database, true, 2],
      [schema, true, 2],
      [other, false, 1],
    ] as const)
      expect((await app.call('GET', `/resource/all/${id}`)).body).toMatchObject({ published, version })
    const [last] = (await app.call('GET', `/resource/all/${schema.id}/versions`)).body.results
    expect(last).toMatchObject({ version: 2, performer_type: 'SYSTEM', changes: [{ field: 'published', from: false, to: true }] })
    expect((await app.call('GET', `/resource/all/${schema.id}/versions/1`)).body.published).toBe(false)
  })

  test('a container in a closed team is visible to its members only', async () => {
    await using app = await createTestApp()
    const closed = await app.createTeam(true)
    const schema = await app.createResource({ entity_type: 'schema', title: 'secret', teams: [closed] })
    const table = await app.createResource({ entity_type: 'table', title: 'open', parent: schema.id })
    const [editor, viewer] = [await app.createUser('editor'), await app.createUser('viewer')]
    await app.call('PATCH', `/resource/all/${table.id}`, { token: editor.token, body: { published: true } })
    expect((await app.call('GET', `/resource/all/${schema.id}`)).body).toMatchObject({ published: false, version: 1 })
    await app.call('PATCH', `/resource/all/${schema.id}`, { body: { published: true } })
    expect((await app.call('GET', `/resource/all/${schema.id}`, { token: viewer.token })).status).toBe(404)
    // What a closed team keeps publishes containers of that team, and no others.
    const open = await app.createResource({ entity_type: 'database', title: 'open' })
    const kept = await app.createResource({ entity_type: 'schema', title: 'kept', parent: open.id, teams: [closed] })
    await app.createResource({ entity_type: 'table', title: 'plans', parent: kept.id, teams: [closed], published: true })
    for (const [{ id }, published] of [
      [kept, true],
      [open, false],
    ] as const)
      expect((await app.call('GET', `/resource/all/${id}`)).body.published).toBe(published)
  })
})

test('children are counted as each caller can list them, whatever their own visibility is', async () => {
  await using app = await createTestApp()
  const [open, own, foreign] = [await app.createTeam(), await app.createTeam(true), await app.createTeam(true)]
  const teams = [[], [open], [own], [foreign], [own, foreign], [open, foreign]]
  const parent = await app.createResource({ entity_type: 'schema', title: 'mixed', published: true, teams: [open] })
  for (const published of [true, false])
    for (const some of teams) await app.createResource({ title: 'child', published, parent: parent.id, teams: some })
  const filter = (field: string, value: unknown) => encodeURIComponent(JSON.stringify({ operator: 'exact', field, value }))
  for (const [role, memberOf, expected] of [
    ['admin', [], 12],
    ['editor', [own], 8],
    ['editor', [], 4],
    ['viewer', [own], 4],
    ['viewer', [], 2],
    ['guest', [open, own], 3],
    ['guest', [open], 1],
  ] as const) {
    const { token } = await app.createUser(role, { teams: [...memberOf] })
    const get = async (path: string) => (await app.call('GET', path, { token })).body
    const [listed, record, row, hit, tree, level] = await Promise.all([
      get(`/resource/catalog?filter=${filter('parent', parent.id)}`),
      get(`/resource/all/${parent.id}`),
      get(`/resource/catalog?filter=${filter('children_count', expected)}`),
      get('/search?q=mixed'),
      get('/ui/tree'),
      get(`/ui/tree?parent_id=${parent.id}`),
    ])
    const counts = [listed.count, record.children_count, row.results[0]?.children_count, hit.results[0].children_count, level.count]
    expect([role, memberOf.length, ...counts]).toEqual([role, memberOf.length, ...counts.map(() => expected)])
    expect(tree.results).toEqual([])
  }
})

describe('names of people', () => {
  const aPerson = async (app: TestApp, email: string, names: object = {}) =>
    (await app.call('POST', '/user', { body: { email, role: 'editor', ...names } })).body.id as string

  test('viewers read the names of owners and writers of what they see, and no addresses', async () => {
    await using app = await createTestApp()
    const grace = await aPerson(app, 'grace@example.com', { first_name: 'Grace', last_name: 'Lindqvist' })
    const nameless = await aPerson(app, 'katsu@example.com')
    const bystander = await aPerson(app, 'by@example.com', { first_name: 'By', last_name: 'Stander' })
    const group = (await app.call('POST', '/auth/group', { body: { name: 'stewards', members: [grace] } })).body.id
    const shown = await app.createResource({ title: 'shown', published: true, owners: [grace, nameless], owners_groups: [group] })
    const sink = await app.createResource({ title: 'sink', published: true, owners: [grace] })
    await app.createResource({ title: 'draft', owners: [bystander] })
    const writer = await app.createUser('editor')
    await app.call('PATCH', `/resource/all/${shown.id}`, { token: writer.token, body: { definition: 'About.' } })
    await app.call('POST', '/lineage/manual', { body: { from_entity: shown.id, to_entity: sink.id, direction: 'DOWNSTREAM' } })
    const { token } = await app.createUser('viewer')

    const page = await app.call('GET', `/ui/resource/${shown.id}`, { token })
    expect(page.body.names).toMatchObject({
      [grace]: { name: 'Grace Lindqvist' },
      [nameless]: { name: 'katsu' },
      [group]: { name: 'stewards' },
      [writer.id]: { name: 'editor Person' },
    })
    const names = await app.call('GET', `/ui/names?ids=${[grace, nameless, bystander, group, newId()].join(',')}`, { token })
    expect(Object.keys(names.body).sort()).toEqual([grace, nameless, group].sort())
    const impact = await app.call('GET', `/lineage/impact?resource_id=${shown.id}`, { token })
    expect(impact.body.results[0].owners).toEqual([{ id: grace, type: 'user', name: 'Grace Lindqvist', email: null }])
    for (const { text } of [page, names, impact]) expect(text).not.toContain('@example.com')
    expect((await app.call('GET', '/user', { token })).status).toBe(403)
    // Those who may read people read addresses as before.
    expect((await app.call('GET', `/lineage/impact?resource_id=${shown.id}`)).body.results[0].owners[0].email).toBe('grace@example.com')
    expect((await app.call('GET', `/ui/names?ids=${nameless},${bystander}`)).body[nameless].name).toBe('katsu@example.com')
  })

  test('guests see owners inside their teams only', async () => {
    await using app = await createTestApp()
    const [inside, outside] = [await aPerson(app, 'in@example.com'), await aPerson(app, 'out@example.com')]
    const team = await app.createTeam()
    await app.createResource({ published: true, teams: [team], owners: [inside] })
    await app.createResource({ published: true, owners: [outside] })
    const { token } = await app.createUser('guest', { teams: [team] })
    expect(Object.keys((await app.call('GET', `/ui/names?ids=${inside},${outside}`, { token })).body)).toEqual([inside])
  })

  test('a source has its name, unless it belongs to a closed team', async () => {
    await using app = await createTestApp()
    const closed = await app.createTeam(true)
    const add = async (body: object) => (await app.call('POST', '/integration/integrations', { body })).body.id as string
    const [shop, secret] = [await add({ name: 'Shop', type: 'postgres' }), await add({ name: 'Secret', teams: [closed] })]
    const { token } = await app.createUser('viewer')
    expect((await app.call('GET', `/ui/names?ids=${shop},${secret}`, { token })).body).toEqual({
      [shop]: { type: 'integration', name: 'Shop', integration_type: 'postgres' },
    })
  })
})

test('viewers read the versions of what they see, without addresses, and restore nothing', async () => {
  await using app = await createTestApp()
  const { id } = await app.createResource({ published: true, description: 'One.' })
  const draft = await app.createResource({ description: 'Draft.' })
  const nameless = (await app.call('POST', '/user', { body: { email: 'katsu@example.com', role: 'editor' } })).body.id
  const written = (await app.call('POST', '/auth/tokens', { body: { name: 'x', user: nameless } })).body.token
  await app.call('PATCH', `/resource/all/${id}`, { token: written, body: { description: 'Two.' } })
  const { token } = await app.createUser('viewer')
  const get = (path: string) => app.call('GET', path, { token })
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
  expect((await app.call('POST', `/resource/all/${id}/restore`, { token, body: { version: 1 } })).status).toBe(403)
  expect((await get(`/activity_log/resource_logs/?resource_id=${id}`)).status).toBe(403)
})

test('a deleted user is not found any more, while the name stays in history and with what they own', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam()
  const body = { email: 'ada@example.com', role: 'editor', first_name: 'Ada', last_name: 'Byron', teams: [team] }
  const { id } = (await app.call('POST', '/user', { body })).body
  const token = (await app.call('POST', '/auth/tokens', { body: { name: 'x', user: id } })).body.token
  const resource = await app.createResource({ published: true, owners: [id] })
  await app.call('PATCH', `/resource/all/${resource.id}`, { token, body: { description: 'By Ada.' } })
  expect((await app.call('DELETE', `/user/${id}`)).status).toBe(204)

  for (const [method, path, body] of [
    ['GET', `/user/${id}`],
    ['PATCH', `/user/${id}`, { disabled: false }],
    ['DELETE', `/user/${id}`],
    ['GET', `/resource/all/${resource.id}/access?user=${id}`],
  ] as const)
    expect([method, path, (await app.call(method, path, { body })).status]).toEqual([method, path, 404])
  expect((await app.call('GET', '/user?name=Ada')).body.count).toBe(0)
  expect((await app.call('GET', `/auth/teams/${team}`)).body.members).toEqual([])
  expect((await app.call('GET', '/user/me', { token })).status).toBe(401)
  expect((await app.call('POST', '/auth/tokens', { body: { name: 'y', user: id } })).status).toBe(400)
  const [last] = (await app.call('GET', `/resource/all/${resource.id}/versions`)).body.results
  expect([last.performer_id, last.performer_metadata.name]).toEqual([id, 'Ada Byron'])
  expect((await app.call('GET', `/ui/names?ids=${id}`)).body[id].name).toBe('Ada Byron')
  expect((await app.listActivities()).map(({ activity_type }) => activity_type)).toContain('user_deleted')
  // The address is free for another user.
  const again = await app.call('POST', '/user', { body })
  expect([again.status, again.body.id === id]).toEqual([201, false])
})

test('viewers and guests read the health, monitors, measurements, incidents and gate of what they see, and nothing of the rest', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam()
  const table = await app.createResource({ entity_type: 'table', title: 'seen', published: true, teams: [team] })
  const hidden = await app.createResource({ entity_type: 'table', title: 'zebra', teams: [team] })
  const column = await app.createResource({ entity_type: 'column', title: 'zebra_column', parent: table.id, published: false })
  const monitors: Record<string, string> = {}
  for (const { id, title } of [table, hidden, column]) {
    const body = { target: id, metric_type: 'pushed', name: `${title} rows`, condition_manual_max: 10 }
    monitors[title] = (await app.call('POST', '/monitor/monitors', { body })).body.id
    await app.call('POST', '/monitor/measurements', { body: { measurements: [{ monitor: monitors[title], value: 99 }] } })
  }
  await app.call('POST', '/lineage/manual', { body: { from_entity: hidden.id, to_entity: table.id, direction: 'DOWNSTREAM' } })
  await refreshIncidentPaths(app.ctx)
  const incidents = (await app.call('GET', '/monitor/incidents')).body.results as { id: string; target: string }[]
  const incidentOf = (id: string) => incidents.find(({ target }) => target === id)!.id
  for (const { token } of [await app.createUser('viewer'), await app.createUser('guest', { teams: [team] })]) {
    const get = (path: string) => app.call('GET', path, { token })
    for (const [path, found] of [
      ['/monitor/monitors', [monitors.seen]],
      [`/monitor/monitors?resource_id=${table.id}`, [monitors.seen]],
      ['/monitor/incidents', [incidentOf(table.id)]],
      [`/monitor/incidents?resource_id=${table.id}`, [incidentOf(table.id)]],
    ] as const) {
      const { status, body, text } = await get(path)
      expect([path, status, body.count, body.results.map(({ id }: { id: string }) => id)]).toEqual([path, 200, 1, found])
      expect(text).not.toContain('zebra')
    }
    expect((await get(`/monitor/measurements?monitor=${monitors.seen}`)).body.results).toMatchObject([{ value: 99 }])
    for (const path of [`monitors/${monitors.seen}`, `incident/${incidentOf(table.id)}`])
      expect((await get(`/monitor/${path}`)).status).toBe(200)
    for (const path of [`monitors/${monitors.zebra}`, `monitors/${monitors.zebra_column}`, `incident/${incidentOf(hidden.id)}`])
      expect((await get(`/monitor/${path}`)).status).toBe(404)
    const health = await get(`/resource/all/${table.id}/health`)
    expect(health.body).toMatchObject({ status: 'incident', reasons: [{ kind: 'incident', resource_id: table.id }] })
    const gate = await get(`/monitor/gate?resource_id=${table.id}&upstream=true`)
    expect(gate.body).toMatchObject({ status: 'fail', reasons_count: 1, monitors_checked: 1 })
    const page = await get(`/ui/resource/${table.id}`)
    expect(page.body).toMatchObject({ health: { status: 'incident' }, tabs: { monitors: 1, incidents: 1 } })
    for (const { text } of [health, gate, page]) expect(text).not.toContain('zebra')
    expect((await get(`/resource/all/${table.id}/versions`)).status).toBe(200)
  }
})
