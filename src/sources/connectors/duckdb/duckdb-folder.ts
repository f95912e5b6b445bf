import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'

/** Files of one format that form one table. */
export interface FileTable {
  readonly schema: string
  readonly name: string
  readonly format: 'parquet' | 'csv' | 'json'
  readonly files: readonly string[]
  /** The folders in their paths are named `key=value` and become columns. */
  readonly partitioned: boolean
}

/** A folder of files as a database: files are tables, folders are schemas, and a folder of `key=value` folders is one table. */
export interface Folder {
  readonly name: string
  readonly tables: readonly FileTable[]
  /** Skipped symbolic links: they are not followed. */
  readonly links: readonly string[]
}

export interface DuckdbLocation {
  readonly path: string
  /** Undefined for a database file. */
  readonly folder?: Folder
}

const MAX_FILES = 20_000
const DEFAULT_SCHEMA = 'main'
const FORMATS: ReadonlyMap<string, FileTable['format']> = new Map([
  ['parquet', 'parquet'],
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['json', 'json'],
  ['jsonl', 'json'],
  ['ndjson', 'json'],
])
const DATA_FILE = /^(?<name>.+)\.(?<ending>parquet|csv|tsv|json|jsonl|ndjson)(?:\.(?:gz|zst))?$/i
const RESERVED_DATABASES = ['system', 'temp', 'memory'] // built-in databases of DuckDB

const parseFileName = (file: string) => {
  const { name, ending } = DATA_FILE.exec(basename(file))?.groups ?? {}
  return name === undefined ? undefined : { name, format: FORMATS.get(ending!.toLowerCase())! }
}

const isDataFile = (file: string): boolean => parseFileName(file) !== undefined

const toDatabaseName = (path: string): string => {
  const name = parseFileName(path)?.name ?? (basename(path) || 'files')
  return RESERVED_DATABASES.includes(name.toLowerCase()) ? `${name}_files` : name
}

const toSingleFileFolder = (file: string): Folder => ({
  name: toDatabaseName(file),
  tables: toTables(DEFAULT_SCHEMA, [file]),
  links: [],
})

const readFolder = async (folder: string): Promise<Folder> => {
  const links: string[] = []
  const files: string[] = []
  const within = async (path: string): Promise<void> => {
    for (const entry of (await readdir(path, { withFileTypes: true })).sort(compareNames)) {
      if (/^[._]/.test(entry.name)) continue // hidden files, or metadata of a writer
      const inner = join(path, entry.name)
      if (entry.isSymbolicLink()) links.push(relative(folder, inner))
      else if (entry.isDirectory()) await within(inner)
      else if (entry.isFile() && isDataFile(entry.name)) files.push(inner)
      if (files.length > MAX_FILES) throw new Error(`This folder has more than ${MAX_FILES} files. Set the path to one of its subfolders.`)
    }
  }
  await within(folder)
  return { name: toDatabaseName(folder), tables: groupIntoTables(folder, files), links }
}

export const findLocation = async (path: string): Promise<DuckdbLocation> => {
  if ((await stat(path)).isDirectory()) return { path, folder: await readFolder(path) }
  return isDataFile(path) ? { path, folder: toSingleFileFolder(path) } : { path }
}

const compareNames = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : 1)

const groupIntoTables = (folder: string, files: readonly string[]): FileTable[] => {
  const roots = Map.groupBy(files, (file) => findPartitionRoot(folder, file))
  const parts = [...roots].flatMap(([root, files]) => (root === undefined ? [] : partitioned(folder, root, files)))
  const loose = Map.groupBy(roots.get(undefined) ?? [], dirname)
  const single = [...loose].flatMap(([path, files]) => toTables(toSchemaName(folder, path), files))
  const taken = new Set(single.map(getTableKey))
  // A file with the same name as the folder of a table keeps the name.
  return [...single, ...parts.map((table) => (taken.has(getTableKey(table)) ? { ...table, name: `${table.name}/` } : table))]
}

const getTableKey = ({ schema, name }: FileTable): string => `${schema}/${name}`.toLowerCase()
const toSchemaName = (folder: string, path: string): string => relative(folder, path).split(sep).join('/') || DEFAULT_SCHEMA

/** The parent of the first `key=value` folder in the path, if any. */
const findPartitionRoot = (folder: string, file: string): string | undefined => {
  const steps = relative(folder, dirname(file)).split(sep)
  const first = steps.findIndex((step) => /^[^=]+=/.test(step))
  return first < 0 ? undefined : join(folder, ...steps.slice(0, first))
}

const partitioned = (folder: string, root: string, files: readonly string[]): FileTable[] => {
  const format = parseFileName(files[0]!)!.format // files of other formats do not belong to the table
  const name = root === folder ? toDatabaseName(folder) : basename(root)
  const schema = root === folder ? DEFAULT_SCHEMA : toSchemaName(folder, dirname(root))
  return [{ schema, name, format, files: files.filter((file) => parseFileName(file)!.format === format), partitioned: true }]
}

/** Named without their endings, as far as that tells them apart. Names are compared without regard to case. */
const toTables = (schema: string, files: readonly string[]): FileTable[] => {
  const named = Map.groupBy(files, (file) => parseFileName(file)!.name.toLowerCase())
  const names = new Set<string>()
  return files.flatMap((file) => {
    const { name: short, format } = parseFileName(file)!
    const name = named.get(short.toLowerCase())!.length === 1 ? short : basename(file)
    if (names.has(name.toLowerCase())) return [] // names that differ only in case
    names.add(name.toLowerCase())
    return [{ schema, name, format, files: [file], partitioned: false }]
  })
}
