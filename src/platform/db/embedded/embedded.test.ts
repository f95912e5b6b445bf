import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../../test/support/eventually.ts'
import { connect } from '../connect.ts'
import { startEmbeddedPostgres } from './embedded.ts'

const root = process.getuid?.() === 0
const asRoot = (what: string, run: () => Promise<void>) => test.runIf(root)(`${what} (only root can try this)`, run)

let template: Awaited<ReturnType<typeof createTempFolder>>

// Creating a database takes most of a second, so it is created once and copied.
beforeAll(async () => {
  template = await createTempFolder()
  await using first = await startEmbeddedPostgres({ dataFolder: template.path })
  await query(first.url, 'create table kept as select 1 as one')
})

afterAll(() => template[Symbol.asyncDispose]())

test('the second start finds the data of the first', async () => {
  await using folder = await createDatabaseFolder()
  await using second = await startEmbeddedPostgres({ dataFolder: folder.path })
  expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }])
})

test('uses Unicode, sorts by code point, and applies the caller’s settings', async () => {
  await using folder = await createDatabaseFolder()
  await using postgres = await startEmbeddedPostgres({ dataFolder: folder.path, settings: { fsync: 'off', max_connections: '7' } })
  const [row] = await query(
    postgres.url,
    `select lower('ÉCOLE') as low, 'Z' < 'a' as by_code, current_setting('server_encoding') as encoding,
      current_setting('fsync') as fsync, current_setting('max_connections') as connections`,
  )
  expect(row).toEqual({ low: 'école', by_code: true, encoding: 'UTF8', fsync: 'off', connections: '7' })
})

test('kill -9 of the owner: Postgres stops by itself, and committed data is still there', async () => {
  await using folder = await createDatabaseFolder()
  await using owner = await startOwner(folder.path)
  await query(owner.url, 'update kept set one = 2')
  owner.kill()
  await until(() => !existsSync(join(folder.path, 'data/postmaster.pid')))
  const output: string[] = []
  await using next = await startEmbeddedPostgres({ dataFolder: folder.path, log: (line) => output.push(line) })
  expect(await query(next.url, 'select one from kept')).toEqual([{ one: 2 }])
  expect(output).toEqual([])
})

test('kill -9 of the owner during work: the next start does not wait for the old Postgres', async () => {
  await using folder = await createDatabaseFolder()
  await using owner = await startOwner(folder.path)
  const busy = query(owner.url, 'select pg_sleep(60)').catch(() => {})
  await until(async () => (await query(owner.url, `select from pg_stat_activity where wait_event = 'PgSleep'`)).length === 1)
  owner.kill()
  await using next = await startEmbeddedPostgres({ dataFolder: folder.path })
  expect(await query(next.url, 'select one from kept')).toEqual([{ one: 1 }])
  await busy
})

test.runIf(process.platform === 'linux')('kill -9 of the owner and of the watcher: the next start takes over', async () => {
  await using folder = await createDatabaseFolder()
  await using owner = await startOwner(folder.path)
  const orphan = await postmasterPid(folder.path)
  for (const watcher of await watchersOf(orphan)) process.kill(watcher, 'SIGKILL')
  owner.kill()
  await sleep(300)
  expect(await query(owner.url, 'select one from kept')).toEqual([{ one: 1 }]) // Postgres really is left running
  const output: string[] = []
  await using next = await startEmbeddedPostgres({ dataFolder: folder.path, log: (line) => output.push(line) })
  expect(output.join()).toContain(`pid ${orphan}`)
  expect(await query(next.url, 'select one from kept')).toEqual([{ one: 1 }])
})

test('kill -9 of Postgres itself: it is restarted at the same address', async () => {
  await using folder = await createDatabaseFolder()
  await using postgres = await startEmbeddedPostgres({ dataFolder: folder.path })
  process.kill(await postmasterPid(folder.path), 'SIGKILL')
  await until(() => query(postgres.url, 'select one from kept').then(({ length }) => length === 1))
})

