import { expect, test } from 'vitest'
import { SingleFlight } from './single-flight.ts'

const aWork = () => {
  const begun: PromiseWithResolvers<number>[] = []
  const work = () => {
    const answer = Promise.withResolvers<number>()
    begun.push(answer)
    return answer.promise
  }
  return { begun, work }
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

test('those who ask together share one; those who ask while it is under way share the next', async () => {
  const sharing = new SingleFlight<number>()
  const { begun, work } = aWork()
  const first = [sharing.run('a', work), sharing.run('a', work)]
  await soon()
  const second = [sharing.run('a', work), sharing.run('a', work), sharing.run('a', work)]
  await soon()
  expect(begun).toHaveLength(1)
  begun[0]!.resolve(1)
  expect(await Promise.all(first)).toEqual([1, 1])
  await soon()
  expect(begun).toHaveLength(2)
  begun[1]!.resolve(2)
  expect(await Promise.all(second)).toEqual([2, 2, 2])
})

test('what fails fails for those who shared it, and the next begins anew', async () => {
  const sharing = new SingleFlight<number>()
  const { begun, work } = aWork()
  const failing = sharing.run('a', work)
  await soon()
  const next = sharing.run('a', work)
  begun[0]!.reject(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  await soon()
  begun[1]!.resolve(7)
  expect(await next).toBe(7)
})

test('other keys do not wait', async () => {
  const sharing = new SingleFlight<number>()
  const { begun, work } = aWork()
  void sharing.run('slow', work)
  await soon()
  const quick = sharing.run('quick', async () => 3)
  expect(await quick).toBe(3)
  begun[0]!.resolve(0)
})
