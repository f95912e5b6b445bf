import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { LockEntry } from '../../src/sources/drivers/lock-file.ts'

/** A package as its author publishes it. */
interface PublishedPackage {
  readonly name: string
  readonly version: string
  readonly dependencies?: Record<string, string>
  readonly scripts?: Record<string, string>
  readonly files: Readonly<Record<string, string>>
}

/** A registry of npm with a few packages, on loopback. */
export interface NpmRegistry extends AsyncDisposable {
  /** For npm: this registry only, and a cache and a home of its own. */
  readonly env: Record<string, string>
  /** The entry of a package in a lock file. */
  entry(name: string): LockEntry
  /** The paths that were requested. */
  readonly requests: string[]
  /** Whether packages are sent; otherwise npm waits for them. */
  sends: boolean
}

export const createNpmRegistry = async (packages: readonly PublishedPackage[]): Promise<NpmRegistry> => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-registry-'))
  const archives = new Map<string, Buffer>()
  for (const each of packages) archives.set(each.name, await pack(folder, each))
  const integrity = (name: string) => `sha512-${createHash('sha512').update(archives.get(name)!).digest('base64')}`
  const requests: string[] = []
  const registry = { sends: true }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    requests.push(path)
    const found = packages.find(({ name }) => path === `/${name}` || path.startsWith(`/${name}/-/`))
    if (!found) return response.writeHead(404).end('{}')
    if (path.includes('/-/')) return registry.sends ? response.end(archives.get(found.name)) : undefined
    const { files: _files, ...manifest } = found
    const dist = {
      tarball: `http://${request.headers.host}/${found.name}/-/archive-${found.version}.tgz`,
      integrity: integrity(found.name),
    }
    return response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        name: found.name,
        'dist-tags': { latest: found.version },
        versions: { [found.version]: { ...manifest, dist } },
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(registry, {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      npm_config_cache: join(folder, 'cache'),
      npm_config_fetch_retries: '0',
    },
    entry: (name: string): LockEntry => {
      const { version, dependencies } = packages.find((each) => each.name === name)!
      return { version, integrity: integrity(name), ...(dependencies ? { dependencies } : {}) }
    },
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  })
}

const pack = async (folder: string, { files, ...manifest }: PublishedPackage): Promise<Buffer> => {
  const home = await mkdtemp(join(folder, 'package-'))
  for (const [path, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) })) {
    const file = join(home, 'package', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  await promisify(execFile)('tar', ['-czf', 'archive.tgz', 'package'], { cwd: home })
  return readFile(join(home, 'archive.tgz'))
}
