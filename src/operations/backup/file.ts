import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { BackupError } from './error.ts'
import type { BackupPart } from './tables.ts'

/**
 * A backup is gzipped text: a JSON header line, the rows of each part in COPY format, each part ended by a line `\.`, and a JSON line with the
 * SHA-256 of everything before it. See docs/operations.md.
 */
export const BACKUP_FORMAT = 1
export const PART_END = Buffer.from('\\.\n')
const PART_END_LINE = Buffer.from('\n\\.\n')
const NEW_LINE = 0x0a
const MAX_LINE_BYTES = 10_000_000
const READ_BYTES = 256 * 1024

export interface BackupHeader {
  readonly tablinum_backup: number
  readonly version: string
  readonly created_at: string
  readonly postgres: string
  readonly workspace: { readonly id: string; readonly name: string }
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[]
  readonly parts: readonly BackupPart[]
}

/** Handlers called in the order of the file. Each part must be read to its end. */
export interface BackupPartHandlers {
  readonly header?: (header: BackupHeader) => Promise<void> | void
  readonly part: (part: BackupPart, rows: AsyncGenerator<Buffer>) => Promise<void>
  /** Reports the bytes of the file read so far. */
  readonly progress?: (bytes: number, part: BackupPart) => void
  readonly signal?: AbortSignal
}

/** Reads a backup once, in constant memory, and fails if it is incomplete. */
export const readBackup = async (
  file: string,
  { header: onHeader, part: onPart, progress, signal }: BackupPartHandlers,
): Promise<BackupHeader> => {
  const source = createReadStream(file, { highWaterMark: READ_BYTES })
  let header: BackupHeader | undefined
  try {
    await pipeline(
      source,
      createGunzip({ chunkSize: READ_BYTES }),
      async (chunks: AsyncIterable<Buffer>) => {
        const reader = new BackupReader(chunks)
        header = parseHeader(await reader.line())
        await onHeader?.(header)
        for (const part of header.parts) {
          const rows = reader.rows(() => progress?.(source.bytesRead, part))
          await onPart(part, rows)
        }
        const hash = reader.hash()
        if (parseJsonLine<{ sha256: string }>(await reader.line())?.sha256 !== hash) throw new BackupError(DAMAGED)
        await reader.end()
      },
      { signal },
    )
  } catch (error) {
    throw toBackupError(error as NodeJS.ErrnoException, file, header !== undefined)
  }
  return header!
}

const DAMAGED = 'The backup is damaged: its content does not match its checksum.'
const INCOMPLETE = 'The backup is incomplete: its end is missing.'
const notABackup = (file: string) => `${file} is not a Tablinum backup, or its beginning is damaged.`

const toBackupError = (error: NodeJS.ErrnoException, file: string, started: boolean): Error => {
  if (error.code === 'ENOENT') return new BackupError(`File not found: ${file}.`)
  if (error.code === 'EISDIR' || error.code === 'EACCES') return new BackupError(`Cannot read ${file}: ${error.message}.`)
  if (!started && (error instanceof MissingLineError || error.code === 'Z_DATA_ERROR')) return new BackupError(notABackup(file))
  if (error instanceof MissingLineError || error.code === 'Z_BUF_ERROR') return new BackupError(INCOMPLETE)
  if (error.code === 'Z_DATA_ERROR') return new BackupError(DAMAGED)
  return error
}

class MissingLineError extends Error {}

const parseHeader = (line: Buffer): BackupHeader => {
  const header = parseJsonLine<BackupHeader>(line)
  if (typeof header?.tablinum_backup !== 'number') throw new MissingLineError()
  if (header.tablinum_backup > BACKUP_FORMAT)
    throw new BackupError(
      `The backup was created by Tablinum ${header.version} in a format this version does not support. Restore it with that version.`,
    )
  return header
}

const parseJsonLine = <T>(line: Buffer): T | undefined => {
  try {
    return JSON.parse(line.toString()) as T
  } catch {
    return undefined
  }
}

/** Reads the text of a backup line by line and part by part, independent of chunk boundaries. */
class BackupReader {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #hash = createHash('sha256')
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async line(): Promise<Buffer> {
    let end = this.#rest.indexOf(NEW_LINE)
    while (end < 0) {
      if (this.#rest.length > MAX_LINE_BYTES) throw new MissingLineError()
      if (!(await this.#more())) throw new MissingLineError()
      end = this.#rest.indexOf(NEW_LINE)
    }
    return this.#consume(end + 1)
  }

  /** The rows up to the line that ends the part. No COPY row can look like that line, because backslashes are doubled. */
  async *rows(onChunk: () => void): AsyncGenerator<Buffer> {
    for (let first = true; ; first = false) {
      while (this.#rest.length < PART_END_LINE.length) if (!(await this.#more())) break
      if (first && this.#rest.subarray(0, PART_END.length).equals(PART_END)) {
        this.#consume(PART_END.length)
        return
      }
      const end = this.#rest.indexOf(PART_END_LINE)
      // Bytes that may be the start of the end line are held back until the next chunk.
      const available = end < 0 ? this.#rest.length - PART_END_LINE.length + 1 : end + 1
      if (available > 0) yield this.#consume(available)
      onChunk()
      if (end >= 0) {
        this.#consume(PART_END.length)
        return
      }
      if (!(await this.#more())) throw new BackupError(INCOMPLETE)
    }
  }

  /** Hash of everything read so far. */
  hash(): string {
    return this.#hash.copy().digest('hex')
  }

  async end(): Promise<void> {
    if (this.#rest.length > 0 || (await this.#more())) throw new BackupError(DAMAGED)
  }

  #consume(bytes: number): Buffer {
    const consumed = this.#rest.subarray(0, bytes)
    this.#rest = this.#rest.subarray(bytes)
    this.#hash.update(consumed)
    return consumed
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next()
    if (done) return false
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
    return true
  }
}
