import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { bootstrapWorkspace } from '../../src/accounts/users/bootstrap.ts'
import { followAlerts, sendAlerts } from '../../src/notifications/alerts/send-alerts.ts'
import { buildDigests } from '../../src/notifications/deliveries/build-digests.ts'
import { followChanges } from '../../src/notifications/inbox/follow.ts'
import { followForWebhooks } from '../../src/notifications/webhooks/follow.ts'
import { createBackup } from '../../src/operations/backup/create-backup.ts'
import { restoreBackup } from '../../src/operations/backup/restore.ts'
import { findCreatedNames } from '../../src/operations/backup/tables.ts'
import { connectDemoSource } from '../../src/operations/demo/connect-source.ts'
import { seedDemo } from '../../src/operations/demo/seed.ts'
import type { Context } from '../../src/platform/context/context.ts'
import { connect } from '../../src/platform/db/connect.ts'
import { openDedicatedConnection } from '../../src/platform/db/dedicated-connection.ts'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded/embedded.ts'
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts'
import { repairRestoredTransactionIds } from '../../src/platform/db/repair-restored.ts'
import { addTask } from '../../src/platform/queue/add-task.ts'
import { migrateQueue } from '../../src/platform/queue/worker.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { dumpContent, dumpSchema, runCli } from './backup-content.ts'
import { asSuperuser, createEmptyDatabase, createTempFolder } from './empty-database.ts'

const migrations = await readMigrations()
const backUp = (url: string, file: string) => createBackup({ url, file, version: '9.9.9', migrations })
const restore = (url: string, file: string) => restoreBackup({ url, file, migrations })

