import { once } from 'node:events'
import { type AddressInfo, createServer, connect as socketTo } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { BatchSaver } from '../../src/observability/runs/batch-saver.ts'
import { runPartition } from '../../src/observability/runs/partitions.ts'
import { eventually } from '../support/eventually.ts'
import { BOUNDS, createTestMonitor, findResourcesByTitle, getJson, type JsonBody } from '../support/monitors.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp } from '../support/test-app.ts'

/** A connection to a source that records all statements. */
const createRecordingConnector = async ({ host, port }: { readonly host?: unknown; readonly port?: unknown }) => {
  const sent: string[] = []
  const server = createServer((near) => {
    const far = socketTo({ host: String(host), port: Number(port) })
    near.on('data', (chunk) => sent.push(chunk.toString('latin1')))
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { sent, port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => void server.close() }
}

test('measuring continues while earlier results are being saved', async () => {
  await using app = await createTestApp()
  const tables = ['first_table', 'second_table', 'third_table']
  await using source = await createPostgresSource(...tables.map((name) => `create table ${name} (id int)`))
  using recorder = await createRecordingConnector(source.credentials)
  const id = await createTestIntegration(app, 'postgres', { ...source.credentials, host: '127.0.0.1', port: recorder.port })
  await runSync(app, id)
  const of = await findResourcesByTitle(app)
  const monitors: JsonBody[] = []
  for (const name of tables) monitors.push(await createTestMonitor(app, { target: of(name), metric_type: 'row_count', ...BOUNDS }))
  await app.call('POST', '/monitor/monitors/run', { body: { monitors: monitors.map((each) => each.id) } })
  await sql`update monitor_runs set partition = 'one'`.execute(app.db)
  recorder.sent.length = 0
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const holding = app.db.transaction().execute(async (held) => {
    await sql`select from monitors for update`.execute(held)
    const working = runPartition(app.ctx, { lane: 'one' })
    await released
    return { working }
  })
  try {
    const queriedTables = () => tables.filter((name) => recorder.sent.join('').includes(name))
    await expect.poll(queriedTables).toEqual(tables)
  } finally {
    release()
  }
  await (await holding).working
  for (const monitor of monitors) expect((await getJson(app, `/monitor/measurements?monitor=${monitor.id}`)).count).toBe(1)
})

test('items added during a save form the next batch, and a failed save stops the saver', async () => {
  const saves: { readonly batch: readonly number[]; readonly end: PromiseWithResolvers<void> }[] = []
  const saver = new BatchSaver<number>((batch) => {
    const end = Promise.withResolvers<void>()
    saves.push({ batch, end })
    return end.promise
  })
  for (const item of [1, 2, 3]) saver.add([item])
  expect(saves.map(({ batch }) => batch)).toEqual([[1]])
  saves[0]!.end.resolve()
  await eventually(() => expect(saves.map(({ batch }) => batch)).toEqual([[1], [2, 3]]))
  saves[1]!.end.resolve()
  await saver.finish()
  saver.add([4])
  saves[2]!.end.reject(new Error('no room on the disk'))
  await expect(saver.finish()).rejects.toThrow('no room on the disk')
  expect(() => saver.add([5])).toThrow('no room on the disk')
  expect(saves).toHaveLength(3)
})
