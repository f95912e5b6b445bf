/** Reads a package-lock.json. Pure. */

export interface LockEntry {
  version?: string
  integrity?: string
  resolved?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export type LockPackages = Record<string, LockEntry>

/** The path of the package that Node would load for `name` when the package at `path` imports it. */
export const findPath = (packages: LockPackages, path: string, name: string): string | undefined => {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('node_modules/')).replace(/\/$/, '')) {
    const found = `${folder && `${folder}/`}node_modules/${name}`
    if (packages[found]) return found
    if (folder === '') return undefined
  }
}

/** The folders of these packages and of everything they need; without `optional`, only what they cannot do without. */
export const findFolders = (packages: LockPackages, names: readonly string[], optional = true): string[] => {
  const folders = new Set<string>()
  const visit = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const folder = findPath(packages, from, name)
      if (folder === undefined || folders.has(folder)) continue
      folders.add(folder)
      visit(folder, listNeeded(packages[folder]!, optional))
    }
  }
  visit('', names)
  return [...folders].sort()
}

/** npm lists optional dependencies among all others, too. */
const listNeeded = (entry: LockEntry, optional: boolean): string[] => {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta } = entry
  const needed = Object.keys(dependencies).filter((name) => !Object.hasOwn(optionalDependencies, name))
  const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta?.[peer]?.optional)
  return [...needed, ...(optional ? Object.keys(optionalDependencies) : []), ...peers]
}
