import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Every request leaves one line in the log and one observation in `/metrics`. */
export const addObservation = (app: FastifyInstance): void => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'tablinum_' })
  const requests = new Histogram({
    name: 'tablinum_http_request_duration_seconds',
    help: 'Time to answer a request.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request
    const { statusCode: status, elapsedTime } = reply
    const route = request.routeOptions.url ?? 'unknown' // the pattern, not the address: IDs would make endless series
    requests.labels(method, route, String(status)).observe(elapsedTime / 1000)
    request.log.info(
      { method, url: url.split('?')[0], status, ms: Math.round(elapsedTime * 10) / 10, user: request.ctx?.actor.user_id },
      'request',
    )
    done()
  })
  app.get('/metrics', { config: { permission: 'public' }, schema: { hide: true } }, async (_, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
