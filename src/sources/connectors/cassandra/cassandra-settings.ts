import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'
import { type TlsSettings, tlsSwitch } from '../tls/tls-settings.ts'

export interface CassandraSettings extends PatternSettings, TlsSettings {
  readonly hosts: string
  readonly datacenter?: string
  readonly user?: string
  readonly password?: string
  readonly ssl: boolean
  readonly keyspace?: string
}

export const CASSANDRA_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['hosts'],
  properties: {
    hosts: {
      type: 'string',
      title: 'Hosts',
      description: 'Comma-separated, e.g. cassandra-1.example.com, cassandra-2.example.com:9042.',
      destination: true,
    },
    datacenter: { type: 'string', title: 'Data center', description: 'Only servers of this data center are contacted.' },
    user: { type: 'string', title: 'User', description: 'Leave blank if the servers need no password.' },
    password: { type: 'string', title: 'Password', secret: true },
    ...tlsSwitch(true),
    keyspace: { type: 'string', title: 'Keyspace', description: 'Leave blank for all keyspaces.' },
    ...PATTERN_SETTINGS,
  },
}

export const CASSANDRA_GRANTS = `create role tablinum with login = true and password = '…';
-- every role may read system_schema; only where that is restricted
grant select on keyspace system_schema to tablinum;`
