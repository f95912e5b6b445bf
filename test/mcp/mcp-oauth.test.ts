import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashToken } from '../../src/platform/authentication/token-hash.ts'
import { type CallOptions, createTestApp, type TestApp } from '../support/test-app.ts'
import { listenForMcp } from './mcp-server.ts'

let now = new Date('2026-03-01T12:00:00Z')
let app: TestApp
let address: URL
let user: { id: string; token: string }

beforeAll(async () => {
  app = await createTestApp({ now: () => now, webhookAllow: ['127.0.0.1'] })
  address = await listenForMcp(app)
  user = await app.createUser('editor')
})
afterAll(() => app[Symbol.asyncDispose]())

/** A request of the consent page, which is on the same host as the endpoint. */
const callConsentPage = (method: string, path: string, options: CallOptions) =>
  app.call(method, path, { ...options, headers: { host: address.host } })

const REDIRECT = 'http://127.0.0.1:7777/callback'

/** What an application remembers, and the browser that it opens. */
class Application implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT
  readonly clientMetadata = { client_name: 'Test application', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
  readonly #stored = new Map<string, unknown>()
  opened: URL | undefined

  clientInformation = () => this.#stored.get('client') as never
  saveClientInformation = (client: unknown) => void this.#stored.set('client', client)
  tokens = () => this.#stored.get('tokens') as never
  saveTokens = (tokens: unknown) => void this.#stored.set('tokens', tokens)
  codeVerifier = () => this.#stored.get('verifier') as string
  saveCodeVerifier = (verifier: string) => void this.#stored.set('verifier', verifier)
  discoveryState = () => this.#stored.get('discovery') as never
  saveDiscoveryState = (state: unknown) => void this.#stored.set('discovery', state)
  redirectToAuthorization = (url: URL) => {
    this.opened = url
  }
}

/** What the consent page does when the user allows the access. */
const approve = async (url: URL, decision: object = { approve: true }): Promise<URL> => {
  const parameters = Object.fromEntries(url.searchParams)
  const { status, body } = await callConsentPage('POST', '/auth/authorization', { token: user.token, body: { ...parameters, ...decision } })
  expect(status, JSON.stringify(body)).toBe(200)
  return new URL(body.redirect_to)
}

const connect = async (application: Application): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(address, { authProvider: application })
  await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
  const described = await callConsentPage('GET', `/auth/authorization${application.opened!.search}`, { token: user.token })
  expect(described.body).toMatchObject({ client_name: 'Test application', redirect_host: '127.0.0.1:7777', redirect_to: null })
  const approval = await approve(application.opened!)
  expect(approval.searchParams.get('iss')).toBe(address.origin)
  await transport.finishAuth(approval.searchParams)
  const connected = new Client({ name: 'test', version: '1' })
  await connected.connect(new StreamableHTTPClientTransport(address, { authProvider: application }))
  return connected
}

test('an official client connects by address alone, with dynamic registration', async () => {
  const application = new Application()
  const client = await connect(application)
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('suggest_change')
  await client.close()
  const { access_token } = application.tokens() as { access_token: string }
  // The token is bound to /mcp and listed beside the others, where the user revokes it.
  expect((await app.call('GET', '/resource/catalog', { token: access_token })).body.detail).toBe(
    `This token is only valid for ${address.href}.`,
  )
  const listed = (await app.call('GET', '/auth/tokens', { token: user.token })).body.results
  const connection = listed.find((each: { client: string | null }) => each.client === 'Test application')
  expect(connection).toMatchObject({ scope: 'write', user: user.id, revoked_at: null })
  expect((await app.call('DELETE', `/auth/tokens/${connection.id}`, { token: user.token })).status).toBe(204)
  expect((await callMcp(access_token)).status).toBe(401)
})

