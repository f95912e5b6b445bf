import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newId } from '../src/id.ts'
import { purgeOldTrash } from '../src/resources/trash/store.ts'
import { COPIED, DOCUMENTS, NOT_COPIED } from '../src/resources/trash/tables.ts'
import { aHouse, type House } from './house.ts'
import { aMonitor, DAY, push } from './monitors.ts'
import { send } from './transfer.ts'
import { wrongPlaces, wrongVersions } from './tree.ts'

/** The trash: what is deleted comes back whole, for 90 days. */
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

test('every table that names resources is either copied into the trash or said why not', async () => {
  const { rows } = await sql<{ table_name: string }>`
    select distinct c.table_name from information_schema.columns c
    where c.table_schema = 'public' and c.udt_name in ('uuid', '_uuid')
      and c.column_name in ('resource_id', 'target', 'upstream', 'downstream', 'query_id', 'table_id', 'relation', 'parent')
    union
    select con.conrelid::regclass::text from pg_constraint con where con.confrelid = 'resources'::regclass
  `.execute(house.db)
  expect(rows.map(({ table_name }) => table_name).sort()).toEqual([...Object.keys(COPIED), ...Object.keys(NOT_COPIED)].sort())
})

test('the columns of a resource that hold JSON are copied as they are', async () => {
  const { rows } = await sql<{ column_name: string }>`
    select column_name from information_schema.columns where table_name = 'resources' and udt_name = 'jsonb' order by 1
  `.execute(house.db)
  expect(rows.map(({ column_name }) => column_name)).toEqual([...DOCUMENTS].sort())
})

test('a subtree comes back with children, lineage, values, monitors, marks, origins and members', async () => {
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
  // What the clock does every hour with what is left of deleted resources.
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
  // Every version can be read, the one of the return among them.
  expect((await read(`/resource/all/${column}/versions/${after[2]!.version}`)).description).toBe('The key.')
  // And once more, from the start.
  await remove(schema)
  expect((await restore(schema)).body.version).toBe(6)
})

test('members of a collection that comes back belong to it again', async () => {
  const collection = await make('collection', 'Finance')
  const other = newId()
  const member = await make('table', 'invoices', undefined, { collections: [other, collection] })
  await remove(collection)
  expect((await read(`/resource/all/${member}`)).collections).toEqual([other])
  await restore(collection)
  expect((await read(`/resource/all/${member}`)).collections).toEqual([other, collection])
})

test('it comes back where its parent is now called otherwise, and not without one', async () => {
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

test('what its source has reported again is named, and nothing comes back', async () => {
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

test('it is for those who may write and could see it, and only admins delete from it', async () => {
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

test('a tree with something hidden below comes back only for those who see it', async () => {
  const closed = await house.team(true)
  const editor = await house.someone('editor')
  const top = await make('schema', 'top')
  await make('table', 'hidden', top, { teams: [closed] })
  await remove(top)
  expect((await restore(top, editor.token)).status).toBe(403)
  expect((await house.call('GET', `/resource/all/${top}`)).status).toBe(404)
  expect((await restore(top)).status).toBe(200)
})

test('the list is in pages, and what is too old goes', async () => {
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
