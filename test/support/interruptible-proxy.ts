import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

/** A proxy to the database that can be interrupted and restored, to simulate a database that goes down and comes back. */
export const createInterruptibleProxy = async (url: string) => {
  const { hostname, port, pathname, username, password } = new URL(url)
  const host = decodeURIComponent(hostname)
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port || 5432}` } : { host, port: Number(port || 5432) }
  const sockets = new Set<Socket>()
  let held: (() => void)[] | undefined
  let delayMs = 0
  const pass = (send: () => void) => {
    if (held) held.push(send)
    else if (delayMs > 0) setTimeout(send, delayMs)
    else send()
  }
  const listen = (on: number) =>
    createServer((near) => {
      const far = createConnection(target)
      near.on('data', (chunk) => pass(() => far.write(chunk)))
      far.on('data', (chunk) => pass(() => near.write(chunk)))
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket
          .on('error', () => {})
          .once('close', () => {
            sockets.delete(socket)
            near.destroy()
            far.destroy()
          })
      }
    }).listen(on, '127.0.0.1')
  let server = listen(0)
  await once(server, 'listening')
  const { port: here } = server.address() as { port: number }
  const cut = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    url: `postgres://${username}${password && `:${password}`}@127.0.0.1:${here}${pathname}`,
    cut,
    /** Closes the open connections; new ones work. */
    drop: () => {
      for (const socket of sockets) socket.destroy()
    },
    /** Everything arrives so much later. */
    delay: (ms: number) => {
      delayMs = ms
    },
    /** Stops forwarding without closing connections: a database that hangs. */
    hang: () => {
      held ??= []
    },
    resume: () => {
      const late = held ?? []
      held = undefined
      for (const send of late) send()
    },
    restore: async () => {
      server = listen(here)
      await once(server, 'listening')
    },
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await cut()
    },
  }
}
