import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** `/metrics` for Prometheus: the process, and every request by route and status. */
export const addMetrics = (app: FastifyInstance): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'tablinum_' })
  const requests = new Histogram({
    name: 'tablinum_http_request_duration_seconds',
    help: 'Time to answer a request.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown' // the pattern, not the address: IDs would make endless series
    requests.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000)
  })
  app.get('/metrics', { config: { permission: 'public' }, schema: { hide: true } }, async (_, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  return registry
}
