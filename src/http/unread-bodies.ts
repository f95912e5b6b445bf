import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const MOST_BYTES = 128 * 1024 * 1024
const LONGEST_MS = 30_000

/**
 * Drains a body that a handler stopped reading because it rejected the request early. Node discards only bodies that were never read; the rest
 * would be taken for the next request on the connection. If draining takes too long, the connection is closed.
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
  raw.unpipe() // from the multipart parser, which reads no more
  raw.resume()
}
