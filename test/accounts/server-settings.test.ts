import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listChannels } from '../../src/notifications/service/notifier.ts'
import { resealServerSettings } from '../../src/platform/server-settings/secrets.ts'
import { createBrowserSession } from '../support/browser-session.ts'
import { createMailServer, createSlackServer, type MailServer, type SlackServer } from '../support/notification-servers.ts'
import { createTestApp, type TestApp, type TestInstance } from '../support/test-app.ts'
import { CLIENT, createOidcProvider, type OidcProvider } from './oidc-provider.ts'

/** Mail server, Slack app and identity provider that an admin sets, against real counterparts on loopback. */
const LOOPBACK = ['127.0.0.1']
const PATH = '/server/settings'
let app: TestApp
let server: TestInstance
let mail: MailServer
let slack: SlackServer
let provider: OidcProvider

beforeAll(async () => {
  app = await createTestApp()
  mail = await createMailServer()
  slack = await createSlackServer()
  provider = await createOidcProvider()
  server = await app.createInstance({ config: { slackApiUrl: slack.url, webhookAllow: LOOPBACK } })
})
afterAll(async () => {
  for (const each of [server, app, mail, slack, provider]) await each[Symbol.asyncDispose]()
})

const email = (more: object = {}) => ({
  host: '127.0.0.1',
  port: Number(new URL(mail.url).port),
  security: 'none',
  user: null,
  from: 'Catalog <catalog@example.com>',
  ...more,
})
const oidc = (more: object = {}) => ({
  issuer: provider.issuer,
  client_id: CLIENT.clientId,
  name: '',
  domains: [],
  role: 'viewer',
  trust_emails: false,
  ...more,
})
/** Says one line to whoever connects. */
const createTcpServer = async (greeting: string) => {
  const server = createServer((socket) => void socket.on('error', () => {}).end(greeting))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}
const put = (service: string, body: object) => server.call('PUT', `${PATH}/${service}`, { body })
const tryOut = async (service: string, body: object = {}) => (await server.call('POST', `${PATH}/${service}/test`, { body })).body
const read = async () => (await server.call('GET', PATH)).body

test('a mail server is tested before it is saved, and then sends invitations and notifications', async () => {
  expect((await read()).email).toMatchObject({ source: 'none', host: null, has_password: false })
  expect((await server.call('POST', `${PATH}/email/test`, { body: {} })).status).toBe(409)
  const { email: me } = (await server.call('GET', '/user/me')).body
  mail.login = { user: 'catalog', password: 'correct horse' }
  const draft = email({ user: 'catalog', password: 'wrong' })
  expect(await tryOut('email', { settings: draft })).toMatchObject({
    ok: false,
    message: expect.stringContaining('rejected the user name or the password'),
    translatable: { template: expect.stringContaining('{answer}') },
  })
  expect(await tryOut('email', { settings: email({ port: 1 }) })).toMatchObject({
    ok: false,
    message: expect.stringContaining('Could not connect'),
  })
  const right = { ...draft, password: 'correct horse' }
  expect(await tryOut('email', { settings: right })).toMatchObject({ ok: true, message: `A test mail was sent to ${me}.` })
  expect(mail.mails).toMatchObject([{ to: me, subject: 'Test message from Tablinum' }])
  expect(mail.mails[0]!.raw).toContain('From: Catalog <catalog@example.com>')
  // Nothing was saved by the tests.
  expect((await read()).email.source).toBe('none')
  expect((await server.call('GET', '/ui/bootstrap')).body.settings).toMatchObject({ email: false, slack: false })

  const saved = await put('email', right)
  expect(saved.body.email).toMatchObject({ source: 'stored', host: '127.0.0.1', user: 'catalog', has_password: true, problem: null })
  expect(saved.text).not.toContain('correct horse')
  // Every process uses it at once.
  expect((await app.call('GET', '/ui/bootstrap')).body.settings).toMatchObject({ email: true })
  expect((await app.call('GET', '/notification/settings')).body).toMatchObject({ email_available: true, slack_available: false })
  expect((await listChannels(app.ctx, {})).map(({ name }) => name)).toContain('email')
  const { id } = (await app.call('POST', '/user', { body: { email: 'grace@example.com', role: 'editor' } })).body
  expect((await app.call('POST', `/user/${id}/invitation`, { headers: { host: 'localhost' } })).body.mailed).toBe(true)
  expect(mail.mails.at(-1)).toMatchObject({ to: 'grace@example.com', subject: 'Your invitation to Tablinum' })
  // The stored password is kept, and used for a test of other fields.
  expect((await put('email', email({ user: 'catalog', from: 'other@example.com' }))).status).toBe(200)
  expect(await tryOut('email', { settings: email({ user: 'catalog' }) })).toMatchObject({ ok: true })
  expect(await tryOut('email')).toMatchObject({ ok: true })
})

