import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'

export interface ElasticsearchSettings extends PatternSettings {
  readonly url: string
  readonly api_key?: string
  readonly user?: string
  readonly password?: string
}

export const ELASTICSEARCH_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      title: 'URL',
      description: 'The address of Elasticsearch or OpenSearch, e.g. https://search.example.com:9200.',
      destination: true,
    },
    api_key: { type: 'string', title: 'API key', description: 'Instead of a user and password.', secret: true },
    user: { type: 'string', title: 'User' },
    password: { type: 'string', title: 'Password', secret: true },
    ...PATTERN_SETTINGS,
  },
}
