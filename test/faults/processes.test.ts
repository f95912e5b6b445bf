import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createTestApp } from '../support/test-app.ts'
import { startTestServer } from './server.ts'

/** Which process responds: request IDs have a prefix per process. Undefined if none does. */
const findRespondingProcess = async (address: string): Promise<string | undefined> => {
  const clientRequest = request(`${address}/healthcheck`, { agent: false })
  clientRequest.end()
  const response = await once(clientRequest, 'response').catch(() => undefined)
  return (response?.[0] as IncomingMessage | undefined)?.headers['x-request-id']?.toString().slice(0, 12)
}

const findAllProcesses = async (address: string, processes: number): Promise<Set<string | undefined>> => {
  const seen = new Set<string | undefined>()
  await eventually(async () => {
    for (let i = 0; i < 20; i += 1) seen.add(await findRespondingProcess(address))
    seen.delete(undefined)
    expect(seen.size).toBe(processes)
  })
  return seen
}

test('several processes share the port; all exit with the first, even if it is killed', async () => {
  await using app = await createTestApp()
  await using server = await startTestServer({ DATABASE_URL: app.url }, '--processes', '3')
  const pids = await findAllProcesses(server.address, 3)
  server.signal('SIGKILL')
  await server.ended
  // Another server may use the port by now.
  await eventually(async () => expect(pids.has(await findRespondingProcess(server.address))).toBe(false))
})

test('on SIGTERM all processes finish and exit', async () => {
  await using app = await createTestApp()
  await using server = await startTestServer({ DATABASE_URL: app.url }, '--processes', '2')
  const pids = await findAllProcesses(server.address, 2)
  server.signal('SIGTERM')
  expect(await server.ended).toEqual({ code: 0, signal: null })
  expect(pids.has(await findRespondingProcess(server.address))).toBe(false)
})
