import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Connections without a request yet: browsers open some in advance. Node treats them as busy and would wait a minute for them when the server
 * closes. Returns a function that closes them.
 */
export const trackIdleSockets = (app: FastifyInstance): (() => void) => {
  const idle = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    idle.add(socket)
    socket.once('close', () => idle.delete(socket))
  })
  app.server.on('request', ({ socket }) => idle.delete(socket))
  return () => {
    for (const socket of idle) socket.destroy()
  }
}
