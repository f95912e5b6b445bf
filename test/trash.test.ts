import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Context, inTransaction } from '../src/context.ts'
import { newId } from '../src/id.ts'
import { runJob } from '../src/jobs/run.ts'
import { LARGE } from '../src/resources/paths.ts'
import { restoreResource } from '../src/resources/restore.ts'
import { type TakeOffTask, takeOffRest } from '../src/resources/take-off.ts'
import { purgeOldTrash } from '../src/resources/trash/store.ts'
import { COPIED, DOCUMENTS, NOT_COPIED } from '../src/resources/trash/tables.ts'
import { JOBS } from '../src/tasks.ts'
import { aHouse, type House } from './house.ts'
import { aMonitor, DAY, push } from './monitors.ts'
import { send } from './transfer.ts'
import { wrongPlaces, wrongVersions } from './tree.ts'

/** Deleted resources can be restored completely for 90 days. */
let house: House
beforeAll(async () => {
  house = await aHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
afterEach(async () => {
  expect(await wrongPlaces(house.db)).toEqual([])
  expect(await wrongVersions(house.db)).toEqual([])
})

const read = async (path: string) => (await house.call('GET', path)).body
const remove = (id: string, token = house.token) => house.call('DELETE', `/resource/all/${id}`, { token })
const restore = (id: string, token = house.token) => house.call('POST', `/resource/all/${id}/restore`, { body: {}, token })
const trash = async (token = house.token) => (await house.call('GET', '/trash', { token })).body.results as { id: string; title: string }[]
const make = async (entity_type: string, title: string, parent?: string, more: object = {}) =>
  (await house.resource({ entity_type, title, parent, ...more })).id

test('every table that references resources is either copied to the trash or excluded with a reason', async () => {
  const { rows } = await sql<{ table_name: string }>`
    select distinct c.table_name from information_schema.columns c
    where c.table_schema = 'public' and c.udt_name in ('uuid', '_uuid')
      and c.column_name in ('resource_id', 'target', 'upstream', 'downstream', 'query_id', 'table_id', 'relation', 'parent')
    union
    select con.conrelid::regclass::text from pg_constraint con where con.confrelid = 'resources'::regclass
  `.execute(house.db)
  expect(rows.map(({ table_name }) => table_name).sort()).toEqual([...Object.keys(COPIED), ...Object.keys(NOT_COPIED)].sort())
})

test('copies JSON columns unchanged', async () => {
  const { rows } = await sql<{ column_name: string }>`
    select column_name from information_schema.columns where table_name = 'resources' and udt_name = 'jsonb' order by 1
  `.execute(house.db)
  expect(rows.map(({ column_name }) => column_name)).toEqual([...DOCUMENTS].sort())
})

test('restores a subtree with children, lineage, values, monitors, bookmarks, origins and members', async () => {
  const schema = await make('schema', 'public', await make('database', 'shop'))
  const tag = (await house.call('POST', '/tag', { body: { name: `t${newId()}` } })).body.id
  const me = house.ctx.actor.user_id ?? (await read('/user')).results[0].id
  const table = await make('table', 'orders', schema, { tags: [tag], owners: [me], published: true })
  const column = await make('column', 'id', table, { description: 'The key.' })
  const other = await make('table', 'customers', schema)
  const outside = await make('table', 'outside')
  expect((await house.call('POST', '/resource/all/bulk_update/', { body: [{ id: column, data: { pii: true } }] })).status).toBe(200)
  const { body: property } = await house.call('POST', '/resource/all_v2/custom_properties/', {
    body: { name: `p${newId()}`, value_type: 'number' },
  })
  expect((await house.call('PUT', `/resource/all_v2/custom_properties/${property.id}/${column}`, { body: { value: '7' } })).status).toBe(
    200,
  )
  expect((await house.call('PUT', `/resource/all/${table}/bookmark`)).status).toBe(200)
  const monitor = await aMonitor(house, { target: table, metric_type: 'pushed', condition_manual_max: 10 })
  const [measurement] = await push(house, monitor.id, [[Date.now() - 1000, 50]])
  await sql`insert into resource_views (resource_id, day, user_id, views, last_at) select ${table}::uuid, current_date, id, 3, now() from users limit 1`.execute(
    house.db,
  )
  const integration = newId()
  await sql`insert into integrations (id, name, type, created_at, updated_at) values (${integration}::uuid, 'x', 'custom', now(), now())`.execute(
    house.db,
  )
  await sql`insert into resource_origins (resource_id, integration, key, said, fingerprint) values (${table}::uuid, ${integration}::uuid, 'k', '{"title": "orders"}', 'f')`.execute(
    house.db,
  )
  await sql`insert into openlineage_flows (resource_id, flows) values (${table}::uuid, '{}')`.execute(house.db)
  await sql`insert into lineage_queries (hash, sql, dialect, engine_version, statements, created_at) values ('\x01', 'select 1', 'postgres', '1', '[]', now() - interval '1 day')`.execute(
    house.db,
  )
  expect(
    (await house.call('POST', '/lineage/manual', { body: { from_entity: column, to_entity: outside, direction: 'DOWNSTREAM' } })).status,
  ).toBe(201)
  for (const [from, to] of [
    [table, other],
    [other, outside],
    [outside, column],
  ] as const)
    await sql`
      insert into lineage_edges (id, upstream, downstream, query, kind, statement, span_start, span_end, created_at, updated_at)
      select ${newId()}::uuid, ${from}::uuid, ${to}::uuid, q.id, 'table', 0, 0, 1, now(), now() from lineage_queries q where q.hash = '\x01'
    `.execute(house.db)
  const edges = () =>
    sql`select e.upstream, e.downstream, e.kind, q.sql from lineage_edges e left join lineage_queries q on q.id = e.query order by 1, 2`.execute(
      house.db,
    )
  const [before, beforeEdges] = [
    await Promise.all([schema, table, column, other].map((id) => read(`/resource/all/${id}`))),
    (await edges()).rows,
  ]

  expect((await remove(schema)).status).toBe(204)
  expect((await edges()).rows).toEqual([])
  // Runs the hourly cleanup of deleted resources.
  for (const table of ['resource_origins', 'openlineage_flows', 'lineage_queries'])
    await sql`delete from ${sql.table(table)}`.execute(house.db)
  expect(await trash()).toMatchObject([
    { id: schema, title: 'public', entity_type: 'schema', resources_below: 3, deleted_by: expect.any(String) },
  ])

  const answer = await restore(schema)
  expect([answer.status, answer.body.id, answer.body.version, answer.body.children_count]).toEqual([200, schema, 4, 2])
  expect(await trash()).toEqual([])
  const after = await Promise.all([schema, table, column, other].map((id) => read(`/resource/all/${id}`)))
  const plain = ({ updated_at, version, ...rest }: Record<string, unknown>) => rest
  expect(after.map(plain)).toEqual(before.map(plain))
  expect((await edges()).rows).toEqual(beforeEdges)
  expect(await read(`/resource/all_v2/custom_properties/${property.id}/${column}`)).toMatchObject({ value: '7' })
  expect(await read(`/monitor/monitors/${monitor.id}`)).toMatchObject({ status: 'incident', last_measurement: measurement.id })
  expect((await sql`select from resource_views where resource_id = ${table}`.execute(house.db)).rows).toHaveLength(1)
  expect((await sql`select said from resource_origins where resource_id = ${table}`.execute(house.db)).rows).toEqual([
    { said: { title: 'orders' } },
  ])
  expect((await sql`select from openlineage_flows where resource_id = ${table}`.execute(house.db)).rows).toHaveLength(1)
  const { rows: told } = await sql<{ activity_type: string; parent_id: string | null }>`
    select activity_type, parent_id from activities where activity_type like '%\\_restored' order by parent_id nulls first
  `.execute(house.db)
  expect(told.map(({ parent_id }) => parent_id === null)).toEqual([true, false, false, false])
  // Every version can be read, including the restore.
  expect((await read(`/resource/all/${column}/versions/${after[2]!.version}`)).description).toBe('The key.')
  // Delete and restore again.
  await remove(schema)
  expect((await restore(schema)).body.version).toBe(6)
})

test('a restored collection has its members again', async () => {
  const collection = await make('collection', 'Finance')
  const other = newId()
  const member = await make('table', 'invoices', undefined, { collections: [other, collection] })
  await remove(collection)
  expect((await read(`/resource/all/${member}`)).collections).toEqual([other])
  await restore(collection)
  expect((await read(`/resource/all/${member}`)).collections).toEqual([other, collection])
})

test('restores below a renamed parent, but not without the parent', async () => {
  const database = await make('database', 'shop')
  const schema = await make('schema', 'public', database)
  const table = await make('table', 'orders', schema)
  const column = await make('column', 'id', table)
  await remove(table)
  await house.call('PATCH', `/resource/all/${database}`, { body: { title: 'market' } })
  await restore(table)
  expect((await read(`/resource/all/${column}`)).title_full).toBe('market.public.orders.id')
  await remove(table)
  await remove(schema)
  const refused = await restore(table)
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining(schema) } })
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
  await send(house, lines, { integration })
  const find = async (key: string) =>
    (
      await house.db
        .selectFrom('resources')
        .select('id')
        .where('integration', '=', integration)
        .where('databuilder_id', '=', key)
        .executeTakeFirstOrThrow()
    ).id
  const schema = await find('s')
  await remove(schema)
  await send(house, [{ databuilder_id: 't', entity_type: 'table', title: 'twice' }], { integration })
  const again = await find('t')
  expect(await restore(schema)).toMatchObject({ status: 409, body: { detail: expect.stringContaining(again) } })
  expect((await house.call('GET', `/resource/all/${schema}`)).status).toBe(404)
  expect((await trash()).map(({ id }) => id)).toContain(schema)
})

