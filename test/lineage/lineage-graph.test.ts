import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createLineageCatalog } from '../support/lineage-catalog.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import {
  addEdges,
  arrows,
  createTables,
  DAILY,
  deriveLineage,
  findNode,
  type GraphNodeBody,
  getLineage,
  nodeTitles,
  type Query,
  SHOP,
  UNKNOWN,
  WEEKLY,
} from './lineage-queries.ts'

test('the table level merges columns into tables, lists the nearest nodes first and counts the rest on both sides', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  await deriveLineage(app, DAILY, WEEKLY)
  const at = catalog.get('shop.public.orders')!
  const { status, body } = await getLineage(app, 'graph', { resource_id: at.toUpperCase().replaceAll('-', ''), direction: 'DOWNSTREAM' })
  expect(status).toBe(200)
  expect(body.nodes.map(({ title, distance, direction }: GraphNodeBody) => [title, distance, direction])).toEqual([
    ['orders', 0, null],
    ['daily', 1, 'DOWNSTREAM'],
    ['weekly', 2, 'DOWNSTREAM'],
  ])
  expect(body.edges[0]).toEqual({
    from: at,
    to: catalog.get('shop.public.daily'),
    is_manual: false,
    is_derived: true,
    kinds: ['table'],
    queries: 1,
    indirect: false,
  })
  expect(body).toMatchObject({ resource_id: at, truncated: false, totals: { nodes: 3, edges: 2, hidden: 0, more: 0 } })
  expect(findNode(body, 'daily')).toMatchObject({
    id: catalog.get('shop.public.daily'),
    title_full: 'shop.public.daily',
    entity_type: 'table',
    icon: 'table',
    archived: false,
    group: null,
  })
  const near = (await getLineage(app, 'graph', { resource_id: at, depth: 1 })).body
  expect(nodeTitles(near.nodes)).toEqual(['daily', 'orders'])
  expect([findNode(near, 'daily').more_downstream, near.truncated, near.totals.more]).toEqual([1, false, 1])
  const middle = (await getLineage(app, 'graph', { resource_id: catalog.get('shop.public.daily')!, depth: 1 })).body
  expect(middle.nodes.map(({ title, direction }: GraphNodeBody) => `${title} ${direction}`).sort()).toEqual([
    'daily null',
    'orders UPSTREAM',
    'weekly DOWNSTREAM',
  ])
  const up = (await getLineage(app, 'graph', { resource_id: catalog.get('shop.public.daily')!, depth: 1, direction: 'UPSTREAM' })).body
  expect([nodeTitles(up.nodes), findNode(up, 'daily').more_downstream, up.truncated]).toEqual([['daily', 'orders'], 1, false])
})

test('manual edges of columns and nested fields count for their tables', async () => {
  await using app = await createTestApp()
  const catalog = new Map(await createLineageCatalog(app, SHOP))
  const field = await app.createResource({ title: 'cents', entity_type: 'column', parent: catalog.get('shop.public.orders.price')! })
  const chart = await app.createResource({ title: 'chart', entity_type: 'chart' })
  catalog.set('cents', field.id).set('chart', chart.id)
  await addEdges(app, catalog, 'cents > shop.public.daily.total', 'shop.public.daily.total > chart', 'shop.public.daily.day > chart')
  // Few and many manual edges take different SQL plans; both must find the edge.
  for (const elsewhere of [0, 60]) {
    await createManyEdges(app, elsewhere)
    await expectFoundFromBothEnds(app, field.id, chart.id)
  }
})

const createManyEdges = async ({ db }: TestApp, n: number) => {
  const [a, b] = [newId(), newId()]
  await sql`
    with made as (
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full)
      select gen_random_uuid(), now(), now(), 1, 'table', ${a} || n, '', ${b} from generate_series(1, ${n}::int) n returning id
    )
    insert into lineage_edges (id, mirror_id, upstream, downstream, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), a.id, b.id, now(), now() from made a, made b where a.id < b.id limit ${n}::int`.execute(db)
}

const expectFoundFromBothEnds = async (app: TestApp, field: string, chart: string) => {
  const { body } = await getLineage(app, 'graph', { resource_id: field })
  expect(body.nodes[0].title).toBe('orders')
  expect(arrows(body)).toEqual(['daily > chart', 'orders > daily'])
  expect(body.edges.every(({ is_manual, kinds }: { is_manual: boolean; kinds: string[] }) => is_manual && kinds.length === 0)).toBe(true)
  const up = (await getLineage(app, 'graph', { resource_id: chart, direction: 'UPSTREAM' })).body
  expect(arrows(up)).toEqual(['daily > chart', 'orders > daily'])
  const one = (await getLineage(app, 'graph', { resource_id: chart, depth: 1 })).body
  expect([findNode(one, 'daily').more_upstream, nodeTitles(one.nodes)]).toEqual([1, ['chart', 'daily']])
}

