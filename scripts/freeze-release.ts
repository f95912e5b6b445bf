// `npm run freeze -- <version> [<ref>]`: writes test/releases/<version>, from which every later version is tested: the schema and the data of this
// one, and the commit (or tag) that has its code. The release script calls it.
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrapWorkspace } from '../src/accounts/users/bootstrap.ts'
import { createRuntime } from '../src/app/runtime.ts'
import { createBackup } from '../src/operations/backup/create-backup.ts'
import { seedDemo } from '../src/operations/demo/seed.ts'
import { startEmbeddedPostgres } from '../src/platform/db/embedded/embedded.ts'
import { migrate, readMigrations } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { ROOT } from './shipped-packages.ts'

export interface FrozenRelease {
  readonly version: string
  /** The commit or tag with the code of this version. */
  readonly ref: string
  readonly last_migration: string
  /** The token of the admin in the data. */
  readonly token: string
}

const TOKEN = 'tbl_frozen_release_token'

/** A database with the demo: people, resources of every type, lineage, monitors with measurements, incidents, history. */
export const freezeRelease = async (version: string, ref: string): Promise<void> => {
  const folder = join(ROOT, 'test/releases', version)
  const data = await mkdtemp(join(tmpdir(), 'tablinum-freeze-'))
  await using server = await startEmbeddedPostgres({ dataFolder: data })
  const migrations = await readMigrations()
  {
    await using runtime = createRuntime(server.url, { secretKeys: ['a key for a frozen release'] })
    const { db } = runtime.databases.transfer
    await migrate(db, migrations)
    await migrateQueue(server.url)
    const now = new Date()
    const { workspace_id } = await bootstrapWorkspace(db, TOKEN, now)
    await seedDemo({ db, runtime, workspace_id, actor: SYSTEM, now, limits: {} })
  }
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'database.backup')
  await createBackup({ url: server.url, file, version, migrations })
  await chmod(file, 0o644) // the demo has no secrets
  const release: FrozenRelease = { version, ref, last_migration: migrations.at(-1)!.name, token: TOKEN }
  await writeFile(join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
  await rm(data, { recursive: true, force: true })
}

if (import.meta.main) {
  const [version, ref = 'HEAD'] = process.argv.slice(2)
  if (!version) throw new Error('Usage: npm run freeze -- <version> [<ref>]')
  // A tag does not exist before the release is committed.
  await freezeRelease(version, ref.startsWith('v') ? ref : execFileSync('git', ['rev-parse', ref], { cwd: ROOT, encoding: 'utf8' }).trim())
}