test('shows the trash to editors who could see the resources, and lets only admins delete from it', async () => {
  const closed = await house.team(true)
  const [editor, member, viewer, guest] = await Promise.all([
    house.someone('editor'),
    house.someone('editor', { teams: [closed] }),
    house.someone('viewer'),
    house.someone('guest'),
  ])
  const secret = await make('table', 'secret', undefined, { teams: [closed], published: true })
  const open = await make('table', 'open', undefined, { published: true })
  for (const id of [secret, open]) await remove(id)
  const seen = async (token: string) => (await trash(token)).map(({ id }) => id).filter((id) => id === secret || id === open)
  expect(await seen(house.token)).toEqual([open, secret])
  expect(await seen(editor.token)).toEqual([open])
  expect(await seen(member.token)).toEqual([open, secret])
  for (const { token } of [viewer, guest]) {
    expect((await house.call('GET', '/trash', { token })).status).toBe(403)
    expect((await restore(open, token)).status).toBe(403)
  }
  expect((await restore(secret, editor.token)).status).toBe(404)
  expect((await restore(secret, member.token)).status).toBe(200)
  expect((await house.call('DELETE', `/trash/${open}`, { token: editor.token })).status).toBe(403)
  expect((await house.call('DELETE', `/trash/${open}`)).status).toBe(204)
  expect((await house.call('DELETE', `/trash/${open}`)).status).toBe(404)
  expect((await restore(open)).status).toBe(409)
  expect((await house.call('POST', `/resource/all/${open}/restore`, { body: { version: 1 } })).status).toBe(200)
  expect((await house.changes()).some(({ activity_type, resource_id }) => activity_type === 'trash_deleted' && resource_id === open)).toBe(
    true,
  )
  await remove(secret)
  await house.db.deleteFrom('teams').where('id', '=', closed).execute()
  expect(await seen(editor.token)).toEqual([])
})

