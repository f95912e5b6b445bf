import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { HttpError } from '../../../connector/src/http.ts'
import type { JobRun } from '../../../src/sources/connectors/orchestration/runs.ts'
import { type ChangedRuns, SavedRuns } from '../../../src/sources/connectors/orchestration/saved-runs.ts'

const NONE: ChangedRuns = { list: async function* () {}, exceed: async () => false }
const NOW = new Date().toISOString()
const toRun = (): JobRun => ({ id: crypto.randomUUID(), status: 'success', started_at: '2026-04-14T06:00:00.000Z' })

const load = (state: unknown, changed = NONE, log = async (_: string) => {}) => SavedRuns.load({ state, log }, changed)

/** How many of these jobs had to be asked. */
const readAll = async (saved: SavedRuns, runs: ReadonlyMap<string, readonly JobRun[]>): Promise<number> => {
  let asked = 0
  for (const [job, expected] of runs) {
    const ask = async () => {
      asked += 1
      return expected
    }
    expect(await saved.read(job, ask)).toEqual(expected)
  }
  return asked
}

test('the state of very many runs fits into one message; jobs that do not fit are asked again', async () => {
  const runs = new Map(Array.from({ length: 2_000 }, (_, i) => [`job ${i}`, Array.from({ length: 25 }, toRun)]))
  const first = await load(undefined)
  expect(await readAll(first, runs)).toBe(2_000)
  const state = await first.toState()
  expect(JSON.stringify(state).length).toBeLessThan(1_000_000)
  const second = await load(state)
  const asked = await readAll(second, runs)
  expect([asked > 0, asked < 1_500]).toEqual([true, true])
  expect(await readAll(await load(await second.toState()), runs)).toBe(asked)
})

test('a state of another form is none', async () => {
  const runs = new Map([['job', [toRun()]]])
  for (const state of [null, 'x', {}, { since: NOW, runs: [] }, { since: NOW, read_at: NOW, runs: 'AAAA' }])
    expect(await readAll(await load(state), runs)).toBe(1)
})

test('saved runs that are no list of jobs and their runs are none, with a line in the log', async () => {
  const runs = new Map([['job', [toRun()]]])
  const contents = [{ job: [] }, null, 'job', ['job'], [['job', null]], [['job', [null]]], [['job', [{ id: '1' }]]], [[1, []]]]
  for (const content of contents) {
    const lines: string[] = []
    const state = { since: NOW, read_at: NOW, runs: gzipSync(JSON.stringify(content)).toString('base64') }
    const saved = await load(state, NONE, async (line) => void lines.push(line))
    expect([content, await readAll(saved, runs), lines]).toEqual([
      content,
      1,
      [
        'The runs saved by the last sync cannot be used, so the runs of all jobs are read. That takes longer, and nothing is missing. It is not a list of jobs and their runs.',
      ],
    ])
  }
})

test('if the changes cannot be listed, all jobs are asked', async () => {
  const runs = new Map([['job', [toRun()]]])
  const first = await load(undefined)
  await readAll(first, runs)
  const state = await first.toState()
  const failWith = (error: Error): ChangedRuns => ({
    ...NONE,
    // biome-ignore lint/correctness/useYield: it fails before its first element
    list: async function* () {
      throw error
    },
  })
  const errors = [new HttpError(404, 'Not found.'), new HttpError(504, 'Too slow.'), new Error('GET /runs timed out.')]
  for (const error of errors) {
    const lines: string[] = []
    const saved = await load(state, failWith(error), async (line) => void lines.push(line))
    const all = 'the runs of all jobs are read. That takes longer, and nothing is missing.'
    expect(lines).toEqual([
      error instanceof HttpError && error.status === 404
        ? `This source does not list the runs that changed since the last sync, so ${all} (Not found.)`
        : `The runs that changed since the last sync cannot be listed, so ${all} ${error.message}`,
    ])
    expect(await readAll(saved, runs)).toBe(1)
  }
  for (const status of [401, 429]) await expect(load(state, failWith(new HttpError(status, 'No.')))).rejects.toThrow('No.')
})

test('a state whose times are too old, in the future or no dates is none', async () => {
  const runs = new Map([['job', [toRun()]]])
  const first = await load(undefined)
  await readAll(first, runs)
  const state = (await first.toState()) as object
  expect(await readAll(await load(state), runs)).toBe(0)
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  for (const time of [inHours(-24 * 8), inHours(0.5), inHours(24), 'x', ''])
    for (const name of ['since', 'read_at'])
      expect([time, name, await readAll(await load({ ...state, [name]: time }), runs)]).toEqual([time, name, 1])
})
