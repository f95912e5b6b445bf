import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openCollector } from '../src/db/young.ts'
import { Limits } from '../src/http/deadline.ts'
import { aHouse } from './house.ts'

const collect = openCollector()

/** How many bytes are left of what so many rounds made, when only the young were collected. */
const leftOf = async (rounds: number, round: () => Promise<unknown>): Promise<number> => {
  const used = async (times: number): Promise<number> => {
    for (let i = 0; i < times; i += 1) await round()
    for (let i = 0; i < 3; i += 1) collect({ type: 'minor' })
    return process.memoryUsage().heapUsed
  }
  const left: number[] = []
  // A collection of the whole heap that is under way keeps what is made meanwhile: the least of some times is what was meant.
  for (let i = 0; i < 5; i += 1) {
    const before = await used(rounds / 5)
    left.push((await used(rounds)) - before)
  }
  return Math.min(...left.map((bytes) => Math.max(bytes, 0)))
}

test('rows that were read are young garbage: they do not wait until the whole heap is gone through', async () => {
  await using house = await aHouse()
  const read = () => sql`select n, repeat('x', 1000) as text from generate_series(1, 100) n`.execute(house.db)
  expect((await read()).rows.length).toBe(100)
  expect(await leftOf(100, read)).toBeLessThan(5_000_000) // of ten million letters
})

test('what a request is held to does not hold the request', async () => {
  const request = async () => new Limits({ raw: {}, words: new Array(1000).fill(0) } as never, 1000)
  expect(await leftOf(1000, request)).toBeLessThan(3_000_000) // of a million words, eight million bytes
})
