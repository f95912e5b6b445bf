import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded/embedded.ts'
import { resolveDataHome } from '../../src/platform/db/embedded/embedded-location.ts'

const run = promisify(execFile)

/** The embedded Postgres with a streaming replica, which can be stopped and started. Both listen on sockets only. */
export interface ReplicatedPostgres extends AsyncDisposable {
  readonly primary: EmbeddedPostgres
  readonly replicaUrl: string
  stopReplica(): Promise<void>
  startReplica(): Promise<void>
}

export const startReplicatedPostgres = async (): Promise<ReplicatedPostgres> => {
  const folder = await mkdtemp(join(tmpdir(), 'tbl-r-')) // short: it contains sockets
  await run('chmod', ['755', folder])
  const hba_file = join(folder, 'hba.conf')
  await writeFile(hba_file, 'local all all trust\nlocal replication all trust\n', { mode: 0o644 })
  const settings = { fsync: 'off', hba_file, max_connections: '60' }
  const primary = await startEmbeddedPostgres({
    dataFolder: join(folder, 'a'),
    settings: { ...settings, wal_level: 'replica', max_wal_senders: '5', wal_keep_size: '512MB' },
  })
  const replicaFolder = join(folder, 'b')
  await copyPrimary(primary, replicaFolder)
  const socket = decodeURIComponent(new URL(primary.url).hostname)
  const start = () =>
    startEmbeddedPostgres({
      dataFolder: replicaFolder,
      settings: {
        ...settings,
        wal_level: 'replica',
        max_wal_senders: '5',
        hot_standby_feedback: 'on',
        wal_retrieve_retry_interval: '200ms',
        primary_conninfo: `host=${socket} user=tablinum`,
      },
    })
  let replica: EmbeddedPostgres | undefined = await start()
  return {
    primary,
    replicaUrl: replica.url,
    stopReplica: async () => {
      await replica?.stop()
      replica = undefined
    },
    startReplica: async () => {
      replica ??= await start()
    },
    [Symbol.asyncDispose]: async () => {
      await replica?.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A base backup; the embedded Postgres has no pg_basebackup. */
const copyPrimary = async (primary: EmbeddedPostgres, folder: string): Promise<void> => {
  const source = await resolveDataHome(primary.folder)
  const client = new Client({ connectionString: primary.url })
  await client.connect()
  await client.query(`select pg_backup_start('replica', true)`)
  await mkdir(folder, { mode: 0o755 })
  await cp(source, folder, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) =>
      !['owner.lock', 'owner.pid', 'postmaster.pid', 'postmaster.opts', 'pgsql_tmp'].includes(basename(path)) &&
      !basename(path).startsWith('.s.PGSQL'),
  })
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
  await client.end()
  await writeFile(join(folder, 'data/backup_label'), rows[0].labelfile)
  await writeFile(join(folder, 'data/standby.signal'), '')
  const { uid, gid } = await stat(join(source, 'data'))
  await run('chown', ['-R', `${uid}:${gid}`, folder])
  await run('chmod', ['700', join(folder, 'data')])
}
