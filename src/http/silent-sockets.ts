import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Connections on which nothing was asked yet: browsers open some ahead. Node takes them for busy, and would wait for them for a minute when
 * the server closes. Answers with the way to end them.
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