test('a stored password is never sent to another server, and wrong values are named', async () => {
  const problem = async (more: object) => (await put('email', email({ user: 'catalog', ...more }))).body.errors
  expect(await problem({ host: 'mail.example.com' })).toEqual({ password: [expect.stringContaining('another destination')] })
  expect(await problem({ port: 2525 })).toHaveProperty('password')
  expect(await problem({ security: 'starttls' })).toHaveProperty('password')
  const tested = await server.call('POST', `${PATH}/email/test`, { body: { settings: email({ user: 'catalog', port: 2525 }) } })
  expect(tested.body.errors).toHaveProperty('password')
  expect(await problem({ host: 'not a host' })).toHaveProperty('host')
  expect(await problem({ from: 'nobody' })).toHaveProperty('from')
  expect(await problem({ from: 'a\r\nBcc: <x@example.com>' })).toHaveProperty('from')
  expect(await problem({ port: 0 })).toHaveProperty('port')
  expect((await read()).email).toMatchObject({ host: '127.0.0.1', from: 'other@example.com' })
})

test('what a host says that is no mail server is not repeated', async () => {
  await using ssh = await createTcpServer('SSH-2.0-OpenSSH_9.2 internal-build-7\r\n')
  await using busy = await createTcpServer('421 Too many connections from you\r\n')
  const tried = (port: number) => tryOut('email', { settings: email({ port }) })
  const answer = await tried(ssh.port)
  expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('does not answer as a mail server') })
  expect(JSON.stringify(answer)).not.toMatch(/SSH|internal-build/)
  expect((await tried(busy.port)).message).toContain('421 Too many connections')
})

test('a bot token of Slack is checked, a message is posted, and the token is kept secret', async () => {
  expect(await tryOut('slack', { settings: { bot_token: 'xoxb-wrong' } })).toMatchObject({
    ok: false,
    message: 'Slack does not accept the bot token (invalid_auth).',
  })
  expect(await tryOut('slack', { settings: { bot_token: 'xoxb-test' } })).toMatchObject({
    ok: true,
    message: expect.stringContaining('workspace Shop. No message was sent'),
  })
  expect(await tryOut('slack', { settings: { bot_token: 'xoxb-test' }, channel: 'C1' })).toMatchObject({ ok: true })
  expect(slack.posts).toMatchObject([{ channel: 'C1', text: expect.stringContaining('Test message from Tablinum') }])
  slack.respond = () => ({ body: { ok: false, error: 'not_in_channel' } })
  expect(await tryOut('slack', { settings: { bot_token: 'xoxb-test' }, channel: 'C2' })).toMatchObject({
    ok: false,
    message: 'The Slack app is not in this channel. Invite it, then test again.',
  })
  slack.respond = () => ({ body: { ok: true } })
  expect((await put('slack', {})).body.errors).toHaveProperty('bot_token')
  const saved = await put('slack', { bot_token: 'xoxb-test', signing_secret: 'a signing secret' })
  expect(saved.body.slack).toMatchObject({ source: 'stored', has_bot_token: true, has_signing_secret: true })
  expect(saved.text).not.toMatch(/xoxb-test|a signing secret/)
  // Own messages go to one's own Slack ID.
  await server.call('PATCH', '/notification/settings', { body: { slack: true, slack_id: 'U7' } })
  expect(await tryOut('slack')).toMatchObject({ ok: true })
  expect(slack.posts.at(-1)).toMatchObject({ channel: 'U7' })
  expect((await listChannels(server.ctx, { slackApiUrl: slack.url })).map(({ name }) => name)).toContain('slack')
  expect((await put('slack', { signing_secret: null })).body.slack).toMatchObject({ has_bot_token: true, has_signing_secret: false })
  const click = await server.call('POST', '/notification/slack/actions', {
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'payload={}',
  })
  expect(click.status).toBe(409)
})

test('an identity provider is found, its client tried, and people sign in with it once it is saved', async () => {
  expect((await server.call('GET', '/auth/setup', { token: null })).body.oidc).toBeNull()
  expect((await server.call('GET', '/auth/oidc/start', { token: null })).status).toBe(404)
  const client_secret = CLIENT.clientSecret
  expect(await tryOut('oidc', { settings: oidc({ client_secret: 'wrong' }) })).toMatchObject({
    ok: false,
    message: expect.stringContaining('does not accept the client ID or the client secret'),
  })
  expect(await tryOut('oidc', { settings: oidc({ client_secret, issuer: `${provider.issuer}/elsewhere` }) })).toMatchObject({
    ok: false,
    message: expect.stringContaining('metadata of the provider could not be read'),
  })
  expect(await tryOut('oidc', { settings: oidc({ client_secret }) })).toMatchObject({
    ok: true,
    message: expect.stringContaining('http://localhost/api/v1/auth/oidc/callback'),
  })
  const saved = await put('oidc', oidc({ client_secret }))
  expect(saved.body.oidc).toMatchObject({ source: 'stored', issuer: provider.issuer, name: '127.0.0.1', has_client_secret: true })
  expect(saved.text).not.toContain(client_secret)
  expect((await server.call('GET', '/auth/setup', { token: null })).body.oidc).toEqual({
    name: '127.0.0.1',
    url: '/api/v1/auth/oidc/start',
  })
  provider.claims = { sub: 'new', email: 'new@example.com', email_verified: true }
  const browser = createBrowserSession(server)
  const start = await browser.call('GET', '/auth/oidc/start?return_to=/r/1')
  const back = new URL(await provider.follow(start.headers.location!))
  expect((await browser.call('GET', `${back.pathname}${back.search}`)).headers.location).toBe('/r/1')
  expect((await browser.call('GET', '/user/me')).body).toMatchObject({ email: 'new@example.com', role: 'viewer' })
  // The secret belongs to the issuer and the client.
  expect((await put('oidc', oidc({ client_id: 'another' }))).body.errors).toEqual({
    client_secret: [expect.stringContaining('another destination')],
  })
  expect((await put('oidc', oidc({ domains: [' Example.com', '@example.org'], name: 'Shop' }))).body.oidc).toMatchObject({
    domains: ['example.com', 'example.org'],
    name: 'Shop',
  })
  const removed = await server.call('DELETE', `${PATH}/oidc`)
  expect(removed.status).toBe(204)
  expect((await server.call('GET', '/auth/oidc/start', { token: null })).status).toBe(404)
})

