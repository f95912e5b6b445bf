import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findHealth } from '../../src/catalog/listing/health.ts'
import { healthSql, statusSql } from '../../src/catalog/records/health.ts'
import { computedSeveritySql } from '../../src/catalog/records/health-conditions.ts'
import { refreshDeprecationPaths } from '../../src/observability/health/deprecation-paths.ts'
import { storeChangedHealth } from '../../src/observability/health/store-health.ts'
import { refreshIncidentPaths } from '../../src/observability/incidents/incident-paths.ts'
import { newId } from '../../src/platform/core/id.ts'
import { type Actor, visibleTo } from '../../src/platform/permissions/permissions.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Stored health is the computed one: after every kind of change, stored or not, for callers who see everything and who do not. */
const ROUNDS = 3 // of all kinds of changes
const COMPARED = 4 // every so many changes, through the API
const STATUSES = ['incident', 'warning', 'ok', 'unknown']

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const createRandom = (seed: number) => {
  let state = seed
  const below = (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  return { below, of: <T>(items: readonly T[]): T => items[below(items.length)]! }
}

const create = async (title: string, more: object = {}): Promise<string> =>
  (await app.createResource({ title, entity_type: 'table', published: true, ...more })).id
const createMonitor = async (target: string): Promise<string> =>
  (await app.call('POST', '/monitor/monitors', { body: { target, metric_type: 'pushed', name: 'rows', condition_manual_max: 10 } })).body.id
const measure = (monitor: string, value: number) =>
  app.call('POST', '/monitor/measurements', { body: { measurements: [{ monitor, value }] } })
const connect = (from: string, to: string) =>
  app.call('POST', '/lineage/manual', { body: { from_entity: from, to_entity: to, direction: 'DOWNSTREAM' } })
const edit = (id: string, body: object) => app.call('PATCH', `/resource/all/${id}`, { body })
const store = () => storeChangedHealth(app.ctx)
const countWaiting = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from changed_health`.execute(app.db)
  return rows[0]!.n
}

interface Listed {
  readonly id: string
  readonly health: string
}
const read = async (path: string, token: string) => {
  const { status, body } = await app.call('GET', path, { token })
  expect(status).toBe(200)
  return body
}
const list = async (token: string, more: object = {}): Promise<{ count: number; results: Listed[] }> =>
  read(
    `/resource/catalog?${new URLSearchParams({
      page_size: '100',
      include: 'health',
      ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, JSON.stringify(value)])),
    })}`,
    token,
  )

const FILTERS = [...STATUSES.map((status) => [status]), ['warning', 'unknown'], ['incident', 'ok']]
const ORDERS = ['asc', 'desc']

/** What lists, filters, sorts and facets say is what the pages of the resources say. */
const compare = async (token: string, because: string, filters = FILTERS, orders = ORDERS): Promise<void> => {
  const { results } = await list(token)
  const ids = results.map(({ id }) => id).sort()
  const expected = new Map<string, string>()
  for (const id of ids) expected.set(id, (await read(`/resource/all/${id}/health`, token)).status)
  const having = (...statuses: string[]) => ids.filter((id) => statuses.includes(expected.get(id)!))
  expect(Object.fromEntries(results.map(({ id, health }) => [id, health])), because).toEqual(Object.fromEntries(expected))
  const beside = await read(`/ui/health?ids=${ids}`, token)
  expect(Object.fromEntries(ids.map((id) => [id, beside[id]?.status])), `${because}: by ID`).toEqual(Object.fromEntries(expected))
  for (const statuses of filters) {
    const filter = { operator: 'in', field: 'health', value: statuses }
    const filtered = await list(token, { filter })
    expect([filtered.count, filtered.results.map(({ id }) => id).sort()], `${because}: ${statuses}`).toEqual([
      having(...statuses).length,
      having(...statuses),
    ])
  }
  for (const order of orders) {
    const sorted = await list(token, { sort: { field: 'health', order } })
    const statuses = order === 'asc' ? STATUSES : STATUSES.toReversed()
    expect(
      sorted.results.map(({ id }) => id),
      `${because}: sorted ${order}`,
    ).toEqual(statuses.flatMap((status) => having(status)))
  }
  const searched = await read('/search?q=health&page_size=100', token)
  const counts = (facet: { values: { value: string; count: number }[] }) =>
    Object.fromEntries(facet.values.map(({ value, count }) => [value, count]))
  const expectedCounts = Object.fromEntries(STATUSES.flatMap((status) => (having(status).length ? [[status, having(status).length]] : [])))
  expect(counts(searched.facets.health), `${because}: facet`).toEqual(expectedCounts)
  const everything = await read('/search?page_size=1', token)
  expect(counts(everything.facets.health), `${because}: facet of everything`).toEqual(expectedCounts)
  for (const statuses of filters) {
    const selected = await read(`/search?q=health&page_size=100&facets=false&health=${statuses}`, token)
    expect(selected.results.map(({ id }: Listed) => id).sort(), `${because}: search ${statuses}`).toEqual(having(...statuses))
  }
}

/** What is read for these actors is what the conditions say now. */
const checkComputed = async (actors: readonly Actor[], because: string): Promise<void> => {
  for (const actor of actors) {
    const { rows } = await sql<{ id: string; title: string; read: string; computed: string }>`
      select r.id, r.title, ${healthSql(actor)} as read, ${statusSql(computedSeveritySql(actor, 'r'))} as computed from resources r where ${visibleTo(actor)}
    `.execute(app.db)
    expect(
      rows.filter(({ read, computed }) => read !== computed),
      because,
    ).toEqual([])
    const cached = await findHealth(
      { ...app.ctx, actor },
      rows.map(({ id }) => id),
    )
    expect(
      rows.filter(({ id, computed }) => cached.get(id) !== computed),
      `${because}, cached`,
    ).toEqual([])
  }
}

const createWorld = async () => {
  const team = await app.createTeam(true)
  const tables: string[] = []
  for (let i = 0; i < 7; i += 1) tables.push(await create(`health table ${i}`))
  tables.push(await create('health board', { entity_type: 'dashboard' }))
  const columns: string[] = []
  for (let i = 0; i < 4; i += 1) columns.push(await create(`health column ${i}`, { entity_type: 'column', parent: tables[i % 2]! }))
  const monitors = await Promise.all([...tables.slice(0, 3), ...columns.slice(0, 3)].map(createMonitor))
  const edges: string[] = []
  for (let i = 1; i < tables.length; i += 1) edges.push((await connect(tables[i - 1]!, tables[i]!)).body.id)
  return { team, tables, columns, monitors, deleted: [] as string[], edges }
}
type World = Awaited<ReturnType<typeof createWorld>>

/** Every kind of change, of something random. */
const listChanges = (world: World, { below, of }: ReturnType<typeof createRandom>): Record<string, () => Promise<unknown>> => {
  const { tables, columns, monitors, deleted, edges, team } = world
  const resource = of([...tables, ...columns])
  return {
    'good value': () => measure(of(monitors), 5),
    'bad value': () => measure(of(monitors), 50),
    'bad value again': () => measure(of(monitors), 60),
    ...Object.fromEntries(
      ['acknowledged', 'resolved'].map((status) => [
        `incident ${status}`,
        async () => {
          const open = (await read('/monitor/incidents?page_size=100', app.token)).results.filter(
            (each: { status: string }) => each.status !== 'resolved',
          )
          if (open.length) await app.call('PATCH', `/monitor/incident/${of<Listed>(open).id}`, { body: { status } })
        },
      ]),
    ),
    'monitor switched': () => app.call('PATCH', `/monitor/monitors/${of(monitors)}`, { body: { is_enabled: below(2) === 0 } }),
    'monitor replaced': async () => {
      const at = below(monitors.length)
      await app.call('DELETE', `/monitor/monitors/${monitors[at]}`)
      monitors[at] = await createMonitor(resource)
    },
    connected: async () => {
      const { status, body: edge } = await connect(of(tables), of(tables))
      if (status < 300) edges.push(edge.id)
    },
    disconnected: () => app.call('DELETE', `/lineage/manual/${edges.splice(below(edges.length), 1)[0] ?? newId()}`),
    deprecated: () => edit(resource, { deprecation: { reason: 'Old.', since: '2026-01-01' } }),
    'no longer deprecated': () => edit(resource, { deprecation: null }),
    stale: () => sql`update resources set stale = not stale, stale_at = now() where id = ${resource}`.execute(app.db),
    'schema changed': () =>
      sql`insert into activities (id, activity_type, performer_type, resource_id, resource_type, logged_at, payload)
        values (${newId()}, 'schema_changed', 'SYSTEM', ${resource}, 'table', now() - make_interval(days => ${6 + 2 * below(2)}), '{}')`.execute(
        app.db,
      ),
    published: () => edit(resource, { published: below(3) > 0 }),
    'moved to a team': () => edit(resource, { teams: below(2) === 0 ? [team] : [] }),
    'column moved': () => edit(of(columns), { parent: of(tables.slice(0, 4)) }),
    deleted: async () => {
      const table = of(tables.slice(0, 6))
      if (!deleted.includes(table)) deleted.push(table)
      await app.call('DELETE', `/resource/all/${table}`)
    },
    restored: () => app.call('POST', `/resource/all/${deleted.pop() ?? newId()}/restore`, { body: {} }),
    'incident paths': () => refreshIncidentPaths(app.ctx),
    'deprecation paths': () => refreshDeprecationPaths(app.ctx),
  }
}

test('lists, filters, sorts and facets are exact after any change, stored or not', async () => {
  const random = createRandom(1)
  const world = await createWorld()
  const [viewer, editor] = [await app.createUser('viewer'), await app.createUser('editor')]
  const tokens = [app.token, viewer.token, editor.token]
  const actors = [app.ctx.actor, viewer.ctx.actor, editor.ctx.actor]
  const names = Object.keys(listChanges(world, random))
  const done: string[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names
      .map((name) => [random.below(1_000), name] as const)
      .sort(([a], [b]) => a - b)
      .map(([, name]) => name)) {
      await listChanges(world, random)[name]!()
      done.push(name)
      const because = `step ${done.length}: ${done.slice(-4).join(', ')}`
      await checkComputed(actors, because)
      const stored = random.below(3) > 0 // some changes wait for others
      if (stored) await store()
      await checkComputed(actors, `${because}, ${stored ? 'stored' : 'waiting'}`)
      if (done.length % COMPARED === 0)
        await compare(random.of(tokens), because, [random.of(FILTERS), random.of(FILTERS)], [random.of(ORDERS)])
    }
  await store()
  expect(await countWaiting()).toBe(0)
  for (const token of tokens) await compare(token, 'stored')
})

test('two workers at once, and one that is killed, leave what is right', async () => {
  const ids: string[] = []
  for (let i = 0; i < 5; i += 1) ids.push(await create(`health killed ${i}`, { deprecation: { reason: 'Old.', since: '2026-01-01' } }))
  // The transaction of a killed process is rolled back.
  const killed = app.db.transaction().execute(async (db) => {
    await storeChangedHealth({ ...app.ctx, db, in_transaction: true })
    throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
  expect(await countWaiting()).toBeGreaterThan(0)
  await compare(app.token, 'killed')
  // While one is at work the other leaves it alone, and what changes meanwhile is stored later.
  await app.db.transaction().execute(async (db) => {
    await storeChangedHealth({ ...app.ctx, db, in_transaction: true })
    await edit(ids[0]!, { deprecation: null })
    await store()
    expect(await countWaiting()).toBeGreaterThan(0)
  })
  await compare(app.token, 'changed meanwhile')
  await Promise.all([store(), store(), store()])
  await store()
  expect(await countWaiting()).toBe(0)
  await compare(app.token, 'stored')
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from resource_health where resource_id = any(${ids}::uuid[])`.execute(
    app.db,
  )
  expect(rows).toEqual([{ n: 4 }])
})

