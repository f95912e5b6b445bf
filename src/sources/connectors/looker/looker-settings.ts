import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface LookerSettings extends HttpSettings {
  /** Without it only the files are read. */
  readonly url?: string
  readonly client_id?: string
  readonly client_secret?: string
  readonly personal_folders: boolean
  /** The folder of a LookML project; checked by the server. */
  readonly path?: string
  readonly dialect?: string
  readonly database?: string
  readonly schema?: string
}

export const LOOKER_SETTINGS: SettingsSchema = {
  type: 'object',
  properties: {
    url: { type: 'string', title: 'URL', description: 'The address of Looker, e.g. https://example.cloud.looker.com.', destination: true },
    client_id: { type: 'string', title: 'Client ID', description: 'The client ID of an API key of a Looker user.' },
    client_secret: { type: 'string', title: 'Client secret', secret: true },
    personal_folders: {
      type: 'boolean',
      title: 'Personal folders',
      description: 'Also read personal folders that the user can see.',
      default: false,
    },
    path: {
      type: 'string',
      title: 'Path',
      description: 'Folder of a LookML project, inside the folder TABLINUM_FILES. Without a URL, only the files are read.',
    },
    dialect: {
      type: 'string',
      title: 'SQL dialect',
      description: 'The dialect of the connections in the LookML project, e.g. snowflake. Needed if Looker does not report it.',
    },
    database: {
      type: 'string',
      title: 'Database',
      description: 'The database of LookML tables that are named without one. Needed if Looker does not report it.',
    },
    schema: {
      type: 'string',
      title: 'Schema',
      description: 'The schema of LookML tables that are named without one. Needed if Looker does not report it.',
    },
    ...HTTP_SETTINGS,
  },
}

export const LOOKER_GRANTS =
  'An API key of a user with a role of the permissions access_data, see_looks, see_lookml_dashboards, see_user_dashboards, explore, see_lookml and see_sql on the models that should be in the catalog, and View access to the folders. With see_users, e-mail addresses of owners are known. Names and dialects of databases are read from the connections, if the user may see them. Files of LookML are read in the folder TABLINUM_FILES only, and never written.'

/** Looker, files, or both. */
export const checkSettings = ({ url, client_id, client_secret, path }: LookerSettings): void => {
  if (!url && !path) throw new Error('Settings: `url` of Looker or `path` of a LookML project is required.')
  if (url && !client_id) throw new Error('Settings: `client_id` is required with `url`.')
  if (url && !client_secret) throw new Error('Settings: `client_secret` is required with `url`.')
}
