import { HttpError } from '../../../../connector/src/http.ts'

export interface StoredFile {
  readonly name: string
  readonly size: number
  /** When it was written, ISO 8601. */
  readonly modified?: string | undefined
}

export type StorageEntry = { readonly folder: string } | { readonly file: StoredFile }

/** Where the files of tables are. Paths are relative to the configured prefix, with `/` between their parts; the prefix itself is ''. */
export interface Storage {
  /** What the catalog calls it: `lake`, `lake/sales`. */
  readonly title: string
  /** The address of a path, as engines write it: `s3://lake/sales/orders`. */
  locate(path: string): string
  /** What is directly in a folder. Names up to `after` may be left out. Nothing if the folder is gone; NotFoundError if the storage is. */
  list(folder: string, after?: string): AsyncGenerator<StorageEntry, void>
  /** The bytes from `start` to before `end`, or to the end of the file. */
  read(path: string, start: number, end: number): Promise<Buffer>
}

/** It does not exist, or no longer. */
export class NotFoundError extends Error {}

/** This one may not be read. Credentials that are rejected as such are another error. */
export class DeniedError extends Error {}

/** The files of a table contradict its format. */
export class TableError extends Error {}

export const joinPath = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('/')

export const trimSlashes = (path = ''): string => path.replace(/^\/+|\/+$/g, '')

const DENIED =
  /<Code>(AccessDenied|AllAccessDisabled|InvalidObjectState|AuthorizationFailure|AuthorizationPermissionMismatch|BlobArchived)<\/Code>/
const REGION = /<Region>([a-z0-9-]{1,40})<\/Region>/

/** What a rejected request to an object store means. */
export const explainStorageError = (error: unknown): unknown => {
  if (!(error instanceof HttpError)) return error
  const { status, message, response } = error
  if (status === 404) return new NotFoundError(message)
  if ((status === 403 || status === 409) && DENIED.test(response)) return new DeniedError(message)
  const region = REGION.exec(response)?.[1]
  return (status === 301 || status === 400) && region ? new Error(`${message} The bucket is in the region ${region}.`) : error
}

/** An empty file has no bytes that could be requested. */
export const emptyIfOutOfRange = (error: unknown): Buffer => {
  if (error instanceof HttpError && error.status === 416) return Buffer.alloc(0)
  throw error
}

const CHUNK_BYTES = 8 * 1024 * 1024
const MAX_LINE_BYTES = 32 * 1024 * 1024

/** The lines of a file, with one part of it in memory at a time. */
export async function* readLines(storage: Storage, path: string, size: number): AsyncGenerator<string, void> {
  let rest: Buffer = Buffer.alloc(0)
  for (let start = 0; start < size; start += CHUNK_BYTES) {
    const end = Math.min(start + CHUNK_BYTES, size)
    const chunk = await readExactly(storage, path, start, end)
    const text = Buffer.concat([rest, chunk])
    const last = text.lastIndexOf(10)
    rest = text.subarray(last + 1)
    if (rest.length > MAX_LINE_BYTES) throw new TableError(`${path} has a line of more than ${MAX_LINE_BYTES / 1024 / 1024} MB.`)
    if (last >= 0) yield* text.toString('utf8', 0, last).split('\n').filter(isNotBlank)
  }
  if (isNotBlank(rest.toString('utf8'))) yield rest.toString('utf8')
}

const isNotBlank = (line: string): boolean => line.trim() !== ''

/** A file that became shorter since it was listed is an error: half of it would look like a smaller table. */
export const readExactly = async (storage: Storage, path: string, start: number, end: number): Promise<Buffer> => {
  const bytes = end > start ? await storage.read(path, start, end) : Buffer.alloc(0)
  if (bytes.length !== end - start) throw new TableError(`${path} has changed while it was read.`)
  return bytes
}
