import { expect, test } from 'vitest'
import { bootstrapWorkspace } from '../../src/accounts/users/bootstrap.ts'
import { ConfigError, findConfigWarnings, readConfig } from '../../src/platform/config/config.ts'
import { ADMIN_TOKEN } from '../support/database.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Settings, and the token from the environment. */
const SETTINGS = [
  ...[
    'HOST',
    'PORT',
    'DATABASE_URL',
    'DATABASE_REPLICA_URL',
    'PUBLIC_URL',
    'LOG_LEVEL',
    'SMTP_URL',
    'SMTP_FROM',
    'SLACK_BOT_TOKEN',
    'SLACK_API_URL',
  ],
  'SLACK_SIGNING_SECRET',
  ...['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME', 'OIDC_ALLOWED_DOMAINS', 'OIDC_ROLE', 'OIDC_TRUST_EMAILS'],
  ...['DATA', 'ADMIN_TOKEN', 'METRICS_TOKEN', 'RATE_LIMIT', 'SECRET_KEY', 'FILES', 'SESSION_DAYS', 'SESSION_IDLE_DAYS', 'TRUST_PROXY'].map(
    (name) => `TABLINUM_${name}`,
  ),
  ...['URL', 'KEY', 'MODEL', 'DIMENSIONS'].map((name) => `TABLINUM_EMBEDDINGS_${name}`),
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'],
  ...['WEBHOOK_ALLOW', 'BACKUPS', 'CONNECTORS', 'REQUEST_TIMEOUT', 'POOL', 'PROCESSES'].map((name) => `TABLINUM_${name}`),
]

for (const empty of ['', ' '])
  test(`${JSON.stringify(empty)} is the same as unset, for every setting`, () => {
    const unset = readConfig({}, [])
    for (const name of SETTINGS) expect([name, readConfig({ [name]: empty }, [])]).toEqual([name, unset])
    expect(readConfig(Object.fromEntries(SETTINGS.map((name) => [name, empty])), [])).toEqual(unset)
    expect([unset.host, unset.port]).toEqual(['127.0.0.1', 3000])
  })

test('scheduled backups are beside the embedded Postgres, and with another database only in a folder that was chosen', () => {
  const DATABASE_URL = 'postgres://localhost/tablinum'
  expect(readConfig({ TABLINUM_DATA: '/srv/data' }, []).backupsFolder).toBe('/srv/data/backups')
  expect(readConfig({ DATABASE_URL, TABLINUM_DATA: '/srv/data' }, []).backupsFolder).toBeUndefined()
  expect(readConfig({ DATABASE_URL, TABLINUM_BACKUPS: '/backups' }, []).backupsFolder).toBe('/backups')
})

test('an empty flag is the same as none', () => {
  expect(readConfig({ HOST: '::1', PORT: '3001' }, ['--host=', '--port='])).toMatchObject({ host: '::1', port: 3001 })
})

for (const name of ['TABLINUM_ADMIN_TOKEN', 'TABLINUM_METRICS_TOKEN'])
  test(`rejects a short ${name} at startup without repeating it`, () => {
    for (const value of ['a', 'fifteen_letters', 'sixteen letters!'])
      expect(() => readConfig({ [name]: value }, [])).toThrow(
        new ConfigError(`${name} must have at least 16 characters and no spaces. Generate one: openssl rand -hex 32`),
      )
    expect(() => readConfig({ [name]: 'sixteen_letters_' }, [])).not.toThrow()
  })

test('warns about a short secret key and public metrics', () => {
  const warnings = (env: NodeJS.ProcessEnv) => findConfigWarnings(readConfig(env, [])).map((each) => each.split(' ')[0])
  expect(warnings({ TABLINUM_SECRET_KEY: 'eight ch' })).toEqual(['TABLINUM_SECRET_KEY'])
  expect(warnings({ TABLINUM_SECRET_KEY: 'a key of many characters' })).toEqual([])
  expect(warnings({ HOST: '0.0.0.0' })).toEqual(['/metrics'])
  expect(warnings({ HOST: '0.0.0.0', TABLINUM_METRICS_TOKEN: 'a_token_for_metrics' })).toEqual([])
  const worker = (env: NodeJS.ProcessEnv) => findConfigWarnings(readConfig({ HOST: '0.0.0.0', ...env }, ['--role', 'worker'])).length
  expect([worker({}), worker({ TABLINUM_METRICS_PORT: '9090' })]).toEqual([0, 1])
})

test('an embeddings service needs a model, and a wrong setting is not repeated', () => {
  const read = (more: NodeJS.ProcessEnv) => readConfig({ TABLINUM_EMBEDDINGS_URL: 'https://ai.example.com/v1/', ...more }, []).embeddings
  expect(read({ TABLINUM_EMBEDDINGS_MODEL: 'small', TABLINUM_EMBEDDINGS_KEY: 'k' })).toEqual({
    url: 'https://ai.example.com/v1',
    key: 'k',
    model: 'small',
  })
  expect(() => read({})).toThrow(new ConfigError('TABLINUM_EMBEDDINGS_URL requires TABLINUM_EMBEDDINGS_MODEL.'))
  expect(() => read({ TABLINUM_EMBEDDINGS_MODEL: 'small', TABLINUM_EMBEDDINGS_DIMENSIONS: '8' })).toThrow(/from 64 to 4096/)
  expect(() => read({ TABLINUM_EMBEDDINGS_URL: 'ftp://user:password@host' })).toThrow(
    /^TABLINUM_EMBEDDINGS_URL must be a URL that starts with https:\/\/ or http:\/\/\.$/,
  )
})

