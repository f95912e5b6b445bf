import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../platform/context/context.ts'
import type { AddressAllowlist } from '../../platform/outbound/address-policy.ts'
import { fetchClientDocument } from './client-document.ts'
import { OAuthError } from './oauth-error.ts'
import { findRedirectProblem } from './redirect-uri.ts'

/** An application that asks users for access. */
export interface OAuthClient {
  readonly client_id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  /** The host it belongs to; null for a client that registered itself under any name. */
  readonly host: string | null
}

const MAX_REDIRECTS = 20
const MAX_NAME_LENGTH = 200

/** Name and redirect addresses of a client, as it states them. */
const parseClientMetadata = (metadata: Record<string, unknown>): Pick<OAuthClient, 'name' | 'redirect_uris'> => {
  const { redirect_uris, client_name, token_endpoint_auth_method = 'none' } = metadata
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > MAX_REDIRECTS)
    throw new OAuthError('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${MAX_REDIRECTS} addresses.`)
  for (const each of redirect_uris) {
    const problem = typeof each === 'string' && each.length <= 2_000 ? findRedirectProblem(each) : 'redirect_uris must be addresses.'
    if (problem) throw new OAuthError('invalid_redirect_uri', problem)
  }
  if (token_endpoint_auth_method !== 'none')
    throw new OAuthError('invalid_client_metadata', 'token_endpoint_auth_method must be "none": clients are public and use PKCE.')
  const name = typeof client_name === 'string' ? client_name.replace(/\p{C}/gu, '').trim().slice(0, MAX_NAME_LENGTH) : ''
  return { name: name || 'Unnamed application', redirect_uris: redirect_uris as string[] }
}

/**
 * Dynamic registration (RFC 7591) stores nothing: the client ID contains what the client stated and our signature. Anyone may register, so
 * stored registrations could fill the database.
 */
export const registerClient = async (ctx: Context, metadata: Record<string, unknown>): Promise<OAuthClient> => {
  const { name, redirect_uris } = parseClientMetadata(metadata)
  const content = Buffer.from(JSON.stringify([name, ...redirect_uris])).toString('base64url')
  const [key] = await ctx.runtime.keyring.keys()
  return { client_id: `${PREFIX}${content}.${sign(key!.bytes, content)}`, name, redirect_uris, host: null }
}

const PREFIX = 'dcr_'

const sign = (key: Buffer, content: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'tablinum oauth clients', 32)))
    .update(content)
    .digest('base64url')

/** A registered client, or one whose ID is the address of its metadata document. */
export const getClient = async (ctx: Context, client_id: string, allowed: AddressAllowlist): Promise<OAuthClient> => {
  if (client_id.startsWith(PREFIX)) return getRegisteredClient(ctx, client_id)
  if (URL.canParse(client_id)) {
    const document = await fetchClientDocument(client_id, allowed)
    return { client_id, ...parseClientMetadata(document), host: new URL(client_id).host }
  }
  throw new OAuthError('invalid_client', 'Unknown client_id. Register the client, or use the address of its metadata document.', 401)
}

const getRegisteredClient = async (ctx: Context, client_id: string): Promise<OAuthClient> => {
  const [content = '', signature = ''] = client_id.slice(PREFIX.length).split('.')
  const presented = Buffer.from(signature)
  const valid = (await ctx.runtime.keyring.keys()).some(({ bytes }) => {
    const expected = Buffer.from(sign(bytes, content))
    return expected.length === presented.length && timingSafeEqual(expected, presented)
  })
  if (!valid) throw new OAuthError('invalid_client', 'Unknown client_id. Register the client again.', 401)
  const [name, ...redirect_uris] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [string, ...string[]]
  return { client_id, name, redirect_uris, host: null }
}