test('rejects restoring a tree that contains hidden resources', async () => {
  const closed = await house.team(true)
  const editor = await house.someone('editor')
  const top = await make('schema', 'top')
  await make('table', 'hidden', top, { teams: [closed] })
  await remove(top)
  expect((await restore(top, editor.token)).status).toBe(403)
  expect((await house.call('GET', `/resource/all/${top}`)).status).toBe(404)
  expect((await restore(top)).status).toBe(200)
})

/** A collection with many members, created in SQL. */
const aCollection = async (size: number): Promise<string> => {
  const collection = await make('collection', 'Many')
  await sql`
    with made as (
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, collections)
      select gen_random_uuid(), now(), now(), 1, 'table', 'm' || i, 'M' || i, 'm' || i, array[${collection}::uuid] from generate_series(1, ${size}::int) i
      returning id
    )
    insert into activities (id, activity_type, performer_type, resource_id, resource_type, version, changes, logged_at)
    select gen_random_uuid(), 'resource_created', 'SYSTEM', id, 'table', 1, '[]', now() from made
  `.execute(house.db)
  return collection
}
const countMembers = async (collection: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from resources where ${collection}::uuid = any(collections)`.execute(
    house.db,
  )
  return rows[0]!.n
}
/** Returns the queued tasks of this name and removes them from the queue. */
const queued = async (name: string): Promise<unknown[]> => {
  const { rows } = await sql<{ payload: unknown }>`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = ${name} returning j.payload
  `.execute(house.db)
  return rows.map(({ payload }) => payload)
}

test('a collection restored before all references are removed keeps its members', { timeout: 60_000 }, async () => {
  const collection = await aCollection(1_001)
  await remove(collection)
  expect(await countMembers(collection)).toBe(1)
  const [task] = await queued('take_off')
  const reads = await inTransaction(house.ctx, async (ctx) => {
    const before = await readsOfRefs(ctx)
    await restoreResource(ctx, collection)
    return (await readsOfRefs(ctx)) - before
  })
  // Linear in the number of members, not quadratic.
  expect(reads).toBeLessThan(20_000)
  await takeOffRest(house.ctx, task as TakeOffTask)
  expect(await countMembers(collection)).toBe(1_001)
})

const readsOfRefs = async ({ db }: Context): Promise<number> => {
  const { rows } = await sql<{ reads: number }>`
    select sum(pg_stat_get_xact_tuples_returned(i.indexrelid)) + pg_stat_get_xact_tuples_returned('resource_refs'::regclass) as reads
    from pg_index i where i.indrelid = 'resource_refs'::regclass
  `.execute(db)
  return Number(rows[0]!.reads)
}

test('a child that was restored separately and deleted again does not block restoring its parent', async () => {
  const schema = await make('schema', 'child')
  const database = await make('database', 'above')
  expect((await house.call('PATCH', `/resource/all/${schema}`, { body: { parent: database } })).status).toBe(200)
  await remove(database)
  expect((await house.call('POST', `/resource/all/${schema}/restore`, { body: { version: 1 } })).status).toBe(200)
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
    `.execute(house.db)
  ).rows
  const above = await make('schema', 'above')
  const [a, b, collection] = [await make('table', 'a'), await make('table', 'b', above), await make('collection', 'c')]
  await house.call('PATCH', `/resource/all/${b}`, { body: { collections: [collection] } })
  await sql`
    insert into lineage_edges (id, upstream, downstream, query, kind, statement, span_start, span_end, created_at, updated_at)
    values (${newId()}::uuid, ${a}::uuid, ${b}::uuid, ${query!.id}, 'table', 0, 0, 1, now(), now())
  `.execute(house.db)
  await sql`insert into query_reads (query_id, resource_id) values (${a}::uuid, ${b}::uuid)`.execute(house.db)
  const joined = async () => {
    const { rows } = await sql`
      select (select count(*) from lineage_edges e join lineage_queries q on q.id = e.query where upstream = ${a} and downstream = ${b} and q.sql = 'select 2') as edges,
        (select count(*) from query_reads where query_id = ${a} and resource_id = ${b}) as reads,
        (select count(*) from resources where id = ${b} and collections = array[${collection}::uuid]) as members
    `.execute(house.db)
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
        house.db,
      )
      await sql`delete from query_reads`.execute(house.db)
    }
    for (const id of restored) expect((await restore(id)).status).toBe(200)
  }
  expect(await joined()).toEqual(all)
})

