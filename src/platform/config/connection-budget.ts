import { CONNECTIONS_BESIDE_SYNCS } from './config.ts'

/** How many database connections a process may open, by purpose. Pure functions of the settings. */
export type ProcessRole = 'web' | 'worker' | 'all'

export interface PoolSizes {
  readonly request: number
  readonly background: number
  readonly transfer: number
}

const DEFAULT_POOLS: PoolSizes = { request: 10, background: 8, transfer: 4 }
const WEB_BACKGROUND = 2 // a web process only flushes usage counters
const WORKER_REQUEST = 1 // a worker serves no requests
const CONTROL_CONNECTIONS = 1

export const getPoolSizes = (role: ProcessRole, pools: Partial<PoolSizes> = {}): PoolSizes => {
  const { request, background, transfer } = { ...DEFAULT_POOLS, ...pools }
  return {
    request: role === 'worker' ? WORKER_REQUEST : request,
    background: role === 'web' ? Math.min(background, WEB_BACKGROUND) : background,
    transfer,
  }
}

export interface BudgetSettings {
  readonly role: ProcessRole
  readonly processes: number
  readonly pools: PoolSizes
  /** Connections of the queue, in processes that run it. */
  readonly queue: number
}

/** The maximum number of connections all processes of this start can open together. */
export const computeConnectionBudget = ({ role, processes, pools, queue }: BudgetSettings): number => {
  const perProcess = (role: ProcessRole): number => {
    const { request, background, transfer } = getPoolSizes(role, pools)
    return request + background + transfer + CONTROL_CONNECTIONS + (role === 'web' ? 0 : queue)
  }
  return perProcess(role) + (processes - 1) * perProcess('web')
}

/** With fewer, requests wait for each other. Each sync needs a background connection of its own. */
const MIN_POOLS = { request: 4, transfer: 1 }

/** Connections of a small pooler left free for a backup or psql. */
const SPARE_POOLER_CONNECTIONS = 1

export interface FitSettings extends BudgetSettings {
  /** Pools whose size was set explicitly: not changed. */
  readonly poolsSet: readonly (keyof PoolSizes)[]
  readonly workers: { readonly syncs: number }
}

/** Pool sizes that fit into `limit` connections, in their configured proportions; the minimum sizes if even those do not fit. */
export const fitPools = (settings: FitSettings, limit: number): PoolSizes => {
  const { pools, poolsSet, workers } = settings
  const minimum = { ...MIN_POOLS, background: workers.syncs + CONNECTIONS_BESIDE_SYNCS }
  const fits = (pools: PoolSizes) => computeConnectionBudget({ ...settings, pools }) <= limit - SPARE_POOLER_CONNECTIONS
  const names = (Object.keys(pools) as (keyof PoolSizes)[]).filter((name) => !poolsSet.includes(name))
  const fitted = { ...pools }
  for (const name of names) fitted[name] = Math.min(pools[name], minimum[name])
  for (;;) {
    const next = names
      .filter((name) => fitted[name] < pools[name] && fits({ ...fitted, [name]: fitted[name] + 1 }))
      .sort((a, b) => fitted[a] / pools[a] - fitted[b] / pools[b])[0]
    if (!next) return fitted
    fitted[next] += 1
  }
}

/** Connections left for others: psql, monitoring, a second instance that starts while this one stops. */
const SPARE_CONNECTIONS = 10
const MIN_CONNECTIONS = 50

/** `max_connections` for the embedded Postgres. */
export const countEmbeddedConnections = (settings: BudgetSettings): number =>
  Math.max(MIN_CONNECTIONS, computeConnectionBudget(settings) + SPARE_CONNECTIONS)
