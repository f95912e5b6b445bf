import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { findBreakingChanges } from '../../scripts/migration-rules.ts'
import { restoreBackup } from '../../src/operations/backup/restore.ts'
import { findCreatedNames } from '../../src/operations/backup/tables.ts'
import { connect, type Db } from '../../src/platform/db/connect.ts'
import { migrate, readMigrations } from '../../src/platform/db/migrate.ts'
import { findInconsistencies } from '../faults/consistency.ts'
import { startServerProcess, startTestServer, type TestServer } from '../faults/server.ts'
import { waitUntilBusy } from '../faults/wait-until-busy.ts'
import { WriteLoad } from '../faults/write-load.ts'
import { dumpSchema } from '../operations/backup-content.ts'
import { asSuperuser, createEmptyDatabase } from '../operations/empty-database.ts'
import { databaseAt, TEMPLATE } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { checkOutRelease, findMissingCode, migrationsOf, type Release, readReleases } from './releases.ts'

const releases = readReleases()
const last = releases.at(-1)!
const migrations = await readMigrations()
const released = migrationsOf(last, migrations)

test('no migration since the last release breaks its running processes', () => {
  const schema = { tables: findCreatedNames(released, 'table'), versions: releases.map(({ version }) => version) }
  const breaking = migrations
    .filter((migration) => !released.includes(migration))
    .flatMap(({ name, text }) => findBreakingChanges(text, schema).map((problem) => `${name}: ${problem}`))
  expect(breaking, 'see docs/releases.md, “Migrations without a gap”').toEqual([])
})

describe('what the rules find', () => {
  const schema = { tables: new Set(['users']), versions: ['1.0.0'] }
  const breaking = [
    ['drop table users;', 'drops a table'],
    ['truncate users;', 'empties a table'],
    ['alter table users rename to people;', 'renames a table'],
    ['alter table users rename column name to title;', 'renames a column'],
    ['alter table users\n  add column a int,\n  drop column b;', 'drops a column'],
    ['alter table users alter column a type text;', 'changes the type'],
    ['alter table users alter a set not null;', 'requires a value'],
    ['alter table users add column a int not null;', 'without a default'],
    ['alter table users add column a int default 1, add column b int not null;', 'without a default'],
    ['alter table users add constraint c check (a > 0);', 'scans the table'],
    ['create unique index u on users (a);', 'uniqueness'],
    ['create index i on users (a);', 'add_background_index'],
    ['update users set a = 1;', 'add_background_batches'],
    ['-- contract: unused since 2.0.0\nalter table users drop column b;', 'not a released version'],
  ] as const
  test.each(breaking)('%s', (text, problem) => {
    expect(findBreakingChanges(text, schema)).toEqual([expect.stringContaining(problem)])
  })

  const harmless = [
    'create table people (id int not null); create unique index u on people (id); alter table people drop column id;',
    'alter table users add column a int, add column b int not null default 0;',
    'alter table users add column c int not null generated always as identity;',
    'alter table users add constraint c check (a > 0) not valid;',
    'alter table users alter column a drop not null, alter column b drop default;',
    'alter table users drop constraint c;',
    "-- why; it's old\n-- contract: unused since 1.0.0\nalter table users drop column b;",
    '-- small table\nupdate users set a = 1;',
    "create or replace function f() returns trigger language plpgsql as $$ begin update users set a = ';'; drop table users; end $$;",
    "select 'x; drop table users;';",
  ]
  test.each(harmless)('allowed: %s', (text) => {
    expect(findBreakingChanges(text, schema)).toEqual([])
  })
})

const restoreRelease = (release: Release, url: string) =>
  restoreBackup({ url, file: release.file, migrations: migrationsOf(release, migrations) })

const countRows = async (db: Db, tables: Iterable<string>): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { rows } = await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(db)
    if (!rows[0]!.there || table === 'migrations') continue
    const { rows: count } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db)
    counts[table] = count[0]!.n
  }
  return counts
}

