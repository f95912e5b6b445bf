import { ensureTags } from '../../../catalog/tags/tags.ts'
import { buildItemKey, type Item } from '../../sync/item.ts'
import type { DiscoveryContext } from '../shared/connector.ts'
import type { ProgramConnection } from '../shared/program-connection.ts'
import { TAGS_SQL, type TagRow } from './snowflake-sql.ts'

const TAGS_MS = 300_000

/** The tags of tables and columns, by key of the item. Undefined: they could not be read, so none is reported as missing. */
export const loadTags = async (
  snowflake: ProgramConnection,
  { ctx, signal, log }: DiscoveryContext,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> => {
  if (!ctx) return undefined
  let rows: TagRow[]
  try {
    rows = await Array.fromAsync(snowflake.stream<TagRow>(TAGS_SQL, { signal, timeout_ms: TAGS_MS }))
  } catch (error) {
    if (signal.aborted) throw error
    await log(`Could not read the tags: ${(error as Error).message}`)
    return undefined
  }
  const ids = await ensureTags(ctx, [...new Set(rows.map(nameTag))])
  const found = new Map<string, string[]>()
  for (const row of rows) {
    const key = buildItemKey(row.database, row.schema, row.table, ...(row.column === null ? [] : [row.column]))
    const id = ids.get(nameTag(row))
    if (id) found.set(key, [...(found.get(key) ?? []), id])
  }
  return found
}

/** A tag with a value is one tag: `sensitivity:high`. */
const nameTag = ({ name, value }: TagRow): string => (value ? `${name}:${value}` : name)

export const addTags = (item: Item, tags: ReadonlyMap<string, readonly string[]>): Item => {
  const own = tags.get(item.key)
  return own ? { ...item, fields: { ...item.fields, tags: [...new Set(own)].sort() } } : item
}
