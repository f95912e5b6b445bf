import { Counter, Gauge, Registry } from 'prom-client'
import { registerDeliveryMetrics } from '../notifications/outbox/delivery-metrics.ts'
import { PRODUCT_VERSION } from '../platform/config/product-version.ts'
import type { Runtime } from '../platform/context/runtime.ts'
import type { Cache } from '../platform/core/cache.ts'
import { registerBacklogMetrics } from './backlog-metrics.ts'
import { registerReplicaMetrics } from './replica-metrics.ts'

declare module '../platform/context/runtime.ts' {
  interface Runtime {
    /** Created when it is first read. */
    readonly metrics: Registry
  }
}

/** Pools, caches, streams and deliveries of the process, for `/metrics`. */
export const createMetricsRegistry = (runtime: Runtime): Registry => {
  const registry = new Registry()
  const registers = [registry]
  registerDeliveryMetrics(registry, runtime.deliveries)
  registerBacklogMetrics(registry, runtime)
  registerTracingMetrics(registry, runtime)
  new Gauge({ name: 'tablinum_build_info', help: 'Always 1, with the version.', labelNames: ['version'] as const, registers }).set(
    { version: PRODUCT_VERSION },
    1,
  )
  new Gauge({
    name: 'tablinum_pool_connections',
    help: 'Database connections by pool and state; `max` is the limit, `waiting` counts callers waiting for a connection.',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const [pool, { pool: connections }] of Object.entries(runtime.databases)) {
        const { open, idle, waiting } = connections.counts()
        for (const [state, n] of Object.entries({ open, idle, waiting, max: connections.max })) this.set({ pool, state }, n)
      }
    },
  })
  registerReplicaMetrics(registry, runtime.replicas)
  new Gauge({
    name: 'tablinum_cache_bytes',
    help: 'Bytes of keys and values in each cache.',
    labelNames: ['cache'] as const,
    registers,
    collect() {
      for (const [cache, { bytes }] of listSizedCaches(runtime)) this.set({ cache }, bytes)
    },
  })
  new Gauge({
    name: 'tablinum_cache_entries',
    help: 'Entries in each cache.',
    labelNames: ['cache'] as const,
    registers,
    collect() {
      for (const [cache, { entries }] of listSizedCaches(runtime)) this.set({ cache }, entries)
    },
  })
  new Counter({
    name: 'tablinum_cache_requests_total',
    help: 'Cache lookups, by cache and result.',
    labelNames: ['cache', 'result'] as const,
    registers,
    collect() {
      this.reset()
      for (const [cache, { hits, misses }] of listSizedCaches(runtime)) {
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
  new Counter({
    name: 'tablinum_sql_engine_defects_total',
    help: 'SQL texts that failed with an internal error of the lineage engine, by dialect.',
    labelNames: ['dialect'] as const,
    registers,
    collect() {
      this.reset()
      for (const [dialect, count] of runtime.engineDefects.counts()) this.inc({ dialect }, count)
    },
  })
  return registry
}

/** Nothing is registered without tracing. */
const registerTracingMetrics = (registry: Registry, { tracing }: Runtime): void => {
  if (!tracing) return
  new Counter({
    name: 'tablinum_trace_spans_total',
    help: 'Spans that were sent to the collector (`exported`), and spans that it did not take (`failed`).',
    labelNames: ['result'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [result, n] of Object.entries(tracing)) this.inc({ result }, n)
    },
  })
}

/** The caches whose size is limited. */
const listSizedCaches = ({ caches }: Runtime): [name: string, counts: ReturnType<Cache<object>['counts']>][] => [
  ['records', caches.records.counts()],
  ['results', caches.results.counts()],
  ['counts', caches.counts.counts()],
  ['token_callers', caches.tokenCallers.counts()],
  ['session_callers', caches.sessionCallers.counts()],
  ['models', caches.models.counts()],
]
