import { expect, test } from 'vitest'
import { ConfigError, type OidcConfig, readConfig } from '../../src/platform/config/config.ts'
import { type BrowserSession, createBrowserSession } from '../support/browser-session.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { CLIENT, createOidcProvider, type OidcProvider } from './oidc-provider.ts'

/** Sign-in with an identity provider, against a test provider with real signatures. */
const served = (app: TestApp, provider: OidcProvider, more: Partial<OidcConfig> = {}) =>
  app.createInstance({
    config: { oidc: { issuer: provider.issuer, ...CLIENT, name: 'Provider', domains: [], trustEmails: false, ...more } },
  })

/** Follows the redirects like a browser; returns where it ends up. */
const signIn = async (browser: BrowserSession, provider: OidcProvider, return_to = '/r/1?tab=lineage'): Promise<string> => {
  const start = await browser.call('GET', `/auth/oidc/start?return_to=${encodeURIComponent(return_to)}`)
  expect(start.status).toBe(302)
  const back = new URL(await provider.follow(start.headers.location!))
  const end = await browser.call('GET', `${back.pathname}${back.search}`)
  expect(end.status).toBe(302)
  return end.headers.location!
}

test('a known user with a verified address signs in, and is identified by the provider’s subject ID from then on', async () => {
  await using app = await createTestApp()
  await using provider = await createOidcProvider()
  await using server = await served(app, provider)
  const { id } = await app.createUser('editor')
  provider.claims = { sub: 'grace', email: `EDITOR-${id}@example.com`, email_verified: true }
  expect((await server.call('GET', '/auth/setup', { token: null })).body.oidc).toEqual({ name: 'Provider', url: '/api/v1/auth/oidc/start' })
  const browser = createBrowserSession(server)
  const start = await browser.call('GET', '/auth/oidc/start')
  const params = Object.fromEntries(new URL(start.headers.location!).searchParams)
  expect(params).toMatchObject({
    response_type: 'code',
    client_id: 'tablinum',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
  })
  expect(params.redirect_uri).toBe('http://localhost/api/v1/auth/oidc/callback')
  expect(await signIn(browser, provider)).toBe('/r/1?tab=lineage')
  expect((await browser.call('GET', '/user/me')).body).toMatchObject({ id, scope: 'admin' })
  expect((await browser.call('GET', '/auth/sessions')).body.results).toMatchObject([{ method: 'oidc', current: true }])
  // The address may change at the provider; it is still the same user.
  provider.claims = { sub: 'grace', email: 'hopper@example.com', email_verified: false }
  expect(await signIn(createBrowserSession(server), provider)).toBe('/r/1?tab=lineage')
  await app.call('PATCH', `/user/${id}`, { body: { disabled: true } })
  expect(await signIn(createBrowserSession(server), provider)).toBe('/sign-in?problem=oidc_disabled')
  // A deleted user cannot return on their own; invited again, they are a new user.
  const { email } = (await app.call('GET', `/user/${id}`)).body
  await app.call('DELETE', `/user/${id}`)
  provider.claims = { sub: 'grace', email, email_verified: true }
  expect(await signIn(createBrowserSession(server), provider)).toBe('/sign-in?problem=oidc_disabled')
  const again = (await app.call('POST', '/user', { body: { email, role: 'viewer' } })).body.id
  for (const _ of [1, 2]) {
    const back = createBrowserSession(server)
    expect(await signIn(back, provider)).toBe('/r/1?tab=lineage')
    expect((await back.call('GET', '/user/me')).body).toMatchObject({ id: again, role: 'viewer' })
  }
})

test('return_to cannot redirect to another site', async () => {
  await using app = await createTestApp()
  await using provider = await createOidcProvider()
  await using server = await served(app, provider, { role: 'viewer' })
  provider.claims = { sub: 'one', email: 'one@example.com', email_verified: true }
  for (const elsewhere of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '', '\t//evil.example'])
    expect([elsewhere, await signIn(createBrowserSession(server), provider, elsewhere)]).toEqual([elsewhere, '/'])
  expect(await signIn(createBrowserSession(server), provider, '/search?q=größe%2F🙂#a')).toBe('/search?q=gr%C3%B6%C3%9Fe%2F%F0%9F%99%82#a')
})

