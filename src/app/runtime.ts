import { join } from 'node:path'
import type { Registry } from 'prom-client'
import { RunningAnswers } from '../assistant/conversations/running-answers.ts'
import { ViewCounts } from '../catalog/engagement/page-views.ts'
import { PageRequests } from '../catalog/listing/list.ts'
import { ResultCache } from '../catalog/listing/result-cache.ts'
import { RecordCache } from '../catalog/records/record-cache.ts'
import { EditGroups } from '../catalog/resources/edit-groups.ts'
import { TermFrequencies } from '../catalog/search-index/term-frequencies.ts'
import { EmbeddingsClient } from '../catalog/search-vectors/embeddings-client.ts'
import { EngineDefectCounter } from '../lineage/queries/engine-defects.ts'
import { SqlParserPool } from '../lineage/queries/parser-pool.ts'
import { DeliveryCounts } from '../notifications/outbox/delivery-metrics.ts'
import { ModelCache } from '../observability/evaluation/models.ts'
import { resolveIncidentsOfDeletedResources } from '../observability/incidents/resolve-incidents-of-deleted.ts'
import { SessionAuthCache } from '../platform/authentication/session-callers.ts'
import { TokenAuthCache } from '../platform/authentication/token-callers.ts'
import type { EmbeddingsConfig } from '../platform/config/config.ts'
import { getPoolSizes, type PoolSizes, type ProcessRole } from '../platform/config/connection-budget.ts'
import type { Runtime } from '../platform/context/runtime.ts'
import { Slots } from '../platform/core/slots.ts'
import { connect } from '../platform/db/connect.ts'
import { ControlConnection, type ControlTiming } from '../platform/db/control.ts'
import { Replicas } from '../platform/db/replicas.ts'
import { RowVersions } from '../platform/db/row-versions.ts'
import { EventStreamLimit } from '../platform/http/event-stream.ts'
import { InvalidTokenLimiter } from '../platform/http/invalid-token-limiter.ts'
import { RequestMetrics } from '../platform/http/metrics.ts'
import { CountCache } from '../platform/lists/count.ts'
import { BackgroundMetrics } from '../platform/queue/metrics.ts'
import { MonitorPriority } from '../platform/queue/monitor-priority.ts'
import { Keyring } from '../platform/secrets/keyring.ts'
import type { SpanCounts } from '../platform/tracing/spans.ts'
import { Drivers, type DriversConfig } from '../sources/drivers/drivers.ts'
import type { NpmSettings } from '../sources/drivers/npm.ts'
import { SourceConnectionPool } from '../sources/integrations/source-connection-pool.ts'
import { EventGroups } from '../sources/openlineage/event-groups.ts'
import { KnownReports } from '../sources/openlineage/known-reports.ts'
import { EventBroadcaster } from '../web-api/pages/event-broadcaster.ts'
import { PagePreviews } from '../web-api/sharing/page-previews.ts'
import { createMetricsRegistry } from './runtime-metrics.ts'

/** Settings that limit the resources of a process. */
export interface RuntimeConfig {
  readonly role?: ProcessRole
  readonly requestTimeoutMs?: number
  readonly pools?: Partial<PoolSizes>
  readonly replicaUrls?: readonly string[]
  readonly cacheBytes?: number
  /** Unused connections are closed after this time. */
  readonly idleTimeoutMs?: number
  /** How soon an unresponsive server is detected. */
  readonly controlTiming?: ControlTiming
  readonly filesFolder?: string
  readonly backupsFolder?: string
  readonly sourceAllow?: readonly string[]
  readonly webhookAllow?: readonly string[]
  readonly connectorPrograms?: ReadonlyMap<string, readonly string[]>
  readonly secretKeys?: readonly string[]
  readonly dataFolder?: string
  readonly embeddings?: EmbeddingsConfig
  readonly driverInstall?: boolean
  readonly npm?: NpmSettings
  /** In place of those of this installation. */
  readonly drivers?: DriversConfig
  /** Set if spans are recorded. */
  readonly tracing?: SpanCounts
}

/** Each cache's share of the configured bytes. */
const CACHE_SHARES = { records: 0.25, results: 0.125, counts: 0.05, tokenCallers: 0.0375, sessionCallers: 0.0375, models: 0.5 } as const
const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024

