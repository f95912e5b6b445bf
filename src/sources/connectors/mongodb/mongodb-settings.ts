import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'

export interface MongodbSettings extends PatternSettings {
  readonly url: string
  readonly user?: string
  readonly password?: string
  readonly auth_source: string
  readonly database?: string
  readonly sample_size: number
}

export const MONGODB_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      title: 'URL',
      description: 'mongodb:// or mongodb+srv:// with the hosts and without a password, e.g. mongodb+srv://cluster.example.com.',
      destination: true,
    },
    user: { type: 'string', title: 'User' },
    password: { type: 'string', title: 'Password', secret: true },
    auth_source: { type: 'string', title: 'Authentication database', description: 'Where the user is defined.', default: 'admin' },
    database: { type: 'string', title: 'Database', description: 'Leave blank for all databases the user can see.' },
    sample_size: {
      type: 'integer',
      title: 'Sample size',
      description: 'How many documents of a collection are read to find its fields, at most 1,000.',
      default: 100,
    },
    ...PATTERN_SETTINGS,
  },
}

export const MONGODB_GRANTS =
  'A user with the role read on the databases, or readAnyDatabase. A sample of documents is read to find their fields; values are not stored.'
