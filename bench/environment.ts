import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { bootstrapWorkspace } from '../src/accounts/users/bootstrap.ts'
import { createRuntime } from '../src/app/runtime.ts'
import { createResources } from '../src/catalog/resources/create.ts'
import type { Context } from '../src/platform/context/context.ts'
import { connect, type Database } from '../src/platform/db/connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/platform/db/embedded/embedded.ts'
import { prepareDatabase, readMigrations } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { multiplyCatalog } from './copies.ts'
import { corpus } from './corpus.ts'
import { measureCpu, measureDatabaseCpu } from './cpu.ts'

/** The environment of every benchmark: a separate Postgres with a loaded catalog, kept between runs in `.data/bench`. */
export const SIZE = Number(process.env.BENCH_SIZE ?? 1_000_000)
export const nameOf = (size: number): string => `bench_${size}`
export const NAME = nameOf(SIZE)
export const TOKEN = 'tbl_benchmark_token'
const BATCH = 2_000
const FOLDER = resolve('.data/bench')

export interface BenchEnvironment extends AsyncDisposable {
  readonly url: string
  readonly database: Database
  readonly ctx: Context
  /** Of Postgres: elsewhere, if its account cannot enter the checkout. */
  readonly dataFolder: string
  /** Seconds to copy the finished rows into a table without indexes, triggers or history. */
  copyBare(): Promise<number>
  /** Set when this run loaded the catalog. */
  readonly loaded?: { readonly seconds: number; readonly resources: number; readonly cpuSeconds: number }
}

export const openBenchEnvironment = async ({ fresh = false } = {}): Promise<BenchEnvironment> => {
  const server = await startBenchPostgres()
  const catalog = await openBenchCatalog(server.url, SIZE, fresh)
  return {
    ...catalog,
    [Symbol.asyncDispose]: async () => {
      await catalog[Symbol.asyncDispose]()
      await server.stop()
    },
  }
}

export const startBenchPostgres = async (): Promise<EmbeddedPostgres> => {
  await mkdir(FOLDER, { recursive: true })
  return startEmbeddedPostgres({
    dataFolder: FOLDER,
    // Connections for two server processes and the twenty clients of pgbench.
    settings: { shared_buffers: '1GB', maintenance_work_mem: '256MB', max_wal_size: '8GB', max_connections: '150' },
    log: console.error,
  })
}

/** The catalog of this size, loaded if it is not there yet. Several sizes can be open at the same time. */
export const openBenchCatalog = async (serverUrl: string, size: number, fresh = false): Promise<BenchEnvironment> => {
  const name = nameOf(size)
  const admin = connect(serverUrl, { poolSize: 1, statementTimeoutMs: 3_600_000 })
  if (fresh || !(await isComplete(name))) await sql.raw(`drop database if exists ${name} with (force)`).execute(admin.db)
  const { rows } = await sql`select from pg_database where datname = ${name}`.execute(admin.db)
  const copied = size > MAX_LOADED && (await isComplete(nameOf(MAX_LOADED)))
  if (rows.length === 0)
    await sql.raw(`create database ${name} ${copied ? `template ${nameOf(MAX_LOADED)} strategy file_copy` : ''}`).execute(admin.db)
  await admin.close()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const database = connect(url.href, { statementTimeoutMs: 3_600_000 })
  await prepareDatabase(database.db)
  await migrateQueue(url.href)
  const { workspace_id } = await bootstrapWorkspace(database.db, TOKEN, new Date())
  const ctx: Context = { db: database.db, runtime: createRuntime(url.href), workspace_id, actor: SYSTEM, now: new Date(), limits: {} }
  const loaded = rows.length === 0 ? await load(ctx, size, copied) : undefined
  if (loaded) await writeFile(join(FOLDER, `${name}.whole`), await fingerprint())
  await markChangesProcessed(ctx)
  // Indexes that a server builds in the background.
  await sql`select finish_background_migration(name) from background_migrations where finished_at is null`.execute(database.db)
  const { rows: settings } = await sql<{ data_directory: string }>`show data_directory`.execute(database.db)
  return {
    url: url.href,
    database,
    ctx,
    dataFolder: settings[0]!.data_directory,
    loaded,
    copyBare: async () => {
      const begin = performance.now()
      await sql`create table bare as select * from resources`.execute(database.db)
      const seconds = (performance.now() - begin) / 1000
      await sql`drop table bare`.execute(database.db)
      return seconds
    },
    [Symbol.asyncDispose]: () => database.close(),
  }
}

/** More resources than this are copies of these. Loading fewer takes less time: a copy costs a tenth of what the product's functions take. */
const MAX_LOADED = Number(process.env.BENCH_ORIGINALS ?? 1_000_000)

/** Loads the catalog with the product's bulk function, including history. Nothing is loaded again if the originals of all copies are there. */
const load = async (ctx: Context, size: number, copied: boolean) => {
  let resources = 0
  const cpuBefore = measureCpu(process.pid)
  const start = performance.now()
  for (const level of copied ? [] : corpus(Math.min(size, MAX_LOADED))) {
    // Two writers keep both cores busy: one waits for Postgres while the other builds rows.
    const batches = Array.from({ length: Math.ceil(level.length / BATCH) }, (_, i) => level.slice(i * BATCH, (i + 1) * BATCH))
    const writer = async () => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) {
        await createResources(ctx, batch)
        resources += batch.length
        if (resources % 100_000 < BATCH)
          console.error(`  ${resources.toLocaleString('en')} resources, ${Math.round((performance.now() - start) / 1000)} s`)
      }
    }
    await Promise.all([writer(), writer()])
  }
  const seconds = (performance.now() - start) / 1000
  const cpuSeconds = measureCpu(process.pid) - cpuBefore + measureDatabaseCpu(nameOf(size))
  if (size > MAX_LOADED) await multiplyCatalog(ctx.db, Math.round(size / MAX_LOADED))
  await sql`vacuum analyze`.execute(ctx.db)
  return { seconds, resources, cpuSeconds }
}

/**
 * Marks all earlier changes as processed. Otherwise a server started after a write benchmark would process notifications for minutes and use
 * half a core during the measurement.
 */
export const markChangesProcessed = async ({ db }: Context): Promise<void> => {
  await sql`update follower_positions set seen = pg_current_snapshot()::text, target = null, at_xid = null, at_id = null`.execute(db)
}

/** False for a partly loaded database or one with other migrations, which is then loaded again. */
const isComplete = async (name: string): Promise<boolean> =>
  (await readFile(join(FOLDER, `${name}.whole`), 'utf8').catch(() => '')) === (await fingerprint())

const fingerprint = async (): Promise<string> =>
  createHash('sha256')
    .update(JSON.stringify(await readMigrations()))
    .digest('hex')
