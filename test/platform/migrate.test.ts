import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { connect } from '../../src/platform/db/connect.ts'
import { checksum, type Migration, migrate, readMigrations } from '../../src/platform/db/migrate.ts'
import { databaseAt } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

const createEmptyDatabase = async (settings: Record<string, string> = {}) => {
  const name = `migrate_${newId().replaceAll('-', '')}`
  const admin = connect(inject('serverUrl'), { poolSize: 1 })
  await sql.raw(`create database ${name}`).execute(admin.db)
  for (const [setting, value] of Object.entries(settings))
    await sql.raw(`alter database ${name} set ${setting} = '${value}'`).execute(admin.db)
  const database = connect(databaseAt(inject('serverUrl'), name), { poolSize: 4 })
  return {
    ...database,
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await sql.raw(`drop database ${name} with (force)`).execute(admin.db)
      await admin.close()
    },
  }
}

const one: Migration = { name: '0001_one.sql', text: 'create table one (id int);' }
const two: Migration = { name: '0002_two.sql', text: 'create table two (id int); insert into one values (1);' }

test('migrations are applied once, in order', async () => {
  await using empty = await createEmptyDatabase()
  expect(await migrate(empty.db, [one, two])).toEqual([one.name, two.name])
  expect(await migrate(empty.db, [one, two])).toEqual([])
})

test('two instances that start together apply each migration once', async () => {
  await using empty = await createEmptyDatabase()
  const applied = await Promise.all([migrate(empty.db, [one, two]), migrate(empty.db, [one, two])])
  expect(applied.flat().sort()).toEqual([one.name, two.name])
})

test('a long migration does not lose its lock to the idle transaction timeout', async () => {
  await using empty = await createEmptyDatabase({ idle_in_transaction_session_timeout: '500ms' })
  const long: Migration = { name: '0002_long.sql', text: 'select pg_sleep(1.5); create table long (id int);' }
  expect(await migrate(empty.db, [one, long])).toEqual([one.name, long.name])
})

test('a migration that is the victim of a deadlock with a writer is applied again', async () => {
  await using empty = await createEmptyDatabase()
  await migrate(empty.db, [one, two])
  const third: Migration = {
    name: '0003_third.sql',
    text: 'lock table two; select pg_sleep(0.5); lock table one; create table three (id int);',
  }
  const isWaiting = async () => {
    const { rows } = await sql`select from pg_locks where not granted and relation = 'one'::regclass`.execute(empty.db)
    expect(rows.length).toBeGreaterThan(0)
  }
  const writing = empty.db.transaction().execute(async (db) => {
    await sql`set local deadlock_timeout = '1min'`.execute(db) // so that the migration detects it
    await sql`insert into one values (2)`.execute(db)
    const migrating = migrate(empty.db, [one, two, third])
    migrating.catch(() => {})
    await eventually(isWaiting)
    await sql`insert into two values (2)`.execute(db)
    return { migrating }
  })
  expect(await (await writing).migrating).toEqual([third.name])
  expect((await sql`select * from two`.execute(empty.db)).rows).toEqual([{ id: 2 }])
})

test('released migrations are never changed or removed', async () => {
  const listed = (await readFile('migrations/checksums.txt', 'utf8')).trim().split('\n')
  const now = new Map((await readMigrations()).map(({ name, text }) => [name, `${checksum(text)}  ${name}`]))
  // Restore a changed migration and add a new one; append new ones: `cd migrations && sha256sum 00NN_name.sql >> checksums.txt`
  for (const line of listed) expect(now.get(line.slice(66)), `migrations/${line.slice(66)} was changed or removed`).toBe(line)
  expect(
    [...now.values()].filter((line) => !listed.includes(line)),
    'append to migrations/checksums.txt',
  ).toEqual([])
})

test('rejects a migration changed after it was applied, by name', async () => {
  await using empty = await createEmptyDatabase()
  await migrate(empty.db, [one])
  await expect(migrate(empty.db, [{ ...one, text: 'create table other (id int);' }])).rejects.toThrow(/0001_one\.sql was changed/)
})

