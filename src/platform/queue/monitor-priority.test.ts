import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MonitorPriority } from './monitor-priority.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const startMonitor = (priority: MonitorPriority) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = priority.run(() => promise)
  return async () => {
    resolve()
    await done
  }
}

const startBatch = (priority: MonitorPriority) => {
  const batch = { started: false }
  void priority.giveWay().then(() => {
    batch.started = true
  })
  return batch
}

test('the next batch waits for running monitors', async () => {
  const priority = new MonitorPriority()
  await priority.giveWay() // nothing runs
  const [endOne, endTwo] = [startMonitor(priority), startMonitor(priority)]
  const batch = startBatch(priority)
  await endOne()
  await vi.advanceTimersByTimeAsync(10)
  expect(batch.started).toBe(false)
  await endTwo()
  await vi.advanceTimersByTimeAsync(0)
  expect(batch.started).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('a monitor that runs for minutes pauses jobs for at most half of the time', async () => {
  const priority = new MonitorPriority()
  const end = startMonitor(priority)
  const first = startBatch(priority)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(first.started).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(first.started).toBe(true)
  const second = startBatch(priority)
  await vi.advanceTimersByTimeAsync(0)
  expect(second.started).toBe(true)
  await vi.advanceTimersByTimeAsync(2_000)
  const third = startBatch(priority)
  await vi.advanceTimersByTimeAsync(0)
  expect(third.started).toBe(false)
  await end()
  await vi.advanceTimersByTimeAsync(0)
  expect(third.started).toBe(true)
})

test('a failed monitor ends the pause', async () => {
  const priority = new MonitorPriority()
  await expect(priority.run(() => Promise.reject(new Error('no connection')))).rejects.toThrow('no connection')
  await priority.giveWay()
  expect(vi.getTimerCount()).toBe(0)
})
