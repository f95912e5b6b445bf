// `npm run package`: builds dist/tablinum-<version>.tgz, which `npm install` and `npx` run without a build or development packages.
// Why it is built like this: docs/decisions/0029-shipping.md and 0043-combined-code.md.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { findFolders, type LockPackages } from '../src/sources/drivers/lock-file.ts'
import { bundleServer } from './bundle.ts'
import { DRIVER_PACKAGES, isNode, type PackageJson, ROOT, readJson } from './shipped-packages.ts'

const STAGING = join(ROOT, 'dist/package')

/** Returns the file. */
export const buildPackage = async (): Promise<string> => {
  rmSync(STAGING, { recursive: true, force: true })
  run(process.execPath, [join(ROOT, 'scripts/build-web.mjs')])
  const imported = await bundleServer(STAGING)
  compileLibraries()
  copyFiles()
  const manifest = createManifest(readJson<PackageJson>('package.json'), imported)
  const { packages } = readJson<{ packages: LockPackages }>('package-lock.json')
  writeFileSync(join(STAGING, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(STAGING, 'drivers-lock.json'), createDriversLock(packages))
  for (const folder of findFolders(packages, manifest.bundleDependencies)) if (existsSync(join(ROOT, folder))) copyPackage(folder)
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', '..'], STAGING)
  return join(ROOT, `dist/${manifest.name}-${manifest.version}.tgz`)
}

/** The part of the lock file that belongs to drivers: npm leaves package-lock.json out of packages. */
const createDriversLock = (packages: LockPackages): string =>
  JSON.stringify({ packages: Object.fromEntries(findFolders(packages, DRIVER_PACKAGES).map((folder) => [folder, packages[folder]])) })

const run = (command: string, args: readonly string[], cwd = ROOT): void => {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

const tsc = (...args: string[]): void => run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args])

/** The libraries for connectors and clients: file by file, with their types. */
const compileLibraries = (): void => {
  for (const library of ['connector', 'client']) tsc('-p', library, '--noCheck', '--outDir', join(STAGING, library, 'src'))
}

const FILES = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'THIRD_PARTY_NOTICES.md',
  'schema.sql',
  'migrations/*',
  'docs/*.md',
  'scripts/platform.mjs',
  'packaging/{tablinum.service,compose.yaml}',
  'packaging/helm/**/*',
  'packaging/{grafana,prometheus}/*',
  'connector/README.md',
  'connector/template/*',
  'connector/template-sql/*',
  'client/README.md',
  'src/operations/demo/**/*.{sql,md}',
  'web/dist/**/*',
]

const copyFiles = (): void => {
  for (const entry of globSync(FILES, { cwd: ROOT, withFileTypes: true }).filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name)
    copyFile(file, join(STAGING, relative(ROOT, file)))
  }
  copyFile(join(ROOT, 'packaging/tablinum.mjs'), join(STAGING, 'bin/tablinum.mjs'))
}

const copyFile = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

/** What users install: no development packages, drivers as optional peers, and inside of it all packages that its code imports. */
const createManifest = (
  { name, version, description, license, dependencies, optionalDependencies, devDependencies }: PackageJson,
  imported: readonly string[],
) => {
  const isDriver = ([name]: readonly [string, string]) => DRIVER_PACKAGES.includes(name)
  const names = new Set(imported.map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)![0]))
  const undeclared = [...names].filter((name) => !Object.hasOwn(dependencies, name) && !DRIVER_PACKAGES.includes(name))
  if (undeclared.length > 0) throw new Error(`The code imports packages that are no dependencies: ${undeclared.join(', ')}.`)
  const needed = Object.fromEntries(Object.entries(dependencies).filter(([name]) => names.has(name)))
  const drivers = Object.fromEntries(Object.entries(devDependencies).filter(isDriver))
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=24.15' },
    os: ['linux', 'darwin'],
    cpu: ['x64', 'arm64'],
    bin: { tablinum: 'bin/tablinum.mjs' },
    exports: {
      './client': { types: './client/src/index.d.ts', default: './client/src/index.js' },
      './connector': { types: './connector/src/index.d.ts', default: './connector/src/index.js' },
    },
    dependencies: needed,
    bundleDependencies: Object.keys(needed),
    optionalDependencies: Object.fromEntries(Object.entries(optionalDependencies).filter(([name]) => !isNode(name))),
    peerDependencies: drivers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(drivers).map((name) => [name, { optional: true }])),
  }
}

/** What running code does not need: a third of the size. */
const NOT_NEEDED_FILE = /\.(map|md|markdown|[cm]?ts|flow|tsbuildinfo)$/i
const NEEDED_FILE = /^(licen[cs]e|notice|copying)/i
const NOT_NEEDED_FOLDER = /^(\.github|benchmarks?|docs?|examples?|tests?|__tests__)$/

const copyPackage = (folder: string): void => {
  const from = join(ROOT, folder)
  cpSync(from, join(STAGING, folder), {
    recursive: true,
    filter: (path) => {
      const name = basename(path)
      if (path === from) return true
      if (dirname(path) === from && (name === 'node_modules' || NOT_NEEDED_FOLDER.test(name))) return false
      return !NOT_NEEDED_FILE.test(name) || NEEDED_FILE.test(name)
    },
  })
}

if (import.meta.main) console.log(relative(process.cwd(), await buildPackage()))
