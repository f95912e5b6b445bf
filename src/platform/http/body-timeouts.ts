import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts a file, which may take as long as the server's own limit allows. */
    large_body?: true
  }
}

/** How long the server waits for a complete request. */
export const MAX_BODY_READ_MS = 600_000
const DEFAULT_BODY_READ_MS = 60_000

/** Node has one time limit for all requests. Files need a long one; everything else is cut off earlier, so that a slow client does not hold a socket. */
export const addBodyTimeouts = (app: FastifyInstance, timeoutMs = DEFAULT_BODY_READ_MS): void => {
  app.addHook('onRequest', (request, _, done) => {
    const { raw, headers, routeOptions } = request
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    if (hasBody && !routeOptions.config.large_body) {
      const timer = setTimeout(() => void (raw.complete || raw.destroy()), timeoutMs)
      raw.once('close', () => clearTimeout(timer))
    }
    done()
  })
}
