// `node scripts/complete-lock.ts [site]`, after `npm install` changed package-lock.json (in that folder).
// npm omits an optional package of another platform from the lock file when it is missing in the registry, and `npm ci` then rejects the
// file. This script adds missing packages with their integrity from the registry. If the registry lacks a package for a supported platform,
// it fails: choose a version that exists for all platforms.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPath, type LockEntry, type LockPackages } from '../src/sources/drivers/lock-file.ts'
import { findLockProblems } from './lock-problems.ts'

const run = promisify(execFile)
const FILE = join(process.argv[2] ?? '.', 'package-lock.json')
const lock = JSON.parse(readFileSync(FILE, 'utf8'))
const packages: LockPackages = lock.packages

/** Undefined when the registry does not have this version. */
const integrityOf = async (name: string, version: string): Promise<string | undefined> => {
  try {
    const { stdout } = await run('npm', ['view', `${name}@${version}`, 'dist.integrity'])
    return stdout.trim() || undefined
  } catch (error) {
    if (/E404/.test((error as { stderr?: string }).stderr ?? '')) return undefined
    throw error
  }
}

const platformOf = (name: string): Partial<LockEntry> => {
  const [, os, cpu] = /(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32|wasm32)-([a-z0-9]+)/.exec(name) ?? []
  if (!os || !cpu) throw new Error(`Cannot derive the platform from the package name ${name}. Add it to package-lock.json by hand.`)
  if (os === 'wasm32') return { cpu: ['wasm32'] }
  return { cpu: [cpu], os: [os], ...(os === 'linux' && { libc: [name.includes('musl') ? 'musl' : 'glibc'] }) }
}

let added = 0
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages))
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (findPath(packages, path, name)) continue
    if (!/^\d/.test(version)) throw new Error(`${name} ${version} is not an exact version`)
    packages[`node_modules/${name}`] = { version, ...(dev && { dev }), optional: true, ...platformOf(name) }
    added += 1
  }

for (const [path, entry] of Object.entries(packages))
  if (path !== '' && !entry.integrity) {
    const integrity = await integrityOf(path.replace(/^.*node_modules\//, ''), entry.version!)
    if (integrity) Object.assign(entry, { integrity })
  }

const problems = findLockProblems(lock)
if (problems.length > 0) {
  console.error(`${FILE} was not changed.\n${problems.join('\n')}`)
  process.exit(1)
}
const { '': root, ...rest } = packages
lock.packages = { '': root, ...Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) }
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} added`)
