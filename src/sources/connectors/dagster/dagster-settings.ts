import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface DagsterSettings extends HttpSettings {
  readonly url: string
  readonly token?: string
  readonly database?: string
}

export const DAGSTER_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      title: 'URL',
      description:
        'The address of the web server, e.g. http://dagster.example.com:3000, or https://example.dagster.cloud/prod of Dagster+.',
      destination: true,
    },
    token: { type: 'string', title: 'Token', description: 'A user token of Dagster+.', secret: true },
    database: {
      type: 'string',
      title: 'Database',
      description: 'The database of assets whose table name does not include one.',
    },
    ...HTTP_SETTINGS,
  },
}

export const DAGSTER_GRANTS =
  'Dagster+: a token of a user with the role Viewer in the deployment. The open-source web server has no users: whoever reaches it can read it, so start a second one with dagster-webserver --read-only.'
