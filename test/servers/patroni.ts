import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findMissingPrograms, findPackage, type PackageSpec } from './debian.ts'
import { account, type ServerProcess, startServer } from './process.ts'

const run = promisify(execFile)

const PYTHON = ['psycopg2', 'etcd', 'dnspython', 'click', 'dateutil', 'prettytable', 'psutil', 'cdiff', 'urllib3', 'yaml', 'six']
/** Only unpacked: their packages would start them. */
const PACKAGES = {
  etcd: { programs: ['etcd'], packages: ['libc6'], unpack: 'etcd-server' },
  haproxy: { programs: ['haproxy'], packages: ['liblua5.3-0', 'libopentracing-c-wrapper0'], unpack: 'haproxy' },
  patroni: { programs: ['patroni'], packages: PYTHON.map((name) => `python3-${name}`), unpack: 'patroni' },
} satisfies Record<string, PackageSpec>

const POSTGRES = '/usr/lib/postgresql'

/** The programs of an installed Postgres server; pg_basebackup and pg_rewind are needed, which the embedded one lacks. */
const findPostgres = async (): Promise<string | undefined> => {
  for (const version of (await readdir(POSTGRES).catch(() => [])).sort().reverse()) {
    const bin = join(POSTGRES, version, 'bin')
    const found = await Promise.all(
      ['postgres', 'pg_basebackup', 'pg_rewind'].map((name) =>
        access(join(bin, name)).then(
          () => true,
          () => false,
        ),
      ),
    )
    if (found.every(Boolean)) return bin
  }
  return undefined
}

const findMissing = async (): Promise<string | undefined> => {
  if (!(await findPostgres())) {
    const missing = `No Postgres server is installed in ${POSTGRES}: failovers are not tested.`
    console.warn(`Skipped: ${missing}`)
    return missing
  }
  for (const spec of Object.values(PACKAGES)) {
    const missing = await findMissingPrograms(spec)
    if (missing) return missing
  }
  return undefined
}

/** Why Patroni is not available here, or undefined. */
export const skipWithoutPatroni = await findMissing()

export interface PatroniCluster {
  /** Of HAProxy, which leads to the primary. */
  readonly url: string
  /** Each node directly. */
  readonly nodeUrls: readonly string[]
  /** The name of the primary, once the other node is its synchronous standby. */
  findPrimary(): Promise<string | undefined>
  /** kill -9 of the primary's Postgres. */
  killPrimary(name: string): Promise<void>
  stop(): Promise<void>
}

const NODES = ['a', 'b']

