import { expect, test } from 'vitest'
import { ProgramConnection, toNodeProgram } from '../../../src/sources/connectors/shared/program-connection.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

const queryLimits = (timeout_ms = 20_000) => ({ signal: AbortSignal.timeout(PATIENCE_MS), timeout_ms, max_rows: 10 })
const createDriver = (settings: Record<string, unknown> = {}) =>
  new ProgramConnection({
    name: 'The driver',
    program: toNodeProgram(new URL('../../protocols/query-program.ts', import.meta.url), { ONLY: 'this' }),
    settings,
    graceMs: 300,
  })

test('survives whatever a driver does in its process, and runs the next query', async () => {
  await using driver = createDriver()
  const callDriver = async (what: string, ms?: number) => JSON.parse(String((await driver.query(what, queryLimits(ms))).rows[0]![0]))
  expect(await callDriver('fine')).toBe('fine')
  for (const [what, why, ms] of [
    ['crash', 'The driver stopped unexpectedly', undefined],
    ['loop', 'The operation timed out.', 200],
    ['throw later', 'Uncaught by design.', undefined],
  ] as const) {
    await expect(callDriver(what, ms), what).rejects.toThrow(why)
    expect(await callDriver('fine')).toBe('fine')
  }
  const stop = new AbortController()
  const pending = driver.query('loop', { ...queryLimits(), signal: stop.signal })
  setTimeout(() => stop.abort(), 50)
  await expect(pending).rejects.toThrow('The operation was cancelled.')
  expect(await callDriver('fine')).toBe('fine')
})

test('stops a statement whose rows nobody reads any more, and runs the next one in the same process', async () => {
  await using driver = createDriver()
  const limits = { signal: AbortSignal.timeout(PATIENCE_MS), timeout_ms: 20_000 }
  const { rows: before } = await driver.query('pid', queryLimits())
  const found: unknown[] = []
  for await (const row of driver.stream('endless', limits)) {
    found.push(row)
    if (found.length === 1_500) break
  }
  expect(found.at(-1)).toEqual({ value: 1_499 })
  const cut = await driver.query('endless', { ...limits, max_rows: 3 })
  expect(cut).toMatchObject({ rows: [[0], [1], [2]], truncated: true })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 50)
  const reading = Array.fromAsync(driver.stream('endless', { ...limits, signal: stop.signal }))
  await expect(reading).rejects.toThrow('The operation was cancelled.')
  expect((await driver.query('pid', queryLimits())).rows).toEqual(before)
})

test('texts of catalogs are whole, those of cells are cut', async () => {
  await using driver = createDriver()
  const { rows } = await driver.query('long', queryLimits())
  expect(String(rows[0]![0])).toMatch(/^"x{99999}…$/)
  const limits = { signal: AbortSignal.timeout(PATIENCE_MS), timeout_ms: 20_000 }
  const [found] = await Array.fromAsync(driver.stream<{ value: string }>('long', limits))
  expect(found!.value).toHaveLength(150_002)
})

test('passes no environment, folder or output to the program', async () => {
  await using driver = createDriver()
  const callDriver = async (what: string) => JSON.parse(String((await driver.query(what, queryLimits())).rows[0]![0]))
  expect(await callDriver('environment')).toEqual(['HOME', 'LANG', 'NODE_COMPILE_CACHE', 'ONLY', 'PATH'])
  expect(await callDriver('folder')).toBe('/')
  expect(await callDriver('talk much')).toBe('said')
})

test('reports a failed connection each time and leaves no process behind', async () => {
  await using driver = createDriver({ refuses: true })
  await expect(driver.connect(AbortSignal.timeout(PATIENCE_MS))).rejects.toThrow('Cannot connect.')
  await expect(driver.query('fine', queryLimits())).rejects.toThrow('Cannot connect.')
  await expect(driver.connect(AbortSignal.abort())).rejects.toThrow()
})

test('explains why a driver cannot be loaded', async () => {
  const program = toNodeProgram(new URL('../../protocols/query-program-missing.ts', import.meta.url))
  await using driver = new ProgramConnection({ name: 'The driver', program, settings: {} })
  const why = `The driver could not be started on this machine (${process.platform}-${process.arch}): Cannot find module 'no-such-binding.node'`
  await expect(driver.query('fine', queryLimits())).rejects.toThrow(why)
  await expect(driver.connect(AbortSignal.timeout(PATIENCE_MS))).rejects.toThrow(why)
})
