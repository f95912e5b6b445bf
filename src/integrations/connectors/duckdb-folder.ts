import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
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

const MOST_FILES = 20_000
const HOME = 'main'
const FORMATS: ReadonlyMap<string, FileTable['format']> = new Map([
  ['parquet', 'parquet'],
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['json', 'json'],
  ['jsonl', 'json'],
  ['ndjson', 'json'],
])
const DATA_FILE = /^(?<name>.+)\.(?<ending>parquet|csv|tsv|json|jsonl|ndjson)(?:\.(?:gz|zst))?$/i
const TAKEN = ['system', 'temp', 'memory'] // built-in databases of DuckDB

const partsOf = (file: string) => {
  const { name, ending } = DATA_FILE.exec(basename(file))?.groups ?? {}
  return name === undefined ? undefined : { name, format: FORMATS.get(ending!.toLowerCase())! }
}

export const isDataFile = (file: string): boolean => partsOf(file) !== undefined

const nameOf = (path: string): string => {
  const name = partsOf(path)?.name ?? (basename(path) || 'files')
  return TAKEN.includes(name.toLowerCase()) ? `${name}_files` : name
}

export const readFile = (file: string): Folder => ({ name: nameOf(file), tables: tablesOf(HOME, [file]), links: [] })

export const readFolder = async (folder: string): Promise<Folder> => {
  const links: string[] = []
  const files: string[] = []
  const within = async (path: string): Promise<void> => {
    for (const entry of (await readdir(path, { withFileTypes: true })).sort(byName)) {
      if (/^[._]/.test(entry.name)) continue // hidden files, or metadata of a writer
      const inner = join(path, entry.name)
      if (entry.isSymbolicLink()) links.push(relative(folder, inner))
      else if (entry.isDirectory()) await within(inner)
      else if (entry.isFile() && isDataFile(entry.name)) files.push(inner)
      if (files.length > MOST_FILES)
        throw new Error(`This folder has more than ${MOST_FILES} files. Set the path to one of its subfolders.`)
    }
  }
  await within(folder)
  return { name: nameOf(folder), tables: inFolder(folder, files), links }
}

const byName = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : 1)

const inFolder = (folder: string, files: readonly string[]): FileTable[] => {
  const roots = Map.groupBy(files, (file) => rootOf(folder, file))
  const parts = [...roots].flatMap(([root, files]) => (root === undefined ? [] : partitioned(folder, root, files)))
  const loose = Map.groupBy(roots.get(undefined) ?? [], dirname)
  const single = [...loose].flatMap(([path, files]) => tablesOf(schemaOf(folder, path), files))
  const taken = new Set(single.map(keyOf))
  // A file with the same name as the folder of a table keeps the name.
  return [...single, ...parts.map((table) => (taken.has(keyOf(table)) ? { ...table, name: `${table.name}/` } : table))]
}

const keyOf = ({ schema, name }: FileTable): string => `${schema}/${name}`.toLowerCase()
const schemaOf = (folder: string, path: string): string => relative(folder, path).split(sep).join('/') || HOME

/** The parent of the first `key=value` folder in the path, if any. */
const rootOf = (folder: string, file: string): string | undefined => {
  const steps = relative(folder, dirname(file)).split(sep)
  const first = steps.findIndex((step) => /^[^=]+=/.test(step))
  return first < 0 ? undefined : join(folder, ...steps.slice(0, first))
}

const partitioned = (folder: string, root: string, files: readonly string[]): FileTable[] => {
  const format = partsOf(files[0]!)!.format // what is of another format is something else that lies there
  const name = root === folder ? nameOf(folder) : basename(root)
  const schema = root === folder ? HOME : schemaOf(folder, dirname(root))
  return [{ schema, name, format, files: files.filter((file) => partsOf(file)!.format === format), partitioned: true }]
}

/** Named without their endings, as far as that tells them apart. Names are compared without regard to case. */
const tablesOf = (schema: string, files: readonly string[]): FileTable[] => {
  const named = Map.groupBy(files, (file) => partsOf(file)!.name.toLowerCase())
  const names = new Set<string>()
  return files.flatMap((file) => {
    const { name: short, format } = partsOf(file)!
    const name = named.get(short.toLowerCase())!.length === 1 ? short : basename(file)
    if (names.has(name.toLowerCase())) return [] // names that differ only in case
    names.add(name.toLowerCase())
    return [{ schema, name, format, files: [file], partitioned: false }]
  })
}
