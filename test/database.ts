import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { bootstrap } from '../src/access/bootstrap.ts'
import { connect } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrate, readMigrations } from '../src/db/migrate.ts'
import { migrateQueue } from '../src/queue/worker.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The Postgres server of the tests; its `TEMPLATE` is a migrated, bootstrapped database to copy. */
    serverUrl: string
  }
}

export const TEMPLATE = 'tablinum_template'

/** One Postgres for all tests. Each test copies the template, so none sees another's rows. */
export default async (project: TestProject) => {
  const folder = await mkdtemp(join(await roomiest(), 'tablinum-test-'))
  // Test roles connect without a password; demo roles have one, as in production.
  const hba_file = join(folder, 'test_hba.conf')
  await writeFile(hba_file, 'local all "/_demo$" scram-sha-256\nlocal all all trust\n', { mode: 0o644 })
  const server = await startEmbedded({
    dataFolder: folder,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200', hba_file },
  })
  const admin = connect(server.url)
  const url = databaseAt(server.url, TEMPLATE)
  await sql.raw(`create database ${TEMPLATE}`).execute(admin.db)
  await admin.close()
  const template = connect(url)
  await migrate(template.db, await readMigrations())
  await migrateQueue(url)
  await bootstrap(template.db, ADMIN_TOKEN, new Date('2026-01-01T00:00:00Z'))
  await template.close()
  project.provide('serverUrl', server.url)
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const MEMORY = '/dev/shm'
const ROOM = 4 * 1024 ** 3 // several times the maximum all tests use together

/** In memory, if there is enough: copying the hundreds of template files takes an eighth of the time it takes on disk. */
const roomiest = async (): Promise<string> => {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= ROOM && freemem() >= 2 * ROOM ? MEMORY : tmpdir()
}

export const ADMIN_TOKEN = 'tbl_test_admin_token'

export const databaseAt = (serverUrl: string, name: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
