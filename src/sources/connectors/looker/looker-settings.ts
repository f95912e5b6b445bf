import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface LookerSettings extends HttpSettings {
  readonly url: string
  readonly client_id: string
  readonly client_secret: string
  readonly personal_folders: boolean
}

export const LOOKER_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url', 'client_id', 'client_secret'],
  properties: {
    url: { type: 'string', title: 'URL', description: 'The address of Looker, e.g. https://example.cloud.looker.com.', destination: true },
    client_id: { type: 'string', title: 'Client ID', description: 'The client ID of an API key of a Looker user.' },
    client_secret: { type: 'string', title: 'Client secret', secret: true },
    personal_folders: {
      type: 'boolean',
      title: 'Personal folders',
      description: 'Also read personal folders that the user can see.',
      default: false,
    },
    ...HTTP_SETTINGS,
  },
}

export const LOOKER_GRANTS =
  'An API key of a user with a role of the permissions access_data, see_looks, see_lookml_dashboards, see_user_dashboards, explore, see_lookml and see_sql on the models that should be in the catalog, and View access to the folders. With see_users, e-mail addresses of owners are known. Names and dialects of databases are read from the connections, if the user may see them.'
