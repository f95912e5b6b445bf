import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { createTcpProxy } from '../support/tcp-proxy.ts'
import { findMissingPrograms, findPackage, findProgram, type PackageSpec } from './debian.ts'
import { account, startServer } from './process.ts'

const run = promisify(execFile)

const PROGRAM = 'pgbouncer'
const PACKAGE: PackageSpec = { programs: [PROGRAM], packages: ['libc-ares2', 'libevent-2.1-7'], unpack: PROGRAM }

/** Why PgBouncer is not available here, or undefined: `describe.skipIf(noPgbouncer)`. */
export const skipWithoutPgbouncer = await findMissingPrograms(PACKAGE)

/** A PgBouncer in front of this database, with default settings except databases, users and the given ones. It ends with the worker. */
export const createPgbouncerServer = async (databaseUrl: string, settings: Readonly<Record<string, string>>): Promise<string> => {
  const proxy = await createTcpProxy(databaseUrl)
  const { username, pathname } = new URL(databaseUrl)
  const port = await freePort()
  const url = `postgres://${username}@127.0.0.1:${port}${pathname}`
  await startServer(PROGRAM, {
    prepare: async (folder) => {
      const users = join(folder, 'users.txt')
      await writeFile(users, `"${username}" ""\n`, { mode: 0o644 })
      const own = { listen_addr: '127.0.0.1', listen_port: String(port), unix_socket_dir: '', auth_type: 'trust', auth_file: users }
      const lines = Object.entries({ ...own, ...settings }).map(([name, value]) => `${name} = ${value}`)
      await writeFile(
        join(folder, 'pgbouncer.ini'),
        `[databases]\n* = host=127.0.0.1 port=${proxy.port}\n[pgbouncer]\n${lines.join('\n')}\n`,
        { mode: 0o644 },
      )
      return [(await findProgram(PROGRAM)) ?? (await unpackProgram(folder)), join(folder, 'pgbouncer.ini')]
    },
    isReady: async () => {
      const client = new Client({ connectionString: url })
      client.on('error', () => {})
      await client.connect()
      await client.end()
    },
  })
  return url
}

const unpackProgram = async (folder: string): Promise<string> => {
  const programFolder = join(folder, 'program')
  await run('dpkg', ['-x', (await findPackage(PACKAGE))!, programFolder])
  await chmod(programFolder, 0o755)
  if (account.uid) await run('chown', ['-R', `${account.uid}:${account.gid}`, programFolder]) // the process that ends the server deletes its folder
  return join(programFolder, 'usr/sbin', PROGRAM)
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
