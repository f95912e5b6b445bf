import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { bootstrapWorkspace } from '../../src/accounts/users/bootstrap.ts'
import { connect } from '../../src/platform/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded/embedded.ts'
import { prepareDatabase } from '../../src/platform/db/migrate.ts'
import { migrateQueue } from '../../src/platform/queue/worker.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The Postgres server of the tests; its `TEMPLATE` is a migrated, bootstrapped database to copy. */
    serverUrl: string
  }
}

export const TEMPLATE = 'tablinum_template'

/** One Postgres for all tests. Each test copies the template, so none sees another's rows. */
export default async (project: TestProject) => {
  const folder = await mkdtemp(join(await findTestFolder(), 'tablinum-test-'))
  // Test roles connect without a password; demo roles have one, as in production.
  const hba_file = join(folder, 'test_hba.conf')
  await writeFile(hba_file, 'local all "/_demo$" scram-sha-256\nlocal all all trust\n', { mode: 0o644 })
  const server = await startEmbeddedPostgres({
    dataFolder: folder,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200', hba_file },
  })
  await createTemplate(server.url)
  project.provide('serverUrl', server.url)
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A migrated, bootstrapped database to copy. */
export const createTemplate = async (serverUrl: string): Promise<void> => {
  const admin = connect(serverUrl)
  const url = databaseAt(serverUrl, TEMPLATE)
  await sql.raw(`create database ${TEMPLATE}`).execute(admin.db)
  await admin.close()
  const template = connect(url)
  await prepareDatabase(template.db)
  await migrateQueue(url)
  await bootstrapWorkspace(template.db, ADMIN_TOKEN, new Date('2026-01-01T00:00:00Z'))
  await template.close()
}

const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4 * 1024 ** 3 // several times the maximum all tests use together

/** In memory, if there is enough: copying the hundreds of template files takes an eighth of the time it takes on disk. */
const findTestFolder = async (): Promise<string> => {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= NEEDED_BYTES && freemem() >= 2 * NEEDED_BYTES ? MEMORY : tmpdir()
}

export const ADMIN_TOKEN = 'tbl_test_admin_token'

export const databaseAt = (serverUrl: string, name: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
