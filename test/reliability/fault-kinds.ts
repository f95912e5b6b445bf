import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { chown, mkdir, open, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { Client } from 'pg'
import { findMissingPrograms } from '../servers/debian.ts'
import { ADMIN_TOKEN } from '../support/database.ts'
import { type Fault, runOn } from './fault-site.ts'

const run = promisify(execFile)

const readOnly: Fault = {
  name: 'read-only database',
  ms: 2_000,
  begin: ({ postgres }) => setReadOnly(postgres.url, 'on'),
  end: ({ postgres }) => setReadOnly(postgres.url, 'off'),
}
const setReadOnly = (url: string, value: 'on' | 'off') =>
  runOn(url, `alter system set default_transaction_read_only = ${value}`, 'select pg_reload_conf()')

const hung: Fault = {
  name: 'hung database',
  ms: 8_000,
  begin: async ({ proxy }) => proxy.hang(),
  end: async ({ proxy }) => proxy.resume(),
}

const slow: Fault = {
  name: 'slow database',
  ms: 5_000,
  begin: async ({ proxy }) => proxy.delay(250),
  end: async ({ proxy }) => proxy.delay(0),
}

const refused: Fault = {
  name: 'database away',
  ms: 3_000,
  begin: ({ proxy }) => proxy.cut(),
  end: ({ proxy }) => proxy.restore(),
}

/** All connections that Postgres allows are in use by others, just when those of the server are lost. */
const held: Client[] = []
const exhausted: Fault = {
  name: 'exhausted connections',
  ms: 4_000,
  begin: async ({ proxy, databaseUrl }) => {
    proxy.drop()
    for (;;) {
      const client = new Client({ connectionString: databaseUrl })
      client.on('error', () => {})
      const connected = await client.connect().then(
        () => true,
        () => false,
      )
      if (!connected) return
      held.push(client)
    }
  },
  end: async () => {
    await Promise.all(held.splice(0).map((client) => client.end()))
  },
}

/** The connections that wait for notifications are closed again and again. */
let closing: AbortController | undefined
const lostListen: Fault = {
  name: 'lost LISTEN',
  ms: 4_000,
  begin: async ({ database: { db } }) => {
    closing = new AbortController()
    const { signal } = closing
    void (async () => {
      for (; !signal.aborted; await sleep(200))
        await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and (application_name = 'tablinum control' or query ilike 'listen %')
        `.execute(db)
    })()
  },
  end: async () => closing?.abort(),
  check: async ({ server }) => {
    // A background job is started by a notification, or found by polling.
    const line = { databuilder_id: 'imported', entity_type: 'table', title: 'imported' }
    const integration = '01980000-0000-7000-8000-000000000001'
    const { address } = server
    const response = await fetch(`${address}/api/v1/integration/integrations/${integration}/import_jsonl_metadata/?background=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify(line)}\n`,
    })
    const { id } = (await response.json()) as { id: string }
    for (let i = 0; i < 300; i += 1) {
      const { body } = await server.call('GET', `/background_jobs/${id}`)
      if (body.completed) return body.failed ? [`the import failed: ${body.logs}`] : []
      await sleep(200)
    }
    return ['a background job did not run']
  },
}

/** The clock of the server is a day ahead, then a day behind. */
const LIBRARY = '/usr/lib/*/faketime/libfaketime.so.1'
const clockFile = (folder: string) => join(folder, 'clock')
const clock: Fault = {
  name: 'clock jumps',
  ms: 2_000,
  unavailable: () => findMissingPrograms({ programs: ['faketime'], packages: ['faketime'] }),
  prepare: async ({ file }) => {
    await writeFile(clockFile(file('.')), '+0')
    const [library] = globSync(LIBRARY)
    if (!library) throw new Error('libfaketime.so.1 was not found.')
    return {
      env: {
        ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: clockFile(file('.')), FAKETIME_NO_CACHE: '1' },
        ...{ DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
      },
    }
  },
  begin: ({ folder }, round) => writeFile(clockFile(folder), round % 2 === 0 ? '+1d' : '-1d'),
  end: ({ folder }) => writeFile(clockFile(folder), '+0'),
}

/** The database is in a tablespace on a small file system of its own. The write-ahead log is elsewhere: without space for it, Postgres stops. */
const SIZE_MB = 96
const smallFolder = (folder: string) => join(folder, 'small')
const full: Fault = {
  name: 'disk full',
  ms: 3_000,
  unavailable: canMount,
  prepare: async ({ url, file, folder }) => {
    const small = smallFolder(file('.'))
    await mkdir(small)
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', small])
    const { uid, gid } = await stat(join(folder, 'data'))
    await mkdir(join(small, 'data'))
    await chown(join(small, 'data'), uid, gid)
    await runOn(url, `create tablespace small location '${join(small, 'data')}'`)
    return { tablespace: 'small' }
  },
  begin: async ({ folder }) => fill(join(smallFolder(folder), 'ballast')),
  end: ({ folder }) => rm(join(smallFolder(folder), 'ballast'), { force: true }),
  cleanUp: async ({ url, file }) => {
    await runOn(url, 'drop tablespace small')
    await run('umount', [smallFolder(file('.'))])
  },
}

async function canMount(): Promise<string | undefined> {
  const unshared = await run('sh', ['-c', 'd=$(mktemp -d) && mount -t tmpfs -o size=1m tmpfs "$d" && umount "$d" && rmdir "$d"']).then(
    () => undefined,
    (error: { stderr: string }) => error.stderr.trim(),
  )
  return unshared === undefined ? undefined : `A small file system cannot be mounted: ${unshared}`
}

/** Writes until nothing fits any more. */
const fill = async (file: string): Promise<void> => {
  const handle = await open(file, 'w')
  try {
    for (;;) await handle.write(Buffer.alloc(64 * 1024, 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await handle.close()
  }
}

export const FAULTS: readonly Fault[] = [readOnly, hung, slow, refused, exhausted, lostListen, clock, full]