test('a failing migration leaves nothing behind', async () => {
  await using empty = await createEmptyDatabase()
  const broken: Migration = { name: '0002_broken.sql', text: 'create table half (id int); select 1/0;' }
  await expect(migrate(empty.db, [one, broken])).rejects.toThrow(/0002_broken\.sql failed/)
  const { rows } = await sql`select from pg_tables where tablename = 'half'`.execute(empty.db)
  expect(rows).toEqual([])
  expect(await migrate(empty.db, [one, two])).toEqual([two.name])
})

test('rejects a database of a newer version and a migration with a lower number', async () => {
  await using empty = await createEmptyDatabase()
  await migrate(empty.db, [one, two])
  await expect(migrate(empty.db, [one])).rejects.toThrow(/newer version of Tablinum/)
  await expect(migrate(empty.db, [{ name: '0000_late.sql', text: '' }, one, two])).rejects.toThrow(/higher number/)
})

test('resources from before the search tables existed are found like new ones', async () => {
  await using database = await createEmptyDatabase()
  const migrations = await readMigrations()
  const insert = () =>
    sql`
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, description, definition, external_usage, archived)
      select gen_random_uuid(), now(), now(), 1, 'table', t, t, t, d, f, u, a
      from unnest(array['order_items', 'Ledger', 'O''Brien''s \\ "log"', '']) t, unnest(array[null, '', 'Booked weekly, see ledger']) d,
        unnest(array[null, 'Finance closes it.']) f, unnest(array[0, 40]) u, unnest(array[true, false]) a
    `.execute(database.db)
  const searched = async () => {
    const { rows } = await sql`
      select r.title, r.description, r.definition, s.used, s.usage, s.archived, s.title_words, s.words::text, t.words::text as texts, t.docs::text
      from resources r join search_titles s on s.resource_id = r.id left join search_texts t on t.resource_id = r.id order by 1, 2, 3, 5, 6
    `.execute(database.db)
    return rows
  }
  await migrate(
    database.db,
    migrations.filter(({ name }) => name < '0022'),
  )
  await insert()
  await migrate(database.db, migrations)
  const before = await searched()
  await sql`delete from resources`.execute(database.db)
  expect(await searched()).toEqual([])
  await insert()
  expect(before).toHaveLength(96)
  expect(await searched()).toEqual(before)
})

test('the SQL of a monitor belongs to its last author, or to no one if the history is incomplete', async () => {
  await using database = await createEmptyDatabase()
  const migrations = await readMigrations()
  await migrate(
    database.db,
    migrations.filter(({ name }) => name < '0036'),
  )
  const [admin, editor] = [newId(), newId()]
  const create = async (created_by: string | null, metric_config: object) => {
    const id = newId()
    await sql`
      insert into monitors (id, created_at, updated_at, created_by, statement_by, target, name, metric_type, metric_config, schedule, frequency, is_enabled, status)
      values (${id}::uuid, now(), now(), ${created_by}::uuid, ${created_by}::uuid, ${newId()}::uuid, 'm', 'row_count', ${JSON.stringify(metric_config)}::text::jsonb, '{}', 24, true, 'pending')
    `.execute(database.db)
    return id
  }
  const recordEdit = (monitor: string, performer: string | null, performer_type: string, fields: string[], verb = 'updated') =>
    sql`
      insert into activities (id, activity_type, performer_id, performer_type, related_resource_ids, related_resource_type, changes, logged_at)
      values (${newId()}::uuid, ${`monitor_${verb}`}, ${performer}::uuid, ${performer_type}, array[${monitor}::uuid], 'monitor',
        ${JSON.stringify(fields.map((field) => ({ field, from: null, to: 'x' })))}::text::jsonb, clock_timestamp())
    `.execute(database.db)
  const where = { where: 'id > 0' }
  const edited = await create(admin, where)
  await recordEdit(edited, admin, 'USER', ['name', 'where'], 'created')
  await recordEdit(edited, editor, 'USER', ['where', 'monitor'])
  await recordEdit(edited, admin, 'USER', ['name'])
  const product = await create(null, where)
  await recordEdit(product, null, 'INTEGRATION', ['name', 'where'], 'created')
  const [unknown, nobodys, plain] = [await create(admin, where), await create(null, where), await create(null, {})]
  await migrate(database.db, migrations)
  const { rows } = await sql<{ id: string; statement_by: string | null }>`select id, statement_by from monitors`.execute(database.db)
  const by = new Map(rows.map((row) => [row.id, row.statement_by]))
  const unknownUser = '00000000-0000-0000-0000-000000000000'
  expect([edited, product, unknown, nobodys, plain].map((id) => by.get(id))).toEqual([editor, null, unknownUser, unknownUser, null])
})