test('kill -9 of Postgres again and again, also while it starts: it is restarted each time', async () => {
  await using folder = await createDatabaseFolder()
  await using postgres = await startEmbeddedPostgres({ dataFolder: folder.path })
  for (let i = 0; i < 6; i += 1) {
    const pid = await postmasterPid(folder.path)
    process.kill(pid, 'SIGKILL')
    await until(async () => ![pid, 0, Number.NaN].includes(await postmasterPid(folder.path))) // it has just been launched
  }
  await until(() => query(postgres.url, 'select one from kept').then(({ length }) => length === 1))
})

test('a second owner is rejected with the PID of the first and how to share the database', async () => {
  await using folder = await createDatabaseFolder()
  await using owner = await startOwner(folder.path)
  const message = await startEmbeddedPostgres({ dataFolder: folder.path }).then(
    () => '',
    (error) => error.message,
  )
  expect(message).toContain(`pid ${owner.pid}`)
  expect(message).not.toContain(new URL(owner.url).password)
  const [, shared] = /DATABASE_URL=(".*")/.exec(message)!
  expect((await promisify(execFile)('/bin/sh', ['-c', `printf %s ${shared}`])).stdout).toBe(owner.url)
  expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('kill -9 while the database is being created leaves nothing half done', async () => {
  await using folder = await createTempFolder()
  const owner = spawnOwner(folder.path)
  const half = async () => (await readdir(folder.path)).find((name) => name.startsWith('new-data-'))
  await until(async () => existsSync(join(folder.path, (await half()) ?? 'none', 'PG_VERSION')))
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(existsSync(join(folder.path, 'data'))).toBe(false)
  await using next = await startEmbeddedPostgres({ dataFolder: folder.path })
  expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await half()).toBeUndefined()
})

test('a stale postmaster.pid with the PID of another process harms neither', async () => {
  await using folder = await createDatabaseFolder()
  await (await startEmbeddedPostgres({ dataFolder: folder.path })).stop()
  const { uid, gid } = await stat(join(folder.path, 'data'))
  const unrelated = spawn('sleep', ['60'], { uid, gid })
  await writeFile(join(folder.path, 'data/postmaster.pid'), `${unrelated.pid}\n${folder.path}/data\n1794733021\n5432\n\n\n 1 1\nready\n`)
  await using _ = await startEmbeddedPostgres({ dataFolder: folder.path })
  expect(unrelated.exitCode ?? unrelated.signalCode).toBeNull()
  unrelated.kill()
})

test('a path may contain any character', async () => {
  await using folder = await createDatabaseFolder()
  const path = join(folder.path, `it's, "é" @%41`)
  await mkdir(path)
  await rename(join(folder.path, 'data'), join(path, 'data'))
  await using postgres = await startEmbeddedPostgres({ dataFolder: path })
  expect(await query(postgres.url, 'select one from kept')).toEqual([{ one: 1 }])
})

test('a path too long for a socket works and leaves nothing in /tmp', async () => {
  await using folder = await createTempFolder()
  const postgres = await startEmbeddedPostgres({ dataFolder: join(folder.path, 'x'.repeat(60), 'y'.repeat(60)) })
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await postgres.stop()
  expect(existsSync(decodeURIComponent(new URL(postgres.url).hostname))).toBe(false)
})

test('rejects data of another major version with a readable message', async () => {
  await using folder = await createTempFolder()
  await mkdir(join(folder.path, 'data'))
  await writeFile(join(folder.path, 'data/PG_VERSION'), '17\n')
  if (root) await chown(join(folder.path, 'data'), 65534, 65534)
  await expect(startEmbeddedPostgres({ dataFolder: folder.path })).rejects.toThrow('was created by Postgres 17')
})

test('if Postgres does not start, the end of its log is in the error', async () => {
  await using folder = await createDatabaseFolder()
  await expect(startEmbeddedPostgres({ dataFolder: folder.path, settings: { max_connections: 'many' } })).rejects.toThrow(
    '"max_connections"',
  )
  await using _ = await startEmbeddedPostgres({ dataFolder: folder.path })
})

test('the log is rotated', async () => {
  await using folder = await createDatabaseFolder()
  const file = join(folder.path, 'postgres.log')
  await truncate(file, 11_000_000)
  await using _ = await startEmbeddedPostgres({ dataFolder: folder.path })
  expect((await stat(file)).size).toBeLessThan(10_000)
  expect((await stat(`${file}.1`)).size).toBe(11_000_000)
})

test('other accounts cannot access the data', async () => {
  await using folder = await createDatabaseFolder()
  await using _ = await startEmbeddedPostgres({ dataFolder: folder.path })
  expect((await stat(join(folder.path, 'data'))).mode & 0o077).toBe(0)
  expect((await readFile(join(folder.path, 'data/pg_hba.conf'), 'utf8')).match(/^host\s.*(?<!reject)$/gm)).toBeNull()
})

test('connections require the password, which only the account that runs Tablinum can read', async () => {
  await using folder = await createDatabaseFolder()
  await using postgres = await startEmbeddedPostgres({ dataFolder: folder.path })
  await expectPasswordRequired(postgres.url)
  const { mode, uid } = await stat(join(folder.path, 'password'))
  expect([mode & 0o777, uid]).toEqual([0o600, process.getuid?.()])
  const [row] = await query(postgres.url, `select rolpassword ~ '^SCRAM-SHA-256' as scram from pg_authid where rolname = 'tablinum'`)
  expect(row).toEqual({ scram: true })
})

test('the psql command connects and does not show the password', async () => {
  await using folder = await createDatabaseFolder()
  await using postgres = await startEmbeddedPostgres({ dataFolder: folder.path })
  const { password } = new URL(postgres.url)
  expect(password).toMatch(/^[0-9a-f]{48}$/)
  expect(postgres.psql).not.toContain(password)
  const { stdout } = await promisify(execFile)('/bin/sh', [
    '-c',
    postgres.psql.replace(/ psql (.*)$/, ' sh -c \'printf "%s %s" "$PGPASSWORD" "$1"\' sh $1'),
  ])
  const [reportedPassword, url] = stdout.split(' ')
  expect(await query(Object.assign(new URL(url!), { password: reportedPassword }).href, 'select one from kept')).toEqual([{ one: 1 }])
})

test('data of a version without passwords requires one from the next start on, even if that is interrupted', async () => {
  await using folder = await createLegacyFolder()
  for (let i = 0; i < 4; i += 1) {
    const owner = spawnOwner(folder.path)
    await sleep(60 + 120 * i)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
  }
  await using postgres = await startEmbeddedPostgres({ dataFolder: folder.path })
  expect(await query(postgres.url, 'select one from kept')).toEqual([{ one: 1 }])
  await expectPasswordRequired(postgres.url)
})

test('data that does not match the password file gets its password', async () => {
  await using folder = await createLegacyFolder()
  await writeFile(join(folder.path, 'password'), `${'0'.repeat(48)}\n`, { mode: 0o644 })
  await using postgres = await startEmbeddedPostgres({ dataFolder: folder.path })
  expect(await query(postgres.url, 'select one from kept')).toEqual([{ one: 1 }])
  expect((await stat(join(folder.path, 'password'))).mode & 0o777).toBe(0o600)
})

asRoot('a folder that Postgres’s account cannot enter is kept elsewhere, and found again', async () => {
  await using folder = await createTempFolder()
  await chmod(folder.path, 0o700)
  const inside = join(folder.path, 'inside')
  const output: string[] = []
  const first = await startEmbeddedPostgres({ dataFolder: inside, log: (line) => output.push(line) })
  try {
    expect(first.folder.startsWith(folder.path)).toBe(false)
    expect(output.join()).toContain(`The database is stored in ${first.folder}`)
    await query(first.url, 'create table kept as select 1 as one')
    await first.stop()
    await chmod(folder.path, 0o755)
    await using second = await startEmbeddedPostgres({ dataFolder: inside })
    expect(await query(second.url, 'select one from kept')).toEqual([{ one: 1 }])
    await second.stop()
    await rm(first.folder, { recursive: true })
    await expect(startEmbeddedPostgres({ dataFolder: inside })).rejects.toThrow('no longer exists')
  } finally {
    await first.stop()
    await rm(first.folder, { recursive: true, force: true })
  }
})

asRoot('a copy that root restored works', async () => {
  await using folder = await createDatabaseFolder()
  await promisify(execFile)('chown', ['-R', 'root', folder.path])
  await chmod(join(folder.path, 'data'), 0o755)
  await using postgres = await startEmbeddedPostgres({ dataFolder: folder.path })
  expect(await query(postgres.url, 'select one from kept')).toEqual([{ one: 1 }])
})

test('lock files with the PID of an unrelated process do not prevent a start', async () => {
  await using folder = await createDatabaseFolder()
  const lock = `${process.pid}\n${join(folder.path, 'data')}\n0\n5432\n${join(folder.path, 'data')}\n`
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) await writeFile(join(folder.path, 'data', name), lock)
  await using postgres = await startEmbeddedPostgres({ dataFolder: folder.path })
  expect(await query(postgres.url, 'select one from kept')).toEqual([{ one: 1 }])
})

