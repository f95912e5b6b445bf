import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { checkConnector, QuerySession } from '@tablinum/connector'

const program = { command: ['node', join(import.meta.dirname, 'connector.ts')] }
const folder = await mkdtemp(join(tmpdir(), 'connector-'))
after(() => rm(folder, { recursive: true }))
const path = join(folder, 'shop.db')
const shop = new DatabaseSync(path)
shop.exec('create table orders (id integer primary key, price real); insert into orders values (1, 9.5), (9007199254740993, null)')
shop.close()

test('fulfils the contract', async () => {
  for await (const { check, problem } of checkConnector(program, { settings: { path } })) assert.equal(problem, undefined, check)
})

test('a query returns typed cells', async () => {
  const signal = AbortSignal.timeout(60_000)
  await using session = await QuerySession.open(program, { settings: { path } }, signal)
  const rows: unknown[] = []
  for await (const message of session.run({ sql: 'select * from orders order by id' }, { signal, timeout_ms: 10_000 }))
    if (message.type === 'rows') rows.push(...message.rows)
  assert.deepEqual(rows, [
    [1, 9.5],
    ['9007199254740993', null],
  ])
})
