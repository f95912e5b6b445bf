// The npm packages that a release contains or installs. Used by the package, its notices and the tests.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DRIVER_PACKAGES } from '../src/sources/connectors/shared/driver-packages.ts'
import { findPath, type LockPackages } from './lock-problems.ts'

export const ROOT = join(import.meta.dirname, '..')

export interface PackageJson {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

export const readJson = <T>(file: string): T => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

export const DRIVERS: readonly string[] = Object.values(DRIVER_PACKAGES)

/** The Node of a checkout. The package runs on the Node of the machine, the image brings one. */
export const isNode = (name: string): boolean => name.startsWith('node-')

/** The folders, as in the lock file, of these packages and of everything they need on any platform. */
export const findFolders = (packages: LockPackages, names: readonly string[]): string[] => {
  const folders = new Set<string>()
  const visit = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const folder = findPath(packages, from, name)
      if (folder === undefined || folders.has(folder)) continue
      folders.add(folder)
      const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = packages[folder]!
      const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta?.[peer]?.optional)
      visit(folder, [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
    }
  }
  visit('', names)
  return [...folders].sort()
}

/** The folders of everything that a release contains: packages of the server, and packages that are built into the web app. */
export const findShippedFolders = (packages: LockPackages): string[] => {
  const { dependencies, optionalDependencies } = readJson<PackageJson>('package.json')
  const imported = importedNames()
  const optional = Object.keys(optionalDependencies).filter((name) => !isNode(name))
  return findFolders(packages, [...Object.keys(dependencies).filter((name) => imported.has(name)), ...optional])
}

/** The packages that the sources of the server and of the web app import; the others only build the web app. */
const importedNames = (): Set<string> => {
  const sources = globSync(['{src,connector}/**/*.ts', 'web/**/*.{ts,tsx,css}'], {
    cwd: ROOT,
    exclude: ['web/dist*/**', 'web/vite.config.ts', '**/*.test.ts'],
  })
  return new Set(sources.flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORTED_NAME)].map(([, name]) => name!)))
}
const IMPORTED_NAME = /(?:from |import |import\()['"]((?:@[\w-]+\/)?[\w.-]+)/g
