import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify'
import { ApiError } from '../core/errors.ts'

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Answers a known path with another method with 405 and the allowed methods. Call the returned function once all routes are registered.
 * The methods are looked up when such a request arrives: a route for each of them would triple the number of routes, and registering
 * routes takes most of the time that creating the app takes.
 */
export const addMethodNotAllowed = (app: FastifyInstance): (() => void) => {
  const paths = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = url.replace(/\/$/, '') || '/'
    const methods = paths.get(path) ?? new Set<string>()
    for (const each of [method].flat()) methods.add(each)
    paths.set(path, methods)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 || !METHODS.includes(request.method as HTTPMethods)) return done()
    const allowed = [...METHODS, 'HEAD' as const].filter((method) => hasRoute(app, method, request.url))
    if (allowed.length === 0) return done()
    done(rejectMethod(reply, allowed))
  })
  return () => {
    for (const [url, methods] of new Map(paths)) {
      if (url.includes('*')) continue
      const allowed = [...methods]
      const others = METHODS.filter((method) => !methods.has(method))
      // `GET /resource/all/bulk_update` would be taken for `GET /resource/all/:resource_id`.
      const example = url.replaceAll(/:\w+/g, '-')
      if (!others.some((method) => hasRoute(app, method, example))) continue
      app.route({
        method: others,
        url,
        config: { permission: 'public' },
        schema: { hide: true },
        handler: (_, reply) => {
          throw rejectMethod(reply, allowed)
        },
      })
    }
  }
}

/** Without routes for all paths below another one. A path that the router rejects as too long has no search parameters. */
const hasRoute = (app: FastifyInstance, method: HTTPMethods, url: string): boolean => {
  const found = app.findRoute({ method, url })
  return found?.searchParams !== undefined && !('*' in found.params)
}

const rejectMethod = (reply: FastifyReply, allowed: Iterable<string>): ApiError => {
  const allow = [...allowed].sort().join(', ')
  reply.header('Allow', allow)
  return new ApiError('method_not_allowed', `Method not allowed. Allowed: ${allow}.`)
}
