import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface PrefectSettings extends HttpSettings {
  readonly url: string
  readonly api_key?: string
  readonly user?: string
  readonly password?: string
}

export const PREFECT_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      title: 'URL',
      description:
        'The address of the API: http://prefect.example.com:4200/api, or https://api.prefect.cloud/api/accounts/…/workspaces/… of Prefect Cloud.',
      destination: true,
    },
    api_key: { type: 'string', title: 'API key', description: 'Only for Prefect Cloud.', secret: true },
    user: { type: 'string', title: 'User', description: 'Only for servers with basic authentication.' },
    password: { type: 'string', title: 'Password', secret: true },
    ...HTTP_SETTINGS,
  },
}

export const PREFECT_GRANTS =
  'Prefect Cloud: the API key of a service account with the workspace role Viewer. A Prefect server has no roles: whoever reaches its API can read it.'
