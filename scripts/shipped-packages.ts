// The npm packages that a release contains or installs. Used by the package, its notices and the tests.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DRIVERS } from '../src/sources/drivers/driver-packages.ts'
import { findFolders, type LockPackages } from '../src/sources/drivers/lock-file.ts'

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

/** The npm packages of drivers. */
export const DRIVER_PACKAGES: readonly string[] = Object.values(DRIVERS).map((driver) => driver.package)

/** The Node of a checkout. The package runs on the Node of the machine, the image brings one. */
export const isNode = (name: string): boolean => name.startsWith('node-')

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
