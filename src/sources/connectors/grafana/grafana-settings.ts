import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface GrafanaSettings extends HttpSettings {
  readonly url: string
  readonly token: string
}

export const GRAFANA_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url', 'token'],
  properties: {
    url: { type: 'string', title: 'URL', description: 'The address of Grafana, e.g. https://grafana.example.com.', destination: true },
    token: { type: 'string', title: 'Token', description: 'The token of a service account.', secret: true },
    ...HTTP_SETTINGS,
  },
}

export const GRAFANA_GRANTS =
  'A token of a service account with the role Viewer and access to the folders that should be in the catalog. With the permission datasources:read, SQL of panels is read as lineage; with org.users:read, owners are found by their e-mail addresses.'
