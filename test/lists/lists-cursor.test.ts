import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENTITY_TYPES } from '../../src/catalog/entity-types/entity-types.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createJob } from '../../src/platform/jobs/jobs.ts'
import { type Document, loadOpenApi } from '../support/contract.ts'
import { createTestMonitor, pushValues } from '../support/monitors.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Every list can be read by cursor with the same result as by page. New lists are found in the OpenAPI document and must be added here. */
const MANY = 7
const START = Date.parse('2026-03-01T12:00:00Z')
const MINUTE = 60_000
const LATER = '2026-03-01T13:00:00Z'
const NIL = '00000000-0000-4000-8000-000000000000'

let clock = START
let app: TestApp
let document: Document
beforeAll(async () => {
  app = await createTestApp({ now: () => new Date(clock) })
  document = await loadOpenApi(app.fastify)
  await fill()
})
afterAll(() => app[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Rec = any
const post = async (path: string, body: unknown): Promise<Rec> => {
  const response = await app.call('POST', path, { body })
  expect([path, response.status, response.body?.detail]).toEqual([path, 201, undefined])
  return response.body
}

/** Groups of three have the same time, to test ties. */
const each = async <T>(make: (i: number, at: Date) => Promise<T>): Promise<T[]> => {
  const created: T[] = []
  for (let i = 0; i < MANY; i += 1) {
    clock = START + Math.floor(i / 3) * MINUTE
    created.push(await make(i, new Date(clock)))
  }
  return created
}
/** Mixed case, in no order. */
const getName = (i: number): string => `${i % 2 ? 'B' : 'a'}${(i * 5) % MANY}`

const insert = async (table: string, row: Record<string, unknown>): Promise<string> => {
  const id = newId()
  const values = { id, ...row }
  await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(values))})`.execute(app.db)
  return id
}

/** A query that reads a table, and was run at some time or never. */
const insertRead = async (query_id: string, resource_id: string, i: number): Promise<void> => {
  await sql`insert into query_reads (query_id, resource_id) values (${query_id}, ${resource_id})`.execute(app.db)
  await sql`update resources set verified = ${i % 2 === 0} where id = ${query_id}`.execute(app.db)
}

/** Parameters with which a list has records. Lists not named here need none. */
const params: Record<string, string> = {}
const ids: Record<string, string> = {}

const fill = async (): Promise<void> => {
  const me = app.ctx.actor.user_id!
  await fillCatalog()
  await fillPeople(me)
  await fillMonitors()
  await fillNotifications(me)
  await each((i) => post('/tag', { name: getName(i) }))
  await each((i, at) =>
    insert('imports', {
      ...{ imported_at: at, user_id: me, integration: newId(), file_name: getName(i), format: 'csv' },
      ...{ lines: 1, created: 1, updated: 0, lineage_created: 0, containers_published: 0 },
    }),
  )
  await each((i, at) => insert('assistant_conversations', { user_id: me, title: getName(i), created_at: at, updated_at: at }))
  await each((i) => post('/view', { name: getName(i % 4), query: 'type=table' }))
  const [integration] = await each((i) => post('/integration/integrations', { name: getName(i % 4), type: 'custom' }))
  ids.integration_id = integration.id
  await each((_, at) => insert('integration_syncs', { integration: integration.id, status: 'COMPLETED', created_at: at }))
  // Its rows have no ID.
  await each((i) =>
    sql`insert into integration_losses (integration, number, line) values (${integration.id}, ${i}, ${getName(i)})`.execute(app.db),
  )
  await each((i, at) => createJob({ ...app.ctx, now: at }, { kind: 'test', title: getName(i) }))
  const columns = await each((i) => app.createResource({ entity_type: 'column', title: `suspect ${i}`, integration: integration.id }))
  await each((i, at) =>
    insert('pii_suggestions', {
      ...{ resource_id: columns[i]!.id, integration: integration.id, class: 'email', confidence: Math.floor(i / 2) / 3 },
      ...{ evidence: '{}', status: 'open', created_at: at, updated_at: at },
    }),
  )
}

const fillCatalog = async (): Promise<void> => {
  const hub = await app.createResource({ entity_type: 'table', title: 'hub' })
  ids.resource_id = hub.id
  ids.table_id = hub.id
  const { id: column_id } = await app.createResource({ entity_type: 'column', parent: hub.id, title: 'changed' })
  const changes = JSON.stringify([{ kind: 'retyped', column_id, column: 'changed', from: 'int', to: 'text' }])
  await each((_, at) => insert('schema_changes', { table_id: hub.id, at, sync_id: newId(), changes, announced: true }))
  await each((i, at) =>
    insert('change_suggestions', {
      ...{ resource_id: hub.id, field: 'tag', value: getName(i), status: 'open', by: 'user', created_at: at, updated_at: at },
    }),
  )
  await each((i, at) => {
    const id = newId()
    return insert('comments', {
      ...{ id, thread: id, thread_at: at, resource_id: hub.id, text: getName(i), created_at: at, updated_at: at },
    })
  })
  for (const entity_type of ENTITY_TYPES) await each((i) => app.createResource({ entity_type, title: getName(i) }))
  const linked = await each((i) => app.createResource({ entity_type: 'table', title: getName(i), definition: `See [hub](/r/${hub.id}).` }))
  for (const [i, { id }] of linked.entries()) {
    for (const mark of ['bookmark', 'subscription']) expect((await app.call('PUT', `/resource/all/${id}/${mark}`)).status).toBe(200)
    await post('/lineage/manual', { from_entity: i < 4 ? hub.id : linked[0]!.id, to_entity: id, direction: 'DOWNSTREAM' })
  }
  // Some columns have a position in their table, others have none.
  await each((i) =>
    app.createResource({ entity_type: 'column', parent: hub.id, title: getName(i), ...(i < 4 ? { sort_order: 2 - (i % 3) } : {}) }),
  )
  // Some have no time.
  await each(async (i, at) => {
    const { id } = await app.createResource({ entity_type: 'run', parent: hub.id, title: getName(i) })
    if (i < 5) await sql`update resources set external_updated_at = ${at} where id = ${id}`.execute(app.db)
  })
  const queries = await each((i) => post('/query/queries', { title: getName(i), definition: 'select 1', freq: i % 3 }))
  for (const [i, { id }] of queries.entries()) await insertRead(id, hub.id, i)
  params['/ui/tree'] = `parent_id=${hub.id}`
  params['/lineage/impact'] = `resource_id=${hub.id}`
  params['/activity_log/resource_logs/'] = `resource_id=${hub.id}`
  params['/search'] = 'q=a'
  await each((i) => app.call('PATCH', `/resource/all/${hub.id}`, { body: { description: getName(i) } }))
  await each(async (i) => {
    const { id } = await app.createResource({ title: `deleted ${i}` })
    expect((await app.call('DELETE', `/resource/all/${id}`)).status).toBe(204)
  })
}

const fillPeople = async (me: string): Promise<void> => {
  await each((i) => post('/user', { email: `${getName(i)}@example.com`, role: 'viewer' }))
  await each((i) => post('/auth/teams', { name: getName(i) }))
  await each((i) => post('/auth/group', { name: getName(i) }))
  await each((i) => post('/auth/tokens', { name: getName(i), scope: 'read' }))
  await each((i, at) =>
    insert('sessions', {
      ...{ user_id: me, hash: Buffer.from(`session ${i}`), scope: 'read', method: 'password', idle_seconds: 86_400 },
      ...{ created_at: at, last_used_at: at, expires_at: new Date(clock + 30 * 86_400_000) },
    }),
  )
}

const fillMonitors = async (): Promise<void> => {
  const monitors = await each((i) => createTestMonitor(app, { target: ids.resource_id, metric_type: 'pushed', name: getName(i) }))
  const { id: monitor } = monitors[0]
  await pushValues(
    app,
    monitor,
    Array.from({ length: MANY }, (_, i) => [START - i * MINUTE, i] as const),
  )
  params['/monitor/measurements'] = `monitor=${monitor}`
  await each(async (i, at) => {
    const { id: target } = await app.createResource({ entity_type: 'table', title: getName(i) }) // one for each, for the list by table
    return insert('monitor_incidents', {
      ...{ monitor, target, name: 'late', summary: '', status: 'resolved', value: 1, resolved_at: at },
      ...{ created_at: at, updated_at: at, first_seen_at: at, last_seen_at: at },
    })
  })
}

const fillNotifications = async (me: string): Promise<void> => {
  const times = (at: Date) => ({ created_at: at, updated_at: at })
  await each((_, at) =>
    insert('notifications', {
      ...{ user_id: me, resource_id: ids.resource_id, resource_type: 'table', resource_title: 'hub', activity_ids: '{}' },
      ...{ changes_count: 1, last_change_at: at, read_at: at, ...times(at) },
    }),
  )
  await each((_, at) =>
    insert('deliveries', {
      ...{ user_id: me, channel: 'email', resources: '[]', resources_count: 0, status: 'sent', due_at: at, ...times(at) },
    }),
  )
  const webhooks = await each((i) => post('/notification/webhooks', { name: getName(i), url: 'https://example.com/hook' }))
  ids.webhook_id = webhooks[0].id
  await each((i) => post('/notification/channels', { name: getName(i), type: 'slack', address: 'C0DATA' }))
  await each((i) => post('/notification/rules', { name: getName(i) }))
  await each((_, at) =>
    insert('deliveries', { channel: 'webhook', webhook_id: ids.webhook_id, event: 'updated', status: 'sent', due_at: at, ...times(at) }),
  )
}

const PREFIX = '/api/v1'
interface ListOperation {
  readonly path: string
  readonly parameters: readonly { name: string; description?: string }[]
}
/** Every list of the document, by its parameters. */
const listsOf = ({ paths }: Document): ListOperation[] =>
  Object.entries(paths).flatMap(([path, { get }]) => {
    const { parameters = [] } = (get ?? {}) as { parameters?: ListOperation['parameters'] }
    return parameters.some(({ name }) => name === 'page' || name === 'page_size') ? [{ path: path.slice(PREFIX.length), parameters }] : []
  })

/** With `cursor` these are in commit order: test/history/history-cursor.test.ts. */
const LOGS = ['/activity_log/audit_logs/', '/activity_log/resource_logs/', '/resource/all/{resource_id}/versions']

const urlOf = (path: string, query: string): string =>
  `${path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!)}?${[params[path], query].filter(Boolean).join('&')}`

const get = async (path: string, query: string, token?: string): Promise<Rec> => {
  const url = urlOf(path, query)
  const { status, body, text } = await app.call('GET', url, { token })
  expect([url, status, status === 200 ? '' : text]).toEqual([url, 200, ''])
  return body
}
const recordsOf = (body: Rec): Rec[] => body.results ?? [...body.non_versioned_logs, ...body.version_histories]
const getNames = (body: Rec): string[] =>
  recordsOf(body).map(({ id, number, from_entity, to_entity }) => [id ?? number, from_entity, to_entity].join(' '))

const byPage = async (path: string, size: number, token?: string): Promise<string[]> => {
  const visited: string[] = []
  for (let page: number | null = 1; page !== null; ) {
    const body: Rec = await get(path, `page_size=${size}&page=${page}`, token)
    expect(body.meta).not.toHaveProperty('next_cursor')
    visited.push(...getNames(body))
    page = body.meta.next_page
  }
  return visited
}

const byCursor = async (
  path: string,
  size: number,
  between: (page: number, records: Rec[]) => Promise<unknown> = async () => undefined,
  token?: string,
): Promise<string[]> => {
  const visited: string[] = []
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const body: Rec = await get(path, `page_size=${size}&cursor=${cursor}`, token)
    expect(recordsOf(body).length).toBeLessThanOrEqual(size)
    visited.push(...getNames(body))
    cursor = body.meta.next_cursor
    if (cursor !== null) expect(recordsOf(body)).toHaveLength(size)
    pages += 1
    await between(pages, recordsOf(body))
  }
  return visited
}

test('every list in the OpenAPI document accepts and documents a cursor', () => {
  const lists = listsOf(document)
  expect(lists.length).toBeGreaterThan(40)
  const without = lists.filter(({ parameters }) => !parameters.some(({ name, description }) => name === 'cursor' && description))
  expect(without.map(({ path }) => path)).toEqual([])
})

test('by cursor every list returns the same records as by page, in the same order', async () => {
  for (const { path } of listsOf(document).filter(({ path }) => !LOGS.includes(path))) {
    const pages = await byPage(path, 3)
    expect([path, pages.length >= MANY]).toEqual([path, true])
    expect(new Set(pages).size).toBe(pages.length)
    for (const size of [2, 3, pages.length]) expect([path, await byCursor(path, size)]).toEqual([path, pages])
  }
})

test('a cursor page has the same envelope and records as a page of the catalog', async () => {
  for (const path of listsOf(document).map(({ path }) => path)) {
    const [page, walk] = [await get(path, 'page_size=2'), await get(path, 'page_size=2&cursor=')]
    const { count = page.meta.count } = page
    expect([path, walk.count ?? walk.meta.count]).toEqual([path, count])
    expect(walk.meta).toMatchObject({ page: null, previous_page: 'None', next_page: null, next_cursor: expect.any(String) })
    expect(Object.keys({ ...walk, meta: 0 }).sort()).toEqual(Object.keys({ ...page, meta: 0 }).sort())
    // Records have the same fields as on a page: no sort keys are added.
    const [one, other] = [recordsOf(walk)[0], recordsOf(page)[0]]
    if (!LOGS.includes(path)) expect([path, one]).toEqual([path, other])
    const links = walk.links ?? walk.meta.links
    if (links) expect(links).toMatchObject({ next: expect.stringContaining(`cursor=${walk.meta.next_cursor}`), previous: null })
  }
})

/** Lists whose records are rows of a table, and how to move a row before all others. Referenced tables come last. */
const ROWS: readonly (readonly [path: string, table: string, first: object])[] = [
  ['/auth/teams', 'teams', { name: ' ' }],
  ['/auth/group', 'groups', { name: ' ' }],
  ['/auth/tokens', 'tokens', { created_at: LATER }],
  ['/auth/sessions', 'sessions', { last_used_at: LATER }],
  ['/background_jobs', 'background_jobs', { created_at: LATER }],
  ['/tag', 'tags', { name: ' ' }],
  ['/view', 'saved_views', { name: ' ' }],
  ['/lineage/manual', 'lineage_edges', { mirror_id: NIL }],
  ['/pii/suggestions', 'pii_suggestions', { confidence: 1 }],
  ['/monitor/incidents', 'monitor_incidents', { created_at: LATER }],
  ['/monitor/measurements', 'monitor_measurements', { measured_at: LATER }],
  ['/notification/inbox', 'notifications', { last_change_at: LATER }],
  ['/notification/deliveries', 'deliveries', { created_at: LATER }],
  ['/notification/webhooks/{webhook_id}/deliveries', 'deliveries', { created_at: LATER }],
  ['/integration/integrations/{integration_id}/syncs', 'integration_syncs', { created_at: LATER }],
  ['/notification/channels', 'notification_channels', { created_at: LATER }],
  ['/notification/rules', 'notification_rules', { position: 0 }],
  ['/notification/webhooks', 'webhooks', { created_at: LATER }],
  ['/monitor/monitors', 'monitors', { created_at: LATER }],
  ['/integration/integrations', 'integrations', { name: ' ' }],
  ['/user', 'users', { created_at: '2020-01-01T00:00:00Z' }],
]

test('records that stay are returned exactly once while others are added and deleted', async () => {
  for (const [path, name, first] of ROWS) {
    const table = sql.table(name)
    const before = await byPage(path, 1000)
    let row: object = {}
    const visited = await byCursor(path, 3, async (page, records) => {
      if (page === 1) {
        // The record the cursor points to.
        const { rows } = await sql<{ row: object }>`
          delete from ${table} t where t.id = ${records.at(-1).id} returning to_jsonb(t) as row`.execute(app.db)
        expect([path, rows.length]).toEqual([path, 1])
        row = rows[0]!.row
      }
      if (page === 2) {
        const copy = JSON.stringify({ ...row, id: newId(), ...first })
        await sql`insert into ${table} select (jsonb_populate_record(null::${table}, ${copy}::text::jsonb)).*`.execute(app.db)
      }
    })
    const after = await byPage(path, 1000)
    expect([path, after.length]).toEqual([path, before.length])
    const stayed = before.filter((each) => after.includes(each))
    expect(stayed.length).toBeLessThan(before.length)
    expect(new Set(visited).size).toBe(visited.length)
    expect([path, visited.filter((each) => stayed.includes(each))]).toEqual([path, stayed])
  }
})

const cursorOf = async (path: string, query: string): Promise<string> => (await get(path, `${query}&page_size=2&cursor=`)).meta.next_cursor

test('a cursor of another list, filter or sort is rejected with the reason', async () => {
  const cursor = await cursorOf('/tag', '')
  const other = { status: 400, body: { code: 'invalid_page', detail: expect.stringMatching(/^cursor: .*another list, filter or sort/) } }
  for (const path of listsOf(document).map(({ path }) => path))
    if (path !== '/tag' && !LOGS.includes(path)) expect(await app.call('GET', urlOf(path, `cursor=${cursor}`))).toMatchObject(other)
  expect(await app.call('GET', `/tag?name=a&cursor=${cursor}`)).toMatchObject(other)
  const sort = (field: string) => `sort=${encodeURIComponent(JSON.stringify({ field }))}`
  const [byTitle, ofTables] = [await cursorOf('/resource/catalog', sort('title')), await cursorOf('/table/tables', '')]
  expect(await app.call('GET', `/resource/catalog?${sort('created_at')}&cursor=${byTitle}`)).toMatchObject(other)
  expect(await app.call('GET', `/resource/catalog?entity_type=table&cursor=${ofTables}`)).toMatchObject(other)
  const webhook = await post('/notification/webhooks', { name: 'other', url: 'https://example.com/hook' })
  const sent = await cursorOf('/notification/webhooks/{webhook_id}/deliveries', '')
  expect(await app.call('GET', `/notification/webhooks/${webhook.id}/deliveries?cursor=${sent}`)).toMatchObject(other)
  // Another page size or parameter order is the same list.
  const named = await cursorOf('/monitor/monitors', 'is_enabled=true&name=a')
  for (const query of [`cursor=${named}&page_size=5&name=a&is_enabled=true`, `name=a&is_enabled=true&page=7&cursor=${named}`])
    expect((await app.call('GET', `/monitor/monitors?${query}`)).status).toBe(200)
})

test('a modified cursor is rejected before it reaches the database', async () => {
  for (const { path } of listsOf(document).filter(({ path }) => !LOGS.includes(path))) {
    const [digest, ...position] = JSON.parse(Buffer.from(await cursorOf(path, ''), 'base64url').toString()) as string[]
    const encodeCursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
    const changed = position.flatMap((_, i) =>
      ['\0', {}, 1, true, '9'.repeat(60), "' or true --"].map((value) => encodeCursor(digest, ...position.with(i, value as string))),
    )
    for (const cursor of [
      ...changed,
      encodeCursor(digest),
      encodeCursor(digest, ...position, null),
      encodeCursor(null),
      encodeCursor(),
      'e30',
      'nonsense',
      '%20',
    ]) {
      const { status, body } = await app.call('GET', urlOf(path, `cursor=${cursor}`))
      // Any text is a valid title.
      expect([path, cursor, status === 200 ? 'text' : body.code]).toEqual([path, cursor, status === 200 ? 'text' : 'invalid_page'])
      if (status === 200) expect(Buffer.from(cursor, 'base64url').toString()).toMatch(/9{60}|or true/)
    }
  }
})

/** Moves half of the records to a closed team. */
const hideHalf = async (user_id: string): Promise<void> => {
  const team = await app.createTeam(true)
  const half = (table: string) =>
    sql`(select id from (select id, row_number() over (order by id) as n from ${sql.table(table)}) t where n % 2 = 0)`
  await sql`update resources set teams = array[${team}::uuid] where id in ${half('resources')} and id <> ${ids.resource_id}`.execute(app.db)
  await sql`update integrations set teams = array[${team}::uuid] where id in ${half('integrations')} and id <> ${ids.integration_id}`.execute(
    app.db,
  )
  await sql`update notifications set user_id = ${user_id}`.execute(app.db)
  const { rows } = await sql<{ id: string }>`select id from resources where ${team} = any(teams) and entity_type = 'table' limit 1`.execute(
    app.db,
  )
  for (const [table, column] of [
    ['monitors', 'target'],
    ['monitor_incidents', 'target'],
    ['notifications', 'resource_id'],
  ] as const)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${rows[0]!.id} where id in ${half(table)} and id::text <> ${monitorOf()}`.execute(
      app.db,
    )
}
const monitorOf = (): string => params['/monitor/measurements']!.split('=')[1]!

