import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { hashToken } from '../authentication/token-hash.ts'
import { ApiError } from '../core/errors.ts'
import type { Db } from '../db/connect.ts'
import { getTraceId } from './tracing.ts'

/** Process metrics are collected once, however many apps the process creates: each collector costs time for the life of the process. */
let processRegistry: Registry | undefined
const getProcessRegistry = (): Registry => {
  if (!processRegistry) {
    processRegistry = new Registry()
    collectDefaultMetrics({ register: processRegistry }) // under the names that dashboards for Node expect
  }
  return processRegistry
}

/** Writes one log line and one observation in `registry` for every request. */
export const addRequestMetrics = (app: FastifyInstance, registry: Registry): void => {
  const requests = new Histogram({
    name: 'tablinum_http_request_duration_seconds',
    help: 'Duration of HTTP requests.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  // Label lookup costs more than the observation, so its result is cached by route and status.
  const series = new Map<string, ReturnType<typeof requests.labels>>()
  const observe = (route: string, method: string, status: number, seconds: number) => {
    const key = `${method} ${status} ${route}`
    const counter = series.get(key) ?? requests.labels(method, route, String(status))
    series.set(key, counter)
    counter.observe(seconds)
  }
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request
    const { statusCode: status, elapsedTime } = reply
    const route = request.routeOptions.url ?? 'unknown' // the pattern, not the URL: IDs would create unlimited series
    observe(route, method, status, elapsedTime / 1000)
    request.log.info(
      {
        request_id: request.id,
        method,
        url: url.split('?')[0],
        status,
        ms: Math.round(elapsedTime * 10) / 10,
        user: request.ctx?.actor.user_id,
        trace_id: getTraceId(request),
      },
      'request',
    )
    done()
  })
}

/** Serves `registries` and the process metrics at `/metrics`, protected by `token` if set. */
export const addMetrics = (app: FastifyInstance, registries: readonly Registry[], token?: string): void => {
  const process = getProcessRegistry()
  app.get('/metrics', { config: { permission: 'public' }, schema: { hide: true } }, async (request, reply) => {
    if (token !== undefined) requireMetricsToken(request.headers.authorization, token)
    return reply.type(process.contentType).send(await Registry.merge([process, ...registries]).metrics())
  })
}

/** `/healthcheck`: the process responds. `/readycheck`: the database responds too. */
export const addHealthChecks = (app: FastifyInstance, db: Db): void => {
  const OPEN = { config: { permission: 'public' }, schema: { hide: true } } as const
  app.get('/healthcheck', OPEN, async () => ({ status: 'OK' }))
  app.get('/readycheck', OPEN, async () => {
    await sql`select 1`.execute(db)
    return { status: 'OK' }
  })
}

/** Compares hashes, which have the same length, in constant time. */
const requireMetricsToken = (authorization: string | undefined, token: string): void => {
  if (timingSafeEqual(hashToken(authorization ?? ''), hashToken(`Bearer ${token}`))) return
  throw new ApiError('unauthenticated', 'Invalid or missing metrics token. Send it as: Authorization: Bearer …')
}
