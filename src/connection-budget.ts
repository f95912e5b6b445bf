/** How many connections to the database a process may open, by purpose. Pure: the settings in, numbers out. */
export type Role = 'web' | 'worker' | 'all'

export interface PoolSizes {
  readonly request: number
  readonly background: number
  readonly transfer: number
}

const DEFAULT_POOLS: PoolSizes = { request: 10, background: 8, transfer: 4 }
const WEB_BACKGROUND = 2 // a web process only writes what it has noted
const WORKER_REQUEST = 1 // a worker serves no requests
const CONTROL = 1

export const poolSizesOf = (role: Role, pools: Partial<PoolSizes> = {}): PoolSizes => {
  const { request, background, transfer } = { ...DEFAULT_POOLS, ...pools }
  return {
    request: role === 'worker' ? WORKER_REQUEST : request,
    background: role === 'web' ? Math.min(background, WEB_BACKGROUND) : background,
    transfer,
  }
}

export interface BudgetSettings {
  readonly role: Role
  readonly processes: number
  readonly pools: PoolSizes
  /** Connections of the queue, where it runs. */
  readonly queue: number
}

/** The most connections that this start can open, all its processes together. */
export const connectionBudget = ({ role, processes, pools, queue }: BudgetSettings): number => {
  const ofProcess = (role: Role): number => {
    const { request, background, transfer } = poolSizesOf(role, pools)
    return request + background + transfer + CONTROL + (role === 'web' ? 0 : queue)
  }
  return ofProcess(role) + (processes - 1) * ofProcess('web')
}

/** What the server leaves for others: psql, monitoring, a second instance that starts while this one stops. */
const SPARE = 10
const LEAST_CONNECTIONS = 50

/** `max_connections` for the embedded Postgres. */
export const embeddedConnections = (settings: BudgetSettings): number => Math.max(LEAST_CONNECTIONS, connectionBudget(settings) + SPARE)
