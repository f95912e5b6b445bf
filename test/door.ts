import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as socketTo } from 'node:net'

/** The embedded server has a socket but no port: this opens a TCP port for it, as sources have one. */
export const aDoorTo = (serverUrl: string) => aDoorAt(`${decodeURIComponent(new URL(serverUrl).hostname)}/.s.PGSQL.5432`)

export const aDoorAt = async (path: string | { readonly host: string; readonly port: number }) => {
  const sockets = new Set<Socket>()
  let visits = 0
  // noDelay, like Postgres itself: otherwise the end of each response waits 40 ms for an acknowledgement.
  const door = createServer({ noDelay: true }, (caller) => {
    visits += 1
    const server = typeof path === 'string' ? socketTo(path) : socketTo(path)
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
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (door.address() as AddressInfo).port,
    visits: () => visits,
    cut,
    close: async () => {
      cut()
      door.close()
      await once(door, 'close')
    },
  }
}