test('an issuer in the internal network is rejected, in the form and by its metadata', async () => {
  const save = (issuer: string) => app.call('PUT', `${PATH}/oidc`, { body: oidc({ issuer, client_secret: 'x' }) })
  for (const issuer of [
    'http://169.254.169.254',
    provider.issuer,
    'https://localhost',
    'http://login.example.com',
    'ftp://a',
    'https://a@b.example',
  ])
    expect([issuer, (await save(issuer)).body.errors]).toEqual([issuer, { issuer: [expect.any(String)] }])
  // Without the permission of the operator it is not requested either: here it is already stored.
  await put('oidc', oidc({ client_secret: CLIENT.clientSecret }))
  expect((await app.call('POST', `${PATH}/oidc/test`, { body: {} })).body).toMatchObject({
    ok: false,
    message: expect.stringContaining('not a public address'),
  })
  await server.call('DELETE', `${PATH}/oidc`)
})

test('what the environment sets wins, is shown without its secrets, and cannot be changed', async () => {
  await using set = await app.createInstance({
    config: {
      smtpUrl: 'smtps://robot:hidden@mail.example.com',
      smtpFrom: 'Robot <robot@example.com>',
      slackBotToken: 'xoxb-environment',
      slackApiUrl: slack.url,
      oidc: { issuer: provider.issuer, ...CLIENT, name: 'Provider', domains: [], trustEmails: false },
    },
  })
  const { body, text } = await set.call('GET', PATH)
  expect(body).toMatchObject({
    email: { source: 'environment', host: 'mail.example.com', port: 465, security: 'tls', user: 'robot', has_password: true },
    slack: { source: 'environment', has_bot_token: true, has_signing_secret: false },
    oidc: { source: 'environment', issuer: provider.issuer, client_id: CLIENT.clientId, role: null },
  })
  expect(text).not.toMatch(/hidden|xoxb-environment|the secret of this client/)
  for (const [service, edit] of [
    ['email', email()],
    ['slack', { bot_token: 'xoxb-other' }],
    ['oidc', oidc({ client_secret: 'x' })],
  ] as const) {
    expect((await set.call('PUT', `${PATH}/${service}`, { body: edit })).status).toBe(409)
    expect((await set.call('DELETE', `${PATH}/${service}`)).status).toBe(409)
  }
  expect((await set.call('POST', `${PATH}/oidc/test`, { body: {} })).body).toMatchObject({ ok: true })
})

test('only admins see and change settings, and every change is in the audit log without its secrets', async () => {
  const { token } = await app.createUser('editor')
  for (const [method, path] of [
    ['GET', PATH],
    ['PUT', `${PATH}/email`],
    ['DELETE', `${PATH}/slack`],
    ['POST', `${PATH}/oidc/test`],
  ] as const)
    expect((await app.call(method, path, { token, body: method === 'GET' || method === 'DELETE' ? undefined : {} })).status).toBe(403)
  const log = JSON.stringify((await app.call('GET', '/activity_log/audit_logs/?page_size=200')).body)
  expect(log).toContain('changed the server settings of')
  expect(log).toContain('deleted the server settings of')
  expect(log).not.toMatch(/correct horse|xoxb-test|a signing secret|the secret of this client/)
})

test('secrets are encrypted again with a new key, and named when they cannot be read', async () => {
  {
    await using rotated = await app.createInstance({ secretKeys: ['a newer key for tests', 'a key for tests'] })
    expect(await resealServerSettings(rotated.ctx)).toBeUndefined()
    expect((await rotated.call('GET', PATH)).body.email).toMatchObject({ has_password: true, problem: null })
  }
  expect(await resealServerSettings(app.ctx)).toContain('email, slack were encrypted with a different key')
  const { body } = await app.call('GET', PATH)
  expect(body.email).toMatchObject({ source: 'stored', problem: expect.stringContaining('encrypted with a different key') })
  expect((await app.call('GET', '/ui/bootstrap')).body.settings).toMatchObject({ email: false })
  // Entered again, it works.
  expect((await put('email', email({ user: 'catalog', password: 'correct horse' }))).body.email.problem).toBeNull()
})
