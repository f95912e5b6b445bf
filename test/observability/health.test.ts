import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refreshDeprecationPaths } from '../../src/observability/health/deprecation-paths.ts'
import { refreshIncidentPaths } from '../../src/observability/incidents/incident-paths.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const create = (title: string, more: object = {}) => app.createResource({ title, entity_type: 'table', published: true, ...more })
const monitor = async (target: string, more: object = {}): Promise<string> => {
  const body = { target, metric_type: 'pushed', name: 'rows', condition_manual_max: 10, ...more }
  return (await app.call('POST', '/monitor/monitors', { body })).body.id
}
const measure = (id: string, value: number) =>
  app.call('POST', '/monitor/measurements', { body: { measurements: [{ monitor: id, value }] } })
const connect = (from: string, to: string) =>
  app.call('POST', '/lineage/manual', { body: { from_entity: from, to_entity: to, direction: 'DOWNSTREAM' } })
const health = async (id: string, token = app.token) => (await app.call('GET', `/resource/all/${id}/health`, { token })).body
interface Reason {
  kind: string
  resource: string
}
/** `warning: upstream_incident raw` */
const brief = async (id: string, token = app.token): Promise<string> => {
  const { status, reasons } = await health(id, token)
  return [status, ...reasons.map(({ kind, resource }: Reason) => `${kind} ${resource}`)].join(': ')
}
const list = async (path: string, token = app.token): Promise<{ count: number; results: Record<string, unknown>[] }> =>
  (await app.call('GET', path, { token })).body
const filtered = async (prefix: string, value: string | string[], token = app.token) => {
  const health = { operator: Array.isArray(value) ? 'in' : 'exact', field: 'health', value }
  const filter = { operator: 'and', operands: [{ operator: 'starts_with', field: 'title', value: prefix }, health] }
  const { count, results } = await list(`/resource/catalog?filter=${encodeURIComponent(JSON.stringify(filter))}`, token)
  return [count, results.map(({ title }) => title).sort()]
}

/** The titles of all pages. */
const readPages = async (path: string, more: (page: number, cursor: string) => string): Promise<unknown[]> => {
  const titles: unknown[] = []
  for (let page = 1, cursor = ''; ; page += 1) {
    const { results, count, links } = (await app.call('GET', `${path}${more(page, cursor)}`)).body
    titles.push(...results.map(({ title }: { title: string }) => title))
    if (titles.length >= count) return titles
    cursor = new URL(links.next, 'http://localhost').searchParams.get('cursor') ?? ''
  }
}

