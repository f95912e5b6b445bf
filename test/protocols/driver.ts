import { type Driver, serveDriver } from '../../src/sources/connectors/shared/driver-server.ts'

/** A driver that misbehaves as requested. */
const responses: Record<string, () => unknown> = {
  fine: () => 'fine',
  environment: () => Object.keys(process.env).sort(),
  folder: () => process.cwd(),
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

const driver: Driver<{ refuses?: boolean }> = {
  open: async ({ refuses }) => {
    if (refuses) throw new Error('Cannot connect.')
  },
  begin: async (what) => {
    const value = await responses[what]!()
    return {
      columns: [{ name: 'value', type: 'text' }],
      rows: (async function* () {
        yield [[JSON.stringify(value)]]
      })(),
    }
  },
  interrupt: () => {},
}
serveDriver(driver)
