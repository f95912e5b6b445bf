import { expect, test } from 'vitest'
import { type Frequencies, TermFrequencies } from './frequency.ts'

const read = (resources: number) => async (): Promise<Frequencies> => ({ resources, shares: { title: new Map(), texts: new Map() } })
const fails = () => Promise.reject(new Error('away'))

test('a failed read is tried again, and fails nobody who came before or after', async () => {
  const frequencies = new TermFrequencies()
  for (let i = 0; i < 2; i += 1) await expect(frequencies.get(fails)).rejects.toThrow('away')
  expect(await frequencies.get(read(7))).toMatchObject({ resources: 7 })
  expect(await frequencies.get(fails)).toMatchObject({ resources: 7 })
})

test('after a failed refresh the last known frequencies are served', async () => {
  const frequencies = new TermFrequencies()
  frequencies.clear()
  const [first, second] = await Promise.allSettled([frequencies.get(fails), frequencies.get(fails)])
  expect([first.status, second.status]).toEqual(['rejected', 'rejected'])
  expect(await frequencies.get(read(3))).toMatchObject({ resources: 3 })
})
