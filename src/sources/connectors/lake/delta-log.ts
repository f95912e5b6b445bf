import { isObject } from '../../../../connector/src/protocol.ts'
import { joinPath, NotFoundError, type Storage, type StoredFile, TableError } from './storage.ts'

export const LOG_FOLDER = '_delta_log'
const COMMIT = /^(\d{20})\.json$/
const CHECKPOINT = /^(\d{20})\.checkpoint(?:\.(\d{10})\.(\d{10})|\.[0-9a-f-]{8,40})?\.(?:parquet|json)$/
const MAX_HINT_BYTES = 1024 * 1024

/** What has to be read of a Delta table's log. */
export interface DeltaLog {
  /** All parts of the newest complete checkpoint. */
  readonly checkpoint: readonly StoredFile[]
  /** The commits after it, newest first. */
  readonly commits: readonly StoredFile[]
  /** The newest commit, as far as it is still there: it says when the table changed. */
  readonly last: StoredFile | undefined
}

/** Undefined if there is no log any more. */
export const findLog = async (storage: Storage, table: string): Promise<DeltaLog | undefined> => {
  const hint = await readHint(storage, table)
  if (hint !== undefined) {
    const log = arrangeLog(await listLog(storage, table, hint))
    if (log && log.checkpoint.length > 0) return log
  }
  // Without a pointer, or with one to a checkpoint that was deleted, all of the log is listed.
  return arrangeLog(await listLog(storage, table))
}

/** The version of the last checkpoint, from the pointer to it: older entries of the log need not be listed. */
const readHint = async (storage: Storage, table: string): Promise<number | undefined> => {
  try {
    const text = (await storage.read(joinPath(table, LOG_FOLDER, '_last_checkpoint'), 0, MAX_HINT_BYTES)).toString('utf8')
    const hint: unknown = JSON.parse(text)
    return isObject(hint) && Number.isSafeInteger(hint.version) ? Number(hint.version) : undefined
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof SyntaxError) return undefined
    throw error
  }
}

const listLog = async (storage: Storage, table: string, from?: number): Promise<StoredFile[]> => {
  // Names that begin with the version are after it.
  const after = from === undefined ? undefined : String(from).padStart(20, '0')
  const files: StoredFile[] = []
  for await (const entry of storage.list(joinPath(table, LOG_FOLDER), after))
    if ('file' in entry && (COMMIT.test(entry.file.name) || CHECKPOINT.test(entry.file.name))) files.push(entry.file)
  return files
}

/** A commit that is missing is an error: without it, the table would look smaller or larger than it is. Pure. */
const arrangeLog = (files: readonly StoredFile[]): DeltaLog | undefined => {
  const commits = new Map(files.flatMap((file) => (COMMIT.test(file.name) ? [[readVersion(file), file] as const] : [])))
  const checkpoint = findCheckpoint(files.filter(({ name }) => CHECKPOINT.test(name)))
  const newest = Math.max(checkpoint?.version ?? -1, findMaximum(commits.keys()))
  if (newest < 0) return undefined
  const after: StoredFile[] = []
  for (let version = newest; version > (checkpoint?.version ?? -1); version -= 1) {
    const commit = commits.get(version)
    if (!commit) throw new TableError(`The log has no commit ${version}, although the newest is ${newest}.`)
    after.push(commit)
  }
  return { checkpoint: checkpoint?.files ?? [], commits: after, last: commits.get(newest) }
}

const readVersion = ({ name }: StoredFile): number => Number(name.slice(0, 20))

const findMaximum = (versions: Iterable<number>): number => {
  let maximum = -1
  for (const version of versions) if (version > maximum) maximum = version
  return maximum
}

interface Checkpoint {
  readonly version: number
  readonly files: readonly StoredFile[]
}

/** The newest complete one; several of the same version have the same content. */
const findCheckpoint = (files: readonly StoredFile[]): Checkpoint | undefined => {
  const complete: Checkpoint[] = []
  for (const parts of Map.groupBy(files, describeParts).values()) {
    const [, , , total] = CHECKPOINT.exec(parts[0]!.name)!
    if (total === undefined) complete.push(...parts.map((file) => ({ version: readVersion(file), files: [file] })))
    else if (parts.length === Number(total)) complete.push({ version: readVersion(parts[0]!), files: parts })
  }
  return complete.reduce<Checkpoint | undefined>((best, each) => (best && best.version >= each.version ? best : each), undefined)
}

/** The same for all parts of a checkpoint. */
const describeParts = ({ name }: StoredFile): string => {
  const [, version, part, total] = CHECKPOINT.exec(name)!
  return part === undefined ? name : `${version} in ${total}`
}