test('own incidents, those of columns and those upstream, wherever the resource is listed', async () => {
  const [raw, clean, board] = [
    await create('flow raw'),
    await create('flow clean'),
    await create('flow board', { entity_type: 'dashboard' }),
    await create('flow alone'),
  ]
  const column = await create('flow column', { entity_type: 'column', parent: raw.id })
  await connect(raw.id, clean.id)
  await connect(clean.id, board.id)
  expect(await health(raw.id)).toEqual({ status: 'unknown', reasons: [] })
  const ofColumn = await monitor(column.id)
  expect(await brief(raw.id)).toBe('unknown')
  await measure(ofColumn, 5)
  expect([await brief(column.id), await brief(raw.id), await brief(clean.id)]).toEqual(['ok', 'ok', 'unknown'])

  await measure(ofColumn, 50)
  const { rows } = await sql<{ task: string }>`select task_identifier as task from graphile_worker.jobs`.execute(app.db)
  expect(rows).toContainEqual({ task: 'incident_paths' })
  await refreshIncidentPaths(app.ctx)
  const [incident] = (await app.call('GET', '/monitor/incidents')).body.results
  expect(await health(raw.id)).toEqual({
    status: 'incident',
    reasons: [
      {
        kind: 'incident',
        text: incident.summary,
        text_translatable: incident.summary_translatable,
        resource_id: column.id,
        resource: 'flow raw.flow column',
        since: incident.first_seen_at,
        incident: incident.id,
        incident_status: 'active',
        assignee: null,
        replacement_id: null,
      },
    ],
  })
  expect(await brief(column.id)).toBe('incident: incident flow raw.flow column')
  for (const { id } of [clean, board]) expect(await brief(id)).toBe('warning: upstream_incident flow raw.flow column')
  await app.call('PATCH', `/monitor/incident/${incident.id}`, { body: { status: 'acknowledged' } })
  expect((await health(board.id)).reasons[0]).toMatchObject({
    incident_status: 'acknowledged',
    assignee: { id: app.ctx.actor.user_id, name: expect.stringMatching(/./) },
  })

  const { results } = await list('/resource/catalog?include=health&title=flow')
  expect(Object.fromEntries(results.map(({ title, health }) => [title, health]))).toEqual({
    'flow raw': 'incident',
    'flow column': 'incident',
    'flow clean': 'warning',
    'flow board': 'warning',
    'flow alone': 'unknown',
  })
  expect((await list('/resource/catalog?title=flow')).results[0]).not.toHaveProperty('health')
  expect((await list('/table/tables?include=health&title=flow')).results.map(({ health }) => health).sort()).toEqual([
    'incident',
    'unknown',
    'warning',
  ])
  expect((await app.call('GET', '/resource/catalog?include=weather')).status).toBe(400)
  for (const path of [`/resource/all/${clean.id}`, `/table/tables/${clean.id}`]) {
    const [plain, { body, headers }] = await Promise.all([app.call('GET', path), app.call('GET', `${path}?include=health`)])
    expect(body).toEqual({ ...plain.body, health: 'warning' })
    expect(headers.etag).toBe(plain.headers.etag)
    expect((await app.call('GET', `${path}?include=weather`)).status).toBe(400)
  }
  expect((await app.call('GET', `/resource/all/${clean.id}?include=health&as_of=2026-11-01`)).body.errors).toHaveProperty('include')
  expect((await list('/search?q=flow')).results.find(({ id }) => id === board.id)).toMatchObject({ health: 'warning' })
  const { nodes } = (await app.call('GET', `/lineage/graph?resource_id=${clean.id}`)).body
  expect(Object.fromEntries(nodes.map(({ title, health }: Record<string, string>) => [title, health]))).toEqual({
    'flow raw': 'incident',
    'flow clean': 'warning',
    'flow board': 'warning',
  })
  expect(await filtered('flow', 'incident')).toEqual([2, ['flow column', 'flow raw']])
  expect(await filtered('flow', 'warning')).toEqual([2, ['flow board', 'flow clean']])
  expect(await filtered('flow', ['warning', 'unknown'])).toEqual([3, ['flow alone', 'flow board', 'flow clean']])
  expect(await filtered('flow', [])).toEqual([0, []])
  await create('flow beside')
  expect(await filtered('flow', 'unknown')).toEqual([2, ['flow alone', 'flow beside']])
  const sorted = {
    asc: ['flow column', 'flow raw', 'flow board', 'flow clean', 'flow alone', 'flow beside'],
    desc: ['flow alone', 'flow beside', 'flow board', 'flow clean', 'flow column', 'flow raw'],
  }
  for (const order of ['asc', 'desc'] as const) {
    const sort = encodeURIComponent(JSON.stringify({ field: 'health', order, tie_breaker: { field: 'title' } }))
    const path = `/resource/catalog?title=flow&sort=${sort}`
    expect(await readPages(`${path}&page_size=1`, (page) => `&page=${page}`)).toEqual(sorted[order])
    for (const size of [1, 2, 4, 6])
      expect(await readPages(`${path}&page_size=${size}`, (_, cursor) => `&cursor=${cursor}`)).toEqual(sorted[order])
  }
  const wrong = encodeURIComponent('{"operator":"exact","field":"health","value":"sunny"}')
  expect((await app.call('GET', `/resource/catalog?filter=${wrong}`)).body.detail).toMatch(/one of incident, warning, ok, unknown/)

  await app.call('PATCH', `/monitor/incident/${incident.id}`, { body: { status: 'resolved' } })
  expect(await brief(raw.id)).toBe('warning: out_of_range flow raw.flow column') // its last value is still out of range
  expect(await filtered('flow', 'warning')).toMatchObject([expect.any(Number), expect.arrayContaining(['flow column', 'flow raw'])])
  await measure(ofColumn, 5)
  expect(await brief(raw.id)).toBe('ok')
  await refreshIncidentPaths(app.ctx)
  expect(await filtered('flow', 'warning')).toEqual([0, []])
  expect(await filtered('flow', 'ok')).toEqual([2, ['flow column', 'flow raw']])
  expect((await app.call('GET', `/resource/all/${newId()}/health`)).status).toBe(404)
})

