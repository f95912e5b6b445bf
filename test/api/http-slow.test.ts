import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { addBodyTimeouts } from '../../src/platform/http/body-timeouts.ts'
import { addDeadline } from '../../src/platform/http/deadline.ts'

test('a slow request body is cut off except for file uploads; one sent in time is answered', async () => {
  const app = fastify({ forceCloseConnections: true })
  addBodyTimeouts(app, 300)
  app.post('/usual', async () => 'usual')
  app.post('/file', { config: { large_body: true } }, async () => 'file')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const slowly = async (path: string, waitMs: number): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', (text) => {
      received += text
    })
    socket.on('error', () => {})
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`)
    const closed = once(socket, 'close')
    await sleep(waitMs)
    if (!socket.destroyed) socket.write('}')
    await closed
    return received.split('\r\n').at(-1)!
  }
  expect(await Promise.all([slowly('/usual', 0), slowly('/usual', 1500), slowly('/file', 1500)])).toEqual(['usual', '', 'file'])
  await app.close()
})

test('a request that times out says whether something may have been saved', async () => {
  const app = fastify()
  addDeadline(app, 100)
  const hang = () => new Promise(() => {})
  app.get('/read', hang)
  app.post('/write', hang)
  const [read, write] = await Promise.all([app.inject({ url: '/read' }), app.inject({ url: '/write', method: 'POST' })])
  expect(read.json().message).toBe('The request timed out after 0.1 s. Please try again.')
  expect(write.json().message).toMatch(/^The request timed out after 0.1 s. Its changes may still have been saved: check before you retry/)
  await app.close()
})
