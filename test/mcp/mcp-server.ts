import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestApp } from '../support/test-app.ts'

/** Starts the HTTP server of the app and returns the address of its MCP endpoint. */
export const listenForMcp = async (app: TestApp): Promise<URL> => {
  await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  return new URL('/mcp', `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`)
}

/** A proxy that adds a token to every request, for clients that cannot send one. Host and Origin stay as they are. */
export const createTokenProxy = async (to: URL, token: string) => {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const forwarded = request({
      host: to.hostname,
      port: to.port,
      method,
      path: url,
      headers: { ...headers, authorization: `Bearer ${token}` },
    })
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode!, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}${to.pathname}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
