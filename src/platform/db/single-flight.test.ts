import { expect, test } from 'vitest'
import { SingleFlight } from './single-flight.ts'

const createWork = () => {
  const started: PromiseWithResolvers<number>[] = []
  const work = () => {
    const result = Promise.withResolvers<number>()
    started.push(result)
    return result.promise
  }
  return { begun: started, work }
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

test('concurrent callers share one run; callers during the run share the next', async () => {
  const flights = new SingleFlight<number>()
  const { begun: started, work } = createWork()
  const first = [flights.run('a', work), flights.run('a', work)]
  await soon()
  const second = [flights.run('a', work), flights.run('a', work), flights.run('a', work)]
  await soon()
  expect(started).toHaveLength(1)
  started[0]!.resolve(1)
  expect(await Promise.all(first)).toEqual([1, 1])
  await soon()
  expect(started).toHaveLength(2)
  started[1]!.resolve(2)
  expect(await Promise.all(second)).toEqual([2, 2, 2])
})

test('a failure rejects the callers that shared the run; the next call runs again', async () => {
  const flights = new SingleFlight<number>()
  const { begun: started, work } = createWork()
  const failing = flights.run('a', work)
  await soon()
  const next = flights.run('a', work)
  started[0]!.reject(new Error('unreachable'))
  await expect(failing).rejects.toThrow('unreachable')
  await soon()
  started[1]!.resolve(7)
  expect(await next).toBe(7)
})

test('different keys do not wait for each other', async () => {
  const flights = new SingleFlight<number>()
  const { begun: started, work } = createWork()
  void flights.run('slow', work)
  await soon()
  const quick = flights.run('quick', async () => 3)
  expect(await quick).toBe(3)
  started[0]!.resolve(0)
})