test('npm gets its own settings of the environment, and no secret of the server', () => {
  const env = {
    ...{ PATH: '/usr/bin', HOME: '/nowhere', npm_config_registry: 'http://registry.internal', HTTPS_PROXY: 'http://proxy.internal' },
    ...{
      DATABASE_URL: 'postgres://me:secret@host/name',
      TABLINUM_SECRET_KEY: 'a secret of the server',
      SLACK_BOT_TOKEN: 'secret',
      NODE_OPTIONS: '-r x',
    },
  }
  const { npm, driverInstall } = readConfig(env, [])
  expect([driverInstall, Object.keys(npm.env).sort()]).toEqual([true, ['HOME', 'HTTPS_PROXY', 'PATH', 'npm_config_registry']])
  expect(readConfig({ TABLINUM_DRIVER_INSTALL: 'off' }, []).driverInstall).toBe(false)
  expect(() => readConfig({ TABLINUM_DRIVER_INSTALL: 'maybe' }, [])).toThrow('TABLINUM_DRIVER_INSTALL')
})

test('connectors of the operator are commands by name', () => {
  const read = (TABLINUM_CONNECTORS: string) => readConfig({ TABLINUM_CONNECTORS }, []).connectorPrograms
  expect(read('{"jira": ["python3", "/opt/jira.py"]}')).toEqual(new Map([['jira', ['python3', '/opt/jira.py']]]))
  for (const wrong of ['jira', '[]', '{"jira": "python3 /opt/jira.py"}', '{"jira": []}', '{"jira": [""]}', '{"Jira!": ["x"]}'])
    expect(() => read(wrong)).toThrow(
      new ConfigError('TABLINUM_CONNECTORS must be JSON such as {"jira": ["python3", "/opt/connectors/jira.py"]}.'),
    )
})

const statusOf = async (app: TestApp, token: string) => (await app.call('GET', '/user/me', { token })).status

test('a different token in the environment replaces the previous one; tokens created with that stay', async () => {
  await using app = await createTestApp()
  const { body: created } = await app.call('POST', '/auth/tokens', { body: { name: 'script' } })
  await bootstrapWorkspace(app.db, 'tbl_the_second_token', new Date())
  expect(await Promise.all([ADMIN_TOKEN, 'tbl_the_second_token', created.token].map((token) => statusOf(app, token)))).toEqual([
    401, 200, 200,
  ])
  expect((await app.listActivities()).map(({ activity_type }) => activity_type)).toEqual(['token_created', 'token_revoked'])
  await bootstrapWorkspace(app.db, 'tbl_the_second_token', new Date()) // the next start with the same token
  expect(await statusOf(app, 'tbl_the_second_token')).toBe(200)
  expect(await bootstrapWorkspace(app.db, ADMIN_TOKEN, new Date())).toMatchObject({ revoked: true }) // a revoked token stays revoked
  expect([await statusOf(app, ADMIN_TOKEN), await statusOf(app, 'tbl_the_second_token')]).toEqual([401, 200])
  // It belongs to the new token from then on.
  const { body } = await app.call('GET', '/auth/tokens?active=true&name=environment', { token: 'tbl_the_second_token' })
  await app.call('DELETE', `/auth/tokens/${body.results[0].id}`, { token: 'tbl_the_second_token' })
  expect(await statusOf(app, created.token)).toBe(401)
})

test('an existing token becomes the token from the environment', async () => {
  await using app = await createTestApp()
  const { body: created } = await app.call('POST', '/auth/tokens', { body: { name: 'script' } })
  await bootstrapWorkspace(app.db, created.token, new Date())
  expect([await statusOf(app, ADMIN_TOKEN), await statusOf(app, created.token)]).toEqual([401, 200])
  await bootstrapWorkspace(app.db, 'tbl_the_third_token_', new Date())
  expect([await statusOf(app, created.token), await statusOf(app, 'tbl_the_third_token_')]).toEqual([401, 200])
})

test('replicas are listed with commas, and need a database', () => {
  const [a, b] = ['postgres://u:p@one/db', 'postgresql://u@two:5433/db']
  expect(readConfig({ DATABASE_URL: a, DATABASE_REPLICA_URL: `${a}, ${b},` }, []).replicaUrls).toEqual([a, b])
  expect(readConfig({ DATABASE_URL: a }, []).replicaUrls).toEqual([])
  const read = (more: Record<string, string>) => () => readConfig({ DATABASE_REPLICA_URL: a, ...more }, [])
  expect(read({})).toThrow('DATABASE_REPLICA_URL requires DATABASE_URL: the embedded Postgres has no replicas.')
  expect(read({ DATABASE_URL: a, DATABASE_REPLICA_URL: 'http://one:secret@x' })).toThrow(
    new ConfigError('DATABASE_REPLICA_URL must be a URL that starts with postgres:// or postgresql://.'),
  )
  expect(read({ DATABASE_URL: a, DATABASE_REPLICA_URL: Array(17).fill(a).join(',') })).toThrow('at most 16 replicas')
})
