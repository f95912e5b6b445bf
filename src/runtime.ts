import { TokenCallers } from './access/callers.ts'
import { SessionCallers } from './access/sessions.ts'
import type { Cache } from './cache.ts'
import { type PoolSizes, poolSizesOf, type Role } from './connection-budget.ts'
import { connect, type Database } from './db/connect.ts'
import { ControlConnection, type ControlTiming } from './db/control.ts'
import { RowVersions } from './db/row-versions.ts'
import { EventStreamLimit } from './http/event-stream.ts'
import { TokenGuesses } from './http/token-guesses.ts'
import { Keyring } from './integrations/keyring.ts'
import { Ways } from './integrations/ways.ts'
import { SqlThreads } from './lineage/engine.ts'
import { CountCache } from './lists/count.ts'
import { ModelCache } from './monitors/learn.ts'
import { DeliveryCounts } from './notify/metrics.ts'
import { BackgroundMetrics } from './queue/metrics.ts'
import { TermFrequencies } from './resources/frequency.ts'
import { ResultCache } from './resources/known.ts'
import { PageRequests } from './resources/list.ts'
import { RecordCache } from './resources/record-cache.ts'
import { ViewCounts } from './resources/views.ts'
import { SqlDefects } from './sql-defects.ts'
import { Hub } from './ui/hub.ts'

/** Settings that decide how much a process may take. */
export interface RuntimeConfig {
  readonly role?: Role
  readonly requestTimeoutMs?: number
  readonly pools?: Partial<PoolSizes>
  readonly cacheBytes?: number
  /** How soon an unused connection is closed. */
  readonly idleTimeoutMs?: number
  /** How soon a server that has become silent is noticed. */
  readonly controlTiming?: ControlTiming
  readonly filesFolder?: string
  readonly sourceAllow?: readonly string[]
  readonly secretKeys?: readonly string[]
  readonly dataFolder?: string
}

/**
 * Everything a process owns, each with its limit. Built once (start.ts, or a test), passed on in the context; nothing else in the process
 * opens a pool, keeps a cache or starts a thread.
 */
export interface Runtime extends AsyncDisposable {
  /** Pools of connections to our own database, by purpose. */
  readonly databases: {
    /** Requests: statements end after the request's time limit. */
    readonly request: Database
    /** Tasks and housekeeping: statements may take minutes. */
    readonly background: Database
    /** Imports, exports and other long reads, so that nobody waits behind them. */
    readonly transfer: Database
  }
  /** One connection for notifications and for ending abandoned statements. */
  readonly control: ControlConnection
  readonly caches: {
    readonly records: RecordCache
    readonly results: ResultCache
    readonly counts: CountCache
    readonly tokenCallers: TokenCallers
    readonly sessionCallers: SessionCallers
    readonly models: ModelCache
    readonly termFrequencies: TermFrequencies
  }
  /** Lookups that many requests make at once, in one statement. */
  readonly rowVersions: RowVersions
  /** Pages asked for at the same moment are read once. */
  readonly pageRequests: PageRequests
  /** Uses noted in memory and written every few seconds. */
  readonly usage: { readonly views: ViewCounts; readonly tokens: Map<string, Date>; readonly sessions: Map<string, Date> }
  readonly keyring: Keyring
  /** Where file sources are; undefined: there are none. */
  readonly filesFolder: string | undefined
  /** Hosts that files of sources may be fetched from besides the open internet. */
  readonly sourceAllow: readonly string[]
  /** Connections to sources, at most three for each integration. */
  readonly sources: Ways
  /** Threads that parse long SQL, at most two. */
  readonly sqlThreads: SqlThreads
  /** Open event streams; each is ended by its function when the server stops. */
  readonly streams: Set<() => void>
  /** At most 50 event streams a user and 5,000 in the process. */
  readonly eventStreamLimit: EventStreamLimit
  /** Unknown tokens by network, at most 100 a minute; 10,000 networks are remembered. */
  readonly tokenGuesses: TokenGuesses
  /** Texts on which the SQL engine failed, by dialect. */
  readonly sqlDefects: SqlDefects
  readonly hub: Hub
  readonly deliveries: DeliveryCounts
  readonly backgroundMetrics: BackgroundMetrics
  /** Forgets everything cached from the database: what comes back after a loss may be another server, or a restored one. */
  forgetCaches(): void
}