test('with OIDC_ROLE unknown users are created with that role, but only from allowed domains', async () => {
  await using app = await createTestApp()
  await using provider = await createOidcProvider()
  const claims = { sub: 'new', email: 'New@Example.com', email_verified: true, given_name: 'New', family_name: 'Person' }
  provider.claims = claims
  await using closed = await served(app, provider)
  expect(await signIn(createBrowserSession(closed), provider)).toBe('/sign-in?problem=oidc_unknown_user')
  await using open = await served(app, provider, { role: 'viewer', domains: ['example.com'] })
  const browser = createBrowserSession(open)
  expect(await signIn(browser, provider, '/')).toBe('/')
  expect((await browser.call('GET', '/user/me')).body).toMatchObject({ role: 'viewer', email: 'new@example.com', name: 'New Person' })
  for (const [sentClaims, problem] of [
    [{ ...claims, sub: 'other', email: 'x@elsewhere.com' }, 'oidc_unknown_user'],
    [{ ...claims, sub: 'other', email: 'x@elsewhere.com@example.com' }, 'oidc_unknown_user'],
    [{ ...claims, sub: 'other', email: 'x@example.com', email_verified: false }, 'oidc_unverified_email'],
    [{ ...claims, sub: 'other', email: 'x@example.com', email_verified: undefined }, 'oidc_unverified_email'],
    [{ ...claims, sub: 'other', email: undefined }, 'oidc_unknown_user'],
  ] as const) {
    provider.claims = sentClaims
    expect([sentClaims, await signIn(createBrowserSession(open), provider)]).toEqual([sentClaims, `/sign-in?problem=${problem}`])
  }
  // Some providers return the address only from the userinfo endpoint, or never mark it as verified.
  provider.claims = { sub: 'aside' }
  provider.userinfo = { email: 'aside@example.com', email_verified: true }
  expect(await signIn(createBrowserSession(open), provider, '/')).toBe('/')
  provider.claims = { sub: 'trusted', email: 'trusted@example.com' }
  await using trusting = await served(app, provider, { role: 'viewer', trustEmails: true })
  expect(await signIn(createBrowserSession(trusting), provider, '/')).toBe('/')
  expect(
    (await app.db.selectFrom('users').select('email').where('role', '=', 'viewer').orderBy('email').execute()).map(({ email }) => email),
  ).toEqual(['aside@example.com', 'new@example.com', 'trusted@example.com'])
})

test('rejects a forged or foreign token, another browser, a replayed callback and an unreachable provider', async () => {
  await using app = await createTestApp()
  await using provider = await createOidcProvider()
  await using server = await served(app, provider, { role: 'viewer' })
  provider.claims = { sub: 'one', email: 'one@example.com', email_verified: true }
  for (const fault of ['signature', 'nonce', 'audience', 'expired', 'issuer', 'refused'] as const) {
    provider.fault = fault
    const browser = createBrowserSession(server)
    expect([fault, await signIn(browser, provider)]).toEqual([fault, '/sign-in?problem=oidc_failed'])
    expect((await browser.call('GET', '/user/me')).status).toBe(401)
  }
  provider.fault = undefined
  const [one, two] = [createBrowserSession(server), createBrowserSession(server)]
  const start = await one.call('GET', '/auth/oidc/start')
  await two.call('GET', '/auth/oidc/start')
  const back = new URL(await provider.follow(start.headers.location!))
  const callback = async (browser: BrowserSession) => (await browser.call('GET', `${back.pathname}${back.search}`)).headers.location
  expect(await callback(two)).toBe('/sign-in?problem=oidc_failed') // another browser’s state
  expect(await callback(createBrowserSession(server))).toBe('/sign-in?problem=oidc_failed') // no cookie
  const { cookie } = one
  expect(await callback(one)).toBe('/')
  one.cookie = cookie
  expect(await callback(one)).toBe('/sign-in?problem=oidc_failed')
  one.cookie = 'tablinum_oidc=nonsense'
  expect(await callback(one)).toBe('/sign-in?problem=oidc_failed')
  expect((await app.call('GET', '/auth/oidc/start')).status).toBe(404) // the route exists only with a provider
  await using lost = await app.createInstance({
    config: { oidc: { issuer: 'http://127.0.0.1:9', ...CLIENT, name: 'Lost', domains: [], trustEmails: false } },
  })
  expect((await createBrowserSession(lost).call('GET', '/auth/oidc/start')).headers.location).toBe('/sign-in?problem=oidc_failed')
})

test('invalid settings are rejected at startup', () => {
  const read = (env: NodeJS.ProcessEnv) => readConfig(env, []).oidc
  const good = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
  expect(read({})).toBeUndefined()
  expect(read({ ...good, OIDC_ALLOWED_DOMAINS: 'Example.com, example.org', OIDC_ROLE: 'viewer' })).toEqual({
    issuer: 'https://id.example.com',
    clientId: 'a',
    clientSecret: 'b',
    name: 'id.example.com',
    domains: ['example.com', 'example.org'],
    role: 'viewer',
    trustEmails: false,
  })
  for (const wrong of [{ OIDC_ROLE: 'admin' }, { OIDC_CLIENT_ID: '' }, { OIDC_ISSUER: 'http://id.example.com' }, { OIDC_ISSUER: 'x' }])
    expect(() => read({ ...good, ...wrong })).toThrow(ConfigError)
})
