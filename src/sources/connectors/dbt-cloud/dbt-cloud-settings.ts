import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface DbtCloudSettings extends HttpSettings {
  readonly url: string
  readonly account_id: string
  readonly token: string
  readonly project_id?: string
}

export const DBT_CLOUD_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['account_id', 'token'],
  properties: {
    url: {
      type: 'string',
      title: 'URL',
      description: 'The access URL of the account, e.g. https://ab123.us1.dbt.com.',
      default: 'https://cloud.getdbt.com',
      destination: true,
    },
    account_id: { type: 'string', title: 'Account ID' },
    token: { type: 'string', title: 'Token', description: 'A service token.', secret: true },
    project_id: { type: 'string', title: 'Project ID', description: 'Needed if the account has several projects.' },
    warehouse: {
      type: 'string',
      title: 'Warehouse',
      description: 'ID of the integration the project builds in. Needed when several have tables of the same name.',
    },
    ...HTTP_SETTINGS,
  },
}

export const DBT_CLOUD_GRANTS = 'A service token with the permission set Job Viewer (on plans without it: Read-Only) for the project.'
