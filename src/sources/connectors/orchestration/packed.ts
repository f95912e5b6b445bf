import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/** Parts of a state, as text: a state is one message of at most 1 MB. */

const MAX_BYTES = 64 * 1024 * 1024

/** As many of the entries as fit, and which text they are. */
export const packEntries = async <T>(all: readonly T[], maxLength: number): Promise<string> => {
  for (let entries = all; ; ) {
    const packed = (await promisify(gzip)(JSON.stringify(entries))).toString('base64')
    if (packed.length <= maxLength || entries.length === 0) return packed
    entries = entries.slice(0, Math.floor((entries.length * maxLength * 0.95) / packed.length))
  }
}

export const unpackEntries = async (packed: string): Promise<unknown> =>
  JSON.parse((await promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_BYTES })).toString())
