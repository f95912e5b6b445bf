import { createHash } from 'node:crypto'
import type { Discovered, RunContext } from '../../../../connector/src/define.ts'
import type { ItemMessage, UnchangedMessage } from '../../../../connector/src/protocol.ts'

/** Versions of items: what is the same as last time is not read again. Pure. */

const VERSION_LENGTH = 22
/** Keys of what is below an item begin with its key only if it is not too long (`childKey`). */
const MAX_KEY_LENGTH = 300

/** Differs if one of the parts does. Undefined if one of them is not known. */
export const toVersion = (...parts: readonly unknown[]): string | undefined =>
  parts.includes(undefined) ? undefined : createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, VERSION_LENGTH)

/** What to report in place of the item; undefined if it has to be read. */
export const findUnchanged = (
  { versions }: Pick<RunContext, 'versions'>,
  key: string,
  version: string | undefined,
  parent?: string,
): UnchangedMessage | undefined =>
  version !== undefined && versions.get(key) === version && key.length <= MAX_KEY_LENGTH
    ? { type: 'unchanged', key, ...(parent === undefined ? {} : { parent }) }
    : undefined

/** All messages about an item, which gets this version. */
export const withVersion = (messages: readonly Discovered[], key: string, version: string | undefined): readonly Discovered[] =>
  version === undefined
    ? messages
    : messages.map((each) => (each.type === 'item' && each.key === key ? { ...each, ...toVersionFields(key, version) } : each))

/** Of an item whose messages follow each other. */
export const toVersionFields = (key: string, version: string | undefined): Pick<ItemMessage, 'version' | 'contiguous'> => {
  if (version === undefined) return {}
  return key.length <= MAX_KEY_LENGTH ? { version, contiguous: true } : { version }
}