test('what is in the trash can be restored after its table and column were renamed', async () => {
  await using database = await createEmptyDatabase()
  const migrations = await readMigrations()
  await migrate(
    database.db,
    migrations.filter(({ name }) => name < '0038'),
  )
  const [trash, resource] = [newId(), newId()]
  const copy = { resource_id: resource, integration: newId(), said: { title: 'orders' }, fingerprint: 'f' }
  const columns = { resource_offers: Object.keys(copy), resource_origins: ['key', ...Object.keys(copy)] }
  await sql`
    insert into trash (id, resource_id, deleted_at, resources_below, record, columns)
    values (${trash}::uuid, ${resource}::uuid, now(), 0, '{"title": "said"}', ${JSON.stringify(columns)}::text::jsonb)
  `.execute(database.db)
  await sql`
    insert into trash_rows (trash, table_name, row)
    select ${trash}::uuid, t, ${JSON.stringify(copy)}::text::jsonb from unnest(array['resource_offers', 'resource_origins', 'openlineage_flows']) t
  `.execute(database.db)
  await migrate(database.db, migrations)
  const { said, ...rest } = copy
  const renamed = { ...rest, reported_values: said }
  const { rows } = await sql`select table_name, row from trash_rows order by number`.execute(database.db)
  expect(rows).toEqual([
    { table_name: 'resource_field_suggestions', row: renamed },
    { table_name: 'resource_origins', row: renamed },
    { table_name: 'openlineage_flows', row: copy },
  ])
  const { rows: entries } = await sql<{ record: unknown; columns: object }>`select record, columns from trash`.execute(database.db)
  expect(entries).toEqual([
    {
      record: { title: 'said' },
      columns: {
        resource_field_suggestions: ['resource_id', 'integration', 'reported_values', 'fingerprint'],
        resource_origins: ['key', 'resource_id', 'integration', 'reported_values', 'fingerprint'],
      },
    },
  ])
})

const WAITING_ALERT = JSON.stringify({ phase: 'opened', together: true, items: [{ resource_id: 'a', place: 'b' }, { resource_id: null }] })
/** With the names since 0064. */
const RENAMED_ALERT = { phase: 'opened', same_cause: true, items: [{ resource_id: 'a', table_id: 'b' }, { resource_id: null }] }

