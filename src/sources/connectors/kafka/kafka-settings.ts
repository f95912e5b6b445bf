import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'
import { type TlsSettings, tlsSwitch } from '../tls/tls-settings.ts'

export interface KafkaSettings extends TlsSettings, PatternSettings {
  readonly brokers: string
  readonly ssl: boolean
  readonly mechanism: string
  readonly user?: string
  readonly password?: string
  readonly registry_url?: string
  readonly registry_user?: string
  readonly registry_password?: string
}

export const KAFKA_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['brokers'],
  properties: {
    brokers: { type: 'string', title: 'Brokers', description: 'Comma-separated, e.g. kafka-1.example.com:9092.', destination: true },
    ...tlsSwitch(true),
    mechanism: {
      type: 'string',
      title: 'Mechanism',
      description: 'How the password is checked: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512.',
      default: 'SCRAM-SHA-512',
      destination: true,
    },
    user: { type: 'string', title: 'User', description: 'Leave blank if the brokers need no password.' },
    password: { type: 'string', title: 'Password', secret: true },
    registry_url: {
      type: 'string',
      title: 'Schema registry',
      description: 'The address of the schema registry, e.g. https://registry.example.com. Without it, topics have no columns.',
      destination: true,
    },
    registry_user: { type: 'string', title: 'User of the registry' },
    registry_password: { type: 'string', title: 'Password of the registry', secret: true },
    ...PATTERN_SETTINGS,
  },
}

export const KAFKA_GRANTS =
  'DESCRIBE and DESCRIBE_CONFIGS on the topics and DESCRIBE on the consumer groups. In the schema registry: read access to the subjects. Messages are never read.'
