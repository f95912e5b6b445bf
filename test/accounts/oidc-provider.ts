import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'

/** A small identity provider on loopback: discovery, authorization, tokens signed with RS256, keys. */
export interface OidcProvider extends AsyncDisposable {
  readonly issuer: string
  /** The claims of the next user. */
  claims: Record<string, unknown>
  /** The fault it simulates, if any. */
  fault?: 'signature' | 'nonce' | 'audience' | 'expired' | 'issuer' | 'refused'
  /** Claims returned by the userinfo endpoint instead of the token. */
  userinfo: Record<string, unknown>
  /** Signs the user in at the authorization URL and returns the redirect URL. */
  follow(url: string): Promise<string>
}

export const CLIENT = { clientId: 'tablinum', clientSecret: 'the secret of this client' }

export const createOidcProvider = async (): Promise<OidcProvider> => {
  const [own, foreign] = [createKeys(), createKeys()]
  const codes = new Map<string, { challenge: string; nonce: string; redirect_uri: string }>()
  const server = createServer((request, response) => {
    handleRequest(request)
      .then(({ status = 200, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)))
      .catch((error) => response.writeHead(500).end(String(error)))
  })

  const handleRequest = async (request: IncomingMessage): Promise<{ status?: number; body: unknown }> => {
    const { issuer } = it
    if (request.url === '/.well-known/openid-configuration')
      return {
        body: {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        },
      }
    if (request.url === '/keys')
      return { body: { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] } }
    if (request.url === '/userinfo') return { body: { sub: it.claims.sub, ...it.userinfo } }
    if (request.url !== '/token') return { status: 404, body: {} }
    const form = new URLSearchParams(await readText(request))
    const basic = Buffer.from(String(request.headers.authorization).replace('Basic ', ''), 'base64').toString()
    const [id, secret] = form.has('client_secret')
      ? [form.get('client_id'), form.get('client_secret')]
      : basic.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verified =
      grant && hashText(form.get('code_verifier') ?? '') === grant.challenge && form.get('redirect_uri') === grant.redirect_uri
    if (id !== CLIENT.clientId || secret !== CLIENT.clientSecret) return { status: 401, body: { error: 'invalid_client' } }
    if (!verified) return { status: 400, body: { error: 'invalid_grant' } }
    return { body: { token_type: 'Bearer', access_token: 'access', expires_in: 60, id_token: token(grant.nonce) } }
  }

  const token = (nonce: string): string => {
    const now = Math.floor(Date.now() / 1000)
    const times = it.fault === 'expired' ? { iat: now - 7200, exp: now - 3600 } : { iat: now, exp: now + 60 }
    const claims = {
      iss: it.fault === 'issuer' ? 'http://127.0.0.1:1' : it.issuer,
      aud: it.fault === 'audience' ? 'another' : CLIENT.clientId,
      nonce: it.fault === 'nonce' ? 'another' : nonce,
      ...times,
      ...it.claims,
    }
    const signed = `${toBase64Url({ alg: 'RS256', kid: 'one' })}.${toBase64Url(claims)}`
    return `${signed}.${sign('sha256', Buffer.from(signed), (it.fault === 'signature' ? foreign : own).privateKey).toString('base64url')}`
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const it: OidcProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    claims: {},
    userinfo: {},
    follow: async (url) => {
      const { searchParams: params } = new URL(url)
      const back = new URL(params.get('redirect_uri')!)
      back.searchParams.set('state', params.get('state')!)
      if (it.fault === 'refused') back.searchParams.set('error', 'access_denied')
      else {
        const code = randomBytes(8).toString('hex')
        codes.set(code, {
          challenge: params.get('code_challenge')!,
          nonce: params.get('nonce')!,
          redirect_uri: params.get('redirect_uri')!,
        })
        back.searchParams.set('code', code)
      }
      return back.href
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return it
}

const createKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const toBase64Url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url')
