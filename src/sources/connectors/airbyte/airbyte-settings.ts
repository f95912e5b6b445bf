import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface AirbyteSettings extends HttpSettings {
  readonly url: string
  readonly client_id?: string
  readonly client_secret?: string
  readonly user?: string
  readonly password?: string
}

export const AIRBYTE_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      title: 'URL',
      description: 'The address of the API: https://api.airbyte.com/v1, or that of your server with /api/public/v1.',
      default: 'https://api.airbyte.com/v1',
      destination: true,
    },
    client_id: { type: 'string', title: 'Client ID', description: 'The client ID of an application.' },
    client_secret: { type: 'string', title: 'Client secret', secret: true },
    user: { type: 'string', title: 'User', description: 'Only for servers with basic authentication.' },
    password: { type: 'string', title: 'Password', secret: true },
    ...HTTP_SETTINGS,
  },
}

export const AIRBYTE_GRANTS =
  'An application of a user with the role Workspace Reader in the workspaces that should be in the catalog. A server without roles has no smaller right than an application.'
