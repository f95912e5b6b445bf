import { expect, test } from 'vitest'
import { type Frequencies, TermFrequencies } from './term-frequencies.ts'

const read = (resources: number) => async (): Promise<Frequencies> => ({
  resources,
  shares: { title: new Map(), texts: new Map(), context: new Map() },
})
const fails = () => Promise.reject(new Error('unavailable'))

test('retries after a failed read and keeps serving cached frequencies', async () => {
  const frequencies = new TermFrequencies()
  for (let i = 0; i < 2; i += 1) await expect(frequencies.get(fails)).rejects.toThrow('unavailable')
  expect(await frequencies.get(read(7))).toMatchObject({ resources: 7 })
  expect(await frequencies.get(fails)).toMatchObject({ resources: 7 })
})

test('rejects every caller of a failed first read, then recovers', async () => {
  const frequencies = new TermFrequencies()
  frequencies.clear()
  const [first, second] = await Promise.allSettled([frequencies.get(fails), frequencies.get(fails)])
  expect([first.status, second.status]).toEqual(['rejected', 'rejected'])
  expect(await frequencies.get(read(3))).toMatchObject({ resources: 3 })
})
