import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ApiError } from '../core/errors.ts'

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Answers a known path with another method with 405 and the allowed methods. Call the returned function once all routes are registered. */
export const addMethodNotAllowed = (app: FastifyInstance): (() => void) => {
  const paths = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = url.replace(/\/$/, '') || '/'
    const methods = paths.get(path) ?? new Set<string>()
    for (const each of [method].flat()) methods.add(each)
    paths.set(path, methods)
  })
  return () => {
    for (const [url, methods] of new Map(paths)) {
      if (url.includes('*')) continue
      const allow = [...methods].sort().join(', ')
      const others = METHODS.filter((method) => !methods.has(method))
      if (others.length === 0) continue
      app.route({
        method: others,
        url,
        config: { permission: 'public' },
        schema: { hide: true },
        handler: (_, reply) => {
          reply.header('Allow', allow)
          throw new ApiError('method_not_allowed', `Method not allowed. Allowed: ${allow}.`)
        },
      })
    }
  }
}
