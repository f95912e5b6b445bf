import type { SettingSchema } from '../../../../connector/src/protocol.ts'

/** Settings of every source that is read over HTTP. */
export interface HttpSettings {
  readonly ca?: string
}

export const HTTP_SETTINGS = {
  ca: {
    type: 'string',
    title: 'Certificate authority',
    description: 'PEM. The certificate authority of the server, if the system does not trust it.',
    destination: true,
    multiline: true,
  },
} as const satisfies Record<string, SettingSchema>
