import type { Readable } from 'node:stream'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'

/** The parts of a workbook: XML files in a ZIP archive. */
const MAX_PARTS = 2000
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024
const NOT_XLSX = 'is not an XLSX file, or it is damaged.'

export class WorkbookParts {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  #unpacked = 0

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  static async open(file: Buffer): Promise<WorkbookParts> {
    // Both are stored in Microsoft's compound file format.
    if (file.subarray(0, 4).toString('hex') === 'd0cf11e0')
      throw invalid({ body: [translatable('is an old Excel file (.xls) or protected by a password. Save it as XLSX without a password.')] })
    const zip = await fromBufferPromise(file, { lazyEntries: true }).catch(notXlsx)
    if (zip.entryCount > MAX_PARTS) throw notXlsx()
    const entries = new Map<string, Entry>()
    try {
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    } catch (error) {
      throw notXlsx(error)
    }
    return new WorkbookParts(zip, entries)
  }

  has(path: string): boolean {
    return this.#entries.has(path)
  }

  /** Calls the handlers for the elements of a part. `onChunk` runs after each chunk: what it yields is yielded. */
  async *parse<T>(path: string, handlers: XmlHandlers, takeRows: () => readonly T[] = () => []): AsyncGenerator<T> {
    const parser = new SaxesParser()
    parser.on('opentag', (tag) => handlers.open?.(localName(tag.name), tag.attributes as SaxesTagPlain['attributes']))
    parser.on('closetag', (tag) => handlers.close?.(localName(tag.name)))
    parser.on('text', (text) => handlers.text?.(text))
    parser.on('cdata', (text) => handlers.text?.(text))
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for await (const chunk of this.#read(path)) {
      parse(() => parser.write(decoder.decode(chunk, { stream: true })))
      yield* takeRows()
    }
    parse(() => parser.write(decoder.decode()).close())
    yield* takeRows()
  }

  /** The archive's own reader stops if a part is longer than its header says, so the header is enough to bound what is unpacked. */
  async *#read(path: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(path)
    if (!entry) throw notXlsx()
    this.#unpacked += entry.uncompressedSize
    if (this.#unpacked > MAX_UNPACKED_BYTES)
      throw new ApiError(
        'payload_too_large',
        translatable('The workbook is too large. The limit is {max} MB, unpacked.', { max: MAX_UNPACKED_BYTES / 1024 / 1024 }),
      )
    try {
      const stream: Readable = await this.#zip.openReadStreamPromise(entry)
      yield* stream as AsyncIterable<Buffer>
    } catch (error) {
      throw error instanceof ApiError ? error : notXlsx(error)
    }
  }
}

export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

/** Some programs write all elements with a prefix. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const parse = (work: () => void): void => {
  try {
    work()
  } catch (error) {
    throw error instanceof ApiError ? error : notXlsx(error)
  }
}

const notXlsx = (_cause?: unknown): never => {
  throw invalid({ body: [NOT_XLSX] })
}
