import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as socketTo } from 'node:net'

/** The embedded server has a socket but no port: this opens a TCP port for it, as sources have one. */
export const createTcpProxy = (serverUrl: string) => createTcpProxyTo(`${decodeURIComponent(new URL(serverUrl).hostname)}/.s.PGSQL.5432`)

export const createTcpProxyTo = async (path: string | { readonly host: string; readonly port: number }) => {
  const sockets = new Set<Socket>()
  let visits = 0
  // noDelay, like Postgres itself: otherwise the end of each response waits 40 ms for an acknowledgement.
  const proxy = createServer({ noDelay: true }, (caller) => {
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
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (proxy.address() as AddressInfo).port,
    visits: () => visits,
    cut,
    close: async () => {
      cut()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
