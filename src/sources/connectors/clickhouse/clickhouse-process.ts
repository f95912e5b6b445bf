import { runDriver } from '../shared/driver-program.ts'
import { tlsSwitch } from '../tls/tls-settings.ts'
import { ClickhouseHttpClient, type ClickhouseSettings } from './clickhouse-client.ts'

/** The program that queries ClickHouse. */

await runDriver<ClickhouseSettings>({
  name: 'clickhouse',
  label: 'ClickHouse',
  dialect: 'clickhouse',
  settings: {
    type: 'object',
    required: ['host', 'user'],
    properties: {
      host: { type: 'string', title: 'Host', destination: true },
      port: { type: 'integer', title: 'Port', destination: true },
      database: { type: 'string', title: 'Database' },
      user: { type: 'string', title: 'User' },
      password: { type: 'string', title: 'Password', secret: true },
      ...tlsSwitch(false),
    },
  },
  open: (settings) => ClickhouseHttpClient.open(settings),
})