test('the column level groups columns under their tables', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  await deriveLineage(app, DAILY, WEEKLY)
  const { body } = await getLineage(app, 'graph', { resource_id: catalog.get('shop.public.orders')!, level: 'column' })
  const full = new Map<string, string>(
    body.nodes.map(({ id, title_full }: { id: string; title_full: string }) => [id, title_full.slice(12)]),
  )
  const named = (edges: { from: string; to: string; kinds: string[] }[]) =>
    edges.map(({ from, to, kinds }) => `${full.get(from)} > ${full.get(to)} ${kinds}`).sort()
  expect(named(body.edges)).toEqual([
    'daily.day > weekly.week expression',
    'daily.total > weekly.total identity',
    'orders.day > daily.day identity',
    'orders.price > daily.total aggregation',
  ])
  expect(body.nodes.find(({ title_full }: { title_full: string }) => title_full === 'shop.public.daily.total').group).toEqual({
    id: catalog.get('shop.public.daily'),
    title: 'daily',
    title_full: 'shop.public.daily',
    entity_type: 'table',
  })
  const one = await getLineage(app, 'graph', { resource_id: catalog.get('shop.public.orders.id')!, level: 'column' })
  expect(one.body.edges).toEqual([])
  const filters = await getLineage(app, 'graph', {
    resource_id: catalog.get('shop.public.orders.id')!,
    level: 'column',
    include_filters: true,
  })
  expect(filters.body.edges.map(({ kinds }: { kinds: string[] }) => kinds)).toEqual([['filter']])
})

test('cycles and diamonds: lists every node once and every edge', async () => {
  await using app = await createTestApp()
  const ids = await createTables(app, 'a b c d')
  await addEdges(app, ids, 'a > b', 'a > c', 'b > d', 'c > d', 'd > a')
  const { body } = await getLineage(app, 'graph', { resource_id: ids.get('a')!, depth: 10 })
  expect(nodeTitles(body.nodes)).toEqual(['a', 'b', 'c', 'd'])
  expect(arrows(body)).toEqual(['a > b', 'a > c', 'b > d', 'c > d', 'd > a'])
  expect([findNode(body, 'd').direction, findNode(body, 'd').distance, body.truncated]).toEqual(['BOTH', 1, false])
  const { body: impact } = await getLineage(app, 'impact', { resource_id: ids.get('a')! })
  expect([impact.count, impact.results.map(({ title }: GraphNodeBody) => title)]).toEqual([3, ['b', 'c', 'd']])
  // Of two paths of the same length, always the same one is chosen.
  expect(impact.results[2].path.map(({ id }: GraphNodeBody) => id)).toEqual([
    ids.get('a'),
    [ids.get('b')!, ids.get('c')!].sort()[0],
    ids.get('d'),
  ])
  const { body: paths } = await getLineage(app, 'path', { from: ids.get('a')!, to: ids.get('d')! })
  expect([paths.length, paths.paths.length, paths.truncated]).toEqual([2, 2, false])
  expect((await getLineage(app, 'path', { from: ids.get('a')!, to: ids.get('a')! })).body).toMatchObject({ length: 0, edges: [] })
})

test('a hidden resource is a nameless node where it leads to something visible, else it is left out', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam(true)
  const ids = await createTables(app, 'a b c e')
  const secret = await createTables(app, 'vault cellar attic tomb', { teams: [team] })
  const all = new Map([...ids, ...secret])
  await addEdges(
    app,
    all,
    'a > vault',
    'vault > cellar',
    'cellar > b',
    'vault > attic',
    'a > tomb',
    'b > c',
    'c > attic',
    'a > e',
    'vault > e',
  )
  const { token } = await app.createUser('editor')
  const { body, text } = await getLineage(app, 'graph', { resource_id: ids.get('a')!, depth: 5 }, { token })
  expect(nodeTitles(body.nodes)).toEqual(['a', 'b', 'c', 'e', 'hidden-1', 'hidden-2'])
  expect(arrows(body)).toEqual(['a > e', 'a > hidden-1', 'b > c', 'hidden-1 > hidden-2', 'hidden-2 > b'])
  expect(body.totals).toEqual({ nodes: 6, edges: 5, hidden: 2, more: 0 })
  const hidden = body.nodes.find((each: GraphNodeBody) => each.hidden)
  expect(
    Object.entries(hidden)
      .filter(([, value]) => value !== null)
      .map(([name]) => name)
      .sort(),
  ).toEqual(['direction', 'distance', 'hidden', 'id', 'more_downstream', 'more_upstream'])
  // The edge from the hidden node to `e` is not revealed: `e` is reachable without it.
  for (const [title, id] of secret) for (const word of [title, id]) expect(text).not.toContain(word)
  // Hidden dead ends change nothing: the response is byte-identical without them.
  await app.call('DELETE', `/resource/all/${secret.get('attic')}`)
  await app.call('DELETE', `/resource/all/${secret.get('tomb')}`)
  expect((await getLineage(app, 'graph', { resource_id: ids.get('a')!, depth: 5 }, { token })).text).toBe(text)
  // Until the visible node behind it is in the response there is no hidden node, only a count.
  await addEdges(app, all, 'vault > c')
  const near = (await getLineage(app, 'graph', { resource_id: ids.get('a')!, depth: 1 }, { token })).body
  expect([nodeTitles(near.nodes), findNode(near, 'a').more_downstream, near.truncated]).toEqual([['a', 'e'], 1, false])
  for (const path of ['graph', 'impact']) {
    const there = await getLineage(app, path, { resource_id: secret.get('vault')! }, { token })
    const nowhere = await getLineage(app, path, { resource_id: UNKNOWN }, { token })
    expect([there.status, there.body.detail]).toEqual([404, nowhere.body.detail.replace(UNKNOWN, secret.get('vault')!)])
  }
})

