import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../../src/app/tasks.ts'
import { markDatabaseError } from '../../../src/platform/db/database-error.ts'
import { type JobHandler, runJob } from '../../../src/platform/jobs/run.ts'
import { DRIVER_NAMES, DRIVERS } from '../../../src/sources/drivers/driver-packages.ts'
import { createDriverProject } from '../../../src/sources/drivers/driver-project.ts'
import { Drivers, type DriversConfig } from '../../../src/sources/drivers/drivers.ts'
import { INSTALL_DRIVER_JOB, runInstallDriverJob } from '../../../src/sources/drivers/install-driver.ts'
import type { LockPackages } from '../../../src/sources/drivers/lock-file.ts'
import { findNpm } from '../../../src/sources/drivers/npm.ts'
import { createNpmRegistry, type NpmRegistry } from '../../protocols/npm-registry.ts'
import { eventually } from '../../support/eventually.ts'
import { createTestIntegration } from '../../support/sources.ts'
import { createTestApp, type TestApp, type TestInstance } from '../../support/test-app.ts'

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
  isPreinstalled: () => false,
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
const listHistory = async (app: TestApp) =>
  (await app.listActivities())
    .filter(({ activity_type }) => activity_type.startsWith('driver_'))
    .map(({ activity_type, resource_id }) => [activity_type, resource_id])
    .toSorted()
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
  expect(await listHistory(app)).toEqual([
    ['driver_installed', job.id],
    ['driver_requested', job.id],
  ])
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

/** While npm waits for the registry, which it does from the first request for a package on. */
const whileNpmWaits = async (config: DriversConfig, work: (hasStarted: () => Promise<void>) => Promise<void>): Promise<void> => {
  const before = registry.requests.length
  registry.sends = false
  try {
    await work(() => eventually(() => expect(registry.requests.slice(before).some((path) => path.includes('/-/'))).toBe(true)))
  } finally {
    registry.sends = true
  }
  expect(await readdir(config.folder!)).toEqual([])
}
const withEmptyCache = async () =>
  createConfig({ npm: { env: { ...registry.env, npm_config_cache: await mkdtemp(join(folder, 'empty cache ')) } } })

const findStatus = async (instance: TestInstance, job: string) => (await instance.call('GET', `/background_jobs/${job}`)).body.status

test('an installation that a lost database connection or the end of the server interrupts is repeated', async () => {
  await using app = await createTestApp()
  const config = await withEmptyCache()
  await using instance = await withDrivers(app, config)
  const { body: job } = await instance.call('POST', `${PATH}/snowflake/install`)
  const payload = await readPayload(app, job.id)
  await whileNpmWaits(config, async () => {
    let reports = 0
    const handler: JobHandler = (ctx, payload, report) =>
      runInstallDriverJob(ctx, payload, async (...update) => {
        if (reports++ > 0) throw markDatabaseError(new Error('Connection terminated.'))
        await report(...update)
      })
    const running = runJob(instance.ctx, new Map([[INSTALL_DRIVER_JOB, handler]]), job.id, payload, false)
    await expect(running).rejects.toThrow('Connection terminated.')
  })
  expect(await findStatus(instance, job.id)).toBe('PENDING')
  await whileNpmWaits(config, async (hasStarted) => {
    const stopping = new AbortController()
    const running = runJob(instance.ctx, JOB_HANDLERS, job.id, payload, false, stopping.signal)
    running.catch(() => {})
    await hasStarted()
    stopping.abort()
    await expect(running).rejects.toThrow('The server was stopped.')
  })
  expect(await findStatus(instance, job.id)).toBe('PENDING')
  await runInstallation(app, instance, job.id)
  expect([await findStatus(instance, job.id), (await findDriver(instance)).installed]).toEqual(['COMPLETED', true])
})

test('the history has an installation whose process ended before it recorded it', async () => {
  await using app = await createTestApp()
  const config = await createConfig()
  await using instance = await withDrivers(app, config)
  const { body: job } = await instance.call('POST', `${PATH}/snowflake/install`)
  await new Drivers(config).install('snowflake', options())
  const payload = await readPayload(app, job.id)
  await runInstallDriverJob(instance.ctx, payload, async () => {})
  await runInstallation(app, instance, job.id)
  expect(await listHistory(app)).toEqual([
    ['driver_installed', job.id],
    ['driver_requested', job.id],
  ])
})

