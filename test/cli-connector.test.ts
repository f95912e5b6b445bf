import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const CLI = join(import.meta.dirname, '../src/cli.ts')

const runCli = (...args: string[]) =>
  promisify(execFile)(process.execPath, [CLI, 'connector', ...args]).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

test('creates a connector that fulfils the contract, and finds the mistakes of another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'connector-'))
  try {
    const created = join(folder, 'reports')
    expect(await runCli('new', created)).toMatchObject({ code: 0, stdout: expect.stringContaining(`Created ${created}.`) })
    const checked = await runCli('check', 'node', join(created, 'connector.ts'))
    expect([checked.code, checked.stdout.match(/^ok {6}/gm)?.length]).toEqual([0, 6])
    expect(await runCli('new', created)).toMatchObject({ code: 2, stderr: `The folder "${created}" is not empty.\n` })
    const silent = join(folder, 'silent.mjs')
    await writeFile(silent, 'console.error("not configured"); process.exit(1)')
    expect(await runCli('check', 'node', silent)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        'failed  describe reports name, version and settings: The connector ended without `done` (exit code 1): not configured',
      ),
    })
    expect(await runCli('check')).toMatchObject({ code: 2, stderr: expect.stringContaining('Expected the program of the connector.') })
  } finally {
    await rm(folder, { recursive: true })
  }
})
