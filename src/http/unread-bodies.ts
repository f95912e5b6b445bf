import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const MOST_BYTES = 128 * 1024 * 1024
const LONGEST_MS = 30_000

/**
 * A body that a handler began to read and did not finish, since it rejected the request early. Node reads away only what nobody has touched:
 * the rest would stand before the next request on the same connection. So it is read to its end, and where that takes too long, the
 * connection ends.
 */
export const addUnreadBodies = (app: FastifyInstance): void => {
  app.addHook('onResponse', ({ raw }, _, done) => {
    if (!raw.complete && !raw.destroyed) readAway(raw)
    done()
  })
}

const readAway = (raw: IncomingMessage): void => {
  let bytes = 0
  const timer = setTimeout(() => raw.destroy(), LONGEST_MS)
  raw.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MOST_BYTES) raw.destroy()
  })
  raw.unpipe() // from the reader of forms, which takes no more
  raw.resume()
}
