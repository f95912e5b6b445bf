import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface AirflowSettings extends HttpSettings {
  readonly url: string
  readonly user?: string
  readonly password?: string
  readonly token?: string
  readonly openlineage_namespace?: string
}

export const AIRFLOW_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: { type: 'string', title: 'URL', description: 'The address of Airflow, e.g. https://airflow.example.com.', destination: true },
    user: { type: 'string', title: 'User' },
    password: { type: 'string', title: 'Password', secret: true },
    token: { type: 'string', title: 'Token', description: 'A bearer token, instead of a user and password.', secret: true },
    openlineage_namespace: {
      type: 'string',
      title: 'OpenLineage namespace',
      description: 'The namespace of the events this Airflow sends, if it sends any.',
      default: 'default',
    },
    ...HTTP_SETTINGS,
  },
}

export const AIRFLOW_GRANTS =
  'A user with the role Viewer: it can read DAGs, tasks, DAG runs and assets (datasets), and change nothing. On Astronomer or another hosted Airflow: a read-only API token.'
