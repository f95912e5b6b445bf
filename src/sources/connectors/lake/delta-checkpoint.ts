import {
  type AsyncBuffer,
  cachedAsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { joinPath, readExactly, readLines, type Storage, type StoredFile, TableError } from './storage.ts'

/** What is read of an action: counts, the schema, and where more actions are. */
const NEEDED = [
  ...['add.path', 'add.size', 'add.stats_parsed.numRecords', 'add.deletionVector', 'metaData', 'protocol'],
  ...['sidecar.path', 'sidecar.sizeInBytes'],
]
const STATS = 'add.stats'
/** Each slice of a group decodes what is before it again, and each row costs about 2 KB: most groups are one slice. */
const ROWS_AT_ONCE = 125_000
const MAX_GROUP_BYTES = 96 * 1024 * 1024

/** Actions of a file of a checkpoint, as they would be in a commit. */
export async function* readCheckpoint(storage: Storage, folder: string, file: StoredFile): AsyncGenerator<unknown, void> {
  const path = joinPath(folder, file.name)
  if (!file.name.endsWith('.json')) return yield* readParquet(storage, path, file.size)
  for await (const line of readLines(storage, path, file.size)) yield parseAction(line, path)
}

export const parseAction = (line: string, path: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    throw new TableError(`${path} has a line that is not valid JSON.`)
  }
}

async function* readParquet(storage: Storage, path: string, size: number): AsyncGenerator<unknown, void> {
  let failed: unknown
  const file: AsyncBuffer = {
    byteLength: size,
    slice: async (start, end = size) => {
      try {
        const bytes = await readExactly(storage, path, start, Math.min(end, size))
        return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
      } catch (error) {
        failed = error
        throw error
      }
    },
  }
  // What the storage rejected is no fault of the file.
  const explain = (error: Error): never => {
    throw failed ?? new TableError(`${path} is not a readable Parquet file: ${error.message}`)
  }
  const metadata = await parquetMetadataAsync(file).catch(explain)
  for (const group of metadata.row_groups) {
    const single = selectColumns({ ...metadata, row_groups: [group], num_rows: group.num_rows }, path)
    if (single.row_groups[0]!.columns.length === 0) continue
    const cached = cachedAsyncBuffer(file) // the same bytes for all rows of the group
    for (let rowStart = 0; rowStart < Number(group.num_rows); rowStart += ROWS_AT_ONCE) {
      const rowEnd = Math.min(rowStart + ROWS_AT_ONCE, Number(group.num_rows))
      for (const row of await parquetReadObjects({ file: cached, metadata: single, compressors, rowStart, rowEnd }).catch(explain))
        yield toJson(row)
    }
  }
}

/**
 * Only the columns that are needed: the statistics of data columns can be most of a checkpoint. A group of rows is read at once, so that one which
 * would not fit in memory is read without the texts of statistics, and so without the number of rows.
 */
const selectColumns = (metadata: FileMetaData, path: string): FileMetaData => {
  for (const needed of [[...NEEDED, STATS], NEEDED]) {
    const isNeeded = (leaf: readonly string[]) => needed.some((name) => `${leaf.join('.')}.`.startsWith(`${name}.`))
    const groups = metadata.row_groups.map((group) => ({
      ...group,
      columns: group.columns.filter(({ meta_data }) => meta_data !== undefined && isNeeded(meta_data.path_in_schema)),
    }))
    const bytes = groups
      .flatMap(({ columns }) => columns)
      .reduce((sum, { meta_data }) => sum + Number(meta_data!.total_uncompressed_size), 0)
    if (bytes > MAX_GROUP_BYTES) continue
    return { ...metadata, schema: selectElements(parquetSchema(metadata), isNeeded), row_groups: groups }
  }
  throw new TableError(`${path} has groups of rows of more than ${MAX_GROUP_BYTES / 1024 / 1024} MB.`)
}

const selectElements = (
  { element, children, path }: ReturnType<typeof parquetSchema>,
  isNeeded: (leaf: readonly string[]) => boolean,
): SchemaElement[] => {
  if (children.length === 0) return isNeeded(path) ? [element] : []
  const inner = children.map((child) => selectElements(child, isNeeded)).filter((elements) => elements.length > 0)
  return inner.length === 0 && path.length > 0 ? [] : [{ ...element, num_children: inner.length }, ...inner.flat()]
}

/** Parquet has 64-bit numbers and undefined where JSON has numbers and null. */
const toJson = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number(value)
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object' || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toJson(each)]))
}
