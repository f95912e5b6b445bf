// npm leaves an optional package of another platform out of the lock file when the registry does not show it, and `npm ci` then refuses
// the file. This adds what is missing: version and platform, so that every machine agrees on what it may skip.
import { readFileSync, writeFileSync } from 'node:fs'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const packages = lock.packages

/** Every folder in which Node would look for what the package at `path` needs. */
const foldersFor = (path) => {
  const parts = path.split('node_modules/').slice(1)
  return ['', ...parts.map((_, i) => `node_modules/${parts.slice(0, i + 1).join('node_modules/')}`.replace(/\/?$/, '/'))]
}

const entryFor = (name, version, dev) => {
  const [, os, cpu] = /(android|darwin|freebsd|linux|openharmony|win32|wasm32)-([a-z0-9]+)/.exec(name)
  const platform = os === 'wasm32' ? { cpu: ['wasm32'] } : { cpu: [cpu], os: [os] }
  const libc = os === 'linux' ? { libc: [name.includes('musl') ? 'musl' : 'glibc'] } : {}
  return { version, ...(dev && { dev }), optional: true, ...platform, ...libc }
}

let added = 0
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages))
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (foldersFor(path).some((folder) => packages[`${folder}node_modules/${name}`])) continue
    if (!/^\d/.test(version)) throw new Error(`${name} ${version} is not one version`)
    packages[`node_modules/${name}`] = entryFor(name, version, dev)
    added += 1
  }

const { '': root, ...rest } = packages
lock.packages = { '': root, ...Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) }
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} added`)
