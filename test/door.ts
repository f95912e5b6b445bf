import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as socketTo } from 'node:net'

/** An embedded server has a socket and no port: this is a port to it, as sources have one. */
export const aDoorTo = (serverUrl: string) => aDoorAt(`${decodeURIComponent(new URL(serverUrl).hostname)}/.s.PGSQL.5432`)

export const aDoorAt = async (path: string | { readonly host: string; readonly port: number }) => {
  const sockets = new Set<Socket>()
  let visits = 0
  // Without delay, as Postgres itself answers: else the end of each answer waits for a receipt, forty milliseconds.
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
