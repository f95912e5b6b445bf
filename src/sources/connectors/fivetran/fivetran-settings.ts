import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface FivetranSettings extends HttpSettings {
  readonly url: string
  readonly api_key: string
  readonly api_secret: string
}

export const FIVETRAN_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['api_key', 'api_secret'],
  properties: {
    url: {
      type: 'string',
      title: 'URL',
      description: 'The address of the API.',
      default: 'https://api.fivetran.com',
      destination: true,
    },
    api_key: { type: 'string', title: 'API key', description: 'A system key, or the API key of a user.' },
    api_secret: { type: 'string', title: 'API secret', secret: true },
    ...HTTP_SETTINGS,
  },
}

export const FIVETRAN_GRANTS =
  'A system key with the permissions Destinations: Read and Connections: Read, or the key of a user with the role Account Reviewer. With Users: Read, who set up a connection becomes its owner.'