test('a client is known by the address of its metadata document, which is fetched only from the public internet', async () => {
  let document: object = {}
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(document)))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`
  document = { client_id: url, client_name: 'Test application', redirect_uris: [REDIRECT] }
  const parameters = new URLSearchParams({ client_id: url, redirect_uri: REDIRECT, ...CHALLENGE })
  const described = await callConsentPage('GET', `/auth/authorization?${parameters}`, { token: user.token })
  expect(described.body).toMatchObject({ client_name: 'Test application', client_host: new URL(url).host, redirect_to: null })
  document = { client_id: 'https://example.com/other', redirect_uris: [REDIRECT] }
  const other = await callConsentPage('GET', `/auth/authorization?${parameters}`, { token: user.token })
  expect(other).toMatchObject({ status: 400, body: { detail: 'The metadata document of the client states another client_id.' } })
  server.close()
  for (const client_id of ['http://10.0.0.1/client.json', 'https://localhost/client.json', 'https://169.254.169.254/latest'])
    expect(
      (
        await callConsentPage('GET', `/auth/authorization?${new URLSearchParams({ ...Object.fromEntries(parameters), client_id })}`, {
          token: user.token,
        })
      ).status,
    ).toBe(400)
})

const VERIFIER = randomBytes(32).toString('base64url')
const CHALLENGE = {
  response_type: 'code',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
}

const post = async (path: string, form: Record<string, string>) => {
  const response = await fetch(new URL(path, address), { method: 'POST', body: new URLSearchParams(form) })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

const callMcp = (token: string) =>
  fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })

const register = async (metadata: object = { client_name: 'Another', redirect_uris: [REDIRECT] }) => {
  const response = await fetch(new URL('/oauth/register', address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

const getCode = async (client_id: string, more: Record<string, string> = {}, decision?: object): Promise<URL> => {
  const url = new URL('/oauth/authorize', address)
  url.search = new URLSearchParams({ client_id, redirect_uri: REDIRECT, state: 'abc', ...CHALLENGE, ...more }).toString()
  return approve(url, decision)
}

const exchange = (client_id: string, code: string, more: Record<string, string> = {}) =>
  post('/oauth/token', { grant_type: 'authorization_code', client_id, code, redirect_uri: REDIRECT, code_verifier: VERIFIER, ...more })
const refresh = (refresh_token: string, client_id?: string) =>
  post('/oauth/token', { grant_type: 'refresh_token', refresh_token, ...(client_id ? { client_id } : {}) })

test('a code is used once, by its client, with its verifier, and grants what the user chose', async () => {
  const client_id = (await register()).body.client_id!
  const codeResponse = await getCode(client_id, { scope: 'read write' }, { approve: true, granted_scope: 'read' })
  expect(codeResponse.searchParams.get('state')).toBe('abc')
  const code = codeResponse.searchParams.get('code')!
  const other = (await register({ client_name: 'Other', redirect_uris: [REDIRECT] })).body.client_id!
  for (const attempt of [
    exchange(other, code),
    exchange(client_id, code, { code_verifier: 'wrong' }),
    exchange(client_id, code, { redirect_uri: 'http://127.0.0.1:7777/other' }),
    exchange(client_id, 'unknown'),
  ])
    expect(await attempt).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  const granted = await exchange(client_id, code, { resource: address.href })
  expect(granted).toMatchObject({ status: 200, body: { token_type: 'Bearer', scope: 'read', expires_in: 3600 } })
  expect(await (await callMcp(granted.body.access_token!)).text()).not.toContain('suggest_change')
  // A second use means that somebody else has the code: the connection ends.
  expect(await exchange(client_id, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect((await callMcp(granted.body.access_token!)).status).toBe(401)
})

test('refresh tokens rotate, a second use ends the connection, and access tokens expire', async () => {
  const client_id = (await register()).body.client_id!
  const connectAgain = async () => (await exchange(client_id, (await getCode(client_id)).searchParams.get('code')!)).body
  const first = await connectAgain()
  now = new Date(now.getTime() + 3_601_000)
  expect((await callMcp(first.access_token!)).status).toBe(401)
  const second = (await refresh(first.refresh_token!, client_id)).body
  expect((await callMcp(second.access_token!)).status).toBe(200)
  const last = (await refresh(second.refresh_token!, client_id)).body
  expect((await callMcp(last.access_token!)).status).toBe(200)
  // A token that was used long ago ends the connection, too.
  expect(await refresh(first.refresh_token!, client_id)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect((await callMcp(last.access_token!)).status).toBe(401)
  expect((await refresh(last.refresh_token!, client_id)).status).toBe(400)

  const third = await connectAgain()
  const other = (await register({ client_name: 'Other', redirect_uris: [REDIRECT] })).body.client_id!
  expect(await refresh(third.refresh_token!, other)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await refresh(third.refresh_token!)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  expect((await post('/oauth/revoke', { token: third.refresh_token!, client_id: other })).status).toBe(200)
  expect((await callMcp(third.access_token!)).status).toBe(200)
  expect((await post('/oauth/revoke', { token: third.refresh_token! })).status).toBe(200)
  expect((await callMcp(third.access_token!)).status).toBe(401)
  expect((await post('/oauth/revoke', { token: 'unknown' })).status).toBe(200)

  const unused = await connectAgain()
  now = new Date(now.getTime() + 91 * 24 * 3_600_000)
  expect((await refresh(unused.refresh_token!, client_id)).body.error).toBe('invalid_grant')
})

test('invalid requests go back to the application, except to an address it has not stated', async () => {
  const client_id = (await register()).body.client_id!
  const problem = async (more: Record<string, string>) => (await getCode(client_id, more)).searchParams.get('error')
  expect(await problem({ response_type: 'token' })).toBe('unsupported_response_type')
  expect(await problem({ code_challenge_method: 'plain' })).toBe('invalid_request')
  expect(await problem({ code_challenge: 'short' })).toBe('invalid_request')
  expect(await problem({ scope: 'admin' })).toBe('invalid_scope')
  expect(await problem({ resource: 'https://other.example.com/mcp' })).toBe('invalid_target')
  const denied = await getCode(client_id, {}, { approve: false })
  expect([denied.searchParams.get('error'), denied.searchParams.get('code')]).toEqual(['access_denied', null])

  const describeWith = (parameters: Record<string, string>) =>
    callConsentPage(
      'GET',
      `/auth/authorization?${new URLSearchParams({ client_id, redirect_uri: REDIRECT, ...CHALLENGE, ...parameters })}`,
      {
        token: user.token,
      },
    )
  expect((await describeWith({ redirect_uri: 'https://evil.example.com/' })).status).toBe(400)
  expect((await describeWith({ client_id: `${client_id.slice(0, -2)}xx` })).status).toBe(400)
  expect((await describeWith({ client_id: 'somebody' })).status).toBe(400)
  // Native applications listen on any port of this computer.
  expect((await describeWith({ redirect_uri: REDIRECT.replace('7777', '8888') })).status).toBe(200)

  for (const redirect of ['javascript:alert(1)', 'http://example.com/', 'https://example.com/#x', 'not a url', 'data:text/html,x'])
    expect(await register({ redirect_uris: [redirect] })).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } })
  expect((await register({ redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] })).status).toBe(201)
  expect(await post('/oauth/token', { grant_type: 'password' })).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } })
  for (const [path, body] of [
    ['/oauth/token', { grant_type: 'authorization_code', code: 1, client_id: 'x' }],
    ['/oauth/token', { grant_type: 'refresh_token', refresh_token: { a: 1 } }],
    ['/oauth/revoke', { token: ['x'] }],
  ] as const)
    expect(await postJson(path, body)).toEqual([400, 'invalid_request'])
})

const postJson = async (path: string, body: object): Promise<[number, string]> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(new URL(path, address), { method: 'POST', headers, body: JSON.stringify(body) })
  return [response.status, ((await response.json()) as { error: string }).error]
}

test('guesses of codes and refresh tokens are limited like those of tokens', async () => {
  const tried = new Date(now)
  now = new Date(now.getTime() + 600_000)
  const statuses = new Set<number>()
  for (let i = 0; i < 101; i += 1)
    statuses.add((await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: `tblr_${i}` })).status)
  expect([...statuses]).toEqual([400, 429])
  expect((await post('/oauth/revoke', { token: 'tblr_x' })).status).toBe(429)
  now = tried
})

test('the metadata names the MCP address exactly', async () => {
  const read = async (path: string) => (await fetch(new URL(path, address))).json()
  const resource = await read('/.well-known/oauth-protected-resource/mcp')
  expect(resource).toMatchObject({ resource: address.href, authorization_servers: [address.origin] })
  expect(await read('/.well-known/oauth-protected-resource')).toEqual(resource)
  expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
    issuer: address.origin,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  })
})

test('a connection never has more rights than the token it was allowed with, and ends with it', async () => {
  const { token } = await app.createUser('editor', { scope: 'write' })
  const narrow = (await app.call('POST', '/auth/tokens', { token, body: { name: 'narrow', scope: 'write' } })).body
  const client_id = (await register()).body.client_id!
  const body = { client_id, redirect_uri: REDIRECT, ...CHALLENGE, approve: true }
  const { redirect_to } = (await callConsentPage('POST', '/auth/authorization', { token: narrow.token, body })).body
  const { access_token } = (await exchange(client_id, new URL(redirect_to).searchParams.get('code')!)).body
  expect((await callMcp(access_token!)).status).toBe(200)
  await app.call('DELETE', `/auth/tokens/${narrow.id}`, { token })
  expect((await callMcp(access_token!)).status).toBe(401)
})

test('an access token of an application starts no session', async () => {
  const client_id = (await register()).body.client_id!
  const { access_token } = (await exchange(client_id, (await getCode(client_id)).searchParams.get('code')!)).body
  expect((await callMcp(access_token!)).status).toBe(200)
  const { status, body, headers } = await app.call('POST', '/auth/sign_in/token', { token: null, body: { token: access_token } })
  expect([status, body.code, headers['set-cookie']]).toEqual([401, 'unauthenticated', undefined])
  expect((await callMcp(access_token!)).status).toBe(200)
})

test('a session that was started with an access token of an application has ended', async () => {
  const client_id = (await register()).body.client_id!
  const { access_token } = (await exchange(client_id, (await getCode(client_id)).searchParams.get('code')!)).body
  const { token } = await app.createUser('viewer')
  const { headers } = await app.call('POST', '/auth/sign_in/token', { token: null, body: { token } })
  const cookie = String(headers['set-cookie']).split(';')[0]!
  const read = () => app.call('GET', '/user/me', { token: null, headers: { cookie } })
  expect((await read()).status).toBe(200)
  // As a release that did not check the token has stored it.
  await sql`
    update sessions set token_id = (select id from tokens where hash = ${hashToken(access_token!)}) where token_id = (select id from tokens where hash = ${hashToken(token)})
  `.execute(app.db)
  await sql`update access_version set version = version + 1`.execute(app.db)
  expect((await read()).status).toBe(401)
})
