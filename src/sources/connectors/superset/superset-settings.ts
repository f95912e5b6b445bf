import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface SupersetSettings extends HttpSettings {
  readonly url: string
  readonly user: string
  readonly password: string
  readonly provider: string
}

export const SUPERSET_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url', 'user', 'password'],
  properties: {
    url: { type: 'string', title: 'URL', description: 'The address of Superset, e.g. https://superset.example.com.', destination: true },
    user: { type: 'string', title: 'User' },
    password: { type: 'string', title: 'Password', secret: true },
    provider: {
      type: 'string',
      title: 'Sign-in provider',
      description: 'How Superset checks the password: db or ldap.',
      default: 'db',
    },
    ...HTTP_SETTINGS,
  },
}

export const SUPERSET_GRANTS =
  'A role with "can read" on Chart, Dashboard and Dataset and access to all data sources (all_datasource_access). With "can read" on Database, tables are also matched by the name of their database; with "can read" on Log, views are known.'
