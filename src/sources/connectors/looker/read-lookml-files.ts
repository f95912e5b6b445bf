import { realpath } from 'node:fs/promises'
import { FolderStorage } from '../lake/folder-storage.ts'
import { DeniedError, joinPath, NotFoundError } from '../lake/storage.ts'
import { expandConstants } from './lookml-plain-text.ts'
import { type LookmlBlock, LookmlError, parseLookml } from './parse-lookml.ts'

const MAX_FILES = 10_000
const MAX_FILE_BYTES = 1024 * 1024
const MAX_TOTAL_BYTES = 100 * 1024 * 1024
const MAX_DEPTH = 20
const MAX_PATH = 200
const MAX_CONSTANT = 1000
const MANIFEST = 'manifest.lkml'

export interface LookmlFiles {
  /** By path below the folder, in order of the paths. */
  readonly files: ReadonlyMap<string, LookmlBlock>
  /** Why files could not be read: path, line, reason. */
  readonly problems: readonly string[]
}

/** Every `*.lkml` of a project. A file that cannot be read is a problem, and the others are read. */
export const readLookmlFiles = async (root: string): Promise<LookmlFiles> => {
  const storage = new FolderStorage(await realpath(root))
  const problems: string[] = []
  const files = new Map<string, LookmlBlock>()
  let constants: ReadonlyMap<string, string> = new Map()
  let total = 0
  const read = async (path: string, size: number): Promise<void> => {
    if (size > MAX_FILE_BYTES) throw new Error(`The file is larger than ${MAX_FILE_BYTES / 1024} kB.`)
    if (path.length > MAX_PATH) throw new Error(`The path is longer than ${MAX_PATH} characters.`)
    total += size
    if (total > MAX_TOTAL_BYTES) throw new Error(`The files of the project are larger than ${MAX_TOTAL_BYTES / 1024 / 1024} MB.`)
    const text = (await storage.read(path, 0, size)).toString('utf8')
    files.set(
      path,
      parseLookml(text, (value) => expandConstants(value, constants)),
    )
  }
  const attempt = async (path: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (error instanceof NotFoundError) return // deleted after it was listed
      const { message } = error as Error
      const line = error instanceof LookmlError ? `, line ${error.line}` : ''
      problems.push(error instanceof DeniedError ? message : `${path}${line}: ${message}`)
    }
  }
  const unlisted: string[] = []
  const sizes = await listFiles(storage, unlisted)
  const manifest = sizes.get(MANIFEST)
  if (manifest !== undefined) await attempt(MANIFEST, () => read(MANIFEST, manifest))
  // Without its constants, tables would be others.
  if (problems.length > 0) throw new Error(problems.join(' '))
  constants = readConstants(files.get(MANIFEST))
  for (const [path, size] of sizes) if (path !== MANIFEST) await attempt(path, () => read(path, size))
  return { files, problems: [...unlisted, ...problems] }
}

const listFiles = async (storage: FolderStorage, problems: string[]): Promise<Map<string, number>> => {
  const found = new Map<string, number>()
  const visit = async (folder: string, depth: number): Promise<void> => {
    if (depth > MAX_DEPTH) {
      problems.push(`${folder}: More than ${MAX_DEPTH} folders inside each other.`)
      return
    }
    const folders: string[] = []
    try {
      for await (const entry of storage.list(folder))
        if ('folder' in entry) folders.push(entry.folder)
        else if (/(?<!\.dashboard)\.lkml$/.test(entry.file.name)) found.set(joinPath(folder, entry.file.name), entry.file.size)
    } catch (error) {
      if (error instanceof NotFoundError) throw new Error('The path of the LookML project is not a folder.')
      if (folder === '' || !(error instanceof DeniedError)) throw error
      problems.push(error.message)
    }
    if (found.size > MAX_FILES) throw new Error(`The LookML project has more than ${MAX_FILES} files.`)
    for (const name of folders) if (!name.startsWith('.') && name !== 'node_modules') await visit(joinPath(folder, name), depth + 1)
  }
  await visit('', 0)
  return found
}

const readConstants = (manifest: LookmlBlock | undefined): Map<string, string> =>
  new Map(
    (manifest?.blocks ?? []).flatMap(({ key, name, values }) => {
      const value = values.get('value')?.[0]
      return key === 'constant' && value !== undefined ? [[name, value.slice(0, MAX_CONSTANT)] as const] : []
    }),
  )
