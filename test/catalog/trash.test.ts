import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../src/app/tasks.ts'
import { MAX_SYNCHRONOUS_DESCENDANTS } from '../../src/catalog/records/paths.ts'
import { type ReferenceRemovalTask, removeRemainingReferences } from '../../src/catalog/records/remove-references.ts'
import { restoreResource } from '../../src/catalog/resources/restore.ts'
import { COPIED_TABLES, JSON_COLUMNS, NOT_COPIED_TABLES } from '../../src/catalog/trash/tables.ts'
import { purgeOldTrash } from '../../src/catalog/trash/trash-rows.ts'
import { type Context, inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { runJob } from '../../src/platform/jobs/run.ts'
import { findWrongLocations, findWrongVersions } from '../support/find-wrong-locations.ts'
import { createTestMonitor, DAY, pushValues } from '../support/monitors.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { importLines } from '../support/transfer.ts'

/** Deleted resources can be restored completely for 90 days. */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(async () => {
  expect(await findWrongLocations(app.db)).toEqual([])
  expect(await findWrongVersions(app.db)).toEqual([])
})

const read = async (path: string) => (await app.call('GET', path)).body
const remove = (id: string, token = app.token) => app.call('DELETE', `/resource/all/${id}`, { token })
const restore = (id: string, token = app.token) => app.call('POST', `/resource/all/${id}/restore`, { body: {}, token })
const trash = async (token = app.token) => (await app.call('GET', '/trash', { token })).body.results as { id: string; title: string }[]
const createResourceOf = async (entity_type: string, title: string, parent?: string, more: object = {}) =>
  (await app.createResource({ entity_type, title, parent, ...more })).id

test('every table that references resources is either copied to the trash or excluded with a reason', async () => {
  const { rows } = await sql<{ table_name: string }>`
    select distinct c.table_name from information_schema.columns c
    where c.table_schema = 'public' and c.udt_name in ('uuid', '_uuid')
      and c.column_name in ('resource_id', 'target', 'upstream', 'downstream', 'query_id', 'table_id', 'relation', 'parent')
    union
    select con.conrelid::regclass::text from pg_constraint con where con.confrelid = 'resources'::regclass
  `.execute(app.db)
  expect(rows.map(({ table_name }) => table_name).sort()).toEqual([...Object.keys(COPIED_TABLES), ...Object.keys(NOT_COPIED_TABLES)].sort())
})

test('copies JSON columns unchanged', async () => {
  const { rows } = await sql<{ column_name: string }>`
    select column_name from information_schema.columns where table_name = 'resources' and udt_name = 'jsonb' order by 1
  `.execute(app.db)
  expect(rows.map(({ column_name }) => column_name)).toEqual([...JSON_COLUMNS].sort())
})

test('restores a subtree with children, lineage, values, monitors, bookmarks, origins and members', async () => {
  const schema = await createResourceOf('schema', 'public', await createResourceOf('database', 'shop'))
  const tag = (await app.call('POST', '/tag', { body: { name: `t${newId()}` } })).body.id
  const me = app.ctx.actor.user_id ?? (await read('/user')).results[0].id
  const table = await createResourceOf('table', 'orders', schema, { tags: [tag], owners: [me], published: true })
  const column = await createResourceOf('column', 'id', table, { description: 'The key.' })
  const other = await createResourceOf('table', 'customers', schema)
  const outside = await createResourceOf('table', 'outside')
  expect((await app.call('POST', '/resource/all/bulk_update/', { body: [{ id: column, data: { pii: true } }] })).status).toBe(200)
  const { body: property } = await app.call('POST', '/resource/all_v2/custom_properties/', {
    body: { name: `p${newId()}`, value_type: 'number' },
  })
  expect((await app.call('PUT', `/resource/all_v2/custom_properties/${property.id}/${column}`, { body: { value: '7' } })).status).toBe(200)
  expect((await app.call('PUT', `/resource/all/${table}/bookmark`)).status).toBe(200)
  const monitor = await createTestMonitor(app, { target: table, metric_type: 'pushed', condition_manual_max: 10 })
  const [measurement] = await pushValues(app, monitor.id, [[Date.now() - 1000, 50]])
  await sql`insert into resource_views (resource_id, day, user_id, views, last_at) select ${table}::uuid, current_date, id, 3, now() from users limit 1`.execute(
    app.db,
  )
  const integration = newId()
  await sql`insert into integrations (id, name, type, created_at, updated_at) values (${integration}::uuid, 'x', 'custom', now(), now())`.execute(
    app.db,
  )
  await sql`insert into resource_origins (resource_id, integration, key, reported_values, fingerprint) values (${table}::uuid, ${integration}::uuid, 'k', '{"title": "orders"}', 'f')`.execute(
    app.db,
  )
  await sql`insert into openlineage_flows (resource_id, flows) values (${table}::uuid, '{}')`.execute(app.db)
  await sql`insert into lineage_queries (hash, sql, dialect, engine_version, statements, created_at) values ('\x01', 'select 1', 'postgres', '1', '[]', now() - interval '1 day')`.execute(
    app.db,
  )
  expect(
    (await app.call('POST', '/lineage/manual', { body: { from_entity: column, to_entity: outside, direction: 'DOWNSTREAM' } })).status,
  ).toBe(201)
  for (const [from, to] of [
    [table, other],
    [other, outside],
    [outside, column],
  ] as const)
    await sql`
      insert into lineage_edges (id, upstream, downstream, query, kind, statement, span_start, span_end, created_at, updated_at)
      select ${newId()}::uuid, ${from}::uuid, ${to}::uuid, q.id, 'table', 0, 0, 1, now(), now() from lineage_queries q where q.hash = '\x01'
    `.execute(app.db)
  const edges = () =>
    sql`select e.upstream, e.downstream, e.kind, q.sql from lineage_edges e left join lineage_queries q on q.id = e.query order by 1, 2`.execute(
      app.db,
    )
  const [before, beforeEdges] = [
    await Promise.all([schema, table, column, other].map((id) => read(`/resource/all/${id}`))),
    (await edges()).rows,
  ]

  expect((await remove(schema)).status).toBe(204)
  expect((await edges()).rows).toEqual([])
  // Runs the hourly cleanup of deleted resources.
  for (const table of ['resource_origins', 'openlineage_flows', 'lineage_queries'])
    await sql`delete from ${sql.table(table)}`.execute(app.db)
  expect(await trash()).toMatchObject([
    { id: schema, title: 'public', entity_type: 'schema', resources_below: 3, deleted_by: expect.any(String) },
  ])

  const response = await restore(schema)
  expect([response.status, response.body.id, response.body.version, response.body.children_count]).toEqual([200, schema, 4, 2])
  expect(await trash()).toEqual([])
  const after = await Promise.all([schema, table, column, other].map((id) => read(`/resource/all/${id}`)))
  const plain = ({ updated_at, version, ...rest }: Record<string, unknown>) => rest
  expect(after.map(plain)).toEqual(before.map(plain))
  expect((await edges()).rows).toEqual(beforeEdges)
  expect(await read(`/resource/all_v2/custom_properties/${property.id}/${column}`)).toMatchObject({ value: '7' })
  expect(await read(`/monitor/monitors/${monitor.id}`)).toMatchObject({ status: 'incident', last_measurement: measurement.id })
  expect((await sql`select from resource_views where resource_id = ${table}`.execute(app.db)).rows).toHaveLength(1)
  expect((await sql`select reported_values from resource_origins where resource_id = ${table}`.execute(app.db)).rows).toEqual([
    { reported_values: { title: 'orders' } },
  ])
  expect((await sql`select from openlineage_flows where resource_id = ${table}`.execute(app.db)).rows).toHaveLength(1)
  const { rows: recorded } = await sql<{ activity_type: string; parent_id: string | null }>`
    select activity_type, parent_id from activities where activity_type like '%\\_restored' order by parent_id nulls first
  `.execute(app.db)
  expect(recorded.map(({ parent_id }) => parent_id === null)).toEqual([true, false, false, false])
  // Every version can be read, including the restore.
  expect((await read(`/resource/all/${column}/versions/${after[2]!.version}`)).description).toBe('The key.')
  // Delete and restore again.
  await remove(schema)
  expect((await restore(schema)).body.version).toBe(6)
})

test('a restored collection has its members again', async () => {
  const collection = await createResourceOf('collection', 'Finance')
  const other = newId()
  const member = await createResourceOf('table', 'invoices', undefined, { collections: [other, collection] })
  await remove(collection)
  expect((await read(`/resource/all/${member}`)).collections).toEqual([other])
  await restore(collection)
  expect((await read(`/resource/all/${member}`)).collections).toEqual([other, collection])
})

test('restores below a renamed parent, but not without the parent', async () => {
  const database = await createResourceOf('database', 'shop')
  const schema = await createResourceOf('schema', 'public', database)
  const table = await createResourceOf('table', 'orders', schema)
  const column = await createResourceOf('column', 'id', table)
  await remove(table)
  await app.call('PATCH', `/resource/all/${database}`, { body: { title: 'market' } })
  await restore(table)
  expect((await read(`/resource/all/${column}`)).title_full).toBe('market.public.orders.id')
  await remove(table)
  await remove(schema)
  const rejected = await restore(table)
  expect(rejected).toMatchObject({ status: 409, body: { detail: expect.stringContaining(schema) } })
  expect((await trash()).map(({ id }) => id)).toEqual([schema, table])
  await restore(schema)
  expect((await restore(table)).status).toBe(200)
  expect((await read(`/resource/all/${column}`)).title_full).toBe('market.public.orders.id')
})

test('rejects a restore if the source has reported a resource again, and names it', async () => {
  const integration = newId()
  const lines = [
    { databuilder_id: 's', entity_type: 'schema', title: 'reported' },
    { databuilder_id: 't', entity_type: 'table', title: 'twice', parent_databuilder_id: 's' },
  ]
  await importLines(app, lines, { integration })
  const find = async (key: string) =>
    (
      await app.db
        .selectFrom('resources')
        .select('id')
        .where('integration', '=', integration)
        .where('databuilder_id', '=', key)
        .executeTakeFirstOrThrow()
    ).id
  const schema = await find('s')
  await remove(schema)
  await importLines(app, [{ databuilder_id: 't', entity_type: 'table', title: 'twice' }], { integration })
  const again = await find('t')
  expect(await restore(schema)).toMatchObject({ status: 409, body: { detail: expect.stringContaining(again) } })
  expect((await app.call('GET', `/resource/all/${schema}`)).status).toBe(404)
  expect((await trash()).map(({ id }) => id)).toContain(schema)
})

test('shows the trash to editors who could see the resources, and lets only admins delete from it', async () => {
  const closed = await app.createTeam(true)
  const [editor, member, viewer, guest] = await Promise.all([
    app.createUser('editor'),
    app.createUser('editor', { teams: [closed] }),
    app.createUser('viewer'),
    app.createUser('guest'),
  ])
  const secret = await createResourceOf('table', 'secret', undefined, { teams: [closed], published: true })
  const open = await createResourceOf('table', 'open', undefined, { published: true })
  for (const id of [secret, open]) await remove(id)
  const seen = async (token: string) => (await trash(token)).map(({ id }) => id).filter((id) => id === secret || id === open)
  expect(await seen(app.token)).toEqual([open, secret])
  expect(await seen(editor.token)).toEqual([open])
  expect(await seen(member.token)).toEqual([open, secret])
  for (const { token } of [viewer, guest]) {
    expect((await app.call('GET', '/trash', { token })).status).toBe(403)
    expect((await restore(open, token)).status).toBe(403)
  }
  expect((await restore(secret, editor.token)).status).toBe(404)
  expect((await restore(secret, member.token)).status).toBe(200)
  expect((await app.call('DELETE', `/trash/${open}`, { token: editor.token })).status).toBe(403)
  expect((await app.call('DELETE', `/trash/${open}`)).status).toBe(204)
  expect((await app.call('DELETE', `/trash/${open}`)).status).toBe(404)
  expect((await restore(open)).status).toBe(409)
  expect((await app.call('POST', `/resource/all/${open}/restore`, { body: { version: 1 } })).status).toBe(200)
  expect(
    (await app.listActivities()).some(({ activity_type, resource_id }) => activity_type === 'trash_deleted' && resource_id === open),
  ).toBe(true)
  await remove(secret)
  await app.db.deleteFrom('teams').where('id', '=', closed).execute()
  expect(await seen(editor.token)).toEqual([])
})

test('rejects restoring a tree that contains hidden resources', async () => {
  const closed = await app.createTeam(true)
  const editor = await app.createUser('editor')
  const top = await createResourceOf('schema', 'top')
  await createResourceOf('table', 'hidden', top, { teams: [closed] })
  await remove(top)
  expect((await restore(top, editor.token)).status).toBe(403)
  expect((await app.call('GET', `/resource/all/${top}`)).status).toBe(404)
  expect((await restore(top)).status).toBe(200)
})

/** A collection with many members, created in SQL. */
const createCollection = async (size: number): Promise<string> => {
  const collection = await createResourceOf('collection', 'Many')
  await sql`
    with made as (
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, collections)
      select gen_random_uuid(), now(), now(), 1, 'table', 'm' || i, 'M' || i, 'm' || i, array[${collection}::uuid] from generate_series(1, ${size}::int) i
      returning id
    )
    insert into activities (id, activity_type, performer_type, resource_id, resource_type, version, changes, logged_at)
    select gen_random_uuid(), 'resource_created', 'SYSTEM', id, 'table', 1, '[]', now() from made
  `.execute(app.db)
  return collection
}
const countMembers = async (collection: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from resources where ${collection}::uuid = any(collections)`.execute(
    app.db,
  )
  return rows[0]!.n
}
/** Returns the queued tasks of this name and removes them from the queue. */
const takeQueuedTasks = async (name: string): Promise<unknown[]> => {
  const { rows } = await sql<{ payload: unknown }>`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = ${name} returning j.payload
  `.execute(app.db)
  return rows.map(({ payload }) => payload)
}

test('a collection restored before all references are removed keeps its members', async () => {
  const collection = await createCollection(1_001)
  await remove(collection)
  expect(await countMembers(collection)).toBe(1)
  const [task] = await takeQueuedTasks('take_off')
  const reads = await inTransaction(app.ctx, async (ctx) => {
    const before = await countReferenceReads(ctx)
    await restoreResource(ctx, collection)
    return (await countReferenceReads(ctx)) - before
  })
  // Linear in the number of members, not quadratic.
  expect(reads).toBeLessThan(20_000)
  await removeRemainingReferences(app.ctx, task as ReferenceRemovalTask)
  expect(await countMembers(collection)).toBe(1_001)
})

const countReferenceReads = async ({ db }: Context): Promise<number> => {
  const { rows } = await sql<{ reads: number }>`
    select sum(pg_stat_get_xact_tuples_returned(i.indexrelid)) + pg_stat_get_xact_tuples_returned('resource_refs'::regclass) as reads
    from pg_index i where i.indrelid = 'resource_refs'::regclass
  `.execute(db)
  return Number(rows[0]!.reads)
}

test('a child that was restored separately and deleted again does not block restoring its parent', async () => {
  const schema = await createResourceOf('schema', 'child')
  const database = await createResourceOf('database', 'above')
  expect((await app.call('PATCH', `/resource/all/${schema}`, { body: { parent: database } })).status).toBe(200)
  await remove(database)
  expect((await app.call('POST', `/resource/all/${schema}/restore`, { body: { version: 1 } })).status).toBe(200)
  expect((await restore(database)).status).toBe(409)
  await remove(schema)
  expect((await restore(database)).status).toBe(200)
  expect(await read(`/resource/all/${schema}`)).toMatchObject({ parent: database, title_full: 'above.child' })
})

test('restores links between two resources once both are restored, in any order', async () => {
  const [query] = (
    await sql<{ id: number }>`
      insert into lineage_queries (hash, sql, dialect, engine_version, statements, created_at)
      values ('\x02', 'select 2', 'postgres', '1', '[]', now()) returning id
    `.execute(app.db)
  ).rows
  const above = await createResourceOf('schema', 'above')
  const [a, b, collection] = [
    await createResourceOf('table', 'a'),
    await createResourceOf('table', 'b', above),
    await createResourceOf('collection', 'c'),
  ]
  await app.call('PATCH', `/resource/all/${b}`, { body: { collections: [collection] } })
  await sql`
    insert into lineage_edges (id, upstream, downstream, query, kind, statement, span_start, span_end, created_at, updated_at)
    values (${newId()}::uuid, ${a}::uuid, ${b}::uuid, ${query!.id}, 'table', 0, 0, 1, now(), now())
  `.execute(app.db)
  await sql`insert into query_reads (query_id, resource_id) values (${a}::uuid, ${b}::uuid)`.execute(app.db)
  const joined = async () => {
    const { rows } = await sql`
      select (select count(*) from lineage_edges e join lineage_queries q on q.id = e.query where upstream = ${a} and downstream = ${b} and q.sql = 'select 2') as edges,
        (select count(*) from query_reads where query_id = ${a} and resource_id = ${b}) as reads,
        (select count(*) from resources where id = ${b} and collections = array[${collection}::uuid]) as members
    `.execute(app.db)
    return rows[0]
  }
  const all = { edges: 1, reads: 1, members: 1 }
  for (const [deleted, restored] of [
    [
      [a, collection, above],
      [a, collection, above],
    ],
    [
      [a, collection, above],
      [above, collection, a],
    ],
    [
      [above, collection, a],
      [above, collection, a],
    ],
    [
      [above, collection, a],
      [collection, a, above],
    ],
  ] as const) {
    expect(await joined()).toEqual(all)
    for (const id of deleted) {
      expect((await remove(id)).status).toBe(204)
      // Runs the hourly cleanup.
      await sql`delete from lineage_queries where hash = '\x02' and not exists (select from lineage_edges e where e.query = lineage_queries.id)`.execute(
        app.db,
      )
      await sql`delete from query_reads`.execute(app.db)
    }
    for (const id of restored) expect((await restore(id)).status).toBe(200)
  }
  expect(await joined()).toEqual(all)
})

/** A deleted collection with more members than a request restores. The members do not exist. */
const createLargeTrashEntry = async (): Promise<string> => {
  const collection = await createResourceOf('collection', 'Large')
  await remove(collection)
  await sql`
    insert into trash_rows (trash, table_name, row)
    select t.id, 'members', jsonb_build_object('collection', ${collection}::uuid, 'resource_id', gen_random_uuid())
    from trash t cross join generate_series(1, ${MAX_SYNCHRONOUS_DESCENDANTS + 1}::int) where t.resource_id = ${collection} and t.removed_at is null
  `.execute(app.db)
  return collection
}
const takeQueuedRestore = async () => (await takeQueuedTasks('run_long_job'))[0] as { job_id: string; payload: unknown }

test('restores a collection with very many members in a job', async () => {
  const collection = await createLargeTrashEntry()
  expect(await restore(collection)).toMatchObject({ status: 202, body: { status: 'PENDING' } })
  const { job_id, payload } = await takeQueuedRestore()
  await runJob(app.ctx, JOB_HANDLERS, job_id, payload, true)
  expect(await read(`/background_jobs/${job_id}`)).toMatchObject({ status: 'COMPLETED' })
  expect((await read(`/resource/all/${collection}`)).title).toBe('Large')
})

test('the job fails if there is nothing to restore', async () => {
  const collection = await createLargeTrashEntry()
  expect((await restore(collection)).status).toBe(202)
  const { job_id, payload } = await takeQueuedRestore()
  expect((await app.call('DELETE', `/trash/${collection}`)).status).toBe(204)
  await runJob(app.ctx, JOB_HANDLERS, job_id, payload, true)
  expect(await read(`/background_jobs/${job_id}`)).toMatchObject({
    status: 'FAILED',
    logs: expect.stringContaining('no longer in the trash'),
  })
  expect((await app.call('GET', `/resource/all/${collection}`)).status).toBe(404)
})

test('restore errors do not reveal hidden resources', async () => {
  const closed = await app.createTeam(true)
  const editor = await app.createUser('editor')
  const moved = async (title: string, teams: string[] | null) => {
    const top = await createResourceOf('schema', 'top')
    const child = await createResourceOf('table', title, undefined, { teams })
    await app.call('PATCH', `/resource/all/${child}`, { body: { parent: top } })
    await remove(top)
    expect((await app.call('POST', `/resource/all/${child}/restore`, { body: { version: 1 } })).status).toBe(200)
    return { top, child }
  }
  const hidden = await moved('payroll', [closed])
  const rejected = await restore(hidden.top, editor.token)
  expect(rejected.status).toBe(403)
  expect(JSON.stringify(rejected.body)).not.toMatch(new RegExp(`payroll|${hidden.child}`))
  expect(await restore(hidden.top)).toMatchObject({ status: 409, body: { detail: expect.stringContaining(hidden.child) } })

  const later = await moved('bonus', null)
  expect(await restore(later.top, editor.token)).toMatchObject({ status: 409, body: { detail: expect.stringContaining(later.child) } })
  await app.call('PATCH', `/resource/all/${later.child}`, { body: { teams: [closed], title: 'secret' } })
  const unnamed = await restore(later.top, editor.token)
  expect(unnamed.status).toBe(409)
  expect(JSON.stringify(unnamed.body)).not.toMatch(new RegExp(`secret|${later.child}`))
})

test('only admins can restore resources of a deleted closed team', async () => {
  const closed = await app.createTeam(true)
  const editor = await app.createUser('editor')
  const top = await createResourceOf('schema', 'top')
  const child = await createResourceOf('table', 'theirs', top, { teams: [closed] })
  await remove(top)
  await app.db.deleteFrom('teams').where('id', '=', closed).execute()
  expect((await restore(top, (await app.createUser('editor')).token)).status).toBe(403)
  expect((await app.call('GET', `/resource/all/${child}`, { token: editor.token })).status).toBe(404)
  expect((await restore(top)).status).toBe(200)
})

test('restores views and usage', async () => {
  const table = await createResourceOf('table', 'viewed')
  const column = await createResourceOf('column', 'c', table)
  const someone = newId()
  await sql`update resources set internal_usage = 5, internal_users = array[${someone}::uuid] where id in (${table}, ${column})`.execute(
    app.db,
  )
  for (let version = 2; version <= 8; version += 1)
    await app.call('PATCH', `/resource/all/${column}`, { body: { description: `${version}` } })
  await remove(table)
  await restore(table)
  for (const id of [table, column])
    expect(await read(`/resource/all/${id}`)).toMatchObject({ internal_usage: 5, internal_users: [someone], total_usage: 5 })
  const { version, updated_at, created_at } = await read(`/resource/all/${column}`)
  const { rows } =
    await sql`select snapshot -> 'fields' as snapshot from activities where resource_id = ${column} and version = 10`.execute(app.db)
  expect([version, rows]).toEqual([10, [{ snapshot: expect.objectContaining({ version: 10, updated_at, created_at }) }]])
})

test('a restored reply is accepted again unless another one was accepted', async () => {
  const question = await createResourceOf('question', 'Why?')
  const [first, second] = [
    await createResourceOf('question_reply', 'Because.', question),
    await createResourceOf('question_reply', 'Why not?', question),
  ]
  const accept = (accepted_reply: string | null) => app.call('PATCH', `/question/questions/${question}`, { body: { accepted_reply } })
  const response = async () => {
    const { question_status, question_answered_by, accepted_reply } = await read(`/question/questions/${question}`)
    return { question_status, question_answered_by, accepted_reply }
  }
  expect((await accept(first)).status).toBe(200)
  const before = await response()
  expect(before).toMatchObject({ question_status: 'answered', accepted_reply: first })
  await remove(first)
  expect(await response()).toEqual({ question_status: 'open', question_answered_by: null, accepted_reply: null })
  await restore(first)
  expect(await response()).toEqual(before)
  await remove(first)
  await accept(second)
  await restore(first)
  expect((await response()).accepted_reply).toBe(second)
  await remove(first)
  await accept(null)
  await restore(first)
  expect((await response()).accepted_reply).toBe(null)
})

test('paginates the list and deletes expired entries', async () => {
  const ids: string[] = []
  for (const title of ['one', 'two', 'three']) ids.push(await createResourceOf('table', title))
  for (const id of ids) await remove(id)
  const page = await read('/trash?page_size=2')
  expect(page.results.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]])
  expect(page).toMatchObject({ count: (await trash()).length, meta: { next_page: 2 } })
  await purgeOldTrash({ ...app.ctx, now: new Date(Date.now() + 89 * DAY) })
  expect((await trash()).length).toBe(page.count)
  await purgeOldTrash({ ...app.ctx, now: new Date(Date.now() + 91 * DAY) })
  expect(await trash()).toEqual([])
  for (const table of ['trash', 'trash_rows']) expect((await sql`select from ${sql.table(table)}`.execute(app.db)).rows).toEqual([])
})

test('an entry from before a table was copied is restored without its rows', async () => {
  const id = await createResourceOf('table', 'early')
  await remove(id)
  await sql`update trash set columns = columns - 'datahub_added_flows' where resource_id = ${id}`.execute(app.db)
  expect((await restore(id)).status).toBe(200)
})
