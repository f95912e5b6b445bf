import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { BackupError } from './error.ts'
import type { Part } from './tables.ts'

/**
 * A backup is gzipped text: a JSON header line, the rows of each part in COPY format, each part ended by a line `\.`, and a JSON line with the
 * SHA-256 of everything before it. See docs/operations.md.
 */
export const FORMAT = 1
export const END = Buffer.from('\\.\n')
const END_LINE = Buffer.from('\n\\.\n')
const NEW_LINE = 0x0a
const LONGEST_LINE = 10_000_000
const READ_BYTES = 256 * 1024

export interface Header {
  readonly tablinum_backup: number
  readonly version: string
  readonly created_at: string
  readonly postgres: string
  readonly workspace: { readonly id: string; readonly name: string }
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[]
  readonly parts: readonly Part[]
}

/** Handlers called in the order of the file. Each part must be read to its end. */
export interface Taking {
  readonly header?: (header: Header) => Promise<void> | void
  readonly part: (part: Part, rows: AsyncGenerator<Buffer>) => Promise<void>
  /** Reports the bytes of the file read so far. */
  readonly progress?: (bytes: number, part: Part) => void
  readonly signal?: AbortSignal
}

/** Reads a backup once, in constant memory, and fails if it is incomplete. */
export const readBackup = async (file: string, { header: begin, part: take, progress, signal }: Taking): Promise<Header> => {
  const source = createReadStream(file, { highWaterMark: READ_BYTES })
  let header: Header | undefined
  try {
    await pipeline(
      source,
      createGunzip({ chunkSize: READ_BYTES }),
      async (chunks: AsyncIterable<Buffer>) => {
        const unpacked = new Unpacked(chunks)
        header = headerOf(await unpacked.line())
        await begin?.(header)
        for (const part of header.parts) {
          const rows = unpacked.rows(() => progress?.(source.bytesRead, part))
          await take(part, rows)
        }
        const hash = unpacked.hash()
        if (said<{ sha256: string }>(await unpacked.line())?.sha256 !== hash) throw new BackupError(DAMAGED)
        await unpacked.end()
      },
      { signal },
    )
  } catch (error) {
    throw inWords(error as NodeJS.ErrnoException, file, header !== undefined)
  }
  return header!
}

const DAMAGED = 'The backup is damaged: its content does not match its checksum.'
const CUT = 'The backup is incomplete: its end is missing.'
const FOREIGN = (file: string) => `${file} is not a Tablinum backup, or its beginning is damaged.`

const inWords = (error: NodeJS.ErrnoException, file: string, begun: boolean): Error => {
  if (error.code === 'ENOENT') return new BackupError(`File not found: ${file}.`)
  if (error.code === 'EISDIR' || error.code === 'EACCES') return new BackupError(`Cannot read ${file}: ${error.message}.`)
  if (!begun && (error instanceof NoLine || error.code === 'Z_DATA_ERROR')) return new BackupError(FOREIGN(file))
  if (error instanceof NoLine || error.code === 'Z_BUF_ERROR') return new BackupError(CUT)
  if (error.code === 'Z_DATA_ERROR') return new BackupError(DAMAGED)
  return error
}

class NoLine extends Error {}

const headerOf = (line: Buffer): Header => {
  const header = said<Header>(line)
  if (typeof header?.tablinum_backup !== 'number') throw new NoLine()
  if (header.tablinum_backup > FORMAT)
    throw new BackupError(
      `The backup was created by Tablinum ${header.version} in a format this version does not support. Restore it with that version.`,
    )
  return header
}

const said = <T>(line: Buffer): T | undefined => {
  try {
    return JSON.parse(line.toString()) as T
  } catch {
    return undefined
  }
}

/** Reads the text of a backup line by line and part by part, independent of chunk boundaries. */
class Unpacked {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #hash = createHash('sha256')
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async line(): Promise<Buffer> {
    let end = this.#rest.indexOf(NEW_LINE)
    while (end < 0) {
      if (this.#rest.length > LONGEST_LINE) throw new NoLine()
      if (!(await this.#more())) throw new NoLine()
      end = this.#rest.indexOf(NEW_LINE)
    }
    return this.#take(end + 1)
  }

  /** The rows up to the line that ends the part. No COPY row can look like that line, because backslashes are doubled. */
  async *rows(tell: () => void): AsyncGenerator<Buffer> {
    for (let first = true; ; first = false) {
      while (this.#rest.length < END_LINE.length) if (!(await this.#more())) break
      if (first && this.#rest.subarray(0, END.length).equals(END)) {
        this.#take(END.length)
        return
      }
      const end = this.#rest.indexOf(END_LINE)
      // Bytes that may be the start of the end line are held back until the next chunk.
      const sure = end < 0 ? this.#rest.length - END_LINE.length + 1 : end + 1
      if (sure > 0) yield this.#take(sure)
      tell()
      if (end >= 0) {
        this.#take(END.length)
        return
      }
      if (!(await this.#more())) throw new BackupError(CUT)
    }
  }

  /** Hash of everything read so far. */
  hash(): string {
    return this.#hash.copy().digest('hex')
  }

  async end(): Promise<void> {
    if (this.#rest.length > 0 || (await this.#more())) throw new BackupError(DAMAGED)
  }

  #take(bytes: number): Buffer {
    const taken = this.#rest.subarray(0, bytes)
    this.#rest = this.#rest.subarray(bytes)
    this.#hash.update(taken)
    return taken
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next()
    if (done) return false
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
    return true
  }
}