test.each(releases)('a database of $version is upgraded with its data', async (release) => {
  await using target = await createEmptyDatabase()
  await restoreRelease(release, target.url)
  const { db, close } = connect(target.url, { poolSize: 3 })
  // A migration may add work for the background.
  const tables = [...findCreatedNames(migrationsOf(release, migrations), 'table')].filter((name) => name !== 'background_migrations')
  const before = await countRows(db, tables)
  expect(before).toMatchObject({ resources: expect.any(Number), activities: expect.any(Number), monitors: expect.any(Number) })
  expect(before.resources).toBeGreaterThan(100)
  const applied = await migrate(db, migrations)
  expect(applied).toEqual(migrations.filter(({ name }) => name > release.last_migration).map(({ name }) => name))
  expect(await countRows(db, Object.keys(before))).toEqual(before)
  expect(await findInconsistencies(db)).toEqual([])
  await close()
  expect(await dumpSchema(asSuperuser(target.url))).toEqual(await dumpSchema(databaseAt(inject('serverUrl'), TEMPLATE)))
})

const PAGES = [
  '/resource/catalog?page_size=30&sort={"field":"title","order":"asc"}',
  '/search?q=orders&page_size=5&entity_type=table', // the ranking of columns beside tables is another in a new version
  '/user/me',
  '/monitor/monitors?page_size=5',
]

/** Without what differs between two processes or moments, and not between two versions. */
const readPages = async ({ call, address }: TestServer) =>
  Promise.all(
    PAGES.map(async (path) =>
      JSON.parse(
        JSON.stringify(await call('GET', path))
          .replaceAll(address, '')
          .replaceAll(/"(last_used_at|last_seen_at)":"[^"]*"/g, '"$1":""') // each process stores them once a minute
          // A new version may have more permissions, and more reasons of health.
          .replaceAll(/"permissions":\[[^\]]*\]/g, '"permissions":[]')
          .replaceAll(/"health":\{"values":\[[^\]]*\]/g, '"health":{"values":[]')
          .replaceAll(/"health":\{"capped":\w+,"values":\[[^\]]*\]/g, '"health":{"values":[]'),
      ),
    ),
  )

test.skipIf(findMissingCode(last))(
  `processes of ${last.version} keep working during and after the migration to this version, and see what it writes`,
  async () => {
    await using target = await createEmptyDatabase()
    await restoreRelease(last, target.url)
    const checkout = await checkOutRelease(last)
    const env = { DATABASE_URL: target.url, TABLINUM_SECRET_KEY: 'a key for a frozen release' }
    await using old = await startServerProcess([process.execPath, join(checkout, 'src/server.ts')], env)
    const stopping = new AbortController()
    const loads = [new WriteLoad('old '), new WriteLoad('new ')] as const
    const writingOld = loads[0].writeTo(old, 2, stopping.signal)
    const failed = writingOld.then(() => new Promise<never>(() => {})) // rejects with the first error of the old version
    await Promise.race([waitUntilBusy(loads[0]), failed])
    await using current = await Promise.race([startTestServer(env), failed])
    const writing = loads[1].writeTo(current, 2, stopping.signal)
    await Promise.all(loads.map(waitUntilBusy))
    stopping.abort()
    await Promise.all([writingOld, writing])
    const { db, close } = connect(target.url, { poolSize: 2 })
    await eventually(async () =>
      expect(await db.selectFrom('background_migrations').select('name').where('finished_at', 'is', null).execute()).toEqual([]),
    )
    expect(await findInconsistencies(db, ...loads)).toEqual([])
    await close()
    expect(await readPages(current)).toMatchObject(await readPages(old))
    for (const { output } of [old, current]) expect(output()).not.toMatch(/"level":(50|60)/)
  },
)

test.skipIf(findMissingCode(last))(`${last.version} does not start on the migrated database, and says why`, async () => {
  await using target = await createEmptyDatabase()
  await restoreRelease(last, target.url)
  const checkout = await checkOutRelease(last)
  const { db, close } = connect(target.url, { poolSize: 3 })
  const newest = { name: '9999_future.sql', text: 'create table future (id int);' }
  await migrate(db, [...migrations, newest])
  await close()
  const started = startServerProcess([process.execPath, join(checkout, 'src/server.ts')], { DATABASE_URL: target.url })
  await expect(started).rejects.toThrow('The database was migrated by a newer version of Tablinum')
})
