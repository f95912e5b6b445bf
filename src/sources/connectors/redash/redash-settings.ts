import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface RedashSettings extends HttpSettings {
  readonly url: string
  readonly api_key: string
}

export const REDASH_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url', 'api_key'],
  properties: {
    url: { type: 'string', title: 'URL', description: 'The address of Redash, e.g. https://redash.example.com.', destination: true },
    api_key: { type: 'string', title: 'API key', description: 'The API key of a Redash user.', secret: true },
    ...HTTP_SETTINGS,
  },
}

export const REDASH_GRANTS =
  'The API key of a user who is in a group with view-only access to the data sources whose queries should be in the catalog. With an administrator, the names of databases and views are also known.'
