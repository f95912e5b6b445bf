import type { SettingsSchema } from '../../../../connector/src/protocol.ts'

export interface GrafanaSettings {
  readonly url: string
  readonly token: string
}

export const GRAFANA_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url', 'token'],
  properties: {
    url: { type: 'string', title: 'URL', description: 'The address of Grafana, e.g. https://grafana.example.com.', destination: true },
    token: { type: 'string', title: 'Token', description: 'Of a service account.', secret: true },
  },
}
