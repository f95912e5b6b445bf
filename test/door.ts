import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as socketTo } from 'node:net'

/** An embedded server has a socket and no port: this is a port to it, as sources have one. */
export const aDoorTo = async (serverUrl: string) => {
  const folder = decodeURIComponent(new URL(serverUrl).hostname)
  const sockets = new Set<Socket>()
  let visits = 0
  const door = createServer((caller) => {
    visits += 1
    const server = socketTo(`${folder}/.s.PGSQL.5432`)
    for (const [one, other] of [
      [caller, server],
      [server, caller],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  return {
    port: (door.address() as AddressInfo).port,
    visits: () => visits,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      door.close()
      await once(door, 'close')
    },
  }
}