test('a hidden node changes no byte of the response where a visible path exists', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam(true)
  const ids = await createTables(app, 'a b c d')
  await addEdges(app, ids, 'a > b', 'b > c', 'c > d')
  const { token } = await app.createUser('guest', { teams: [await app.createTeam()] })
  const { token: editor } = await app.createUser('editor')
  const getGraphText = async () => {
    const responses: string[] = []
    const queries: Query[] = [{}, { depth: 1 }, { limit: 2 }, { level: 'column' }, { entity_type: 'dashboard' }, { direction: 'UPSTREAM' }]
    for (const query of queries)
      responses.push((await getLineage(app, 'graph', { resource_id: ids.get('a')!, ...query }, { token: editor })).text)
    responses.push((await getLineage(app, 'impact', { resource_id: ids.get('a')! }, { token: editor })).text)
    responses.push((await getLineage(app, 'path', { from: ids.get('a')!, to: ids.get('d')! }, { token: editor })).text)
    responses.push((await app.call('POST', '/lineage/what_if', { body: { dropped_tables: [ids.get('a')] }, token: editor })).text)
    return responses
  }
  const before = await getGraphText()
  expect(before[0]).toContain('"d"')
  const secret = await createTables(app, 'short cut', { teams: [team] })
  await addEdges(app, new Map([...ids, ...secret]), 'a > short', 'short > d', 'a > cut', 'cut > b', 'short > cut', 'd > short')
  expect(await getGraphText()).toEqual(before)
  expect((await getLineage(app, 'graph', { resource_id: ids.get('a')! }, { token })).status).toBe(404)
})

test('traverses hidden nodes and filtered nodes to reach matching ones', async () => {
  await using app = await createTestApp()
  const ids = await createTables(app, 'a b')
  ids.set('vault', (await app.createResource({ title: 'vault', teams: [await app.createTeam(true)] })).id)
  ids.set('board', (await app.createResource({ title: 'board', entity_type: 'dashboard' })).id)
  await addEdges(app, ids, 'a > vault', 'vault > b', 'b > board')
  const { token } = await app.createUser('editor')
  const { body } = await getLineage(app, 'graph', { resource_id: ids.get('a')!, entity_type: 'dashboard' }, { token })
  expect([nodeTitles(body.nodes), arrows(body), body.totals.hidden]).toEqual([
    ['a', 'board', 'hidden-1'],
    ['a > hidden-1', 'hidden-1 ..> board'],
    1,
  ])
})

test('a node with very many neighbours: returns the first ones, counts the rest and is marked as truncated', async () => {
  await using app = await createTestApp()
  const hub = await app.createResource({ title: 'hub' })
  // Inserted directly: side effects of creating a resource do not matter here.
  await sql`alter table resources disable trigger user`.execute(app.db)
  await sql`
    with made as (
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full)
      select md5(n::text)::uuid, now(), now(), 1, 'table', 'leaf ' || n, '', 'leaf ' || n from generate_series(1, 20000) n returning id
    )
    insert into lineage_edges (id, mirror_id, upstream, downstream, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), ${hub.id}, id, now(), now() from made`.execute(app.db)
  const { status, body } = await getLineage(app, 'graph', { resource_id: hub.id, depth: 5, limit: 100 })
  expect([status, body.nodes.length, body.edges.length, body.truncated]).toEqual([200, 100, 99, true])
  expect(findNode(body, 'hub').more_downstream).toBe(20_000 - 99)
  const { body: impact } = await getLineage(app, 'impact', { resource_id: hub.id, page_size: 2 })
  expect([impact.count, impact.truncated, impact.results.length]).toEqual([20_000, false, 2])
  const tool = await app.call('POST', '/ai/mcp/tools/call/', { body: { name: 'get_lineage', arguments: { id: hub.id } } })
  const answer = JSON.parse(tool.body.content[0].text)
  expect([answer.total, answer.total_exact, answer.items[0].edges[0].from]).toEqual([999, false, hub.id])
})

