import { runDriver } from '../../src/sources/connectors/shared/driver-program.ts'

/** A driver that misbehaves as requested. */
const responses: Record<string, () => unknown> = {
  fine: () => 'fine',
  long: () => 'x'.repeat(150_000),
  environment: () => Object.keys(process.env).sort(),
  folder: () => process.cwd(),
  pid: () => process.pid,
  crash: () => process.kill(process.pid, 'SIGSEGV'),
  loop: () => {
    for (;;);
  },
  'throw later': () => {
    setTimeout(() => {
      throw new Error('Uncaught by design.')
    })
    return new Promise(() => {})
  },
  'talk much': () => {
    for (let i = 0; i < 1_000; i += 1) console.log('swordfish')
    return 'said'
  },
}

async function* countForever(): AsyncGenerator<number[][], void> {
  for (let i = 0; ; i += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    yield [[i]]
  }
}

await runDriver<{ refuses?: boolean }>({
  name: 'test',
  label: 'Test',
  settings: { type: 'object', properties: { refuses: { type: 'boolean', title: 'Refuses' } } },
  open: async ({ refuses }) => {
    if (refuses) throw new Error('Cannot connect.')
    return {
      run: async ({ sql }) => ({
        columns: [{ name: 'value', type: 'text' }],
        rows: sql === 'endless' ? countForever() : [[[JSON.stringify(await responses[sql]!())]]],
      }),
    }
  },
})
