import { createHash } from 'node:crypto'
import { findFolders, type LockEntry, type LockPackages } from './lock-file.ts'

/** What npm installs for one driver: exactly the packages that this release was tested with, by their hashes. */
export interface DriverProject {
  readonly package: string
  readonly version: string
  /** Of the folder it is installed into: another for any other content. */
  readonly folder: string
  readonly manifest: object
  readonly lock: { readonly packages: LockPackages }
}

const HASH_LENGTH = 12

/** The part of a lock file that belongs to one package. Without a hash, npm would install whatever it receives: such entries are left out. Pure. */
export const createDriverProject = (all: LockPackages, name: string): DriverProject => {
  const packages = Object.fromEntries(Object.entries(all).filter(([, { integrity }]) => integrity !== undefined))
  const version = packages[`node_modules/${name}`]?.version
  if (version === undefined) throw new Error(`The lock file has no ${name}.`)
  const needed = new Set(findFolders(packages, [name], false))
  const own = findFolders(packages, [name]).map((folder) => [folder, toEntry(packages[folder]!, !needed.has(folder))] as const)
  const manifest = { name: 'tablinum-driver', version: '1.0.0', private: true, dependencies: { [name]: version } }
  const lock = {
    ...{ name: manifest.name, version: manifest.version, lockfileVersion: 3, requires: true },
    packages: { '': manifest as LockEntry, ...Object.fromEntries(own) },
  }
  const hash = createHash('sha256').update(JSON.stringify(lock)).digest('hex').slice(0, HASH_LENGTH)
  return { package: name, version, folder: `${name.replace(/\W+/g, '-').replace(/^-/, '')}-${version}-${hash}`, manifest, lock }
}

/** Here it is no package for development, and no registry is named: npm's own settings choose it. */
const toEntry = (
  { dev: _dev, devOptional: _devOptional, optional: _optional, resolved: _resolved, ...entry }: LockEntry,
  optional: boolean,
) => (optional ? { ...entry, optional } : entry)
