import type { Dirent } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DeniedError, NotFoundError, type Storage, type StorageEntry } from './storage.ts'

/** A folder on the server. Symbolic links in it are not followed. */
export class FolderStorage implements Storage {
  readonly #root: string

  /** The real path of the folder, checked by the caller. */
  constructor(root: string) {
    this.#root = root
  }

  get title(): string {
    return basename(this.#root) || 'files'
  }

  /** Without the path of the folder: it is the server's own. */
  locate(path: string): string {
    return path || this.title
  }

  async *list(folder: string): AsyncGenerator<StorageEntry, void> {
    const path = join(this.#root, folder)
    for (const entry of await this.#readEntries(folder)) {
      if (entry.isDirectory()) yield { folder: entry.name }
      if (!entry.isFile()) continue
      const found = await stat(join(path, entry.name)).catch(() => undefined) // deleted since
      if (found) yield { file: { name: entry.name, size: found.size, modified: found.mtime.toISOString() } }
    }
  }

  async read(path: string, start: number, end: number): Promise<Buffer> {
    const handle = await open(await this.#resolve(path)).catch((error) => explain(error, path))
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }

  async #readEntries(folder: string): Promise<Dirent[]> {
    try {
      const entries = await readdir(await this.#resolve(folder), { withFileTypes: true }).catch((error) => explain(error, folder))
      return entries.sort(compareNames)
    } catch (error) {
      if (error instanceof NotFoundError && folder !== '') return [] // deleted after it was listed
      throw error
    }
  }

  /** Its own path, unless a symbolic link is part of it. */
  async #resolve(path: string): Promise<string> {
    const own = join(this.#root, path)
    const real = await realpath(own).catch((error) => explain(error, path))
    if (real !== own) throw new NotFoundError(`${path} is a symbolic link, or inside one.`)
    return real
  }
}

const compareNames = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : 1)

const explain = (error: NodeJS.ErrnoException, path: string): never => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw new NotFoundError(`${path} does not exist.`)
  if (error.code === 'EACCES' || error.code === 'EPERM') throw new DeniedError(`${path} may not be read by the server (${error.code}).`)
  throw new Error(`${path} cannot be read (${error.code}).`)
}
