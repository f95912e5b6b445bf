import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newId } from '../../src/platform/core/id.ts'
import { createTcpProxyTo } from '../support/tcp-proxy.ts'
import { findMissingPrograms, findPackage, findProgram, type PackageSpec } from './debian.ts'
import { account, type ServerProcess, startServer } from './process.ts'

const run = promisify(execFile)

const PROGRAM = 'clickhouse-server'
// The server package would start the server when installed; the program itself is in the other package.
const PACKAGE: PackageSpec = { programs: [PROGRAM], packages: ['clickhouse-common'], unpack: 'clickhouse-server' }

/** Why ClickHouse is not available here, or undefined: `describe.skipIf(noClickhouse)`. */
export const skipWithoutClickhouse = await findMissingPrograms(PACKAGE)

/**
 * A separate database on a real ClickHouse, and a user who can read and change settings (`readonly` 2). With the same password there are
 * `writer`, who can do everything, and `frozen`, who can read but change no settings (`readonly` 1).
 */
export interface ClickhouseSource extends AsyncDisposable {
  readonly name: string
  readonly credentials: { host: string; port: number; database: string; user: string; password: string }
  readonly visits: () => number
  readonly cut: () => void
  /** Runs as a user who can do everything, in this database; returns the output. */
  run(...statements: string[]): Promise<string[]>
}

const PASSWORD = 'correct horse'

export const createClickhouseSource = async (...statements: string[]): Promise<ClickhouseSource> => {
  const { port } = await getServer()
  const name = `source_${newId().replaceAll('-', '')}`
  const runQuery = async (database: string, statement: string): Promise<string> => {
    const address = `http://127.0.0.1:${port}/?database=${database}&user=admin`
    const response = await fetch(address, { method: 'POST', body: statement })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }
  const runStatements = async (...statements: string[]) => {
    const results: string[] = []
    for (const statement of statements) results.push(await runQuery(name, statement))
    return results
  }
  await runQuery('default', `create database ${name}`)
  await runStatements(...statements)
  const proxy = await createTcpProxyTo({ host: '127.0.0.1', port })
  return {
    name,
    credentials: { host: '127.0.0.1', port: proxy.port, database: name, user: 'reader', password: PASSWORD },
    visits: proxy.visits,
    cut: proxy.cut,
    run: runStatements,
    [Symbol.asyncDispose]: async () => {
      await proxy.close()
      await runQuery('default', `drop database if exists ${name}`)
    },
  }
}

/** One server for all tests of a worker, started on first use; it ends with the worker. */
let running: Promise<ServerProcess & { readonly port: number }> | undefined
const getServer = () => (running ??= startClickhouse().catch(startClickhouse).catch(startClickhouse)) // another process may have taken the port

const startClickhouse = async (): Promise<ServerProcess & { readonly port: number }> => {
  const [port, native] = [await freePort(), await freePort()]
  const server = await startServer('clickhouse', {
    prepare: async (folder) => {
      const program = (await findProgram(PROGRAM)) ?? (await unpackProgram(folder))
      for (const name of ['data', 'tmp', 'files', 'schemas']) {
        await mkdir(join(folder, name))
        if (account.uid) await chown(join(folder, name), account.uid, account.gid)
      }
      await writeFile(join(folder, 'config.xml'), config(folder, port, native))
      await writeFile(join(folder, 'users.xml'), USERS)
      return [program, `--config-file=${join(folder, 'config.xml')}`]
    },
    isReady: async () => {
      const { ok } = await fetch(`http://127.0.0.1:${port}/ping`)
      if (!ok) throw new Error('it does not respond')
    },
  })
  return { ...server, port }
}

const unpackProgram = async (folder: string): Promise<string> => {
  const programFolder = join(folder, 'program')
  await run('dpkg', ['-x', (await findPackage(PACKAGE))!, programFolder])
  await chmod(programFolder, 0o755)
  if (account.uid) await run('chown', ['-R', `${account.uid}:${account.gid}`, programFolder]) // the process that ends the server deletes its folder
  return join(programFolder, 'usr/sbin/clickhouse-server')
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const config = (folder: string, port: number, native: number) => `<yandex>
  <logger><level>warning</level><console>1</console></logger>
  <listen_host>127.0.0.1</listen_host><http_port>${port}</http_port><tcp_port>${native}</tcp_port>
  <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><user_files_path>${folder}/files/</user_files_path>
  <format_schema_path>${folder}/schemas/</format_schema_path>
  <mark_cache_size>5368709</mark_cache_size><max_concurrent_queries>50</max_concurrent_queries>
  <users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
  <timezone>UTC</timezone>
  <query_log><database>system</database><table>query_log</table><flush_interval_milliseconds>200</flush_interval_milliseconds></query_log>
</yandex>`

const USERS = `<yandex>
  <profiles><default><log_queries>1</log_queries></default><reader><readonly>2</readonly></reader><frozen><readonly>1</readonly></frozen></profiles>
  <quotas><default></default></quotas>
  <users>
    <admin><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></admin>
    <reader><password>${PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>reader</profile><quota>default</quota></reader>
    <frozen><password>${PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>frozen</profile><quota>default</quota></frozen>
    <writer><password>${PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></writer>
  </users>
</yandex>`
