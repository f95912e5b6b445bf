import { TLS_SETTINGS, type TlsSettings } from '../tls/tls-settings.ts'

/** Settings of every source that is read over HTTP. */
export type HttpSettings = TlsSettings
export const HTTP_SETTINGS = TLS_SETTINGS
