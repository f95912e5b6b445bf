import { describe, expect, test } from 'vitest'
import { Ending } from './ending.ts'
import { openCollector } from './young.ts'

const collect = openCollector()

describe('the end of something', () => {
  test('whoever waits hears of it, and whoever asks later; an answer that came first counts', async () => {
    const ending = new Ending()
    const never = ending.or(new Promise(() => {}))
    expect(await ending.or(Promise.resolve(1))).toBe(1)
    await expect(ending.or(Promise.reject(new Error('no')))).rejects.toThrow('no')
    ending.end(new Error('gone'))
    ending.end(new Error('gone again'))
    await expect(never).rejects.toThrow('gone')
    await expect(ending.or(Promise.reject(new Error('too late')))).rejects.toThrow('gone')
    expect(ending.isOver).toBe(true)
  })

  test('answers are not kept until the end: an import reads for minutes in one transaction', async () => {
    const ending = new Ending()
    const ask = async (): Promise<WeakRef<object>> => new WeakRef(await ending.or(Promise.resolve({ rows: new Array(1000).fill(0) })))
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    await new Promise((resolve) => setTimeout(resolve))
    await collect({ execution: 'async' })
    expect(answers.filter((each) => each.deref() !== undefined)).toEqual([])
    expect(ending.isOver).toBe(false)
  })
})
