import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Connections without a request yet: browsers open some in advance. Node treats them as busy and would wait a minute for them when the server
 * closes. Returns a function that closes them.
 */
export const watchSilentSockets = (app: FastifyInstance): (() => void) => {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  return () => {
    for (const socket of silent) socket.destroy()
  }
}
