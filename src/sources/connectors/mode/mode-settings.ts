import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface ModeSettings extends HttpSettings {
  readonly url: string
  readonly workspace: string
  readonly token: string
  readonly token_secret: string
}

export const MODE_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['workspace', 'token', 'token_secret'],
  properties: {
    url: { type: 'string', title: 'URL', description: 'The address of Mode.', default: 'https://app.mode.com', destination: true },
    workspace: { type: 'string', title: 'Workspace', description: 'The name of the workspace in the address of Mode.' },
    token: { type: 'string', title: 'Token', description: 'An API token of the workspace or of a user.' },
    token_secret: { type: 'string', title: 'Token secret', secret: true },
    ...HTTP_SETTINGS,
  },
}

export const MODE_GRANTS =
  'An API token of a member with View access to the collections and the connections whose reports should be in the catalog. Private collections of others are not visible to it.'
