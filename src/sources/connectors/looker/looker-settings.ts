import type { SettingsSchema } from '../../../../connector/src/protocol.ts'

export interface LookerSettings {
  readonly url: string
  readonly client_id: string
  readonly client_secret: string
  readonly personal_folders: boolean
}

export const LOOKER_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url', 'client_id', 'client_secret'],
  properties: {
    url: { type: 'string', title: 'URL', description: 'The address of Looker, e.g. https://example.cloud.looker.com.', destination: true },
    client_id: { type: 'string', title: 'Client ID', description: 'Of an API key of a Looker user.' },
    client_secret: { type: 'string', title: 'Client secret', secret: true },
    personal_folders: {
      type: 'boolean',
      title: 'Personal folders',
      description: 'Also read personal folders that the user can see.',
      default: false,
    },
  },
}
