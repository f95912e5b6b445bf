import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { bootstrap } from './access/bootstrap.ts'
import { SYSTEM } from './access/permissions.ts'
import { writeSessionUse } from './access/sessions.ts'
import { writeTokenUse } from './access/token-use.ts'
import { makeApp } from './app.ts'
import type { Config } from './config.ts'
import { connectionBudget, type FitSettings, fitPools, type PoolSizes, poolSizesOf } from './connection-budget.ts'
import type { Context } from './context.ts'
import type { Embedded } from './db/embedded.ts'
import { migrate, readMigrations } from './db/migrate.ts'
import { settleRestored } from './db/restored.ts'
import { findConnectionLimit, findPoolerRoom, refuseTransactionPooling, ServerLimitError } from './db/server-limits.ts'
import { waitForServer } from './db/wait.ts'
import { reachDemo } from './demo/reach.ts'
import { makeDemo } from './demo/seed.ts'
import { Refusal } from './errors.ts'
import { renewSecrets } from './integrations/vault.ts'
import { startMore } from './more-processes.ts'
import { startNotifier } from './notify/run.ts'
import { renewWebhookSecrets } from './notify/webhooks/secrets.ts'
import { queueConnections } from './queue/classes.ts'
import { migrateQueue, startWorker } from './queue/worker.ts'
import { tidySearch } from './resources/tidy.ts'
import { writeViews } from './resources/views.ts'
import { createRuntime } from './runtime.ts'
import { linkOf } from './sessions/invite.ts'
import { newSetupCode } from './sessions/setup.ts'
import { CLOCK, JOBS, tasksOf, workerClasses } from './tasks.ts'
import { makeWorkerApp } from './worker-app.ts'

export interface Running {
  /** URL of the API; a standalone worker has none. */
  readonly address?: string
  /** URL of a standalone worker's health checks and metrics, if it has a port for them. */
  readonly metricsAddress?: string
  /** The command that opens the embedded Postgres with psql. */
  readonly psql?: string
  /** The catalog has no resources yet. */
  readonly empty: boolean
  /** The admin's first token, if this start created it. */
  readonly token?: string
  /** One-time link for the first admin's password; set until an admin has a password. */
  readonly setupLink?: string
  readonly ctx: () => Context
  /** Stops accepting requests and tasks, waits for the running ones, flushes counters, and closes the database connections. */
  stop(): Promise<void>
}

const WRITE_DOWN_EVERY_MS = 3_000

/** Starts everything in dependency order; `stop` stops it in reverse. Without `databaseUrl`, `embedded` is the Postgres that is starting. */
export const start = async (given: Config, log: (line: string) => void, embedded?: Promise<Embedded>): Promise<Running> => {
  await using undo = new AsyncDisposableStack()
  const bundled = given.databaseUrl ? undefined : undo.use((await embedded)!)
  const url = given.databaseUrl ?? bundled!.url
  const config = given.databaseUrl && !given.sharePort ? { ...given, pools: await checkServer(url, given, log) } : given
  const runtime = undo.use(createRuntime(url, config))
  const database = runtime.databases.background
  await migrate(database.db, await readMigrations())
  await settleRestored(database.db)
  await migrateQueue(url)
  const { workspace_id, token, revoked } = await bootstrap(database.db, config.adminToken, new Date())
  if (revoked) log('  Warning: TABLINUM_ADMIN_TOKEN has been revoked and cannot be used. Set a different token.')
  await runtime.control.start()

  const app = config.role === 'worker' ? await makeWorkerApp(runtime, config) : await makeApp({ runtime, workspace_id, config })
  const ctx = (): Context => ({ db: database.db, runtime, workspace_id, actor: SYSTEM, now: new Date(), limits: {} })
  const unreadable = await renewSecrets(ctx())
  if (unreadable) log(unreadable)
  const unreadableWebhooks = await renewWebhookSecrets(ctx())
  if (unreadableWebhooks) log(unreadableWebhooks)
  if (config.demo) await makeDemo(ctx(), log).catch(logRefusal(log))
  if (!config.sharePort) await reachDemo(ctx(), log)
  if (config.role !== 'web') {
    const onError = (error: unknown, what: string) => app.log.error({ err: error }, what)
    const onWarning = (message: string, details: object) => app.log.warn(details, message)
    const onStep = (step: string, seconds: number) => app.log.info({ step, seconds }, 'housekeeping step')
    const metrics = runtime.backgroundMetrics
    const tasks = tasksOf(ctx, JOBS, { metrics, onError, onStep })
    const worker = await startWorker({
      database,
      classes: workerClasses(tasks, config.workers),
      clock: CLOCK,
      metrics,
      onError,
      onWarning,
    })
    undo.defer(() => worker.stop())
    undo.use(everySoOften('search lists', () => tidySearch(ctx()), app.log))
    const notifier = startNotifier(ctx, config, onError)
    undo.defer(() => notifier.stop())
  }
  if (config.role !== 'worker') {
    undo.use(everySoOften('views', (last) => writeViews(ctx(), { last }), app.log))
    undo.use(everySoOften('token use', () => writeTokenUse(ctx()), app.log))
    undo.use(everySoOften('session use', () => writeSessionUse(ctx()), app.log))
  }
  undo.defer(() => app.close())
  const address = config.role === 'worker' ? undefined : await listen(app, config)
  const metricsAddress =
    config.role === 'worker' && config.metricsPort !== undefined
      ? await app.listen({ host: config.host, port: config.metricsPort })
      : undefined
  if (address && config.processes > 1) {
    const shared = { databaseUrl: url, pools: config.pools, host: config.host, port: Number(new URL(address).port) }
    undo.use(startMore(config.processes - 1, shared, log))
  }
  const setupCode = address && !config.sharePort ? await newSetupCode(ctx()) : undefined
  const setupLink = setupCode && linkOf(config.publicUrl ?? address!, setupCode)
  const empty = (await database.db.selectFrom('resources').select('id').limit(1).executeTakeFirst()) === undefined
  const everything = undo.move()
  return {
    address,
    metricsAddress,
    empty,
    token,
    setupLink,
    psql: bundled?.psql,
    ctx,
    stop: () => everything.disposeAsync(),
  }
}

