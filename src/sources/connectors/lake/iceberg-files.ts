import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Shape } from '../../../../connector/src/shape.ts'
import { toVersion } from '../bi/versions.ts'
import { readCounts, readCurrentFields, readPartitions } from '../iceberg/table-metadata.ts'
import type { StoredTable } from '../stores/tables.ts'
import type { OpenTable } from './open-table.ts'
import { toProperties } from './properties.ts'
import { joinPath, readExactly, type Storage, type StoredFile, TableError } from './storage.ts'

export const METADATA_FOLDER = 'metadata'
export const VERSION_HINT = 'version-hint.text'
/** `v3.metadata.json` of a file system catalog, `00003-<uuid>.metadata.json` of others; both may be compressed. */
const METADATA_FILE = /^(?:v(\d+)|(\d+)-[0-9a-zA-Z-]+)(?:\.gz)?\.metadata\.json(?:\.gz)?$/
const MAX_METADATA_BYTES = 32 * 1024 * 1024
const MAX_HINT_BYTES = 1024

export const isMetadataFile = (name: string): boolean => METADATA_FILE.test(name)

type IcebergTable = Omit<StoredTable, 'title' | 'parent'>

/** Undefined if the table does not exist any more. Its version is its current metadata file, which never changes. */
export const openIcebergTable = async (storage: Storage, table: string): Promise<OpenTable | undefined> => {
  const files: StoredFile[] = []
  let hint: string | undefined
  for await (const entry of storage.list(joinPath(table, METADATA_FOLDER))) {
    if (!('file' in entry)) continue
    if (isMetadataFile(entry.file.name)) files.push(entry.file)
    if (entry.file.name === VERSION_HINT)
      hint = (await storage.read(joinPath(table, METADATA_FOLDER, VERSION_HINT), 0, MAX_HINT_BYTES)).toString('utf8').trim()
  }
  const newest = findNewest(files, hint)
  if (!newest) {
    if (hint === undefined) return undefined
    throw new TableError(`${VERSION_HINT} names version ${hint.slice(0, 50)}, but there is no metadata file.`)
  }
  return {
    version: toVersion('iceberg', newest.name, newest.size, newest.modified ?? null),
    read: async () => {
      const metadata = await readMetadata(storage, joinPath(table, METADATA_FOLDER, newest.name), newest.size)
      return toTable(metadata, storage.locate(table))
    },
  }
}

/**
 * The current metadata of a table without a catalog: the file the hint names, or the one with the highest version. The hint of a file system
 * catalog may be behind, because it is written after the metadata. Of two with the same version, one is left from a failed commit. Pure.
 */
const findNewest = (files: readonly StoredFile[], hint: string | undefined): StoredFile | undefined => {
  const named = hint && !/^\d+$/.test(hint) ? files.find(({ name }) => name === hint || name.startsWith(`${hint}.`)) : undefined
  return named ?? files.reduce<StoredFile | undefined>((best, each) => (best && !isNewer(each, best) ? best : each), undefined)
}

const isNewer = (a: StoredFile, b: StoredFile): boolean => {
  const [left, right] = [readVersion(a), readVersion(b)]
  return left === right ? (a.modified ?? '') > (b.modified ?? '') : left > right
}

const readVersion = ({ name }: StoredFile): number => {
  const [, plain, numbered] = METADATA_FILE.exec(name)!
  return Number(plain ?? numbered)
}

const readMetadata = async (storage: Storage, path: string, size: number): Promise<Shape> => {
  if (size > MAX_METADATA_BYTES)
    throw new TableError(`${path} is larger than ${MAX_METADATA_BYTES / 1024 / 1024} MB. Expire old snapshots.`)
  const bytes = await readExactly(storage, path, 0, size)
  try {
    const unpacked = /\.gz(\.|$)/.test(path) ? await promisify(gunzip)(bytes, { maxOutputLength: MAX_METADATA_BYTES }) : bytes
    return new Shape(JSON.parse(unpacked.toString('utf8')), path)
  } catch (error) {
    throw new TableError(`${path} ${error instanceof SyntaxError ? 'is not valid JSON' : 'cannot be unpacked'}.`)
  }
}

const toTable = (metadata: Shape, location: string): IcebergTable => {
  const properties = metadata.optionalObject('properties')
  const owner = properties?.optionalText('owner')
  return {
    native_type: 'iceberg table',
    description: properties?.optionalText('comment') ?? '',
    owners: owner === undefined ? [] : [owner],
    fields: readCurrentFields(metadata, metadata.optionalInteger('current-schema-id')),
    ...readCounts(metadata),
    facts: {
      location: metadata.optionalText('location') ?? location,
      format_version: metadata.integer('format-version'),
      partitioned_by: readPartitions(metadata),
      properties: toProperties(properties),
    },
  }
}
