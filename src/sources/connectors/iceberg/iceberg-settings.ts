import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'

export interface IcebergSettings extends HttpSettings, PatternSettings {
  readonly url: string
  readonly warehouse?: string
  readonly token?: string
  readonly client_id?: string
  readonly client_secret?: string
  readonly login_url?: string
  readonly scope: string
}

export const ICEBERG_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      title: 'URL',
      description: 'The address of the catalog, e.g. https://catalog.example.com/iceberg.',
      destination: true,
    },
    warehouse: { type: 'string', title: 'Warehouse', description: 'The name of the warehouse, if the catalog has several.' },
    token: { type: 'string', title: 'Token', description: 'Instead of a client ID and secret.', secret: true },
    client_id: { type: 'string', title: 'Client ID' },
    client_secret: { type: 'string', title: 'Client secret', secret: true },
    login_url: {
      type: 'string',
      title: 'Sign-in URL',
      description: 'Where tokens are issued, if it is not the catalog itself.',
      destination: true,
    },
    scope: { type: 'string', title: 'Scope', description: 'The scope that the token is requested with.', default: 'PRINCIPAL_ROLE:ALL' },
    ...HTTP_SETTINGS,
    ...PATTERN_SETTINGS,
  },
}

export const ICEBERG_GRANTS =
  'A principal that may list namespaces, tables and views and read the properties of tables and views. No data files are read.'
