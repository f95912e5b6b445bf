import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Cassette, checkConnector, type Fault, type Message, PROTOCOL_VERSION, runProgram, startReplay } from '@tablinum/connector'

const program = { command: ['node', join(import.meta.dirname, 'connector.ts')] }
const cassette: Cassette = JSON.parse(await readFile(join(import.meta.dirname, 'cassette.json'), 'utf8'))

const discover = async (faults: readonly Fault[] = []): Promise<Message[]> => {
  await using replay = await startReplay(cassette, faults)
  const messages: Message[] = []
  const command = { protocol: PROTOCOL_VERSION, command: 'discover', settings: { url: replay.url, token: 'secret' } } as const
  for await (const message of runProgram(program, command, AbortSignal.timeout(60_000))) messages.push(message)
  return messages
}

test('fulfils the contract', async () => {
  await using replay = await startReplay(cassette)
  for await (const { check, problem } of checkConnector(program, { settings: { url: replay.url, token: 'secret' } }))
    assert.equal(problem, undefined, check)
  assert.deepEqual(replay.problems, [])
})

test('reports folders and reports', async () => {
  const items = (await discover()).filter((message) => message.type === 'item')
  assert.deepEqual(
    items.map(({ key }) => key),
    ['folder/1', 'report/10', 'report/11'],
  )
})

test('a report that is deleted meanwhile is left out, one that cannot be read stays', async () => {
  const messages = await discover([
    { path: '/reports/10', status: 404 },
    { path: '/reports/11', status: 500, headers: { 'retry-after': '0' } },
  ])
  assert.deepEqual(
    messages.flatMap((message) => (message.type === 'unlisted' ? message.key : [])),
    ['report/11'],
  )
})
