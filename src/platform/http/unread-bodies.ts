import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const MAX_DRAINED_BYTES = 128 * 1024 * 1024
const MAX_DRAIN_MS = 30_000

/**
 * Drains a body that a handler stopped reading because it rejected the request early. Node discards only bodies that were never read; the rest
 * would be taken for the next request on the connection. If draining takes too long, the connection is closed.
 */
export const addUnreadBodies = (app: FastifyInstance): void => {
  app.addHook('onResponse', ({ raw }, _, done) => {
    if (!raw.complete && !raw.destroyed) drainBody(raw)
    done()
  })
}

const drainBody = (raw: IncomingMessage): void => {
  let bytes = 0
  const timer = setTimeout(() => raw.destroy(), MAX_DRAIN_MS)
  raw.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_DRAINED_BYTES) raw.destroy()
  })
  raw.unpipe() // from the multipart parser, which reads no more
  raw.resume()
}
