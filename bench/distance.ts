import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The URL of the same Postgres as if it was on another machine: everything arrives this much later, in each direction. */
export const openDistance = async (url: string, milliseconds: number) => {
  const path = `${decodeURIComponent(new URL(url).hostname)}/.s.PGSQL.5432`
  const sockets = new Set<Socket>()
  const proxy = createServer({ noDelay: true }, (caller) => {
    const server = connect(path)
    for (const [from, to] of [
      [caller, server],
      [server, caller],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.on('data', (chunk) => setTimeout(() => to.write(chunk), milliseconds))
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const distant = new URL(url)
  distant.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return {
    url: distant.href,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