test('a limit keeps the nearest nodes of both directions', async () => {
  await using app = await createTestApp()
  const ids = await createTables(app, 'up2 up1 a down1 down2')
  await addEdges(app, ids, 'up2 > up1', 'up1 > a', 'a > down1', 'down1 > down2')
  const { body } = await getLineage(app, 'graph', { resource_id: ids.get('a')!, limit: 3 })
  expect([nodeTitles(body.nodes), body.truncated, body.totals.more]).toEqual([['a', 'down1', 'up1'], true, 2])
  const alone = (await getLineage(app, 'graph', { resource_id: ids.get('a')!, limit: 1 })).body
  expect([nodeTitles(alone.nodes), alone.truncated, alone.totals.more]).toEqual([['a'], true, 2])
})

test('traverses nodes the filters exclude and marks the edge as indirect', async () => {
  await using app = await createTestApp()
  const [shop, lake] = [newId(), newId()]
  const ids = await createTables(app, 'a b', { integration: shop })
  ids.set('c', (await app.createResource({ title: 'c', integration: lake })).id)
  ids.set('board', (await app.createResource({ title: 'board', entity_type: 'dashboard', integration: lake })).id)
  await addEdges(app, ids, 'a > b', 'b > c', 'c > board', 'b > board')
  const seen = async (query: Query) => {
    const { body } = await getLineage(app, 'graph', { resource_id: ids.get('a')!, depth: 5, ...query })
    return [nodeTitles(body.nodes), arrows(body)]
  }
  expect(await seen({ entity_type: 'dashboard' })).toEqual([['a', 'board'], ['a ..> board']])
  expect(await seen({ without_entity_type: 'dashboard,chart' })).toEqual([
    ['a', 'b', 'c'],
    ['a > b', 'b > c'],
  ])
  expect(await seen({ integration_id: lake })).toEqual([
    ['a', 'board', 'c'],
    ['a ..> board', 'a ..> c', 'c > board'],
  ])
  await app.db.updateTable('resources').set({ archived: true }).where('id', '=', ids.get('b')!).execute()
  expect((await seen({}))[0]).toContain('b')
  expect(await seen({ include_archived: false })).toEqual([
    ['a', 'board', 'c'],
    ['a ..> board', 'a ..> c', 'c > board'],
  ])
  const { body } = await getLineage(app, 'graph', { resource_id: ids.get('b')!, depth: 1, direction: 'UPSTREAM', entity_type: 'dashboard' })
  expect(findNode(body, 'b').more_downstream).toBe(1)
})

test('rejects invalid parameters', async () => {
  await using app = await createTestApp()
  const { id } = await app.createResource()
  for (const [status, path, query] of [
    [400, 'graph', {}],
    [400, 'graph', { resource_id: 'orders' }],
    [404, 'graph', { resource_id: UNKNOWN }],
    [400, 'graph', { resource_id: `${id}\0` }],
    [400, 'graph', { resource_id: id, direction: 'SIDEWAYS' }],
    [400, 'graph', { resource_id: id, depth: 0 }],
    [400, 'graph', { resource_id: id, depth: 51 }],
    [400, 'graph', { resource_id: id, depth: 'x' }],
    [400, 'graph', { resource_id: id, level: 'row' }],
    [400, 'graph', { resource_id: id, limit: 5001 }],
    [400, 'graph', { resource_id: id, limit: 0 }],
    [400, 'graph', { resource_id: id, entity_type: 'spaceship' }],
    [400, 'graph', { resource_id: id, entity_type: 'table\0' }],
    [400, 'graph', { resource_id: id, integration_id: 'x' }],
    [400, 'graph', { resource_id: id, include_archived: 'perhaps' }],
    [400, 'impact', {}],
    [400, 'impact', { resource_id: id, column: 'nobody' }],
    [400, 'impact', { resource_id: id, page: 0 }],
    [400, 'impact', { resource_id: id, format: 'pdf' }],
    [404, 'impact', { resource_id: UNKNOWN, format: 'csv' }],
    [400, 'path', { from: id }],
    [400, 'path', { from: id, to: 'x' }],
    [404, 'path', { from: id, to: UNKNOWN }],
    [400, 'path', { from: id, to: id, limit: 101 }],
  ] as const) {
    const response = await getLineage(app, path, query as Query)
    expect([path, query, response.status]).toEqual([path, query, status])
    expect(response.body.detail).toEqual(expect.any(String))
  }
})
