import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A file comes in here, which may take its time: as long as the server waits for any request. */
    large_body?: true
  }
}

/** How long the server waits for a whole request. */
export const LONGEST_SENDING_MS = 600_000
const USUAL_SENDING_MS = 60_000

/** Node knows one time limit for all requests. Files need a long one; everything else is cut off early, so that a slow sender does not hold a socket. */
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