test('rejects a folder that is not writable with a readable message', async () => {
  await expect(startEmbeddedPostgres({ dataFolder: '/dev/null/tablinum' })).rejects.toThrow('Cannot write to')
})

const createTempFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'tablinum-test-'))
  if (root) await chmod(path, 0o711)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

const createDatabaseFolder = async () => {
  const folder = await createTempFolder()
  await promisify(execFile)('cp', ['-Rp', `${template.path}/.`, folder.path])
  return folder
}

/** The state left by earlier versions: no password, and a file that allows everyone. */
const createLegacyFolder = async () => {
  const folder = await createDatabaseFolder()
  {
    await using postgres = await startEmbeddedPostgres({ dataFolder: folder.path })
    await query(postgres.url, 'alter role tablinum password null')
  }
  for (const name of ['password', 'pg_hba.conf']) await rm(join(folder.path, name))
  await writeFile(join(folder.path, 'data/pg_hba.conf'), 'local all all trust\nhost all all all reject\n')
  return folder
}

const expectPasswordRequired = async (url: string) => {
  for (const password of ['', 'guessed']) {
    const without = new URL(url)
    without.password = password
    await expect(query(without.href, 'select 1')).rejects.toThrow(/password/)
  }
}

const spawnOwner = (dataFolder: string) =>
  spawn(process.execPath, [
    '--input-type=module-typescript',
    '--eval',
    `import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))}
     const { url } = await startEmbeddedPostgres({ dataFolder: ${JSON.stringify(dataFolder)} })
     console.log(url)
     setInterval(() => {}, 1000)`,
  ])