/** Lists whose content depends on visibility; a part of each is hidden. */
const PARTLY_SEEN = [
  '/resource/catalog',
  '/table/tables',
  '/resource/all/{resource_id}/backlinks',
  '/lineage/manual',
  '/lineage/impact',
  '/search',
  '/ui/tree',
  '/pii/suggestions',
  '/trash',
  '/integration/integrations',
  '/monitor/monitors',
  '/monitor/incidents',
  '/notification/inbox',
  '/background_jobs',
]

test('for users who see less, a cursor returns exactly what the pages return', async () => {
  const { id, token } = await app.createUser('editor')
  await hideHalf(id)
  await sql`update background_jobs set user_id = ${id} where id in (select id from background_jobs limit 3)`.execute(app.db)
  await sql`update trash set record = record || jsonb_build_object('teams', jsonb_build_array(${newId()}::text)) where resource_id in (select resource_id from trash limit 3)`.execute(
    app.db,
  )
  for (const { path } of listsOf(document).filter(({ path }) => !LOGS.includes(path))) {
    const { status } = await app.call('GET', urlOf(path, ''), { token })
    if (status === 403) {
      expect([path, (await app.call('GET', urlOf(path, 'cursor='), { token })).status]).toEqual([path, 403])
      continue
    }
    const pages = await byPage(path, 1000, token)
    for (const size of [1, 3]) expect([path, await byCursor(path, size, undefined, token)]).toEqual([path, pages])
    if (PARTLY_SEEN.includes(path)) {
      const all = path === '/notification/inbox' ? MANY : (await byPage(path, 1000)).length
      expect([path, pages.length > 1 && pages.length < all]).toEqual([path, true])
    }
  }
})
