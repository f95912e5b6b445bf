import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'

export interface ElasticsearchSettings extends HttpSettings, PatternSettings {
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
    ...HTTP_SETTINGS,
    ...PATTERN_SETTINGS,
  },
}

export const ELASTICSEARCH_GRANTS =
  'The cluster privilege monitor, and the index privileges monitor and view_index_metadata on the indices that should be in the catalog. Documents are never read.'
