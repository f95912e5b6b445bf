import { expect, test } from 'vitest'
import { type ChangedRuns, KnownRuns } from '../src/sources/connectors/orchestration/known-runs.ts'
import type { JobRun } from '../src/sources/connectors/orchestration/runs.ts'

const NONE: ChangedRuns = { list: async function* () {}, exceed: async () => false }
const NOW = new Date().toISOString()
const toRun = (): JobRun => ({ id: crypto.randomUUID(), status: 'success', started_at: '2026-04-14T06:00:00.000Z' })

/** How many of these jobs had to be asked. */
const readAll = async (known: KnownRuns, runs: ReadonlyMap<string, readonly JobRun[]>): Promise<number> => {
  let asked = 0
  for (const [job, expected] of runs) {
    const load = async () => {
      asked += 1
      return expected
    }
    expect(await known.read(job, load)).toEqual(expected)
  }
  return asked
}

test('the state of very many runs fits into one message; jobs that do not fit are asked again', async () => {
  const runs = new Map(Array.from({ length: 2_000 }, (_, i) => [`job ${i}`, Array.from({ length: 25 }, toRun)]))
  const first = await KnownRuns.load({ state: undefined }, NONE)
  expect(await readAll(first, runs)).toBe(2_000)
  const state = await first.toState()
  expect(JSON.stringify(state).length).toBeLessThan(1_000_000)
  const second = await KnownRuns.load({ state }, NONE)
  const asked = await readAll(second, runs)
  expect([asked > 0, asked < 1_500]).toEqual([true, true])
  expect(await readAll(await KnownRuns.load({ state: await second.toState() }, NONE), runs)).toBe(asked)
})

test('a state of another form is none', async () => {
  const runs = new Map([['job', [toRun()]]])
  for (const state of [null, 'x', {}, { since: NOW, runs: [] }, { since: NOW, read_at: NOW, runs: 'AAAA' }])
    expect(await readAll(await KnownRuns.load({ state }, NONE), runs)).toBe(1)
})
