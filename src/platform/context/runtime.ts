import type { Database } from '../db/connect.ts'
import type { ControlConnection } from '../db/control.ts'
import type { Replicas } from '../db/replicas.ts'
import type { RowVersions } from '../db/row-versions.ts'

/** The caches of a process. Each module declares its own beside its class. */
// biome-ignore lint/suspicious/noEmptyInterface: modules add to it
export interface RuntimeCaches {}

/** Usage counted in memory and written every few seconds. */
export interface RuntimeUsage {
  readonly tokens: Map<string, Date>
  readonly sessions: Map<string, Date>
}

/**
 * All resources of a process. Created once (by start.ts or a test) and passed on in the context; nothing else in the process opens a pool, holds a
 * cache or starts a thread. A module that owns a resource declares its field beside its class (`declare module`), so that this file imports no
 * module above it. createRuntime in app/runtime.ts lists them all with their limits.
 */
export interface Runtime extends AsyncDisposable {
  /** Connection pools of Tablinum's own database, by purpose. */
  readonly databases: {
    /** Requests: statements time out with the request. */
    readonly request: Database
    /** Tasks and housekeeping: statements may take minutes. */
    readonly background: Database
    /** Imports, exports and other long reads, so that requests do not wait behind them. */
    readonly transfer: Database
  }
  /** Streaming replicas of the database that answer reads; none by default. */
  readonly replicas: Replicas
  /** One connection for notifications and for cancelling abandoned statements. */
  readonly control: ControlConnection
  readonly caches: RuntimeCaches
  /** Lookups of concurrent requests, combined into one statement. */
  readonly rowVersions: RowVersions
  readonly usage: RuntimeUsage
  /** Folder of file-based sources; undefined: they are disabled. */
  readonly filesFolder: string | undefined
  /** Folder of scheduled backups; undefined: there are none. */
  readonly backupsFolder: string | undefined
  /** Hosts from which files of sources may be fetched besides the public internet. */
  readonly sourceAllow: readonly string[]
  /** What webhooks, notification channels and language models may be called at besides the public internet. */
  readonly webhookAllow: readonly string[]
  /** The connectors the operator has registered: the program and its arguments, by name. */
  readonly connectorPrograms: ReadonlyMap<string, readonly string[]>
  /** Close functions of the open event streams, called when the server stops. */
  readonly streams: Set<() => void>
  /** Clears everything cached from the database: after a connection loss, the server may be a different or a restored one. */
  clearCaches(): void
}
