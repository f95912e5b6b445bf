import { mkdir, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../src/app/tasks.ts'
import { runJob } from '../src/platform/jobs/run.ts'
import { DRIVER_NAMES, DRIVERS } from '../src/sources/drivers/driver-packages.ts'
import { createDriverProject } from '../src/sources/drivers/driver-project.ts'
import { Drivers, type DriversConfig } from '../src/sources/drivers/drivers.ts'
import type { LockPackages } from '../src/sources/drivers/lock-file.ts'
import { eventually } from './eventually.ts'
import { createNpmRegistry, type NpmRegistry } from './protocols/npm-registry.ts'
import { createTestIntegration } from './sources.ts'
import { createTestApp, type TestApp, type TestInstance } from './test-app.ts'

const PATH = '/integration/drivers'
/** Reports what it needs as the error of the connection: the SDK of Snowflake for this test. */
const SDK = `const found = require('tiny'); exports.configure = () => {}
exports.createConnection = () => ({ connect: (done) => done(new Error('Loaded with ' + found)) })`

let registry: NpmRegistry
let folder: string
beforeAll(async () => {
  registry = await createNpmRegistry([
    {
      name: 'snowflake-sdk',
      version: '3.3.0',
      dependencies: { tiny: '^1.0.0' },
      scripts: { install: 'touch ../../script-was-run' },
      files: { 'index.js': SDK },
    },
    { name: 'tiny', version: '1.0.7', files: { 'index.js': `module.exports = 'tiny 1.0.7'` } },
  ])
  folder = await mkdtemp(join(tmpdir(), 'tablinum-drivers-'))
})
afterAll(async () => {
  await registry[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Of a release whose drivers are those of the registry. */
const createLock = (changes: Partial<Record<string, object>> = {}): LockPackages => ({
  ...Object.fromEntries(DRIVER_NAMES.map((name) => [`node_modules/${DRIVERS[name].package}`, { version: '1.0.0', integrity: 'sha512-x' }])),
  'node_modules/snowflake-sdk': { ...registry.entry('snowflake-sdk'), ...changes.sdk },
  'node_modules/tiny': { ...registry.entry('tiny'), ...changes.tiny },
})

const createConfig = async (more: Partial<DriversConfig> = {}): Promise<DriversConfig & { folder: string }> => ({
  packages: createLock(),
  npm: { env: registry.env },
  isBeside: () => false,
  ...more,
  folder: more.folder ?? (await mkdtemp(join(folder, 'data-'))),
})

const withDrivers = (app: TestApp, drivers: DriversConfig): Promise<TestInstance> => app.createInstance({ config: { drivers } })

const readPayload = async (app: TestApp, job: string): Promise<object> => {
  const { rows } = await sql<{ payload: object }>`
    select payload -> 'payload' as payload from graphile_worker._private_jobs where payload ->> 'job_id' = ${job}`.execute(app.db)
  return rows[0]!.payload
}
const runInstallation = async (app: TestApp, { ctx }: TestInstance, job: string) =>
  runJob(ctx, JOB_HANDLERS, job, await readPayload(app, job), true)

const findDriver = async (instance: TestInstance, name = 'snowflake') =>
  (await instance.call('GET', PATH)).body.find((each: { name: string }) => each.name === name)
const findMissing = async (instance: TestInstance) => {
  const { body } = await instance.call('GET', '/integration/types')
  return body.find(({ type }: { type: string }) => type === 'snowflake').missing_package
}
const options = () => ({ signal: AbortSignal.timeout(60_000), onProgress: async () => {} })

test('an admin installs a driver, and the source that needs it uses it', async () => {
  await using app = await createTestApp()
  const config = await createConfig()
  await using instance = await withDrivers(app, config)
  expect(await findDriver(instance)).toEqual({
    name: 'snowflake',
    label: 'Snowflake',
    package: 'snowflake-sdk',
    version: '3.3.0',
    megabytes: 79,
    installed: false,
    integration_types: ['snowflake'],
    obstacle: null,
    translatable: null,
    job: null,
  })
  expect(await findMissing(instance)).toBe('snowflake-sdk@3.3.0')
  const credentials = { account: 'a', user: 'u', password: 'p', warehouse: 'w' }
  const id = await createTestIntegration(instance, 'snowflake', credentials)
  const testConnection = async () => (await instance.call('POST', `/integration/integrations/${id}/test`)).body.detail
  expect(await testConnection()).toMatch('The driver for Snowflake is not installed.')

  const { status, body: job } = await instance.call('POST', `${PATH}/snowflake/install`)
  expect([status, job]).toEqual([200, expect.objectContaining({ title: 'Install the driver for Snowflake', status: 'PENDING' })])
  // A second click gets the same job.
  expect((await instance.call('POST', `${PATH}/snowflake/install`)).body.id).toBe(job.id)
  expect((await findDriver(instance)).job.id).toBe(job.id)
  await runInstallation(app, instance, job.id)
  expect((await instance.call('GET', `/background_jobs/${job.id}`)).body).toMatchObject({ status: 'COMPLETED', progress: 100 })
  expect(await findDriver(instance)).toMatchObject({ installed: true, job: null })
  expect(await findMissing(instance)).toBe(null)
  expect((await instance.call('POST', `${PATH}/snowflake/install`)).status).toBe(409)
  expect(await testConnection()).toBe('Could not connect to the source: Loaded with tiny 1.0.7')

  const [installed, ...more] = await readdir(config.folder)
  expect([installed, more]).toEqual([expect.stringMatching(/^snowflake-sdk-3\.3\.0-[\da-f]{12}$/), []])
  expect(await readdir(join(config.folder, installed!))).not.toContain('script-was-run')
  expect((await app.listActivities()).map(({ activity_type }) => activity_type)).toEqual(
    expect.arrayContaining(['driver_requested', 'driver_installed']),
  )
  // Another release, with another version of a dependency, needs its own.
  const other = new Drivers({ ...config, packages: createLock({ tiny: { version: '1.0.8' } }) })
  expect(other.isInstalled('snowflake')).toBe(false)
})

test('packages other than those of the release are rejected, and nothing is left of them', async () => {
  await using app = await createTestApp()
  const packages = createLock({ tiny: { integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}` } })
  const config = await createConfig({ packages })
  await using instance = await withDrivers(app, config)
  const { body: job } = await instance.call('POST', `${PATH}/snowflake/install`)
  await runInstallation(app, instance, job.id)
  const { body: ended } = await instance.call('GET', `/background_jobs/${job.id}`)
  expect([ended.status, ended.logs]).toEqual([
    'FAILED',
    expect.stringMatching(/snowflake-sdk@3\.3\.0 could not be installed: .*EINTEGRITY/),
  ])
  expect(await readdir(config.folder)).toEqual([])
  expect((await findDriver(instance)).installed).toBe(false)
  expect((await app.listActivities()).map(({ activity_type }) => activity_type)).not.toContain('driver_installed')
})

test('a cancelled installation ends npm and leaves nothing behind', async () => {
  await using app = await createTestApp()
  const config = await createConfig({
    npm: { env: { ...registry.env, npm_config_cache: join(folder, 'empty cache') } },
  })
  await using instance = await withDrivers(app, config)
  registry.sends = false
  try {
    const { body: job } = await instance.call('POST', `${PATH}/snowflake/install`)
    const before = registry.requests.length
    const running = runInstallation(app, instance, job.id)
    await eventually(() => expect(registry.requests.slice(before).some((path) => path.includes('/-/'))).toBe(true))
    expect((await instance.call('POST', `/background_jobs/${job.id}/cancel`)).status).toBe(200)
    await running
    const { body: ended } = await instance.call('GET', `/background_jobs/${job.id}`)
    expect([ended.status, ended.logs]).toEqual(['FAILED', expect.stringContaining('The job was cancelled.')])
    expect(await readdir(config.folder)).toEqual([])
  } finally {
    registry.sends = true
  }
  // And can be started again.
  const { body: again } = await instance.call('POST', `${PATH}/snowflake/install`)
  await runInstallation(app, instance, again.id)
  expect((await findDriver(instance)).installed).toBe(true)
})

test('two processes install at once, and what a killed one has left is never used', async () => {
  const config = await createConfig()
  const left = join(config.folder, '.staging-killed')
  await mkdir(join(left, 'node_modules/snowflake-sdk'), { recursive: true })
  const hours = new Date(Date.now() - 2 * 3_600_000)
  await utimes(left, hours, hours)
  const both = [new Drivers(config), new Drivers(config)]
  expect(both.map((each) => each.isInstalled('snowflake'))).toEqual([false, false])
  await Promise.all(both.map((each) => each.install('snowflake', options())))
  expect(both.map((each) => each.isInstalled('snowflake'))).toEqual([true, true])
  expect(await readdir(config.folder)).toHaveLength(1)
})

test('what this server cannot do is said, with what to do', async () => {
  await using app = await createTestApp()
  await using file = await createTemporaryFile()
  const cases: [Partial<DriversConfig>, RegExp][] = [
    [{ allowed: false }, /TABLINUM_DRIVER_INSTALL=off.*npm install snowflake-sdk@3\.3\.0/],
    [{ npm: { env: { PATH: folder } } }, /There is no npm on this server\..*--with/],
    [{ folder: join(file.path, 'drivers') }, /The data folder of this server cannot be written to\./],
  ]
  for (const [more, why] of cases) {
    await using instance = await withDrivers(app, await createConfig(more))
    expect((await findDriver(instance)).obstacle).toMatch(why)
    const response = await instance.call('POST', `${PATH}/snowflake/install`)
    expect([response.status, response.body.detail]).toEqual([409, expect.stringMatching(why)])
  }
  await using instance = await withDrivers(app, await createConfig())
  expect((await instance.call('POST', `${PATH}/left-pad/install`)).status).toBe(400)
  const { token } = await app.createUser('editor')
  for (const [method, path] of [
    ['GET', PATH],
    ['POST', `${PATH}/snowflake/install`],
  ] as const)
    expect((await instance.call(method, path, { token })).status).toBe(403)
})

const createTemporaryFile = async () => {
  const path = join(await mkdtemp(join(folder, 'file-')), 'file')
  await (await import('node:fs/promises')).writeFile(path, '')
  return { path, [Symbol.asyncDispose]: async () => {} }
}

test('every driver is pinned by the lock file, with everything it needs', async () => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: LockPackages }
  for (const name of DRIVER_NAMES) {
    const { lock, folder } = createDriverProject(packages, DRIVERS[name].package)
    const entries = Object.entries(lock.packages).filter(([path]) => path !== '')
    expect(entries.filter(([, { integrity, os }]) => !integrity && !os?.includes('win32')).map(([path]) => path)).toEqual([])
    expect([folder, JSON.stringify(lock)]).toEqual([
      expect.stringMatching(/^[\w.-]+$/),
      expect.not.stringMatching(/"dev|https?:\/\/\S*registry/),
    ])
    for (const [path, { dependencies = {} }] of entries)
      for (const needed of Object.keys(dependencies))
        expect([path, needed, Object.keys(lock.packages).some((each) => each.endsWith(`node_modules/${needed}`))]).toEqual([
          path,
          needed,
          true,
        ])
  }
})
