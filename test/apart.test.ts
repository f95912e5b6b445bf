import { expect, test } from 'vitest'
import { Apart } from '../src/integrations/connectors/apart.ts'

const limits = (timeout_ms = 20_000) => ({ signal: AbortSignal.timeout(100_000), timeout_ms, max_rows: 10 })
const aDriver = (opening: object = {}) =>
  new Apart({ name: 'The driver', file: new URL('./protocols/driver.ts', import.meta.url), opening, env: { ONLY: 'this' }, grace_ms: 300 })

test('survives whatever a driver does in its process, and runs the next query', async () => {
  await using driver = aDriver()
  const ask = async (what: string, ms?: number) => JSON.parse(String((await driver.ask(what, limits(ms))).rows[0]![0]))
  expect(await ask('fine')).toBe('fine')
  for (const [what, why, ms] of [
    ['crash', 'The driver stopped unexpectedly', undefined],
    ['loop', 'The operation timed out.', 200],
    ['throw later', 'Uncaught by design.', undefined],
  ] as const) {
    await expect(ask(what, ms), what).rejects.toThrow(why)
    expect(await ask('fine')).toBe('fine')
  }
  const stop = new AbortController()
  const asked = driver.ask('loop', { ...limits(), signal: stop.signal })
  setTimeout(() => stop.abort(), 50)
  await expect(asked).rejects.toThrow('The operation was cancelled.')
  expect(await ask('fine')).toBe('fine')
})

test('passes no environment, folder or output to the driver process', async () => {
  await using driver = aDriver()
  const ask = async (what: string) => JSON.parse(String((await driver.ask(what, limits())).rows[0]![0]))
  expect(await ask('environment')).toEqual(['HOME', 'ONLY'])
  expect(await ask('folder')).toBe('/')
  expect(await ask('talk much')).toBe('said')
})

test('reports a failed connection each time and leaves no process behind', async () => {
  await using driver = aDriver({ refuses: true })
  await expect(driver.reach(AbortSignal.timeout(100_000))).rejects.toThrow('Cannot connect.')
  await expect(driver.ask('fine', limits())).rejects.toThrow('Cannot connect.')
  await expect(driver.reach(AbortSignal.abort())).rejects.toThrow()
})

test('explains why a driver cannot be loaded', async () => {
  const file = new URL('./protocols/driver-missing.ts', import.meta.url)
  await using driver = new Apart({ name: 'The driver', file, opening: {} })
  const why = `The driver could not be started on this machine (${process.platform}-${process.arch}): Cannot find module 'no-such-binding.node'`
  await expect(driver.ask('fine', limits())).rejects.toThrow(why)
  await expect(driver.reach(AbortSignal.timeout(100_000))).rejects.toThrow(why)
})
