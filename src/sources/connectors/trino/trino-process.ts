import { runDriver } from '../shared/driver-program.ts'
import { tlsSwitch } from '../tls/tls-settings.ts'
import { TrinoClient, type TrinoSettings } from './trino-client.ts'

/** The program that queries Trino. */

const TEST_MS = 10_000

await runDriver<TrinoSettings>({
  name: 'trino',
  label: 'Trino',
  dialect: 'trino',
  settings: {
    type: 'object',
    required: ['host', 'user'],
    properties: {
      host: { type: 'string', title: 'Host', destination: true },
      port: { type: 'integer', title: 'Port', destination: true },
      user: { type: 'string', title: 'User' },
      password: { type: 'string', title: 'Password', secret: true },
      ...tlsSwitch(false),
      transactions: { type: 'boolean', title: 'Run each statement in a transaction', default: true },
    },
  },
  open: async (settings) => {
    const client = new TrinoClient(settings)
    const { rows } = await client.run({ id: 0, sql: 'select 1', timeout_ms: TEST_MS })
    for await (const _ of rows);
    return client
  },
})