/** A deleted collection with more members than a request restores. The members do not exist. */
const aLargeEntry = async (): Promise<string> => {
  const collection = await make('collection', 'Large')
  await remove(collection)
  await sql`
    insert into trash_rows (trash, table_name, row)
    select t.id, 'members', jsonb_build_object('collection', ${collection}::uuid, 'resource_id', gen_random_uuid())
    from trash t cross join generate_series(1, ${LARGE + 1}::int) where t.resource_id = ${collection} and t.removed_at is null
  `.execute(house.db)
  return collection
}
const queuedRestoration = async () => (await queued('run_long_job'))[0] as { job_id: string; payload: unknown }

test('restores a collection with very many members in a job', async () => {
  const collection = await aLargeEntry()
  expect(await restore(collection)).toMatchObject({ status: 202, body: { status: 'PENDING' } })
  const { job_id, payload } = await queuedRestoration()
  await runJob(house.ctx, JOBS, job_id, payload, true)
  expect(await read(`/background_jobs/${job_id}`)).toMatchObject({ status: 'COMPLETED' })
  expect((await read(`/resource/all/${collection}`)).title).toBe('Large')
})

test('the job fails if there is nothing to restore', async () => {
  const collection = await aLargeEntry()
  expect((await restore(collection)).status).toBe(202)
  const { job_id, payload } = await queuedRestoration()
  expect((await house.call('DELETE', `/trash/${collection}`)).status).toBe(204)
  await runJob(house.ctx, JOBS, job_id, payload, true)
  expect(await read(`/background_jobs/${job_id}`)).toMatchObject({
    status: 'FAILED',
    logs: expect.stringContaining('no longer in the trash'),
  })
  expect((await house.call('GET', `/resource/all/${collection}`)).status).toBe(404)
})

