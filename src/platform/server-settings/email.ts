import { isIP } from 'node:net'
import type { EmailOptions } from '../channels/email.ts'
import { invalid } from '../core/errors.ts'
import { translatable } from '../core/translatable.ts'
import type { EmailSettings, EmailSettingsEdit } from './schema.ts'
import type { StoredSettings } from './store.ts'

/** The mail server: what is stored of it, and how it is used. Pure. */
type EmailConfig = Omit<EmailSettingsEdit, 'password'>

const HOST = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i
const SENDER = /^(?:[^<>@\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u

/** What to store: a password is stored for one server and one way to reach it. */
export const prepareEmail = (
  edit: EmailSettingsEdit,
  before: StoredSettings | undefined,
): { config: EmailConfig; secret: string | null } => {
  const { password, ...rest } = edit
  const config = { ...rest, host: edit.host.trim(), user: edit.user?.trim() || null, from: edit.from.trim() }
  if (!HOST.test(config.host) && isIP(config.host) === 0) throw invalid({ host: [translatable('must be a host name or an IP address.')] })
  if (!SENDER.test(config.from))
    throw invalid({ from: [translatable('must be an e-mail address, or a name with one: Name <name@example.com>.')] })
  if (config.user === null) return { config, secret: null }
  if (password !== undefined) return { config, secret: password }
  if (before?.secret === undefined || before.secret === null) throw invalid({ password: [translatable('is required.')] })
  const old = before.config as unknown as EmailConfig
  if (old.host !== config.host || old.port !== config.port || old.security !== config.security)
    throw invalid({
      password: [translatable('is required to change the server: a stored secret is never sent to another destination.')],
    })
  return { config, secret: before.secret }
}

export const toEmailOptions = (stored: StoredSettings['config'], password: string | null): EmailOptions => {
  const { host, port, security, user, from } = stored as unknown as EmailConfig
  const login = user === null ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`
  const protocol = security === 'tls' ? 'smtps' : 'smtp'
  const url = `${protocol}://${login}${isIP(host) === 6 ? `[${host}]` : host}:${port}${security === 'starttls' ? '?requireTLS=true' : ''}`
  return { url, from }
}

type EmailFields = Omit<EmailSettings, 'source' | 'problem' | 'updated_at'>

export const showStoredEmail = (stored: StoredSettings | undefined): EmailFields => {
  if (!stored) return { host: null, port: null, security: null, user: null, from: null, has_password: false }
  const { host, port, security, user, from } = stored.config as unknown as EmailConfig
  return { host, port, security, user, from, has_password: stored.secret !== null }
}

export const showEnvironmentEmail = ({ url, from }: EmailOptions): EmailFields => {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const tls = protocol === 'smtps:'
  return {
    host: hostname,
    port: port === '' ? (tls ? 465 : 587) : Number(port),
    security: tls ? 'tls' : searchParams.get('requireTLS') === 'true' ? 'starttls' : 'none',
    user: username === '' ? null : decodeURIComponent(username),
    from,
    has_password: password !== '',
  }
}
