import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildInvitationLink } from '../accounts/sign-in/invite.ts'
import { newSetupCode } from '../accounts/sign-in/setup.ts'
import { bootstrapWorkspace } from '../accounts/users/bootstrap.ts'
import { resealModelKey } from '../assistant/settings/settings.ts'
import { flushViews } from '../catalog/engagement/page-views.ts'
import { flushSearchIndex } from '../catalog/search-index/flush-index.ts'
import { resealChannelSecrets } from '../notifications/channels/secrets.ts'
import { listChannels, startNotifier } from '../notifications/service/notifier.ts'
import { resealWebhookSecrets } from '../notifications/webhooks/secrets.ts'
import { storeChangedHealth } from '../observability/health/store-health.ts'
import { connectDemoSource } from '../operations/demo/connect-source.ts'
import { flushSessionUse } from '../platform/authentication/session-callers.ts'
import { flushTokenUse } from '../platform/authentication/token-use.ts'
import type { Config } from '../platform/config/config.ts'
import { computeConnectionBudget, type FitSettings, fitPools, getPoolSizes, type PoolSizes } from '../platform/config/connection-budget.ts'
import type { Context } from '../platform/context/context.ts'
import { ApiError } from '../platform/core/errors.ts'
import type { EmbeddedPostgres } from '../platform/db/embedded/embedded.ts'
import { prepareDatabase } from '../platform/db/migrate.ts'
import { repairRestoredTransactionIds } from '../platform/db/repair-restored.ts'
import { findConnectionLimit, measurePoolerCapacity, rejectTransactionPooling, ServerLimitError } from '../platform/db/server-limits.ts'
import { waitForServer } from '../platform/db/wait-for-server.ts'
import { SYSTEM } from '../platform/permissions/permissions.ts'
import { queueConnections } from '../platform/queue/classes.ts'
import { traceTasks } from '../platform/queue/trace-tasks.ts'
import { migrateQueue, startWorker } from '../platform/queue/worker.ts'
import { resealServerSettings } from '../platform/server-settings/secrets.ts'
import { resealCredentials } from '../sources/integrations/vault.ts'
import { createApp } from './app.ts'
import { startExtraProcesses } from './extra-processes.ts'
import { createRuntime } from './runtime.ts'
import { buildTasks, JOB_HANDLERS, SCHEDULE, workerClasses } from './tasks.ts'
import { createWorkerApp } from './worker-app.ts'

