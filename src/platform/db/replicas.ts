import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Database } from './connect.ts'

export interface ReplicaOptions {
  readonly poolSize: number
  readonly transferPoolSize: number
  readonly statementTimeoutMs: number
  readonly answerTimeoutMs?: number
  readonly idleTimeoutMs?: number
  readonly traced?: boolean
}

/** Why a replica is left out; undefined: it is used. */
export type ReplicaProblem = 'away' | 'behind' | 'not a replica' | 'another database'

const CHECK_INTERVAL_MS = 1_000
/** How long a request waits for a replica that is a little behind: longer than replaying a commit takes, shorter than a person notices. */
const WAIT_MS = 100
const WAIT_STEP_MS = 5
const CHECK_TIMEOUT_MS = 2_000

interface State {
  readonly standby: boolean
  readonly cluster: string
  readonly replayed: number
}

/** One streaming replica: its pools, and how far it is known to be. */
export class Replica {
  /** Without user and password. */
  readonly name: string
  readonly request: Database
  readonly transfer: Database
  readonly #checks: Database
  #problem: ReplicaProblem | undefined = 'away' // until the first check
  #replayed = 0
  #checking: Promise<State> | undefined

  constructor(url: string, { poolSize, transferPoolSize, ...options }: ReplicaOptions) {
    const { host, pathname } = new URL(url)
    this.name = `${host}${pathname}`
    const shared = { idleTimeoutMs: options.idleTimeoutMs, cancel: (pid: number) => this.cancel(pid), onLost: () => this.leaveOut('away') }
    this.request = connect(url, { ...options, ...shared, name: 'tablinum replica', poolSize, acquireTimeoutMs: options.statementTimeoutMs })
    this.transfer = connect(url, { ...shared, name: 'tablinum replica transfer', poolSize: transferPoolSize, statementTimeoutMs: 0 })
    this.#checks = connect(url, {
      name: 'tablinum replica check',
      poolSize: 1,
      statementTimeoutMs: CHECK_TIMEOUT_MS,
      answerTimeoutMs: CHECK_TIMEOUT_MS,
      acquireTimeoutMs: CHECK_TIMEOUT_MS,
      idleTimeoutMs: options.idleTimeoutMs,
    })
  }

  get problem(): ReplicaProblem | undefined {
    return this.#problem
  }

  /** Bytes of the log that are known to be replayed. */
  get replayed(): number {
    return this.#replayed
  }

  /** Until a check finds that it is usable again. */
  leaveOut(problem: ReplicaProblem): void {
    this.#problem = problem
  }

  /** Cancels a statement on the replica, whose process IDs are not those of the primary. */
  async cancel(pid: number): Promise<void> {
    await sql`select pg_cancel_backend(${pid}::int)`.execute(this.#checks.db)
  }

  /** Whether it has replayed this position, or does so in a moment. */
  async reaches(position: number): Promise<boolean> {
    if (this.#replayed >= position) return true
    for (const giveUp = performance.now() + WAIT_MS; ; await sleep(WAIT_STEP_MS)) {
      if ((await this.#readState()).replayed >= position) return true
      if (performance.now() >= giveUp) return false
    }
  }

  /** Leaves it out or brings it back. `primary` is what the primary is at now. */
  async check(primary: { readonly cluster: string; readonly before: number }): Promise<void> {
    try {
      const { standby, cluster, replayed } = await this.#readState()
      if (cluster !== primary.cluster) this.#problem = 'another database'
      else if (!standby) this.#problem = 'not a replica'
      // It has to keep up: what the primary had a second ago is replayed.
      else this.#problem = replayed >= primary.before ? undefined : 'behind'
    } catch {
      this.#problem = 'away'
    }
  }

  /** Concurrent callers share a query; one that is running may have read its answer before the caller's moment, which is on the safe side. */
  #readState(): Promise<State> {
    this.#checking ??= readState(this.#checks)
      .then((state) => {
        this.#replayed = state.replayed
        return state
      })
      .finally(() => {
        this.#checking = undefined
      })
    return this.#checking
  }

  async close(): Promise<void> {
    for (const database of [this.request, this.transfer, this.#checks]) await database.close()
  }
}

const readState = async ({ db }: Database): Promise<State> => {
  const { rows } = await sql<State>`
    select pg_is_in_recovery() as standby, (select system_identifier from pg_control_system())::text || current_database() as cluster,
      coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::float8 as replayed`.execute(db)
  return rows[0]!
}

/** The streaming replicas of the database, and which of them may answer. See docs/decisions/0036-replicas.md. */
export class Replicas {
  readonly all: readonly Replica[]
  readonly #primary: Database
  #timer?: NodeJS.Timeout
  #next = 0
  /** What the primary had flushed at the last check. */
  position = 0
  /** Requests by who answered, for /metrics. */
  readonly answers = { replica: 0, primary: 0, retried: 0 }

  constructor(urls: readonly string[], primary: Database, options: ReplicaOptions) {
    this.#primary = primary
    this.all = urls.map((url) => new Replica(url, options))
  }

  /** Checks all now and every second. */
  async start(): Promise<void> {
    if (this.all.length === 0) return
    await this.check()
    let checking = false
    this.#timer = setInterval(async () => {
      if (checking) return
      checking = true
      await this.check()
      checking = false
    }, CHECK_INTERVAL_MS).unref()
  }

  async check(): Promise<void> {
    try {
      const { rows } = await sql<{ cluster: string; position: number }>`
        select (select system_identifier from pg_control_system())::text || current_database() as cluster,
          pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 as position`.execute(this.#primary.db)
      const primary = { ...rows[0]!, before: this.position }
      await Promise.all(this.all.map((replica) => replica.check(primary)))
      this.position = primary.position
    } catch {
      // Without a primary no request is authenticated, so none comes here.
    }
  }

  /** The next replica that has everything up to this position of the primary; undefined: the primary answers. */
  async choose(position: number): Promise<Replica | undefined> {
    const usable = this.all.filter(({ problem }) => problem === undefined)
    const replica = usable[this.#next % usable.length]
    this.#next = (this.#next + 1) % Number.MAX_SAFE_INTEGER
    if (!replica) return undefined
    try {
      if (await replica.reaches(position)) return replica
      replica.leaveOut('behind')
    } catch {
      replica.leaveOut('away')
    }
    return undefined
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const replica of this.all) await replica.close()
  }
}
