import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ApiError } from '../core/errors.ts'

interface KnownPath {
  readonly path: string
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/**
 * Answers a known path with another method with 405 and the allowed methods. Looked up when no route matched: a route for each method that a
 * path does not have would double the routes, and the time to register them. Call the returned function once all routes are registered.
 */
export const addMethodNotAllowed = (app: FastifyInstance): (() => void) => {
  const known = new Map<string, KnownPath>()
  let complete = false
  app.addHook('onRoute', ({ url, method }) => {
    if (complete || url.includes('*')) return
    const path = url.replace(/\/$/, '') || '/'
    const entry = known.get(path) ?? { path, pattern: toPattern(path), methods: new Set() }
    for (const each of [method].flat()) entry.methods.add(each)
    known.set(path, entry)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const path = request.url.split('?', 1)[0]!
    const [found] = [...known.values()].filter(({ pattern }) => pattern.test(path)).sort((a, b) => countParameters(a) - countParameters(b))
    if (!found) return done()
    const allow = listMethods(found)
    reply.header('Allow', allow)
    done(methodNotAllowed(allow))
  })
  return () => {
    complete = true
    for (const { entry, methods } of findShadowed([...known.values()])) {
      const allow = listMethods(entry)
      app.route({
        method: methods,
        url: entry.path,
        config: { permission: 'public' },
        schema: { hide: true },
        handler: (_, reply) => {
          reply.header('Allow', allow)
          throw methodNotAllowed(allow)
        },
      })
    }
  }
}

/** `GET /rules/preview` would find the rule with the ID `preview`, although only POST exists for it. */
const findShadowed = (all: readonly KnownPath[]): { entry: KnownPath; methods: HTTPMethods[] }[] => {
  const byLength = Map.groupBy(all, ({ path }) => path.split('/').length)
  return all.flatMap((entry) => {
    const others = byLength.get(entry.path.split('/').length)!.filter((each) => each !== entry && each.pattern.test(entry.path))
    const methods = new Set(others.flatMap(({ methods }) => [...methods])).difference(entry.methods)
    methods.delete('HEAD') // follows GET
    return methods.size > 0 ? [{ entry, methods: [...methods] as HTTPMethods[] }] : []
  })
}

const listMethods = ({ methods }: KnownPath): string => [...methods].sort().join(', ')
const countParameters = ({ path }: KnownPath): number => path.split('/:').length
const methodNotAllowed = (allow: string) => new ApiError('method_not_allowed', `Method not allowed. Allowed: ${allow}.`)

/** `/tag/:tag_id` matches any one segment in the place of `:tag_id`. */
const toPattern = (path: string): RegExp => {
  const parts = path.split(/(:\w+)/).map((part, i) => (i % 2 === 1 ? '[^/]+' : RegExp.escape(part)))
  return new RegExp(`^${parts.join('')}/?$`)
}