/** Two Postgres servers with synchronous replication, managed by Patroni with etcd, behind HAProxy. */
export const startPatroniCluster = async (): Promise<PatroniCluster> => {
  const bin = (await findPostgres())!
  const [etcdPort, etcdPeer, proxyPort, ...ports] = await freePorts(3 + 2 * NODES.length)
  const nodes = NODES.map((name, i) => ({ name, port: ports[2 * i]!, api: ports[2 * i + 1]! }))
  const etcd = `http://127.0.0.1:${etcdPort}`
  const store = await startServer('etcd', {
    prepare: async (folder) => [
      join(await unpack('etcd', folder), 'usr/bin/etcd'),
      ...['--data-dir', join(folder, 'data'), '--listen-client-urls', etcd, '--advertise-client-urls', etcd],
      ...['--listen-peer-urls', `http://127.0.0.1:${etcdPeer}`, '--initial-advertise-peer-urls', `http://127.0.0.1:${etcdPeer}`],
      ...['--initial-cluster', `default=http://127.0.0.1:${etcdPeer}`],
    ],
    isReady: async () => expectOk(await fetch(`${etcd}/health`)),
  })
  const managers = new Map<string, ServerProcess>()
  for (const node of nodes) {
    const manager = await startServer(`patroni-${node.name}`, {
      prepare: async (folder) => {
        const program = await unpack('patroni', folder)
        const config = join(folder, 'patroni.yml')
        await writeFile(config, JSON.stringify(configureNode(node, { folder, bin, etcdPort: etcdPort! })), { mode: 0o644 }) // JSON is YAML
        const python = `PYTHONPATH=${join(program, 'usr/lib/python3/dist-packages')}`
        return ['/usr/bin/env', python, '/usr/bin/python3', join(program, 'usr/bin/patroni'), config]
      },
      isReady: async () => expectOk(await fetch(`http://127.0.0.1:${node.api}/health`)),
    })
    managers.set(node.name, manager)
  }
  const proxy = await startServer('haproxy', {
    prepare: async (folder) => {
      const config = join(folder, 'haproxy.cfg')
      await writeFile(config, configureProxy(proxyPort!, nodes), { mode: 0o644 })
      return [join(await unpack('haproxy', folder), 'usr/sbin/haproxy'), '-db', '-f', config]
    },
    isReady: async () => {},
  })
  const findPostgresPid = async ({ folder }: ServerProcess): Promise<number> =>
    Number((await readFile(join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  const killPostgres = (pid: number) => {
    if (pid > 1) process.kill(pid, 'SIGKILL')
  }
  return {
    url: `postgres://postgres@127.0.0.1:${proxyPort}/postgres`,
    nodeUrls: nodes.map(({ port }) => `postgres://postgres@127.0.0.1:${port}/postgres`),
    findPrimary: async () => {
      const response = await fetch(`http://127.0.0.1:${nodes[0]!.api}/cluster`)
      const { members } = (await response.json()) as { members: { name: string; role: string; state: string }[] }
      const isSynchronous = members.some(({ role, state }) => role === 'sync_standby' && ['running', 'streaming'].includes(state))
      return isSynchronous ? members.find(({ role }) => role === 'leader')?.name : undefined
    },
    killPrimary: async (name) => killPostgres(await findPostgresPid(managers.get(name)!)),
    stop: async () => {
      for (const manager of managers.values()) {
        const pid = await findPostgresPid(manager) // before its folder is deleted
        await manager.stop() // otherwise it would start Postgres again
        try {
          killPostgres(pid)
        } catch {} // it has ended already
      }
      await Promise.all([proxy.stop(), store.stop()])
    },
  }
}

interface Node {
  readonly name: string
  readonly port: number
  readonly api: number
}

const configureNode = ({ name, port, api }: Node, { folder, bin, etcdPort }: { folder: string; bin: string; etcdPort: number }) => ({
  scope: 'tablinum',
  name,
  restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    dcs: {
      ...{ ttl: 20, loop_wait: 1, retry_timeout: 3, maximum_lag_on_failover: 1_048_576, synchronous_mode: true },
      master_start_timeout: 0, // a server that died is replaced, not restarted
      postgresql: {
        use_pg_rewind: true,
        parameters: { max_connections: 100, wal_log_hints: 'on', shared_buffers: '64MB', wal_keep_size: '512MB' },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: join(folder, 'data'),
    bin_dir: bin,
    pgpass: join(folder, 'pgpass'),
    pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    parameters: { unix_socket_directories: folder },
    authentication: { superuser: { username: 'postgres', password: 'x' }, replication: { username: 'replicator', password: 'x' } },
  },
})

/** Connections to a server that is no longer the primary are closed at once. */
const configureProxy = (port: number, nodes: readonly Node[]): string =>
  `global
  maxconn 400
defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, api }) => `  server ${name} 127.0.0.1:${port} check port ${api}`).join('\n')}
`

const unpack = async (name: keyof typeof PACKAGES, folder: string): Promise<string> => {
  const target = join(folder, 'program')
  await mkdir(target)
  await run('dpkg', ['-x', (await findPackage(PACKAGES[name]))!, target])
  await chmod(target, 0o755)
  if (account.uid) await run('chown', ['-R', `${account.uid}:${account.gid}`, target])
  return target
}

const expectOk = ({ ok, status }: Response): void => {
  if (!ok) throw new Error(`status ${status}`)
}

const freePorts = async (count: number): Promise<number[]> => {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
