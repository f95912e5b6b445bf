import type { SettingSchema } from '../../../../connector/src/protocol.ts'

/** The certificate authority of a source that is reached with TLS. */
export interface TlsSettings {
  readonly ca?: string
}

export const TLS_SETTINGS = {
  ca: {
    type: 'string',
    title: 'Certificate authority',
    description: 'PEM. The certificate authority of the server, if the system does not trust it.',
    destination: true,
    multiline: true,
  },
} as const satisfies Record<string, SettingSchema>

/** For sources that can be reached with and without TLS. */
export const tlsSwitch = (defaultValue: boolean) =>
  ({
    ssl: { type: 'boolean', title: 'Use TLS', default: defaultValue, destination: true },
    ...TLS_SETTINGS,
  }) as const satisfies Record<string, SettingSchema>
