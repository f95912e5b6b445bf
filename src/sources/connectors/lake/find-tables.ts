import { mapConcurrently } from '../../../../connector/src/paging.ts'
import { CONCURRENT_REQUESTS } from '../bi/listing.ts'
import { LOG_FOLDER } from './delta-log.ts'
import { isMetadataFile, METADATA_FOLDER, VERSION_HINT } from './iceberg-files.ts'
import { DeniedError, joinPath, type Storage } from './storage.ts'

export type FoundFolder =
  | { readonly path: string; readonly format: 'delta' | 'iceberg' }
  /** It may not be listed, and neither may what is in it. */
  | { readonly path: string; readonly denied: string }

interface InspectedFolder {
  readonly found?: FoundFolder
  readonly folders: readonly string[]
}

const MAX_FOLDERS = 50_000

/** The tables below the prefix, folder by folder. Files of a table and partitions (`key=value`) are not listed: a table can have millions. */
export async function* findTables(storage: Storage): AsyncGenerator<FoundFolder, void> {
  let level: readonly string[] = ['']
  let count = 0
  while (level.length > 0) {
    const next: string[] = []
    for await (const { found, folders } of mapConcurrently(level, CONCURRENT_REQUESTS, (path) => inspectFolder(storage, path))) {
      if (found) yield found
      count += folders.length
      if (count > MAX_FOLDERS)
        throw new Error(
          `There are more than ${MAX_FOLDERS.toLocaleString('en')} folders. Set the prefix to one of them, and add an integration for each.`,
        )
      next.push(...folders)
    }
    level = next
  }
}

const inspectFolder = async (storage: Storage, path: string): Promise<InspectedFolder> => {
  try {
    return await listFolder(storage, path)
  } catch (error) {
    if (path === '' || !(error instanceof DeniedError)) throw error
    return { found: { path, denied: error.message }, folders: [] }
  }
}

const listFolder = async (storage: Storage, path: string): Promise<InspectedFolder> => {
  const folders: string[] = []
  let hasMetadata = false
  for await (const entry of storage.list(path)) {
    if (!('folder' in entry)) continue
    if (entry.folder === LOG_FOLDER) return { found: { path, format: 'delta' }, folders: [] }
    if (entry.folder === METADATA_FOLDER) hasMetadata = true
    if (!isInternal(entry.folder)) folders.push(joinPath(path, entry.folder))
    if (folders.length > MAX_FOLDERS) break
  }
  if (hasMetadata && (await isIcebergTable(storage, path))) return { found: { path, format: 'iceberg' }, folders: [] }
  return { folders }
}

/** Hidden, of a writer, or a partition. A name that is empty or a dot cannot be requested. */
const isInternal = (name: string): boolean => name === '' || /^[._]/.test(name) || /^[^=]+=/.test(name)

const isIcebergTable = async (storage: Storage, path: string): Promise<boolean> => {
  for await (const entry of storage.list(joinPath(path, METADATA_FOLDER)))
    if ('file' in entry && (entry.file.name === VERSION_HINT || isMetadataFile(entry.file.name))) return true
  return false
}
