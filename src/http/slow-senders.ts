import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts a file, which may take as long as the server's own limit allows. */
    large_body?: true
  }
}

/** How long the server waits for a complete request. */
export const LONGEST_SENDING_MS = 600_000
const USUAL_SENDING_MS = 60_000

/** Node has one time limit for all requests. Files need a long one; everything else is cut off earlier, so that a slow client does not hold a socket. */
export const addSlowSenders = (app: FastifyInstance, usualMs = USUAL_SENDING_MS): void => {
  app.addHook('onRequest', (request, _, done) => {
    const { raw, headers, routeOptions } = request
    const sends = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    if (sends && !routeOptions.config.large_body) {
      const timer = setTimeout(() => void (raw.complete || raw.destroy()), usualMs)
      raw.once('close', () => clearTimeout(timer))
    }
    done()
  })
}