test('a change of columns stops being recent without any write', async () => {
  const id = await create('health aged')
  await sql`insert into activities (id, activity_type, performer_type, resource_id, resource_type, logged_at, payload)
    values (${newId()}, 'schema_changed', 'SYSTEM', ${id}, 'table', now() - interval '6 days', '{}')`.execute(app.db)
  await store()
  const health = async () => (await list(app.token, { filter: { operator: 'exact', field: 'id', value: id } })).results[0]!.health
  expect(await health()).toBe('warning')
  // As if a day had passed.
  await sql`update activities set logged_at = logged_at - interval '1 day' where resource_id = ${id} and activity_type = 'schema_changed'`.execute(
    app.db,
  )
  await sql`update resource_health set valid_until = valid_until - interval '1 day' where resource_id = ${id}`.execute(app.db)
  expect(await health()).toBe('unknown')
  await store()
  expect(await health()).toBe('unknown')
  expect((await sql`select from resource_health where resource_id = ${id}`.execute(app.db)).rows).toEqual([])
})

test('what a caller sees through a recent change of columns is not cached longer than it is recent', async () => {
  const viewer = await app.createUser('viewer')
  const id = await create('health aged for viewers')
  const hidden = await create('hidden column', { entity_type: 'column', parent: id, published: false })
  await measure(await createMonitor(hidden), 50)
  await sql`insert into activities (id, activity_type, performer_type, resource_id, resource_type, logged_at, payload)
    values (${newId()}, 'schema_changed', 'SYSTEM', ${id}, 'table', now() - interval '6 days', '{}')`.execute(app.db)
  await store()
  const health = async (token: string) =>
    (await list(token, { filter: { operator: 'exact', field: 'id', value: id } })).results.map(({ health }) => health)
  expect([await health(app.token), await health(viewer.token)]).toEqual([['incident'], ['warning']])
  // As if a day had passed.
  await sql`update activities set logged_at = logged_at - interval '1 day' where resource_id = ${id} and activity_type = 'schema_changed'`.execute(
    app.db,
  )
  await sql`update resource_health set valid_until = valid_until - interval '1 day' where resource_id = ${id}`.execute(app.db)
  expect([await health(app.token), await health(viewer.token)]).toEqual([['incident'], ['unknown']])
})