/** The setting's bytes, divided among the caches. */
const SHARES = { records: 0.25, results: 0.125, counts: 0.05, tokenCallers: 0.0375, sessionCallers: 0.0375, models: 0.5 } as const
const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024

export const createRuntime = (url: string, config: RuntimeConfig = {}): Runtime => {
  const { requestTimeoutMs = 30_000, cacheBytes = DEFAULT_CACHE_BYTES } = config
  const sizes = poolSizesOf(config.role ?? 'all', config.pools)
  const bytes = (cache: keyof typeof SHARES) => Math.floor(cacheBytes * SHARES[cache])

  const onLost = () => runtime.forgetCaches()
  const onControlLost = () => {
    onLost()
    for (const { pool } of Object.values(databases)) pool.renew() // they may lead to a server that is gone, without knowing it yet
  }
  const control = new ControlConnection(url, onControlLost, config.controlTiming)
  const cancel = (pid: number) => control.cancel(pid)
  const shared = { onLost, cancel, idleTimeoutMs: config.idleTimeoutMs }
  const databases = {
    request: connect(url, {
      ...shared,
      name: 'tablinum',
      poolSize: sizes.request,
      statementTimeoutMs: requestTimeoutMs,
      acquireTimeoutMs: requestTimeoutMs,
      answerTimeoutMs: requestTimeoutMs + ANSWER_GRACE_MS,
    }),
    background: connect(url, {
      ...shared,
      name: 'tablinum background',
      poolSize: sizes.background,
      statementTimeoutMs: BACKGROUND_STATEMENT_MS,
    }),
    transfer: connect(url, { ...shared, name: 'tablinum transfer', poolSize: sizes.transfer, statementTimeoutMs: 0 }),
  }
  const rowVersions = new RowVersions(databases.request.db)
  const caches: Runtime['caches'] = {
    records: new RecordCache(bytes('records')),
    results: new ResultCache(bytes('results')),
    counts: new CountCache(bytes('counts')),
    tokenCallers: new TokenCallers(databases.request.db, rowVersions, bytes('tokenCallers')),
    sessionCallers: new SessionCallers(databases.request.db, rowVersions, bytes('sessionCallers')),
    models: new ModelCache(bytes('models')),
    termFrequencies: new TermFrequencies(),
  }
  const sources = new Ways()
  const sqlThreads = new SqlThreads()
  const runtime: Runtime = {
    databases,
    control,
    caches,
    rowVersions,
    pageRequests: new PageRequests(),
    usage: { views: new ViewCounts(), tokens: new Map(), sessions: new Map() },
    keyring: new Keyring(config),
    filesFolder: config.filesFolder,
    sourceAllow: config.sourceAllow ?? [],
    sources,
    sqlThreads,
    streams: new Set(),
    eventStreamLimit: new EventStreamLimit(),
    tokenGuesses: new TokenGuesses(),
    sqlDefects: new SqlDefects(),
    hub: new Hub(),
    deliveries: new DeliveryCounts(),
    backgroundMetrics: new BackgroundMetrics(),
    forgetCaches: () => {
      for (const cache of Object.values(caches)) cache.clear()
    },
    [Symbol.asyncDispose]: async () => {
      await sources.close()
      sqlThreads.close()
      await control.close()
      for (const database of Object.values(databases)) await database.close()
    },
  }
  return runtime
}

/** After a statement's time limit the server says so within this time, or it is gone. */
const ANSWER_GRACE_MS = 5_000

/** A step of housekeeping or of a sync that takes longer is stuck. */
const BACKGROUND_STATEMENT_MS = 10 * 60_000

/** The caches whose size is limited, for /metrics. */
export const sizedCaches = ({ caches }: Runtime): [name: string, counts: ReturnType<Cache<object>['counts']>][] => [
  ['records', caches.records.counts()],
  ['results', caches.results.counts()],
  ['counts', caches.counts.counts()],
  ['token_callers', caches.tokenCallers.counts()],
  ['session_callers', caches.sessionCallers.counts()],
  ['models', caches.models.counts()],
]
