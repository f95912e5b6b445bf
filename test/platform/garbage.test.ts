import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTestApp } from '../support/test-app.ts'

test('rows and requests are freed by minor collections, without a full one', async () => {
  await using app = await createTestApp()
  const script = join(import.meta.dirname, 'garbage-left.ts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, app.url])
  const { rows, requests } = JSON.parse(stdout)
  expect(rows).toBeLessThan(5_000_000) // of ten million characters
  expect(requests).toBeLessThan(3_000_000) // of a million words, eight million bytes
})
