import { expect, test } from 'vitest'
import { type Catalog, createLineageCatalog } from '../support/lineage-catalog.ts'
import { type CallOptions, createTestApp } from '../support/test-app.ts'
import { addEdges, arrows, createTables, DAILY, deriveLineage, type GraphNodeBody, getLineage, SHOP, WEEKLY } from './lineage-queries.ts'

test('impact and paths pass through hidden nodes without revealing them', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam(true)
  const ids = await createTables(app, 'a b')
  const secret = await createTables(app, 'vault', { teams: [team] })
  await addEdges(app, new Map([...ids, ...secret]), 'a > vault', 'vault > b')
  const { token } = await app.createUser('viewer')
  const impact = await getLineage(app, 'impact', { resource_id: ids.get('a')! }, { token })
  expect(
    impact.body.results.map(({ title, path }: GraphNodeBody & { path: GraphNodeBody[] }) => [
      title,
      path.map((each) => each.title ?? each.id),
    ]),
  ).toEqual([['b', ['a', 'hidden-1', 'b']]])
  expect([impact.body.count, impact.body.summary.total, impact.body.summary.by_entity_type]).toEqual([1, 1, { table: 1 }])
  const path = await getLineage(app, 'path', { from: ids.get('a')!, to: ids.get('b')! }, { token })
  expect(path.body.paths).toEqual([[ids.get('a'), 'hidden-1', ids.get('b')]])
  const csv = await getLineage(app, 'impact', { resource_id: ids.get('a')!, format: 'csv' }, { token })
  for (const text of [impact.text, path.text, csv.text])
    for (const word of ['vault', secret.get('vault')!]) expect(text).not.toContain(word)
  const rejected = await getLineage(app, 'path', { from: ids.get('a')!, to: secret.get('vault')! }, { token })
  expect([rejected.status, rejected.body.detail]).toEqual([
    404,
    `Resource ${secret.get('vault')} was not found, or you do not have access to it.`,
  ])
})

test('hides the SQL of a query that names a resource the caller may not see', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam(true)
  const catalog = await createLineageCatalog(app, SHOP, { published: true })
  await createLineageCatalog(app, { 'vault.public.salaries': ['amount'] }, { published: true, teams: [team] })
  await deriveLineage(app, DAILY, 'insert into weekly (week, total) select o.day, s.amount from orders o cross join salaries s')
  const { token } = await app.createUser('editor')
  const between = (to: string, options?: CallOptions) =>
    getLineage(app, 'path', { from: catalog.get('shop.public.orders')!, to: catalog.get(`shop.public.${to}`)! }, options)
  const [edge] = (await between('daily', { token })).body.edges
  const evidence = edge.evidence.find(({ kind }: { kind: string }) => kind === 'aggregation')
  expect(evidence).toMatchObject({ sql: DAILY, dialect: 'postgres', from_column: 'price', to_column: 'total', is_manual: false })
  expect(DAILY.slice(evidence.start, evidence.end)).toBe('sum(price)')
  const hidden = await between('weekly', { token })
  expect(hidden.body.edges[0].evidence.map(({ sql: text, start }: { sql: null; start: null }) => [text, start])).toEqual([
    [null, null],
    [null, null],
  ])
  expect(hidden.text).not.toContain('salaries')
  expect((await between('weekly')).text).toContain('salaries')
})

test('impact lists columns where column lineage is known, else tables, with owners and a summary', async () => {
  await using app = await createTestApp()
  const catalog: Catalog = new Map([
    ...(await createLineageCatalog(app, { ...SHOP, 'shop.public.lake': [] })),
    ['board', (await app.createResource({ title: 'board', entity_type: 'dashboard' })).id],
  ])
  await deriveLineage(app, DAILY, WEEKLY, 'insert into lake select * from daily')
  await addEdges(app, catalog, 'shop.public.weekly > board')
  const owner = await app.createUser('editor')
  const group = (await app.call('POST', '/auth/group', { body: { name: 'Finance' } })).body.id
  await app.call('PATCH', `/resource/all/${catalog.get('shop.public.daily')}`, { body: { owners: [owner.id], owners_groups: [group] } })
  const reached = async (column: string) => {
    const { body } = await getLineage(app, 'impact', { resource_id: catalog.get('shop.public.orders')!, column })
    return body.results.map(({ title_full, certain, distance }: { title_full: string; certain: boolean; distance: number }) =>
      [title_full.replace('shop.public.', ''), distance, ...(certain ? [] : ['perhaps'])].join(' '),
    )
  }
  expect(await reached('price')).toEqual(['daily.total 1', 'lake 2 perhaps', 'weekly.total 2', 'board 3 perhaps'])
  expect(await reached(`${catalog.get('shop.public.orders.day')}, PRICE`)).toHaveLength(7)
  // A column used in a filter affects the whole table.
  expect(await reached('id')).toEqual(['daily 1', 'lake 2', 'weekly.total 2', 'weekly.week 2', 'board 3 perhaps'])
  const { body } = await getLineage(app, 'impact', { resource_id: catalog.get('shop.public.orders')!, page_size: 2 })
  expect(body.level).toBe('table')
  expect(body.results.map(({ title }: GraphNodeBody) => title)).toEqual(['daily', 'lake'])
  expect([body.count, body.total_pages, body.truncated, body.links.next]).toEqual([4, 2, false, expect.stringContaining('page=2')])
  expect(body.results[0].owners).toEqual([
    { id: owner.id, type: 'user', name: 'editor Person', email: `editor-${owner.id}@example.com` },
    { id: group, type: 'group', name: 'Finance', email: null },
  ])
  expect(body.summary).toMatchObject({
    total: 4,
    by_entity_type: { table: 3, dashboard: 1 },
    by_distance: { 1: 1, 2: 2, 3: 1 },
    unowned: 3,
    dashboards: 1,
    by_owner: [{ count: 1 }, { count: 1 }],
  })
  // A column inherits the owners of its table.
  const columns = await getLineage(app, 'impact', { resource_id: catalog.get('shop.public.orders.price')! })
  expect(columns.body.results[0].owners.map(({ id }: GraphNodeBody) => id)).toEqual([owner.id, group])
  const boards = await getLineage(app, 'impact', { resource_id: catalog.get('shop.public.orders')!, entity_type: 'dashboard' })
  expect(boards.body.results.map(({ title, distance }: GraphNodeBody) => [title, distance])).toEqual([['board', 3]])
  expect((await getLineage(app, 'impact', { resource_id: catalog.get('shop.public.orders')!, depth: 1 })).body.count).toBe(1)
})