/**
 * An external server must keep a session for the lifetime of its connection and allow as many connections as this start may open. Returns
 * the pool sizes that fit: a pooler often allows fewer connections than Postgres itself.
 */
const checkServer = async (url: string, config: Config, log: (line: string) => void): Promise<PoolSizes> => {
  await waitForServer(url, { log })
  const isPooled = await refuseTransactionPooling(url)
  const settings = { ...config, queue: queueConnections(config.workers) }
  const pools = isPooled ? await fitPooler(url, settings, log) : config.pools
  const wanted = connectionBudget({ ...settings, pools })
  const limit = await findConnectionLimit(url)
  if (wanted > limit)
    throw new ServerLimitError(
      `Tablinum may open up to ${wanted} database connections, but the server allows ${limit}. Lower TABLINUM_POOL, TABLINUM_BACKGROUND_POOL, TABLINUM_TRANSFER_POOL or --processes, or raise max_connections.`,
    )
  return pools
}

const fitPooler = async (url: string, settings: FitSettings, log: (line: string) => void): Promise<PoolSizes> => {
  const wanted = connectionBudget(settings)
  const room = await findPoolerRoom(url, wanted)
  if (room === wanted) return settings.pools
  const pools = fitPools(settings, room)
  const fitted = connectionBudget({ ...settings, pools })
  const { request, background, transfer } = poolSizesOf(settings.role, pools)
  log(
    fitted <= room
      ? `DATABASE_URL points to a connection pooler with ${room} connections, so Tablinum opens at most ${fitted}: ${request} for requests, ${background} for background work, ${transfer} for exports and imports. Set default_pool_size = ${wanted} in PgBouncer to use ${wanted}.`
      : `Warning: DATABASE_URL points to a connection pooler with ${room} connections, but Tablinum may open ${fitted}. Raise default_pool_size in PgBouncer to ${wanted}, or lower TABLINUM_POOL, TABLINUM_BACKGROUND_POOL, TABLINUM_TRANSFER_POOL or --processes. Until then, requests may wait and fail under load.`,
  )
  return pools
}

/** A failure of the demo does not prevent the start. */
const logRefusal = (log: (line: string) => void) => (error: unknown) => {
  if (!(error instanceof Refusal)) throw error
  log(error.message)
}

const listen = (app: FastifyInstance, { host, port, processes, sharePort }: Config): Promise<string> =>
  app.listen({ host, port, ...(processes > 1 || sharePort ? { reusePort: true } : {}) })

/** Runs `work` every few seconds, never concurrently, and a last time when disposed. */
const everySoOften = (what: string, work: (last: boolean) => Promise<void>, log: FastifyBaseLogger): AsyncDisposable => {
  let under_way = Promise.resolve()
  const again = (last = false) => {
    under_way = under_way.then(() => work(last)).catch((error) => log.warn({ err: error }, what))
  }
  const timer = setInterval(again, WRITE_DOWN_EVERY_MS)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      again(true)
      await under_way
    },
  }
}