test('deprecated, stale, changed columns and failed tests are reasons', async () => {
  const next = await create('why next')
  const table = await create('why', { deprecation: { reason: 'Old.', replacement_id: next.id, since: '2026-01-01' } })
  expect((await health(table.id)).reasons).toMatchObject([
    { kind: 'deprecated', text: 'Deprecated since 2026-01-01: Old. Use why next instead.', replacement_id: next.id },
  ])
  await sql`update resources set stale = true, stale_at = '2026-02-01' where id = ${table.id}`.execute(app.db)
  const changed = (at: string) => sql`
    insert into activities (id, activity_type, performer_type, resource_id, resource_type, logged_at, payload)
    values (${newId()}, 'schema_changed', 'SYSTEM', ${next.id}, 'table', now() - ${at}::interval, '{}')`
  await changed('8 days').execute(app.db)
  expect(await brief(next.id)).toBe('unknown')
  await changed('6 days').execute(app.db)
  expect(await brief(next.id)).toBe('warning: schema_change why next')
  expect(await brief(table.id)).toBe('warning: deprecated why: stale why')
  const test = await monitor(table.id, { key: `dbt:${newId()}:test.not_null` })
  await measure(test, 11)
  expect(await brief(table.id)).toBe('incident: failed_test why: deprecated why: stale why')
  expect(await filtered('why', 'warning')).toEqual([1, ['why next']])
})

test('what reads something deprecated is warned, with the replacement as far as the caller sees it', async () => {
  const [viewer, fresh] = [await app.createUser('viewer'), await create('dep fresh')]
  const old = await create('dep old', { deprecation: { reason: 'Wrong zone.', replacement_id: fresh.id, since: '2026-01-01' } })
  const [reader, far] = [await create('dep reader'), await create('dep far')]
  await connect(old.id, reader.id)
  await connect(reader.id, far.id)
  const { status, reasons } = await health(reader.id, viewer.token)
  expect([status, reasons]).toEqual([
    'warning',
    [
      {
        ...{ kind: 'upstream_deprecated', resource_id: old.id, resource: 'dep old', replacement_id: fresh.id },
        ...{ text: 'Deprecated since 2026-01-01: Wrong zone. Use dep fresh instead.', text_translatable: expect.anything() },
        ...{ since: '2026-01-01T00:00:00.000Z', incident: null, incident_status: null, assignee: null },
      },
    ],
  ])
  expect(await brief(far.id)).toBe('unknown') // what is further away follows within a minute
  expect(await filtered('dep', 'warning', viewer.token)).toEqual([2, ['dep old', 'dep reader']])
  const query = {
    include: 'health',
    sort: JSON.stringify({ field: 'health' }),
    filter: JSON.stringify({ operator: 'starts_with', field: 'title', value: 'dep' }),
  }
  expect((await list(`/resource/catalog?${new URLSearchParams(query)}`, viewer.token)).results.map(({ health }) => health)).toEqual([
    ...['warning', 'warning', 'unknown', 'unknown'],
  ])
  await app.call('PATCH', `/resource/all/${fresh.id}`, { body: { published: false } })
  expect((await health(reader.id, viewer.token)).reasons).toMatchObject([
    { text: 'Deprecated since 2026-01-01: Wrong zone.', replacement_id: null },
  ])
  await app.call('PATCH', `/resource/all/${old.id}`, { body: { published: false } })
  expect(await brief(reader.id, viewer.token)).toBe('unknown')
  expect(await filtered('dep', ['warning'], viewer.token)).toEqual([0, []])
  expect(await brief(reader.id)).toBe('warning: upstream_deprecated dep old')
  await app.call('PATCH', `/resource/all/${old.id}`, { body: { deprecation: null } })
  expect(await brief(reader.id)).toBe('unknown')
})

