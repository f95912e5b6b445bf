import { createReadStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { invalid } from '../../platform/core/errors.ts'

/** A log file as text, also if it is compressed with gzip or has the UTF-16 of a spreadsheet program. */

const MAX_TEXT_BYTES = 8 * 1024 ** 3
const START_BYTES = 4096

const GZIP = '1f8b'
/** What a file is by its first bytes, in hexadecimal, if it cannot be read. */
const UNREADABLE: readonly (readonly [start: string, what: string])[] = [
  ['504b0304', 'is a ZIP archive. Unpack it, or compress the log with gzip.'],
  ['28b52ffd', 'is compressed with zstd. Unpack it, or compress the log with gzip.'],
  ['425a68', 'is compressed with bzip2. Unpack it, or compress the log with gzip.'],
  ['fd377a585a00', 'is compressed with xz. Unpack it, or compress the log with gzip.'],
  ['feff', 'is text in UTF-16 (big endian). Save it as UTF-8.'],
]

export interface TextFile {
  /** The first characters, without a byte order mark. */
  readonly start: string
  open(): Readable
}

export const openText = async (path: string, start: Buffer): Promise<TextFile> => {
  rejectUnreadable(start)
  const isGzip = hasStart(start, GZIP)
  const openBytes = (): Readable => (isGzip ? unzip(createReadStream(path)) : createReadStream(path))
  const first = isGzip ? await readStart(openBytes()) : start
  rejectUnreadable(first)
  if (first.subarray(0, 4).toString('latin1') === 'PAR1') throw invalid({ file: ['is a compressed Parquet file. Unpack it.'] })
  const encoding = hasStart(first, 'fffe') ? 'utf16le' : 'utf8'
  return {
    start: first.toString(encoding).replace(/^\uFEFF/, ''),
    open: () => openBytes().setEncoding(encoding),
  }
}

const hasStart = (bytes: Buffer, start: string): boolean => bytes.subarray(0, start.length / 2).toString('hex') === start

const rejectUnreadable = (bytes: Buffer): void => {
  for (const [start, what] of UNREADABLE) if (hasStart(bytes, start)) throw invalid({ file: [what] })
}

/** A small file can be unpacked to any size. */
const unzip = (compressed: Readable): Readable => {
  const gunzip = createGunzip()
  let length = 0
  const limit = new Transform({
    transform(chunk: Buffer, _, done) {
      length += chunk.length
      if (length > MAX_TEXT_BYTES)
        done(invalid({ file: [`has more than ${MAX_TEXT_BYTES / 1024 ** 3} GB when it is unpacked. Split it.`] }))
      else done(null, chunk)
    },
  })
  compressed.on('error', (error) => gunzip.destroy(error))
  gunzip.on('error', (error) => limit.destroy(new DamagedText(error.message)))
  limit.on('close', () => compressed.destroy())
  return compressed.pipe(gunzip).pipe(limit)
}

/** The compressed data ends too early or is wrong. What was read before it is right. */
export class DamagedText extends Error {}

const readStart = async (stream: Readable): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= START_BYTES) break
    }
  } catch (error) {
    if (!(error instanceof DamagedText)) throw error
    if (length === 0) throw invalid({ file: [`cannot be unpacked: ${error.message}.`] })
  }
  return Buffer.concat(chunks)
}
