import { once } from 'node:events'
import { type AddressInfo, createServer, connect as socketTo } from 'node:net'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { workLane } from '../src/monitors/lanes.ts'
import { Saver } from '../src/monitors/saver.ts'
import { aHouse } from './house.ts'
import { aMonitor, BOUNDS, type Body, catalogOf, read } from './monitors.ts'
import { aPostgres, connectTo, sync } from './sources.ts'

vi.setConfig({ testTimeout: 60_000 }) // sources start slowly on a busy machine

/** A connection to a source that records all statements. */
const aRecorderOf = async ({ host, port }: { readonly host?: unknown; readonly port?: unknown }) => {
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
  await using house = await aHouse()
  const tables = ['first_table', 'second_table', 'third_table']
  await using source = await aPostgres(...tables.map((name) => `create table ${name} (id int)`))
  using recorder = await aRecorderOf(source.credentials)
  const id = await connectTo(house, 'postgres', { ...source.credentials, host: '127.0.0.1', port: recorder.port })
  await sync(house, id)
  const of = await catalogOf(house)
  const monitors: Body[] = []
  for (const name of tables) monitors.push(await aMonitor(house, { target: of(name), metric_type: 'row_count', ...BOUNDS }))
  await house.call('POST', '/monitor/monitors/run', { body: { monitors: monitors.map((each) => each.id) } })
  await sql`update monitor_runs set lane = 'one'`.execute(house.db)
  recorder.sent.length = 0
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const holding = house.db.transaction().execute(async (held) => {
    await sql`select from monitors for update`.execute(held)
    const working = workLane(house.ctx, { lane: 'one' })
    await released
    return { working }
  })
  try {
    const asked = () => tables.filter((name) => recorder.sent.join('').includes(name))
    await expect.poll(asked, { timeout: 20_000 }).toEqual(tables)
  } finally {
    release()
  }
  await (await holding).working
  for (const monitor of monitors) expect((await read(house, `/monitor/measurements?monitor=${monitor.id}`)).count).toBe(1)
})

test('items added during a save form the next batch, and a failed save stops the saver', async () => {
  const saves: { readonly batch: readonly number[]; readonly end: PromiseWithResolvers<void> }[] = []
  const saver = new Saver<number>((batch) => {
    const end = Promise.withResolvers<void>()
    saves.push({ batch, end })
    return end.promise
  })
  for (const item of [1, 2, 3]) saver.add([item])
  expect(saves.map(({ batch }) => batch)).toEqual([[1]])
  saves[0]!.end.resolve()
  await vi.waitFor(() => expect(saves.map(({ batch }) => batch)).toEqual([[1], [2, 3]]))
  saves[1]!.end.resolve()
  await saver.finish()
  saver.add([4])
  saves[2]!.end.reject(new Error('no room on the disk'))
  await expect(saver.finish()).rejects.toThrow('no room on the disk')
  expect(() => saver.add([5])).toThrow('no room on the disk')
  expect(saves).toHaveLength(3)
})