test('shows owner names to everyone who sees the resource, and e-mail addresses only with people.read', async () => {
  await using app = await createTestApp()
  const owner = await app.createUser('editor')
  const ids = await createTables(app, 'a b', { owners: [owner.id] })
  await addEdges(app, ids, 'a > b')
  const { token } = await app.createUser('viewer')
  const { body, text } = await getLineage(app, 'impact', { resource_id: ids.get('a')! }, { token })
  expect(body.results[0].owners).toEqual([{ id: owner.id, type: 'user', name: 'editor Person', email: null }])
  expect(text).not.toContain('example.com')
})

test('exports impact as CSV', async () => {
  await using app = await createTestApp()
  const ids = await createTables(app, 'a')
  ids.set('b', (await app.createResource({ title: '=cmd()|"x", y', entity_type: 'dashboard' })).id)
  await addEdges(app, ids, 'a > b')
  const { status, headers, text } = await getLineage(app, 'impact', { resource_id: ids.get('a')!, format: 'csv' })
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(headers['content-disposition']).toMatch(/^attachment; filename="impact-\d{4}-\d\d-\d\d\.csv"$/)
  const titled = '"\'=cmd()|""x"", y"'
  expect(text).toBe(
    `id,title_full,entity_type,distance,certain,owners,path\r\n${ids.get('b')},${titled},dashboard,1,true,,"a > =cmd()|""x"", y"\r\n`,
  )
})

test('finds the shortest paths in the direction of the data flow, or none', async () => {
  await using app = await createTestApp()
  const ids = await createTables(app, 'a b c d e')
  await addEdges(app, ids, 'a > b', 'b > c', 'c > d', 'b > d')
  const { body } = await getLineage(app, 'path', { from: ids.get('a')!, to: ids.get('d')! })
  expect(body.paths).toEqual([['a', 'b', 'd'].map((name) => ids.get(name))])
  expect(arrows(body)).toEqual(['a > b', 'b > d'])
  expect(body.edges[0].evidence).toEqual([expect.objectContaining({ is_manual: true, kind: null, sql: null })])
  for (const [from, to] of ['da', 'ae', 'ea']) {
    const none = await getLineage(app, 'path', { from: ids.get(from!)!, to: ids.get(to!)! })
    expect([none.status, none.body]).toEqual([
      200,
      expect.objectContaining({ length: null, paths: [], nodes: [], edges: [], truncated: false }),
    ])
  }
  const many = await createTables(app, 'm1 m2 m3')
  await addEdges(app, new Map([...ids, ...many]), 'a > m1', 'a > m2', 'a > m3', 'm1 > e', 'm2 > e', 'm3 > e')
  const some = await getLineage(app, 'path', { from: ids.get('a')!, to: ids.get('e')!, limit: 2 })
  expect([some.body.paths.length, some.body.truncated]).toEqual([2, true])
})

test('finds paths between columns, and between a column and a table', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, SHOP)
  await deriveLineage(app, DAILY, WEEKLY)
  const [from, to] = [catalog.get('shop.public.orders.price')!, catalog.get('shop.public.weekly.total')!]
  const columns = (await getLineage(app, 'path', { from, to })).body
  expect([columns.level, columns.length]).toEqual(['column', 2])
  const mixed = (await getLineage(app, 'path', { from, to: catalog.get('shop.public.weekly')! })).body
  expect([mixed.level, mixed.paths[0][0]]).toEqual(['table', catalog.get('shop.public.orders')])
  expect((await getLineage(app, 'path', { from: catalog.get('shop.public.orders.day')!, to })).body.length).toBeNull()
})
