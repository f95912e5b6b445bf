import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/** Compressed lists in the state of a connector, which is one message of at most 1 MB. */

const MAX_BYTES = 64 * 1024 * 1024

/** Compresses as many of the first entries as fit into a text of this length. */
export const packEntries = async <T>(all: readonly T[], maxLength: number): Promise<string> => {
  for (let entries = all; ; ) {
    const packed = (await promisify(gzip)(JSON.stringify(entries))).toString('base64')
    if (packed.length <= maxLength || entries.length === 0) return packed
    entries = entries.slice(0, Math.floor((entries.length * maxLength * 0.95) / packed.length))
  }
}

export const unpackEntries = async (packed: string): Promise<unknown> =>
  JSON.parse((await promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_BYTES })).toString())
