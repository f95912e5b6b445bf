import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface PowerBiSettings extends HttpSettings {
  readonly tenant: string
  readonly client_id: string
  readonly client_secret: string
  readonly url: string
  readonly login_url: string
  readonly scope: string
  readonly personal_workspaces: boolean
}

export const POWERBI_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['tenant', 'client_id', 'client_secret'],
  properties: {
    tenant: { type: 'string', title: 'Tenant', description: 'ID of the tenant in Microsoft Entra.', destination: true },
    client_id: { type: 'string', title: 'Client ID', description: 'Application ID of the service principal.' },
    client_secret: { type: 'string', title: 'Client secret', secret: true },
    url: {
      type: 'string',
      title: 'URL',
      description: 'The address of the API. Change it only for a national cloud.',
      default: 'https://api.powerbi.com',
      destination: true,
    },
    login_url: {
      type: 'string',
      title: 'Sign-in URL',
      description: 'Where the service principal signs in. Change it only for a national cloud.',
      default: 'https://login.microsoftonline.com',
      destination: true,
    },
    scope: {
      type: 'string',
      title: 'Scope',
      description: 'The scope of the token. Change it only for a national cloud.',
      default: 'https://analysis.windows.net/powerbi/api/.default',
    },
    personal_workspaces: {
      type: 'boolean',
      title: 'Personal workspaces',
      description: 'Also read the workspaces of single users.',
      default: false,
    },
    ...HTTP_SETTINGS,
  },
}

export const POWERBI_GRANTS =
  'A service principal without any permission of the Power BI API that needs consent, in a security group for which an administrator turns on these tenant settings: "Service principals can access read-only admin APIs", "Enhance admin APIs responses with detailed metadata" and "Enhance admin APIs responses with DAX and mashup expressions".'