export const createRuntime = (url: string, config: RuntimeConfig = {}): Runtime => {
  const { requestTimeoutMs = 30_000, cacheBytes = DEFAULT_CACHE_BYTES } = config
  const sizes = getPoolSizes(config.role ?? 'all', config.pools)
  const bytes = (cache: keyof typeof CACHE_SHARES) => Math.floor(cacheBytes * CACHE_SHARES[cache])

  const onLost = () => runtime.clearCaches()
  const onControlLost = () => {
    onLost()
    for (const { pool } of Object.values(databases)) pool.renew() // they may still point to a server that is down
  }
  const control = new ControlConnection(url, onControlLost, config.controlTiming)
  const cancel = (pid: number) => control.cancel(pid)
  const traced = config.tracing !== undefined
  const shared = { onLost, cancel, idleTimeoutMs: config.idleTimeoutMs, traced }
  const databases = {
    request: connect(url, {
      ...shared,
      name: 'tablinum',
      poolSize: sizes.request,
      statementTimeoutMs: requestTimeoutMs,
      acquireTimeoutMs: requestTimeoutMs,
      answerTimeoutMs: requestTimeoutMs + RESPONSE_GRACE_MS,
    }),
    background: connect(url, {
      ...shared,
      name: 'tablinum background',
      poolSize: sizes.background,
      statementTimeoutMs: BACKGROUND_STATEMENT_MS,
    }),
    transfer: connect(url, { ...shared, name: 'tablinum transfer', poolSize: sizes.transfer, statementTimeoutMs: 0 }),
  }
  const replicas = new Replicas(config.role === 'worker' ? [] : (config.replicaUrls ?? []), databases.request, {
    poolSize: sizes.request,
    transferPoolSize: sizes.transfer,
    statementTimeoutMs: requestTimeoutMs,
    answerTimeoutMs: requestTimeoutMs + RESPONSE_GRACE_MS,
    idleTimeoutMs: config.idleTimeoutMs,
    traced,
  })
  const rowVersions = new RowVersions(databases.request.db)
  const caches: Runtime['caches'] = {
    records: new RecordCache(bytes('records')),
    results: new ResultCache(bytes('results')),
    counts: new CountCache(bytes('counts')),
    tokenCallers: new TokenAuthCache(databases.request.db, rowVersions, bytes('tokenCallers')),
    sessionCallers: new SessionAuthCache(databases.request.db, rowVersions, bytes('sessionCallers')),
    models: new ModelCache(bytes('models')),
    termFrequencies: new TermFrequencies(),
  }
  const sources = new SourceConnectionPool()
  const sqlThreads = new SqlParserPool()
  let metrics: Registry | undefined
  const runtime: Runtime = {
    databases,
    replicas,
    control,
    caches,
    rowVersions,
    pageRequests: new PageRequests(),
    pagePreviews: new PagePreviews(),
    editGroups: new EditGroups(databases.request.db),
    beforeDeletion: [resolveIncidentsOfDeletedResources],
    usage: { views: new ViewCounts(), tokens: new Map(), sessions: new Map() },
    keyring: new Keyring(config),
    filesFolder: config.filesFolder,
    backupsFolder: config.backupsFolder,
    sourceAllow: config.sourceAllow ?? [],
    webhookAllow: config.webhookAllow ?? [],
    connectorPrograms: config.connectorPrograms ?? new Map(),
    embeddings: config.embeddings && new EmbeddingsClient(config.embeddings),
    sources,
    eventGroups: new EventGroups(),
    knownReports: new KnownReports(),
    sqlThreads,
    fileThreads: new Slots(FILE_THREADS),
    drivers: new Drivers({
      folder: config.dataFolder && join(config.dataFolder, 'drivers'),
      allowed: config.driverInstall,
      npm: config.npm,
      ...config.drivers,
    }),
    answers: new RunningAnswers(),
    streams: new Set(),
    eventStreamLimit: new EventStreamLimit(),
    invalidTokenLimiter: new InvalidTokenLimiter(),
    engineDefects: new EngineDefectCounter(),
    eventBroadcaster: new EventBroadcaster(databases.request.db, control),
    deliveries: new DeliveryCounts(),
    backgroundMetrics: new BackgroundMetrics(),
    requestMetrics: new RequestMetrics(),
    get metrics() {
      metrics ??= createMetricsRegistry(runtime)
      return metrics
    },
    monitorPriority: new MonitorPriority(),
    tracing: config.tracing,
    clearCaches: () => {
      for (const cache of Object.values(caches)) cache.clear()
    },
    [Symbol.asyncDispose]: async () => {
      await sources.close()
      sqlThreads.close()
      await control.close()
      await replicas.close()
      for (const database of Object.values(databases)) await database.close()
    },
  }
  return runtime
}

/** A server that does not report a statement timeout within this time is treated as down. */
const RESPONSE_GRACE_MS = 5_000

const FILE_THREADS = { max: 2, maxWaiting: 10 }

/** A statement of housekeeping or of a sync that takes longer is considered stuck. */
const BACKGROUND_STATEMENT_MS = 10 * 60_000