const withDb = async <T>(url: string, work: (db: Context['db']) => Promise<T>): Promise<T> => {
  const database = connect(url, { poolSize: 2, name: 'test' })
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

/** Processes pending background work without sending anything. */
const follow = async (ctx: Context) => {
  const now = { ...ctx, now: new Date() }
  while (await followChanges(now, ['email']));
  await followAlerts(now)
  while (await sendAlerts(now, ['email']));
  while (await followForWebhooks(now));
  await buildDigests({ ...now, now: new Date(Date.now() + 3_600_000) }, ['email'])
}

const countWaiting = async (db: Context['db']) => {
  const { rows } = await sql<{ waiting: string[] }>`
    select array(select case when webhook_id is null then 'message' else 'webhook' end from deliveries where status = 'pending'
      union all select 'window' from notification_windows where due_at is not null
      union all select 'alert' from notification_alerts where sent_at is null) as waiting`.execute(db)
  return rows[0]!.waiting
}

/** The demo shop, and one of everything the demo does not have. */
const fill = async (app: TestApp) => {
  const ctx = { ...app.ctx, now: new Date() }
  await seedDemo({ ...ctx, db: ctx.runtime.databases.background.db })
  const create = async (path: string, body: object, method = 'POST') => {
    const response = await app.call(method, path, { body })
    expect([path, response.status, response.text]).toEqual([path, expect.toSatisfy((status) => status < 300), expect.any(String)])
    return response.body
  }
  const owner = await app.createUser('editor', { teams: [await app.createTeam(true)] })
  const odd = await create('/resource/catalog', {
    title: 'Straße \\N "quoted"\ttab 😀',
    entity_type: 'table',
    description: 'a line\nand \\. another\n\\.\nend',
    owners: [owner.id],
    published: true,
  })
  const other = await create('/resource/catalog', { title: 'other', entity_type: 'table', owners: [owner.id] })
  await create('/lineage/manual', { from_entity: odd.id, to_entity: other.id, direction: 'DOWNSTREAM' })
  const property = await create('/resource/all_v2/custom_properties/', { name: 'cost', value_type: 'number' })
  await create(`/resource/all_v2/custom_properties/${property.id}/${odd.id}`, { value: '12.50' }, 'PUT')
  await create('/integration/integrations', {
    name: 'sealed',
    type: 'postgres',
    credentials: { host: 'db', database: 'x', user: 'u', password: 's3cret-password' },
  })
  await create('/notification/webhooks', { name: 'hook', url: 'https://hooks.example.com/x', events: ['resource_updated'] })
  await create('/view', { name: 'mine', query: 'q=orders' })
  await create(`/resource/all/${odd.id}`, { description: 'a line\nand \\. another\n\\.\nedited' }, 'PATCH')
  await addTask(app.db, 'take_off_rest', { 'a "key"': '\\x\n' }, { key: 'later', runAt: new Date('2099-01-01') })
  await follow(app.ctx)
  return { odd, owner }
}

const PATHS = (id: string) => [
  '/resource/catalog?page_size=1000',
  '/search?q=order',
  '/search?q=strasse',
  `/resource/all/${id}`,
  `/resource/all/${id}/versions`,
  `/lineage/graph?resource_id=${id}&direction=BOTH&depth=3`,
  '/lineage/manual',
  '/activity_log/audit_logs/?page_size=1000',
  '/monitor/monitors',
  '/monitor/incidents',
  '/integration/integrations',
  '/notification/webhooks',
  '/resource/all_v2/custom_properties/',
  '/view',
  '/tag',
]

test('a workspace is restored completely by a non-superuser, and nothing is sent twice', async () => {
  await using app = await createTestApp()
  await using folder = await createTempFolder()
  await using empty = await createEmptyDatabase()
  const { odd, owner } = await fill(app)
  expect(new Set(await countWaiting(app.db))).toEqual(new Set(['message', 'webhook', 'alert']))
  const file = folder.file('backup')
  const { header } = await backUp(app.url, file)
  expect(header).toMatchObject({ version: '9.9.9', workspace: { name: 'Tablinum' } })
  expect(gunzipSync(await readFile(file)).toString()).not.toContain('s3cret-password')

  await restore(empty.url, file)
  expect(await dumpSchema(empty.url)).toEqual(await dumpSchema(app.url))
  const [before, after] = [await dumpContent(app.url), await dumpContent(empty.url)]
  const SETTLED = ['deliveries', 'notification_alerts', 'notification_windows']
  for (const [table, rows] of Object.entries(before)) if (!SETTLED.includes(table)) expect([table, after[table]]).toEqual([table, rows])
  expect(after.tasks).toContain('take_off_rest')

  await using copy = await app.createInstance({ url: empty.url })
  for (const path of PATHS(odd.id)) {
    const [was, is] = await Promise.all([app.call('GET', path), copy.call('GET', path)])
    expect([path, is.status, is.text]).toEqual([path, 200, was.text])
  }

  // A start finds the demo without its shop, whose rows are not part of the workspace.
  await withDb(asSuperuser(empty.url), (db) => connectDemoSource({ ...copy.ctx, db }))
  await follow(copy.ctx)
  expect(await countWaiting(copy.ctx.db)).toEqual([])
  const ledger = (await copy.call('GET', '/notification/deliveries')).body.results
  expect(ledger.map(({ status }: { status: string }) => status)).toContain('uncertain')
  const edited = await copy.call('PATCH', `/resource/all/${odd.id}`, { body: { title: 'zebrafinch', description: 'after' } })
  expect([edited.status, edited.body.owners]).toEqual([200, [owner.id]])
  expect((await copy.call('GET', '/search?q=zebrafinch')).body.results).toHaveLength(1)
  await follow(copy.ctx)
  expect(new Set(await countWaiting(copy.ctx.db))).toEqual(new Set(['window', 'webhook'])) // notified at most five minutes ago
})

test('a damaged, incomplete, foreign or newer backup is rejected and changes nothing', async () => {
  await using app = await createTestApp()
  await using folder = await createTempFolder()
  await using empty = await createEmptyDatabase()
  for (let i = 0; i < 3; i += 1) await app.createResource({ title: `t${i}` })
  await sql`update activities set xid = '99999999999'`.execute(app.db) // written by a server with higher transaction IDs
  const file = folder.file('backup')
  await backUp(app.url, file)
  const whole = await readFile(file)
  const text = gunzipSync(whole).toString()
  const [header = '', ...lines] = text.split('\n')
  const newer = { ...JSON.parse(header), migrations: [...JSON.parse(header).migrations, { name: '9999_future.sql', checksum: 'x' }] }
  const changed = Buffer.from(whole)
  changed[whole.length >> 1]! ^= 0xff
  for (const [bytes, why] of [
    [whole.subarray(0, whole.length - 5), /incomplete/],
    [whole.subarray(0, whole.length >> 1), /incomplete/],
    [changed, /damaged/],
    [gzipSync(text.replace('t1', 't9')), /damaged/],
    [gzipSync(`${text}more`), /damaged/],
    [gzipSync(text.slice(0, text.lastIndexOf('\\.\n'))), /incomplete/],
    [gzipSync(text.slice(0, -3)), /incomplete|damaged/],
    [gzipSync([JSON.stringify(newer), ...lines].join('\n')), /newer version of Tablinum/],
    [gzipSync([JSON.stringify({ ...JSON.parse(header), tablinum_backup: 2 }), ...lines].join('\n')), /does not support/],
    [gzipSync('id,title\n1,orders\n'), /is not a Tablinum backup/],
    [Buffer.from('PGDMP not ours'), /is not a Tablinum backup/],
    [Buffer.alloc(0), /is not a Tablinum backup|incomplete/],
  ] as const) {
    await writeFile(folder.file('bad'), bytes)
    await expect(restore(empty.url, folder.file('bad'))).rejects.toThrow(why)
  }
  await expect(restore(empty.url, folder.file('nowhere'))).rejects.toThrow('File not found')
  expect(await dumpSchema(empty.url)).toEqual([])
  await withDb(empty.url, (db) => sql`create table users (of_another_product text)`.execute(db))
  await expect(restoreBackup({ url: empty.url, file, migrations, replace: async () => true })).rejects.toThrow(
    'tables of another application: users',
  )
  await withDb(empty.url, (db) => sql`drop table users`.execute(db)) // the table still exists
  await expect(restore(app.url, file)).rejects.toThrow('Tablinum is running on this database')
  await expect(backUp(app.url, file)).rejects.toThrow('already exists')
  await expect(backUp(empty.url, folder.file('none'))).rejects.toThrow('nothing to back up')

  await restore(empty.url, file)
  await expect(restore(empty.url, file)).rejects.toThrow('This database already contains the workspace “Tablinum” with 3 resources')
  await expect(restoreBackup({ url: empty.url, file, migrations, replace: async () => false })).rejects.toThrow('Nothing was changed')
  expect(await withDb(empty.url, repairRestoredTransactionIds)).toBe(false)
  const older = { url: empty.url, file, migrations: migrations.slice(0, -1), replace: async () => true }
  await expect(restoreBackup(older)).rejects.toThrow('newer version of Tablinum')
  expect((await dumpContent(empty.url)).resources).toEqual((await dumpContent(app.url)).resources)
})

test('a backup of an older version is migrated, in an empty database or replacing a newer workspace', async () => {
  await using old = await createEmptyDatabase()
  await using target = await createEmptyDatabase()
  await using folder = await createTempFolder()
  await withDb(old.url, async (db) => {
    await migrate(db, migrations.slice(0, 9)) // links and references of resources were added later
    await bootstrapWorkspace(db, undefined, new Date())
    const id = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
    await sql`
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, owners, definition)
      values (${id}, now(), now(), 1, 'table', 'orders', 'orders', 'orders', array[${id}]::uuid[], ${`See /r/${id}`})`.execute(db)
  })
  const file = folder.file('old')
  const { header } = await backUp(old.url, file)
  expect(header.migrations).toHaveLength(9)
  await withDb(target.url, async (db) => {
    await migrate(db, migrations)
    await migrateQueue(target.url)
    await bootstrapWorkspace(db, 'tbl_new', new Date())
    await sql`create table of_somebody_else (n int)`.execute(db)
  })
  await restoreBackup({ url: target.url, file, migrations, replace: async ({ name }) => name === 'Tablinum' })
  await using fresh = await createEmptyDatabase()
  await restore(fresh.url, file)
  for (const { url } of [target, fresh])
    await withDb(url, async (db) => {
      expect(await migrate(db, migrations)).toEqual([])
      const { rows } = await sql`
        select (select count(*) from resources) as resources, (select count(*) from resource_refs) as refs,
          (select count(*) from resource_links) as links, (select count(*) from tokens) as tokens,
          (select count(*) from follower_positions) as followers, to_regclass('of_somebody_else') is not null as kept`.execute(db)
      expect(rows).toEqual([{ resources: 1, refs: 1, links: 1, tokens: 1, followers: 3, kept: url === target.url }])
    })
})

test('an interrupted restore leaves nothing, and the next one succeeds', async () => {
  await using app = await createTestApp()
  await using folder = await createTempFolder()
  await using empty = await createEmptyDatabase()
  await app.createResource({ title: 'orders' })
  const file = folder.file('backup')
  await backUp(app.url, file)
  await using session = await openDedicatedConnection(asSuperuser(empty.url), 'test')
  // The rows are loaded and the first index is being built: it waits for our lock.
  await session.query(`
    create schema waiting;
    create function waiting.wait() returns event_trigger language plpgsql as $$
    begin
      if to_regclass('public.resources') is null then return; end if;
      if exists (select from public.resources) then perform pg_advisory_xact_lock(1); end if;
    end $$;
    create event trigger wait on ddl_command_end when tag in ('CREATE INDEX') execute function waiting.wait();
    select pg_advisory_lock(1)`)
  const restoring = () =>
    session.query(`select from pg_stat_activity where application_name = 'tablinum restore' and datname = current_database()`)
  const first = runCli(['restore', file], { DATABASE_URL: empty.url })
  await eventually(async () =>
    expect(
      await session.query(
        `select from pg_stat_activity where application_name = 'tablinum restore' and datname = current_database() and wait_event = 'advisory'`,
      ),
    ).toHaveLength(1),
  )
  await first.kill()
  await first.ended
  await session.query('drop event trigger wait; drop schema waiting cascade; select pg_advisory_unlock(1)')
  await eventually(async () => expect(await restoring()).toEqual([]))
  expect(await dumpSchema(empty.url)).toEqual([])
  expect(await runCli(['restore', file], { DATABASE_URL: empty.url }).ended).toMatchObject({
    code: 0,
    output: expect.stringContaining('“Tablinum”'),
  })
  expect((await dumpContent(empty.url)).resources).toEqual((await dumpContent(app.url)).resources)
})

test('the embedded database can be backed up running or stopped, and restored from that', async () => {
  await using folder = await createTempFolder()
  const [one, two] = [{ TABLINUM_DATA: folder.file('one') }, { TABLINUM_DATA: folder.file('two') }]
  {
    await using server = await startEmbeddedPostgres({ dataFolder: folder.file('one/postgres'), settings: { fsync: 'off' } })
    await withDb(server.url, async (db) => {
      await migrate(db, migrations)
      await migrateQueue(server.url)
      await bootstrapWorkspace(db, 'tbl_one', new Date())
    })
    expect(await runCli(['backup', folder.file('running')], one).ended).toMatchObject({ code: 0 })
    const rejected = await runCli(['restore', '--replace', '--yes', folder.file('running')], one).ended
    expect(rejected).toEqual({ code: 1, output: expect.stringContaining('Tablinum is running') })
  }
  expect(await runCli(['restore', folder.file('running')], two).ended).toMatchObject({ code: 0 })
  expect(await runCli(['backup', folder.file('stopped')], two).ended).toMatchObject({ code: 0 })
  const [was, is] = await Promise.all(['running', 'stopped'].map(async (name) => gunzipSync(await readFile(folder.file(name))).toString()))
  const rowsOf = (text = '') => text.split('\n').slice(1, -2).sort()
  expect(rowsOf(is)).toEqual(rowsOf(was))
})

test('the objects created by the migrations are found in their text', async () => {
  await using app = await createTestApp()
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`.execute(app.db)
  const former = migrations.flatMap(({ text }) =>
    [...text.matchAll(/^(?:drop table (\w+)|alter table (\w+) rename to)/gm)].map(([, dropped, renamed]) => dropped ?? renamed!),
  )
  expect([...findCreatedNames(migrations, 'table')].sort()).toEqual([...new Set([...rows.map(({ name }) => name), ...former])].sort())
  const { rows: functions } = await sql<{ name: string }>`
    select distinct p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`.execute(app.db)
  expect([...findCreatedNames(migrations, 'function')]).toEqual(expect.arrayContaining(functions.map(({ name }) => name)))
})
