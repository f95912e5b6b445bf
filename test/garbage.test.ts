import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { aHouse } from './house.ts'

test('rows and requests are freed by minor collections, without a full one', async () => {
  await using house = await aHouse()
  const script = join(import.meta.dirname, 'garbage-left.ts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, house.url])
  const { rows, requests } = JSON.parse(stdout)
  expect(rows).toBeLessThan(5_000_000) // of ten million characters
  expect(requests).toBeLessThan(3_000_000) // of a million words, eight million bytes
})