test('0039 keeps waiting deliveries, positions and payloads of events', async () => {
  await using database = await createEmptyDatabase()
  const { db } = database
  const migrations = await readMigrations()
  await migrate(
    db,
    migrations.filter(({ name }) => name < '0039'),
  )
  const [user, hook, message, toChannel, request, delivered, activity] = Array.from({ length: 7 }, newId) as [string, ...string[]]
  await sql`insert into users (id, email, role, created_at, updated_at) values (${user}, 'a@example.com', 'editor', now(), now())`.execute(
    db,
  )
  await sql`
    insert into webhooks (id, name, url, events, since, secret, secret_key, created_at, updated_at)
    values (${hook}, 'h', 'https://example.com', '{*}', now(), '', '', now(), now())`.execute(db)
  await sql`
    insert into notification_deliveries (id, user_id, address, channel, resources, resources_count, status, attempts, due_at, claim, leased_until, handed_over_at, alert, thread, created_at, updated_at)
    values (${message}, ${user}, null, 'email', '[]', 0, 'sending', 3, '2026-01-01', ${newId()}, '2026-01-02', '2026-01-01', null, null, now(), now()),
      (${toChannel}, null, 'C0DATA', 'slack', '[]', 1, 'pending', 0, '2026-01-01', null, null, null, ${WAITING_ALERT}, ${activity}, now(), now())
  `.execute(db)
  await sql`
    insert into webhook_deliveries (id, webhook_id, activity_id, event, status, attempts, due_at, delivered_at, response_status, created_at, updated_at)
    values (${request}, ${hook}, ${activity}, 'incident_opened', 'pending', 2, '2026-01-01', null, 500, now(), now()),
      (${delivered}, ${hook}, ${activity}, 'incident_opened', 'delivered', 1, '2026-01-01', '2026-01-01', 200, now(), now())`.execute(db)
  await sql`update notification_position set seen = '10:10:', target = '20:20:', at_xid = '12', at_id = ${activity}`.execute(db)
  await sql`update alert_position set seen = '11:11:'`.execute(db)
  await sql`update webhook_position set seen = '12:12:'`.execute(db)
  const log = (id: string, type: string, changes: object[], version: number | null = null) =>
    sql`
      insert into activities (id, xid, activity_type, performer_type, resource_id, version, changes, logged_at)
      values (${id}, '15', ${type}, 'SYSTEM', ${newId()}, ${version}, ${JSON.stringify(changes)}::text::jsonb, now())`.execute(db)
  const [edit, renamed, exported] = [newId(), newId(), newId()]
  await log(activity!, 'incident_opened', [
    { field: 'name', from: null, to: 'Rows' },
    { field: 'upstream_incident', from: null, to: null },
  ])
  await log(edit, 'monitor_updated', [
    { field: 'where', from: null, to: 'id > 0' },
    { field: 'monitor', from: 'Rows', to: 'Rows' },
  ])
  await log(renamed, 'resource_updated', [{ field: 'title', from: 'a', to: 'b' }], 2)
  await log(exported, 'catalog_exported', [{ field: 'format', from: null, to: 'csv' }])

  await migrate(db, migrations)
  const { rows: deliveries } = await sql<{ id: string }>`
    select id, channel, user_id, address, webhook_id, status, attempts, claim is not null as claimed, submitted_at is not null as submitted, thread, alert,
      activity_id, event, response_status, sent_at is not null as sent from deliveries`.execute(db)
  const none = {
    user_id: null,
    address: null,
    webhook_id: null,
    thread: null,
    alert: null,
    activity_id: null,
    event: null,
    response_status: null,
  }
  const open = { ...none, claimed: false, submitted: false, sent: false }
  const ofWebhook = { ...open, channel: 'webhook', webhook_id: hook, activity_id: activity, event: 'incident_opened' }
  expect(new Map(deliveries.map(({ id, ...row }) => [id, row]))).toEqual(
    new Map<string, object>([
      [message!, { ...open, channel: 'email', user_id: user, status: 'sending', attempts: 3, claimed: true, submitted: true }],
      [
        toChannel!,
        { ...open, channel: 'slack', address: 'C0DATA', status: 'pending', attempts: 0, thread: activity, alert: RENAMED_ALERT },
      ],
      [request!, { ...ofWebhook, status: 'pending', attempts: 2, response_status: 500 }],
      [delivered!, { ...ofWebhook, status: 'sent', attempts: 1, response_status: 200, sent: true }],
    ]),
  )
  const { rows: positions } = await sql`
    select follower, seen, target, at_xid::text as at_xid, at_id from follower_positions order by seen`.execute(db)
  const between = { target: null, at_xid: null, at_id: null }
  expect(positions).toEqual([
    { follower: 'inbox', seen: '10:10:', target: '20:20:', at_xid: '12', at_id: activity },
    { follower: 'alerts', seen: '11:11:', ...between },
    { follower: 'webhooks', seen: '12:12:', ...between },
  ])
  const { rows: log39 } = await sql<{ id: string }>`select id, xid::text as xid, changes, payload from activities`.execute(db)
  expect(new Map(log39.map(({ id, ...row }) => [id, row]))).toEqual(
    new Map<string, object>([
      [activity!, { xid: '15', changes: null, payload: { name: 'Rows', upstream_incident: null } }],
      [edit, { xid: '15', changes: [{ field: 'where', from: null, to: 'id > 0' }], payload: { monitor: 'Rows' } }],
      [renamed, { xid: '15', changes: [{ field: 'title', from: 'a', to: 'b' }], payload: null }],
      [exported, { xid: '15', changes: null, payload: { format: 'csv' } }],
    ]),
  )
})
