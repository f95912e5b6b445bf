import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aHouse } from '../../test/house.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void
setFlagsFromString('--no-expose-gc')

test('rows that were read are young garbage: they do not wait until the whole heap is gone through', async () => {
  await using house = await aHouse()
  const read = async (times: number): Promise<number> => {
    for (let i = 0; i < times; i += 1) {
      const { rows } = await sql`select n, repeat('x', 1000) as text from generate_series(1, 100) n`.execute(house.db)
      expect(rows.length).toBe(100)
    }
    for (let i = 0; i < 3; i += 1) collect({ type: 'minor' })
    return process.memoryUsage().heapUsed
  }
  const before = await read(20)
  const grown = (await read(100)) - before
  expect(grown).toBeLessThan(5_000_000) // of ten million letters
})
