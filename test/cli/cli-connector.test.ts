import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../support/cli.ts'

const run = (...args: string[]) => runCli(['connector', ...args], { entry: 'src/cli.ts' }) // with the library of this checkout

test('creates a connector that fulfils the contract, and finds the mistakes of another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'connector-'))
  try {
    const created = join(folder, 'reports')
    expect(await run('new', created)).toMatchObject({ code: 0, out: expect.stringContaining(`Created ${created}.`) })
    const checked = await run('check', 'node', join(created, 'connector.ts'))
    expect([checked.code, checked.out.match(/^ok {6}/gm)?.length]).toEqual([0, 6])
    expect(await run('new', created)).toMatchObject({ code: 2, err: `The folder "${created}" is not empty.\n` })
    const silent = join(folder, 'silent.mjs')
    await writeFile(silent, 'console.error("not configured"); process.exit(1)')
    expect(await run('check', 'node', silent)).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        'failed  describe reports name, version and settings: The connector ended without `done` (exit code 1): not configured',
      ),
    })
    expect(await run('check')).toMatchObject({ code: 2, err: expect.stringContaining('Expected the program of the connector.') })
  } finally {
    await rm(folder, { recursive: true })
  }
})
