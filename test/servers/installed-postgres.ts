import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { connect } from '../../src/platform/db/connect.ts'
import { waitForServer } from '../../src/platform/db/wait-for-server.ts'
import { databaseAt } from '../support/database.ts'

/**
 * The folder of a local Postgres installation with server and tools of the same version: the embedded one has no tools, and older tools reject
 * a newer server.
 */
export const INSTALLED_POSTGRES = globSync('/{usr/lib/postgresql/*,opt/homebrew/opt/postgresql@*,usr/local/opt/postgresql@*}/bin')
  .filter((bin) => ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql'].every((name) => existsSync(join(bin, name))))
  .sort()
  .at(-1)

const run = promisify(execFile)

interface InstalledPostgres extends AsyncDisposable {
  readonly folder: string
  create(name: string): Promise<string>
}

export const startInstalledPostgres = async (bin: string): Promise<InstalledPostgres> => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-pg-'))
  const account = process.getuid?.() === 0 ? { uid: (await getUid('postgres')) ?? 0, gid: (await getUid('postgres', '-g')) ?? 0 } : {}
  if (account.uid) await chown(folder, account.uid, account.gid!)
  const options = { ...account, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } }
  const data = join(folder, 'data')
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'tablinum', '--auth=trust', '--encoding=UTF8', '--no-sync'], options)
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'], {
    ...options,
    stdio: 'ignore',
  })
  const admin = `postgres://tablinum@${encodeURIComponent(folder)}/postgres`
  await waitForServer(admin)
  const { db, close } = connect(admin, { poolSize: 1 })
  return {
    folder,
    create: async (name) => {
      await sql.raw(`create database ${name}`).execute(db)
      return databaseAt(admin, name)
    },
    [Symbol.asyncDispose]: async () => {
      await close()
      server.kill('SIGINT')
      if (server.exitCode === null) await once(server, 'exit')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const getUid = async (name: string, flag = '-u'): Promise<number | undefined> =>
  run('id', [flag, name]).then(
    ({ stdout }) => Number(stdout),
    () => undefined,
  )