test('everything downstream of something deprecated is warned about the nearest one, through what the caller can see', async () => {
  const viewer = await app.createUser('viewer')
  const deprecation = { reason: 'Old.', since: '2026-01-01' }
  const [first, second, middle, end, last] = [
    await create('chain first', { deprecation }),
    await create('chain second', { deprecation }),
    await create('chain middle'),
    await create('chain end'),
    await create('chain last'),
  ]
  await connect(first.id, second.id)
  await connect(second.id, middle.id)
  await connect(middle.id, end.id)
  await connect(end.id, last.id)
  await connect(last.id, middle.id) // a cycle
  const refresh = () => refreshDeprecationPaths(app.ctx)
  await refresh()
  for (const token of [app.token, viewer.token]) {
    for (const { id } of [middle, end, last]) expect(await brief(id, token)).toBe('warning: upstream_deprecated chain second')
    expect(await filtered('chain', 'warning', token)).toEqual([
      5,
      ['chain end', 'chain first', 'chain last', 'chain middle', 'chain second'],
    ])
    expect(await filtered('chain', 'unknown', token)).toEqual([0, []])
  }
  expect(await brief(second.id)).toBe('warning: deprecated chain second: upstream_deprecated chain first')
  // What is hidden is neither named nor counted, and ends the path.
  await app.call('PATCH', `/resource/all/${middle.id}`, { body: { published: false } })
  expect(await brief(end.id, viewer.token)).toBe('unknown')
  expect(await filtered('chain', 'warning', viewer.token)).toEqual([2, ['chain first', 'chain second']])
  expect(await filtered('chain', 'unknown', viewer.token)).toEqual([2, ['chain end', 'chain last']])
  expect(await brief(end.id)).toBe('warning: upstream_deprecated chain second')
  await app.call('PATCH', `/resource/all/${middle.id}`, { body: { published: true } })
  await app.call('PATCH', `/resource/all/${second.id}`, { body: { published: false } })
  expect(await brief(end.id, viewer.token)).toBe('unknown')
  // Without the nearest one, the next counts; without any, nothing does.
  await app.call('PATCH', `/resource/all/${second.id}`, { body: { published: true, deprecation: null } })
  await refresh()
  for (const token of [app.token, viewer.token]) expect(await brief(end.id, token)).toBe('warning: upstream_deprecated chain first')
  await app.call('PATCH', `/resource/all/${first.id}`, { body: { deprecation: null } })
  await refresh()
  for (const token of [app.token, viewer.token]) expect(await brief(end.id, token)).toBe('unknown')
  expect(
    (await sql`select from deprecation_paths p join resources r on r.id = p.resource_id where r.title like 'chain%'`.execute(app.db)).rows,
  ).toEqual([])
})

