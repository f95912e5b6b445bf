import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'
import { type TlsSettings, tlsSwitch } from '../tls/tls-settings.ts'

export interface HiveSettings extends PatternSettings, TlsSettings {
  readonly engine: string
  readonly host: string
  readonly port?: number
  readonly database: string
  readonly schema: string
  readonly user: string
  readonly password?: string
  readonly ssl: boolean
}

export const HIVE_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['host', 'database', 'user'],
  properties: {
    engine: {
      type: 'string',
      title: 'Database system',
      description: 'The type of the metastore’s database: mysql (also for MariaDB) or postgres.',
      default: 'mysql',
      destination: true,
    },
    host: { type: 'string', title: 'Host', destination: true },
    port: { type: 'integer', title: 'Port', description: 'Default: 3306 for MySQL, 5432 for Postgres.', destination: true },
    database: { type: 'string', title: 'Database', description: 'The database of the metastore, e.g. metastore.' },
    schema: { type: 'string', title: 'Schema', description: 'The schema of the metastore. Only for Postgres.', default: 'public' },
    user: { type: 'string', title: 'User' },
    password: { type: 'string', title: 'Password', secret: true },
    ...tlsSwitch(false),
    ...PATTERN_SETTINGS,
  },
}

export const HIVE_GRANTS = `-- MySQL, MariaDB: in the database of the metastore
create user 'tablinum'@'%' identified by '…';
grant select on metastore.* to 'tablinum'@'%';
-- Postgres: in the database of the metastore
create role tablinum login password '…';
grant usage on schema public to tablinum;
grant select on "VERSION", "CTLGS", "DBS", "TBLS", "SDS", "SERDES", "COLUMNS_V2", "PARTITION_KEYS", "TABLE_PARAMS", "KEY_CONSTRAINTS" to tablinum;`
