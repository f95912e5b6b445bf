import { sql } from 'kysely'
import { connect } from '../../src/platform/db/connect.ts'
import { RequestLimits } from '../../src/platform/http/deadline.ts'

/** Run by `garbage.test.ts` in its own process with a fresh heap: returns the bytes left after a minor collection only. */
const collect = (globalThis as unknown as { gc: (options: { type: 'minor' }) => void }).gc
const leftOf = async (rounds: number, round: () => Promise<unknown>): Promise<number> => {
  const used = async (times: number): Promise<number> => {
    for (let i = 0; i < times; i += 1) await round()
    for (let i = 0; i < 3; i += 1) collect({ type: 'minor' })
    return process.memoryUsage().heapUsed
  }
  const before = await used(rounds / 5)
  return (await used(rounds)) - before
}

const { db, close } = connect(process.argv[2]!)
const rows = await leftOf(100, () => sql`select n, repeat('x', 1000) as text from generate_series(1, 100) n`.execute(db))
const request = async () => new RequestLimits({ raw: {}, words: new Array(1000).fill(0) } as never, 1000)
process.stdout.write(JSON.stringify({ rows, requests: await leftOf(1000, request) }))
await close()
