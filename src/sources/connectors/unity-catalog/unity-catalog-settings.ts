import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'

export interface UnityCatalogSettings extends HttpSettings, PatternSettings {
  readonly url: string
  readonly token?: string
  readonly catalog?: string
  readonly keys: boolean
}

export const UNITY_CATALOG_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      title: 'URL',
      description: 'The address of the workspace or server, e.g. https://dbc-12ab.cloud.databricks.com.',
      destination: true,
    },
    token: { type: 'string', title: 'Token', description: 'Sent as a bearer token. A server without sign-in needs none.', secret: true },
    catalog: { type: 'string', title: 'Catalog', description: 'Leave blank for all catalogs the token can use.' },
    keys: {
      type: 'boolean',
      title: 'Primary and foreign keys',
      description: 'Sends one more request for each table.',
      default: true,
    },
    ...HTTP_SETTINGS,
    ...PATTERN_SETTINGS,
  },
}

export const UNITY_CATALOG_GRANTS = `grant use catalog, browse on catalog shop to \`tablinum\`;
grant use schema on catalog shop to \`tablinum\`;`
