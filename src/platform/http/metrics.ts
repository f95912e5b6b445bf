import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { hashToken } from '../authentication/token-hash.ts'
import { ApiError } from '../core/errors.ts'
import type { AppBackend } from './backend.ts'
import { findTraceId } from './tracing.ts'

/** Process metrics are collected once, however many apps the process creates: each collector costs time for the life of the process. */
let processRegistry: Registry | undefined
const getProcessRegistry = (): Registry => {
  if (!processRegistry) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry }) // under the names that dashboards for Node expect
  }
  return processRegistry
}

declare module '../context/runtime.ts' {
  interface Runtime {
    readonly requestMetrics: RequestMetrics
  }
}

/** Durations of the requests of a process. */
export class RequestMetrics {
  readonly registry = new Registry()
  readonly #requests = new Histogram({
    name: 'tablinum_http_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  })
  /** Label lookup costs more than the observation, so its result is cached by route and status. */
  readonly #series = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()

  observe(route: string, method: string, status: number, seconds: number): void {
    const key = `${method} ${status} ${route}`
    const counter = this.#series.get(key) ?? this.#requests.labels(method, route, String(status))
    this.#series.set(key, counter)
    counter.observe(seconds)
  }
}

/** Writes one log line and one observation for every request. */
export const addRequestMetrics = (app: FastifyInstance, backend: AppBackend): void => {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request
    const { statusCode: status, elapsedTime } = reply
    const route = request.routeOptions.url ?? 'unknown' // the pattern, not the URL: IDs would create unlimited series
    backend.runtime.requestMetrics.observe(route, method, status, elapsedTime / 1000)
    request.log.info(
      {
        request_id: request.id,
        method,
        url: url.split('?')[0],
        status,
        ms: Math.round(elapsedTime * 10) / 10,
        user: request.ctx?.actor.user_id,
        trace_id: findTraceId(request),
      },
      'request',
    )
    done()
  })
}

/** Serves these registries and the process metrics at `/metrics`, protected by `token` if set. */
export const addMetrics = (app: FastifyInstance, listRegistries: () => readonly Registry[], token?: string): void => {
  const process = getProcessRegistry()
  app.get('/metrics', { config: { permission: 'public' }, schema: { hide: true } }, async (request, reply) => {
    if (token !== undefined) requireMetricsToken(request.headers.authorization, token)
    return reply.type(process.contentType).send(await Registry.merge([process, ...listRegistries()]).metrics())
  })
}

/** `/healthcheck`: the process responds. `/readycheck`: the database responds too. */
export const addHealthChecks = (app: FastifyInstance, backend: Pick<AppBackend, 'runtime'>): void => {
  const OPEN = { config: { permission: 'public' }, schema: { hide: true } } as const
  app.get('/healthcheck', OPEN, async () => ({ status: 'OK' }))
  app.get('/readycheck', OPEN, async () => {
    await sql`select 1`.execute(backend.runtime.databases.request.db)
    return { status: 'OK' }
  })
}

/** Compares hashes, which have the same length, in constant time. */
const requireMetricsToken = (authorization: string | undefined, token: string): void => {
  if (timingSafeEqual(hashToken(authorization ?? ''), hashToken(`Bearer ${token}`))) return
  throw new ApiError('unauthenticated', 'Invalid or missing metrics token. Send it as: Authorization: Bearer …')
}
