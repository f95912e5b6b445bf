import { Counter, Gauge, type Registry } from 'prom-client'
import type { Replicas } from '../platform/db/replicas.ts'

/** Which replicas are used and who answered, for `/metrics`. Nothing is registered without replicas. */
export const registerReplicaMetrics = (registry: Registry, replicas: Replicas): void => {
  if (replicas.all.length === 0) return
  const registers = [registry]
  new Gauge({
    name: 'tablinum_replica_up',
    help: 'Whether a replica is used for reads (1), or left out (0) because it is away, behind or not a replica of the database.',
    labelNames: ['replica'] as const,
    registers,
    collect() {
      for (const { name, problem } of replicas.all) this.set({ replica: name }, problem ? 0 : 1)
    },
  })
  new Gauge({
    name: 'tablinum_replica_lag_bytes',
    help: "Bytes of the primary's log that a replica had not replayed at its last check.",
    labelNames: ['replica'] as const,
    registers,
    collect() {
      for (const { name, replayed } of replicas.all) this.set({ replica: name }, Math.max(0, replicas.position - replayed))
    },
  })
  new Gauge({
    name: 'tablinum_replica_connections',
    help: 'Connections to a replica by state, as in tablinum_pool_connections.',
    labelNames: ['replica', 'state'] as const,
    registers,
    collect() {
      for (const { name, request } of replicas.all) {
        const { open, idle, waiting } = request.pool.counts()
        for (const [state, n] of Object.entries({ open, idle, waiting, max: request.pool.max })) this.set({ replica: name, state }, n)
      }
    },
  })
  new Counter({
    name: 'tablinum_replica_requests_total',
    help: 'Requests that a replica may answer, by who answered; `retried` were answered by the primary after a replica had failed.',
    labelNames: ['answered_by'] as const,
    registers,
    collect() {
      this.reset()
      for (const [answered_by, n] of Object.entries(replicas.answers)) this.inc({ answered_by }, n)
    },
  })
}