test('restore errors do not reveal hidden resources', async () => {
  const closed = await house.team(true)
  const editor = await house.someone('editor')
  const moved = async (title: string, teams: string[] | null) => {
    const top = await make('schema', 'top')
    const child = await make('table', title, undefined, { teams })
    await house.call('PATCH', `/resource/all/${child}`, { body: { parent: top } })
    await remove(top)
    expect((await house.call('POST', `/resource/all/${child}/restore`, { body: { version: 1 } })).status).toBe(200)
    return { top, child }
  }
  const hidden = await moved('payroll', [closed])
  const refused = await restore(hidden.top, editor.token)
  expect(refused.status).toBe(403)
  expect(JSON.stringify(refused.body)).not.toMatch(new RegExp(`payroll|${hidden.child}`))
  expect(await restore(hidden.top)).toMatchObject({ status: 409, body: { detail: expect.stringContaining(hidden.child) } })

  const later = await moved('bonus', null)
  expect(await restore(later.top, editor.token)).toMatchObject({ status: 409, body: { detail: expect.stringContaining(later.child) } })
  await house.call('PATCH', `/resource/all/${later.child}`, { body: { teams: [closed], title: 'secret' } })
  const unnamed = await restore(later.top, editor.token)
  expect(unnamed.status).toBe(409)
  expect(JSON.stringify(unnamed.body)).not.toMatch(new RegExp(`secret|${later.child}`))
})

test('only admins can restore resources of a deleted closed team', async () => {
  const closed = await house.team(true)
  const editor = await house.someone('editor')
  const top = await make('schema', 'top')
  const child = await make('table', 'theirs', top, { teams: [closed] })
  await remove(top)
  await house.db.deleteFrom('teams').where('id', '=', closed).execute()
  expect((await restore(top, (await house.someone('editor')).token)).status).toBe(403)
  expect((await house.call('GET', `/resource/all/${child}`, { token: editor.token })).status).toBe(404)
  expect((await restore(top)).status).toBe(200)
})

test('restores views and usage', async () => {
  const table = await make('table', 'viewed')
  const column = await make('column', 'c', table)
  const someone = newId()
  await sql`update resources set internal_usage = 5, internal_users = array[${someone}::uuid] where id in (${table}, ${column})`.execute(
    house.db,
  )
  for (let version = 2; version <= 8; version += 1)
    await house.call('PATCH', `/resource/all/${column}`, { body: { description: `${version}` } })
  await remove(table)
  await restore(table)
  for (const id of [table, column])
    expect(await read(`/resource/all/${id}`)).toMatchObject({ internal_usage: 5, internal_users: [someone], total_usage: 5 })
  const { version, updated_at, created_at } = await read(`/resource/all/${column}`)
  const { rows } =
    await sql`select snapshot -> 'fields' as snapshot from activities where resource_id = ${column} and version = 10`.execute(house.db)
  expect([version, rows]).toEqual([10, [{ snapshot: expect.objectContaining({ version: 10, updated_at, created_at }) }]])
})

test('a restored reply is accepted again unless another one was accepted', async () => {
  const question = await make('question', 'Why?')
  const [first, second] = [await make('question_reply', 'Because.', question), await make('question_reply', 'Why not?', question)]
  const accept = (accepted_reply: string | null) => house.call('PATCH', `/question/questions/${question}`, { body: { accepted_reply } })
  const answer = async () => {
    const { question_status, question_answered_by, accepted_reply } = await read(`/question/questions/${question}`)
    return { question_status, question_answered_by, accepted_reply }
  }
  expect((await accept(first)).status).toBe(200)
  const before = await answer()
  expect(before).toMatchObject({ question_status: 'answered', accepted_reply: first })
  await remove(first)
  expect(await answer()).toEqual({ question_status: 'open', question_answered_by: null, accepted_reply: null })
  await restore(first)
  expect(await answer()).toEqual(before)
  await remove(first)
  await accept(second)
  await restore(first)
  expect((await answer()).accepted_reply).toBe(second)
  await remove(first)
  await accept(null)
  await restore(first)
  expect((await answer()).accepted_reply).toBe(null)
})

test('paginates the list and deletes expired entries', async () => {
  const ids: string[] = []
  for (const title of ['one', 'two', 'three']) ids.push(await make('table', title))
  for (const id of ids) await remove(id)
  const page = await read('/trash?page_size=2')
  expect(page.results.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]])
  expect(page).toMatchObject({ count: (await trash()).length, meta: { next_page: 2 } })
  await purgeOldTrash({ ...house.ctx, now: new Date(Date.now() + 89 * DAY) })
  expect((await trash()).length).toBe(page.count)
  await purgeOldTrash({ ...house.ctx, now: new Date(Date.now() + 91 * DAY) })
  expect(await trash()).toEqual([])
  for (const table of ['trash', 'trash_rows']) expect((await sql`select from ${sql.table(table)}`.execute(house.db)).rows).toEqual([])
})
