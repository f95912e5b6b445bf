// Finds problems of a package-lock.json on the supported platforms. Used by complete-lock.ts and by the tests.
import { findPath, type LockEntry, type LockPackages } from '../src/sources/drivers/lock-file.ts'

/** The supported platforms, as listed in the README. Linux means glibc. */
const SUPPORTED = [
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
]

/** npm's rule: no list means everywhere, and `!name` means everywhere except there. */
const matchesPlatform = (list: readonly string[] | undefined, name: string): boolean =>
  !list || (list.some((entry) => !entry.startsWith('!')) ? list.includes(name) : !list.includes(`!${name}`))

const isSupported = ({ os, cpu, libc }: LockEntry): boolean =>
  SUPPORTED.some(
    (platform) =>
      matchesPlatform(os, platform.os) && matchesPlatform(cpu, platform.cpu) && (platform.os !== 'linux' || matchesPlatform(libc, 'glibc')),
  )

/** One sentence for each problem; empty when the file is valid. */
export const findLockProblems = ({ packages }: { packages: LockPackages }): string[] => {
  const problems: string[] = []
  for (const [path, entry] of Object.entries(packages)) {
    const named = `${path.replace(/^.*node_modules\//, '')}@${entry.version}`
    if (path !== '' && !entry.integrity && isSupported(entry))
      problems.push(`${named} has no integrity: does the registry have this version for every supported platform?`)
    if (entry.resolved) problems.push(`${named} names a registry: run npm with the .npmrc of this repository.`)
    for (const name of Object.keys(entry.optionalDependencies ?? {}))
      if (!findPath(packages, path, name)) problems.push(`${name}, an optional package of ${path || 'Tablinum'}, is missing.`)
  }
  return problems
}
