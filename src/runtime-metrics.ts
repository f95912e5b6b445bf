import { Counter, Gauge, type Registry } from 'prom-client'
import { type Runtime, sizedCaches } from './runtime.ts'

/** What the process owns, and how much of it is in use, for `/metrics`. */
export const addRuntimeMetrics = (registry: Registry, runtime: Runtime): void => {
  const registers = [registry]
  new Gauge({
    name: 'tablinum_pool_connections',
    help: 'Connections to the database, by pool and state; `max` is the limit and `waiting` counts callers without one.',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const [pool, { pool: connections }] of Object.entries(runtime.databases)) {
        const { open, idle, waiting } = connections.counts()
        for (const [state, n] of Object.entries({ open, idle, waiting, max: connections.max })) this.set({ pool, state }, n)
      }
    },
  })
  new Gauge({
    name: 'tablinum_cache_bytes',
    help: 'Bytes of keys and values in each cache.',
    labelNames: ['cache'] as const,
    registers,
    collect() {
      for (const [cache, { bytes }] of sizedCaches(runtime)) this.set({ cache }, bytes)
    },
  })
  new Gauge({
    name: 'tablinum_cache_entries',
    help: 'Entries in each cache.',
    labelNames: ['cache'] as const,
    registers,
    collect() {
      for (const [cache, { entries }] of sizedCaches(runtime)) this.set({ cache }, entries)
    },
  })
  new Counter({
    name: 'tablinum_cache_requests_total',
    help: 'Look-ups in each cache, by result.',
    labelNames: ['cache', 'result'] as const,
    registers,
    collect() {
      this.reset()
      for (const [cache, { hits, misses }] of sizedCaches(runtime)) {
        this.inc({ cache, result: 'hit' }, hits)
        this.inc({ cache, result: 'miss' }, misses)
      }
    },
  })
  new Gauge({
    name: 'tablinum_event_streams',
    help: 'Open event streams.',
    registers,
    collect() {
      this.set(runtime.streams.size)
    },
  })
}
