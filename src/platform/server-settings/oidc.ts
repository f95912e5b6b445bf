import type { OidcConfig } from '../config/config.ts'
import { invalid } from '../core/errors.ts'
import { translatable } from '../core/translatable.ts'
import { type AddressAllowlist, findAddressProblem, getHost } from '../outbound/address-policy.ts'
import type { OidcSettings, OidcSettingsEdit } from './schema.ts'
import type { StoredSettings } from './store.ts'

/** The identity provider: what is stored of it, and how it is used. Pure. */
type StoredOidc = Omit<OidcSettingsEdit, 'client_secret'>

export const prepareOidc = (
  { client_secret, ...edit }: OidcSettingsEdit,
  before: StoredSettings | undefined,
  allowed: AddressAllowlist,
): { config: StoredOidc; secret: string } => {
  const issuer = edit.issuer.trim()
  const problem = findAddressProblem(issuer, allowed)
  if (problem) throw invalid({ issuer: [problem] })
  const url = new URL(issuer)
  if (url.protocol !== 'https:' && !allowed.has(getHost(url))) throw invalid({ issuer: [translatable('must start with https://.')] })
  if (url.search || url.hash) throw invalid({ issuer: [translatable('must not contain a query or a fragment.')] })
  const config = {
    ...edit,
    issuer,
    client_id: edit.client_id.trim(),
    name: edit.name.trim() || url.hostname,
    domains: edit.domains.flatMap((domain) => domain.trim().toLowerCase().replace(/^@/, '') || []),
  }
  if (client_secret !== undefined) return { config, secret: client_secret.trim() }
  if (typeof before?.secret !== 'string') throw invalid({ client_secret: [translatable('is required.')] })
  const old = before.config as unknown as StoredOidc
  if (old.issuer !== config.issuer || old.client_id !== config.client_id)
    throw invalid({
      client_secret: [translatable('is required to change the provider: a stored secret is never sent to another destination.')],
    })
  return { config, secret: before.secret }
}

export const toOidcConfig = (stored: StoredSettings['config'], clientSecret: string): OidcConfig => {
  const { issuer, client_id, name, domains, role, trust_emails } = stored as unknown as StoredOidc
  return { issuer, clientId: client_id, clientSecret, name, domains, role: role ?? undefined, trustEmails: trust_emails }
}

type OidcFields = Omit<OidcSettings, 'source' | 'problem' | 'updated_at' | 'redirect_uri'>

export const showStoredOidc = (stored: StoredSettings | undefined): OidcFields => {
  if (!stored) return { issuer: null, client_id: null, name: '', domains: [], role: null, trust_emails: false, has_client_secret: false }
  const { issuer, client_id, name, domains, role, trust_emails } = stored.config as unknown as StoredOidc
  return { issuer, client_id, name, domains, role, trust_emails, has_client_secret: true }
}

export const showEnvironmentOidc = ({ issuer, clientId, name, domains, role, trustEmails }: OidcConfig): OidcFields => ({
  issuer,
  client_id: clientId,
  name,
  domains: [...domains],
  role: role ?? null,
  trust_emails: trustEmails,
  has_client_secret: true,
})
