import type { SettingSchema } from '../../../../connector/src/protocol.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'

export interface AwsSettings extends HttpSettings {
  readonly region: string
  readonly access_key_id: string
  readonly secret_access_key: string
  readonly session_token?: string
  readonly url?: string
}

export const AWS_SETTINGS = {
  region: { type: 'string', title: 'Region', description: 'E.g. eu-central-1.', destination: true },
  access_key_id: { type: 'string', title: 'Access key ID' },
  secret_access_key: { type: 'string', title: 'Secret access key', secret: true },
  session_token: { type: 'string', title: 'Session token', description: 'Only for temporary credentials.', secret: true },
  url: {
    type: 'string',
    title: 'URL',
    description: 'The address of the service, if it is not the public one of the region.',
    destination: true,
  },
  ...HTTP_SETTINGS,
} as const satisfies Record<string, SettingSchema>

export const AWS_REQUIRED = ['region', 'access_key_id', 'secret_access_key'] as const