test('what a caller cannot see does not show, nor what is reached through it', async () => {
  const team = await app.createTeam(true)
  const [viewer, editor] = [await app.createUser('viewer'), await app.createUser('editor')]
  const [hidden, middle, seen, end] = [
    await create('cut hidden', { teams: [team] }),
    await create('cut middle', { published: false }),
    await create('cut seen'),
    await create('cut end'),
  ]
  const secret = await create('cut column', { entity_type: 'column', parent: end.id, published: false })
  await connect(hidden.id, end.id)
  await connect(seen.id, middle.id)
  await connect(middle.id, end.id)
  for (const id of [hidden.id, seen.id, secret.id]) await measure(await monitor(id), 50)
  await refreshIncidentPaths(app.ctx)
  expect(await brief(end.id)).toBe('incident: incident cut end.cut column: upstream_incident cut hidden: upstream_incident cut seen')
  expect(await brief(end.id, editor.token)).toBe('incident: incident cut end.cut column: upstream_incident cut seen')
  expect(await brief(end.id, viewer.token)).toBe('unknown') // the visible incident is only reached through a hidden table
  expect(await brief(seen.id, viewer.token)).toBe('incident: incident cut seen')
  expect(await filtered('cut', 'warning', viewer.token)).toEqual([0, []])
  expect(await filtered('cut', 'incident', viewer.token)).toEqual([1, ['cut seen']])
  expect(await filtered('cut', 'unknown', viewer.token)).toEqual([1, ['cut end']])
  expect((await app.call('GET', `/resource/all/${hidden.id}/health`, { token: viewer.token })).status).toBe(404)
  // Connected through visible resources as well, the incident shows.
  const way = await create('cut way')
  await connect(seen.id, way.id)
  await connect(way.id, end.id)
  await refreshIncidentPaths(app.ctx)
  expect(await brief(end.id, viewer.token)).toBe('warning: upstream_incident cut seen')
  expect(await filtered('cut', 'warning', viewer.token)).toEqual([2, ['cut end', 'cut way']])
  await app.call('PATCH', `/resource/all/${way.id}`, { body: { published: false } })
  expect(await brief(end.id, viewer.token)).toBe('unknown')
})

test('a monitored column that moves to another table takes its incident along', async () => {
  const [from, to] = [await create('move from'), await create('move to')]
  const column = await create('move column', { entity_type: 'column', parent: from.id })
  await measure(await monitor(column.id), 50)
  expect([await brief(from.id), await brief(to.id)]).toEqual(['incident: incident move from.move column', 'unknown'])
  await app.call('PATCH', `/resource/all/${column.id}`, { body: { parent: to.id } })
  expect([await brief(from.id), await brief(to.id)]).toEqual(['unknown', 'incident: incident move to.move column'])
})

test('a badge shows the status without a token, as the creator of its link sees it', async () => {
  const table = await create('badge')
  const column = await create('badge column', { entity_type: 'column', parent: table.id, published: false })
  await measure(await monitor(column.id), 50)
  const viewer = await app.createUser('viewer')
  const link = async (token: string, id = table.id) => app.call('GET', `/resource/all/${id}/badge_link`, { token })
  const open = (url: string) => app.call('GET', url.slice(url.indexOf('/resource')), { token: null })
  const [adminLink, viewerLink] = [(await link(app.token)).body.url, (await link(viewer.token)).body.url]
  const badge = await open(adminLink)
  expect([badge.status, badge.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  expect(badge.headers['cross-origin-resource-policy']).toBe('cross-origin') // else no browser shows it in a wiki
  expect(badge.text).toContain('aria-label="Health: incident"')
  expect(badge.text).not.toContain('badge')
  expect((await open(viewerLink)).text).toContain('aria-label="Health: unknown"')
  expect((await open(adminLink.replace(table.id, column.id))).status).toBe(404)
  expect((await open(adminLink.replace(/by=[^&]+/, `by=${viewer.id}`))).status).toBe(404)
  expect((await open(`${adminLink}x`)).status).toBe(404)
  expect((await link(viewer.token, column.id)).status).toBe(404)
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { published: false } })
  expect([(await open(adminLink)).status, (await open(viewerLink)).status]).toEqual([200, 404])
})