/** Another process that has started Postgres in this folder. */
const startOwner = async (dataFolder: string) => {
  const child = spawnOwner(dataFolder)
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const [output] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => Promise.reject(new Error(errors)))])
  return {
    pid: child.pid,
    url: String(output).trim(),
    kill: () => child.kill('SIGKILL'),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
    },
  }
}

const query = async (url: string, text: string) => {
  const database = connect(url, { poolSize: 1 })
  try {
    return [...(await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows]
  } finally {
    await database.close()
  }
}

const postmasterPid = async (folder: string) => Number((await readFile(join(folder, 'data/postmaster.pid'), 'utf8')).split('\n')[0])

/** The watcher shell is in the process group of the postmaster it was forked from. */
const watchersOf = async (postmaster: number): Promise<number[]> => {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== postmaster)
  const databases = await Promise.all(
    pids.map((pid) =>
      readFile(`/proc/${pid}/stat`, 'utf8').then(
        (text) => text.split(') ')[1]!.split(' ').slice(1, 3).map(Number),
        () => [],
      ),
    ),
  )
  // A process Postgres has just forked is in its group too, but is its child: the watcher is not.
  return pids.filter((_, i) => databases[i]![1] === postmaster && databases[i]![0] !== postmaster)
}

const until = (holds: () => boolean | Promise<boolean>) => eventually(async () => expect(await holds()).toBe(true), 5)