/** A folder with nothing but a program called npm. */
const createNpm = async (lines: readonly string[] | { readonly link: string }): Promise<string> => {
  const path = await mkdtemp(join(folder, 'bin-'))
  if ('link' in lines) await symlink(lines.link, join(path, 'npm'))
  else await writeFile(join(path, 'npm'), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 })
  return path
}
const realNpm = () => realpathSync(findNpm({ env: registry.env })!)

test('npm needs no Node on the path, and what it prints is shown when it fails', async () => {
  const withPath = (PATH: string) => createConfig({ npm: { env: { ...registry.env, PATH } } })
  const found = new Drivers(await withPath(await createNpm({ link: realNpm() })))
  await found.install('snowflake', options())
  expect(found.isInstalled('snowflake')).toBe(true)
  const cases = [
    [
      ['echo one; echo two; echo three', 'echo "Segmentation fault" >&2; exit 3'],
      /: npm failed \(exit code 3\): two three Segmentation fault$/,
    ],
    [['echo "npm error code E500"; echo later; exit 1'], /: npm failed \(exit code 1\): code E500$/],
    [['exit 4'], /: npm failed \(exit code 4\) and printed nothing\.$/],
  ] as const
  for (const [lines, why] of cases) {
    const failing = new Drivers(await withPath(await createNpm(lines)))
    await expect(failing.install('snowflake', options())).rejects.toThrow(why)
  }
})

test('npm ends with the process that has started it', async () => {
  const pidFile = join(folder, 'npm.pid')
  const PATH = await createNpm([`echo $$ > '${pidFile}'`, 'exec /bin/sleep 60'])
  const config = await createConfig({ npm: { env: { PATH } } })
  const program = join(folder, 'install.mts')
  const source = new URL('../../../src/sources/drivers/drivers.ts', import.meta.url).href
  await writeFile(
    program,
    `import { Drivers } from ${JSON.stringify(source)}
    process.once('message', () => process.exit())
    const drivers = new Drivers({ ...${JSON.stringify(config)}, isPreinstalled: () => false })
    await drivers.install('snowflake', { signal: new AbortController().signal, onProgress: async () => {} })`,
  )
  const child = fork(program, { stdio: 'ignore', execArgv: [] })
  const ended = once(child, 'exit')
  const pid = await eventually(async () => Number(await readFile(pidFile, 'utf8')) || Promise.reject(new Error('not started')))
  const readCommand = () => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  expect(await readCommand()).toContain('sleep')
  child.send('end')
  await ended
  await eventually(async () => expect(await readCommand()).toBe(''))
})

test('an installation has ended only when its last report has', async () => {
  const PATH = await createNpm(['/bin/sleep 1.3', `exec '${realNpm()}' "$@"`])
  const drivers = new Drivers(await createConfig({ npm: { env: { ...registry.env, PATH } } }))
  const reports = { started: 0, ended: 0 }
  const onProgress = async () => {
    reports.started++
    await sleep(4_000)
    reports.ended++
  }
  await drivers.install('snowflake', { ...options(), onProgress })
  expect(reports.started).toBeGreaterThanOrEqual(1) // more on a busy machine
  expect(reports.ended).toBe(reports.started)
})

test('a list of drivers writes nothing', async () => {
  await using app = await createTestApp()
  const config = await createConfig({ folder: join(folder, 'not created', 'drivers') })
  await using instance = await withDrivers(app, config)
  expect(await findDriver(instance)).toMatchObject({ installed: false, obstacle: null })
  expect(existsSync(join(folder, 'not created'))).toBe(false)
})

test('packages without a hash in the lock file are not installed', () => {
  const packages = createLock({ sdk: { optionalDependencies: { 'for-windows': '1.0.0' } } })
  packages['node_modules/for-windows'] = { version: '1.0.0', optional: true }
  expect(Object.keys(createDriverProject(packages, 'snowflake-sdk').lock.packages).sort()).toEqual([
    '',
    'node_modules/snowflake-sdk',
    'node_modules/tiny',
  ])
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
  await writeFile(path, '')
  return { path, [Symbol.asyncDispose]: async () => {} }
}

test('every driver is pinned by the lock file, with everything it needs', async () => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: LockPackages }
  for (const name of DRIVER_NAMES) {
    const { lock, folder } = createDriverProject(packages, DRIVERS[name].package)
    const entries = Object.entries(lock.packages).filter(([path]) => path !== '')
    expect(entries.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([])
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
