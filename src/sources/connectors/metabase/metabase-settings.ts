import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface MetabaseSettings extends HttpSettings {
  readonly url: string
  readonly api_key?: string
  readonly user?: string
  readonly password?: string
  readonly personal_collections: boolean
}

export const METABASE_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: { type: 'string', title: 'URL', description: 'The address of Metabase, e.g. https://metabase.example.com.', destination: true },
    api_key: { type: 'string', title: 'API key', description: 'Instead of a user and password.', secret: true },
    user: { type: 'string', title: 'User', description: 'E-mail address of a Metabase user.' },
    password: { type: 'string', title: 'Password', secret: true },
    personal_collections: {
      type: 'boolean',
      title: 'Personal collections',
      description: 'Also read personal collections that the user can see.',
      default: false,
    },
    ...HTTP_SETTINGS,
  },
}

export const METABASE_GRANTS =
  'View access to the collections that should be in the catalog. With an administrator, or an API key of the group Administrators, also the names of databases and the e-mail addresses of owners are known.'