export interface RunningServer {
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

const FLUSH_INTERVAL_MS = 3_000

const REPLICA_PROBLEMS = {
  away: 'it does not accept connections',
  behind: 'it is behind the primary',
  'not a replica': 'it is not in recovery',
  'another database': 'it is not a copy of the database at DATABASE_URL',
} as const

/** Starts everything in dependency order; `stop` stops it in reverse. Without `databaseUrl`, `embedded` is the Postgres that is starting. */
export const startServer = async (
  requested: Config,
  log: (line: string) => void,
  embedded?: Promise<EmbeddedPostgres>,
): Promise<RunningServer> => {
  await using undo = new AsyncDisposableStack()
  let warn = log // until there is a logger
  const tracing = requested.otlp && (await startTracing(requested.otlp, (message) => warn(message)))
  if (tracing) undo.defer(() => tracing.stop())
  const bundled = requested.databaseUrl ? undefined : undo.use((await embedded)!)
  const url = requested.databaseUrl ?? bundled!.url
  const config = requested.databaseUrl && !requested.sharePort ? { ...requested, pools: await checkServer(url, requested, log) } : requested
  const runtime = undo.use(createRuntime(url, { ...config, tracing: tracing?.counts }))
  const database = runtime.databases.background
  await prepareDatabase(database.db)
  await repairRestoredTransactionIds(database.db)
  await migrateQueue(url)
  const { workspace_id, token, revoked } = await bootstrapWorkspace(database.db, config.adminToken, new Date())
  if (revoked) log('  Warning: TABLINUM_ADMIN_TOKEN has been revoked and cannot be used. Set a different token.')
  await runtime.control.start()
  await runtime.replicas.start()
  for (const { name, problem } of runtime.replicas.all)
    if (problem) log(`  Warning: the replica ${name} is not used (${REPLICA_PROBLEMS[problem]}). It is checked every second.`)

  const app =
    config.role === 'worker'
      ? await createWorkerApp(runtime, config)
      : await createApp({ backend: { runtime, workspace_id, now: () => new Date() }, config })
  warn = (message) => app.log.warn(message)
  const ctx = (): Context => ({ db: database.db, runtime, workspace_id, actor: SYSTEM, now: new Date(), limits: {} })
  const unreadable = await resealCredentials(ctx())
  if (unreadable) log(unreadable)
  const unreadableWebhooks = await resealWebhookSecrets(ctx())
  if (unreadableWebhooks) log(unreadableWebhooks)
  const unreadableChannels = await resealChannelSecrets(ctx())
  if (unreadableChannels) log(unreadableChannels)
  const unreadableModelKey = await resealModelKey(ctx())
  if (unreadableModelKey) log(unreadableModelKey)
  const unreadableSettings = await resealServerSettings(ctx())
  if (unreadableSettings) log(unreadableSettings)
  if (config.demo) await (await import('../operations/demo/seed.ts')).seedDemo(ctx(), log).catch(logApiError(log))
  if (!config.sharePort) await connectDemoSource(ctx(), log)
  if (config.role !== 'web') {
    const onError = (error: unknown, what: string) => app.log.error({ err: error }, what)
    const onWarning = (message: string, details: object) => app.log.warn(details, message)
    const onStep = (step: string, seconds: number) => app.log.info({ step, seconds }, 'housekeeping step')
    const metrics = runtime.backgroundMetrics
    const onProgress = (message: string, details: object) => app.log.info(details, message)
    const stopping = new AbortController()
    const tasks = buildTasks(ctx, JOB_HANDLERS, {
      ...{ metrics, onError, onStep, onProgress, stopping: stopping.signal },
      listChannels: async () => (await listChannels(ctx(), config)).map(({ name }) => name),
    })
    const worker = await startWorker({
      database,
      classes: workerClasses(tasks, config.workers, tracing ? traceTasks : undefined),
      clock: SCHEDULE,
      metrics,
      onError,
      onWarning,
    })
    undo.defer(() => worker.stop())
    undo.use(runPeriodically('health', () => storeChangedHealth(ctx(), stopping.signal), app.log))
    undo.defer(() => stopping.abort())
    undo.use(runPeriodically('search lists', () => flushSearchIndex(ctx()), app.log))
    const notifier = startNotifier(ctx, config, onError)
    undo.defer(() => notifier.stop())
  }
  if (config.role !== 'worker') {
    undo.use(runPeriodically('views', (last) => flushViews(ctx(), { last }), app.log))
    undo.use(runPeriodically('token use', () => flushTokenUse(ctx()), app.log))
    undo.use(runPeriodically('session use', () => flushSessionUse(ctx()), app.log))
  }
  undo.defer(() => app.close())
  const address = config.role === 'worker' ? undefined : await listenOnPort(app, config)
  const metricsAddress =
    config.role === 'worker' && config.metricsPort !== undefined
      ? await app.listen({ host: config.host, port: config.metricsPort })
      : undefined
  if (address && config.processes > 1) {
    const shared = {
      databaseUrl: url,
      pools: config.pools,
      backupsFolder: config.backupsFolder,
      host: config.host,
      port: Number(new URL(address).port),
    }
    undo.use(startExtraProcesses(config.processes - 1, shared, log))
  }
  const setupCode = address && !config.sharePort ? await newSetupCode(ctx()) : undefined
  const setupLink = setupCode && buildInvitationLink(config.publicUrl ?? address!, setupCode)
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
  const isPooled = await rejectTransactionPooling(url)
  const settings = { ...config, queue: queueConnections(config.workers) }
  const pools = isPooled ? await fitPooler(url, settings, log) : config.pools
  const needed = computeConnectionBudget({ ...settings, pools })
  const limit = await findConnectionLimit(url)
  if (needed > limit)
    throw new ServerLimitError(
      `Tablinum may open up to ${needed} database connections, but the server allows ${limit}. Lower TABLINUM_POOL, TABLINUM_BACKGROUND_POOL, TABLINUM_TRANSFER_POOL or --processes, or raise max_connections.`,
    )
  return pools
}

const fitPooler = async (url: string, settings: FitSettings, log: (line: string) => void): Promise<PoolSizes> => {
  const needed = computeConnectionBudget(settings)
  const capacity = await measurePoolerCapacity(url, needed)
  if (capacity === needed) return settings.pools
  const pools = fitPools(settings, capacity)
  const fitted = computeConnectionBudget({ ...settings, pools })
  const { request, background, transfer } = getPoolSizes(settings.role, pools)
  log(
    fitted <= capacity
      ? `DATABASE_URL points to a connection pooler with ${capacity} connections, so Tablinum opens at most ${fitted}: ${request} for requests, ${background} for background work, ${transfer} for exports and imports. Set default_pool_size = ${needed} in PgBouncer to use ${needed}.`
      : `Warning: DATABASE_URL points to a connection pooler with ${capacity} connections, but Tablinum may open ${fitted}. Raise default_pool_size in PgBouncer to ${needed}, or lower TABLINUM_POOL, TABLINUM_BACKGROUND_POOL, TABLINUM_TRANSFER_POOL or --processes. Until then, requests may wait and fail under load.`,
  )
  return pools
}

/** The SDK is loaded only if it is needed. */
const startTracing = async (...args: Parameters<typeof import('../platform/tracing/start-tracing.ts').startTracing>) =>
  (await import('../platform/tracing/start-tracing.ts')).startTracing(...args)

/** A failure of the demo does not prevent the start. */
const logApiError = (log: (line: string) => void) => (error: unknown) => {
  if (!(error instanceof ApiError)) throw error
  log(error.message)
}

const listenOnPort = (app: FastifyInstance, { host, port, processes, sharePort }: Config): Promise<string> =>
  app.listen({ host, port, ...(processes > 1 || sharePort ? { reusePort: true } : {}) })

/** Runs `work` every few seconds, never concurrently, and a last time when disposed. */
const runPeriodically = (what: string, work: (last: boolean) => Promise<void>, log: FastifyBaseLogger): AsyncDisposable => {
  let running = Promise.resolve()
  const again = (last = false) => {
    running = running.then(() => work(last)).catch((error) => log.warn({ err: error }, what))
  }
  const timer = setInterval(again, FLUSH_INTERVAL_MS)
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      again(true)
      await running
    },
  }
}
