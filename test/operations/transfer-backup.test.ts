import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { bootstrapWorkspace } from '../../src/accounts/users/bootstrap.ts'
import { createRuntime } from '../../src/app/runtime.ts'
import { createResource, createResources } from '../../src/catalog/resources/create.ts'
import { editResource } from '../../src/catalog/resources/edit.ts'
import type { Context } from '../../src/platform/context/context.ts'
import { connect, type Db } from '../../src/platform/db/connect.ts'
import { migrate, prepareDatabase, readMigrations } from '../../src/platform/db/migrate.ts'
import { SYSTEM } from '../../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../../src/platform/queue/worker.ts'
import { INSTALLED_POSTGRES, startInstalledPostgres } from '../servers/installed-postgres.ts'
import { findWrongLocations, findWrongVersions } from '../support/find-wrong-locations.ts'

const run = promisify(execFile)

test.skipIf(!INSTALLED_POSTGRES)('a restored pg_dump has the same content and keeps working', async () => {
  await using server = await startInstalledPostgres(INSTALLED_POSTGRES!)
  const one = await server.create('one')
  await fill(one)
  await run(join(INSTALLED_POSTGRES!, 'pg_dump'), ['--format=custom', `--file=${server.folder}/backup`, one])
  const two = await server.create('two')
  await run(join(INSTALLED_POSTGRES!, 'pg_restore'), ['--exit-on-error', '--no-owner', `--dbname=${two}`, `${server.folder}/backup`])
  const three = await server.create('three')
  await run(join(INSTALLED_POSTGRES!, 'pg_dump'), ['--no-owner', `--file=${server.folder}/backup.sql`, one])
  await run(join(INSTALLED_POSTGRES!, 'psql'), ['--quiet', '--set=ON_ERROR_STOP=1', `--file=${server.folder}/backup.sql`, three])

  const expected = await withDb(one, dumpContent)
  for (const url of [two, three])
    await withDb(url, async (db) => {
      expect(await dumpContent(db)).toEqual(expected)
      expect(await migrate(db, await readMigrations())).toEqual([]) // nothing left to do
      // Functions and triggers are restored and work: locations, versions, search, counts.
      const ctx = createContext(db)
      const child = await createResource(ctx, { title: 'after the restore', entity_type: 'schema', parent: DATABASE })
      await editResource(ctx, DATABASE, { title: 'restored' })
      expect(await db.selectFrom('resources').select('title_full').where('id', '=', child.id).executeTakeFirst()).toEqual({
        title_full: 'restored.after the restore',
      })
      expect(await findWrongLocations(db)).toEqual([])
      expect(await findWrongVersions(db)).toEqual([])
      const { rows } = await sql`select from search_titles where words @@ '=restor'`.execute(db)
      expect(rows).toHaveLength(2)
    })
})

const DATABASE = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'

const createContext = (db: Db): Context => ({
  db,
  runtime: createRuntime('postgres://unused'),
  workspace_id: '',
  actor: SYSTEM,
  now: new Date(),
  limits: {},
})

const withDb = async <T>(url: string, work: (db: Db) => Promise<T>): Promise<T> => {
  const database = connect(url, { poolSize: 2 })
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

const fill = (url: string) =>
  withDb(url, async (db) => {
    await prepareDatabase(db)
    await migrateQueue(url)
    await bootstrapWorkspace(db, 'tbl_backup', new Date())
    const ctx = createContext(db)
    await createResources(ctx, [{ id: DATABASE, title: 'shop', entity_type: 'database', integration: DATABASE }])
    await createResources(
      ctx,
      ['Straße', "it's", '\\N', 'tab\there', '😀'].map((title) => ({
        title,
        parent: DATABASE,
        description: `${title}\n"quoted"`,
        sources: [title, ''],
      })),
    )
    await editResource(ctx, DATABASE, { description: 'Edited.' })
  })

/** Every row of every table, except short-lived ones. */
const dumpContent = async (db: Db): Promise<Record<string, string>> => {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.relpersistence = 'p' order by 1
  `.execute(db)
  const content: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ content: string | null }>`
      select string_agg(t::text, e'\n' order by t::text) as content from ${sql.table(name)} t
    `.execute(db)
    content[name] = rows[0]!.content ?? ''
  }
  expect(content.resources).toContain('Straße')
  return content
}
