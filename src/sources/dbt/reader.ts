import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import type { Slots } from '../../platform/core/slots.ts'
import { parseProject } from './parse-project.ts'
import { ArtifactError, type Artifacts, type Project } from './project.ts'

/** Parses a project from its compressed artifacts, by file name. A large one takes seconds and is parsed in a worker thread. */
export type CompressedFiles = ReadonlyMap<string, Uint8Array>

export const MAX_ARTIFACT_BYTES = 100 * 1024 * 1024
const MAX_SYNC_COMPRESSED_BYTES = 100_000 // compressed bytes; decompressed and parsed in about ten milliseconds
const MAX_SYNC_BYTES = 2_000_000 // decompressed bytes, because repetitive files compress well
const MAX_MEMORY_MB = 2048
const TIMEOUT_MS = 120_000

export const readProject = (files: CompressedFiles, threads: Slots): Promise<Project> => {
  const sum = (sizeOf: (file: Uint8Array) => number) => [...files.values()].reduce((all, file) => all + sizeOf(file), 0)
  const short = sum(({ byteLength }) => byteLength) <= MAX_SYNC_COMPRESSED_BYTES && sum(getDecompressedSize) <= MAX_SYNC_BYTES
  return short ? Promise.resolve().then(() => readProjectSync(files)) : threads.run(() => readInThread(files))
}

/** The size stored at the end of a gzip file. */
const getDecompressedSize = (file: Uint8Array): number =>
  file.byteLength < 4 ? 0 : new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(file.byteLength - 4, true)

export const readProjectSync = (files: CompressedFiles): Project => parseProject(parseArtifacts(files))

export const RESULTS_FILE = 'run_results.json'
const ARTIFACT_NAMES: readonly (readonly [keyof Artifacts, string])[] = [
  ['manifest', 'manifest.json'],
  ['catalog', 'catalog.json'],
  ['run_results', RESULTS_FILE],
  ['sources', 'sources.json'],
]
export const ARTIFACT_FILES: readonly string[] = ARTIFACT_NAMES.map(([, file]) => file)
/** Not uploaded: what is retained of earlier artifacts. */
export const RETAINED_FILE = 'kept.json'
const EARLIER_RESULTS = `${RESULTS_FILE} of step `
/** Not stored: the results of an earlier command of the same run. */
export const nameEarlierResults = (step: number): string => `${EARLIER_RESULTS}${step}`

const parseArtifacts = (files: CompressedFiles): Artifacts => {
  if (!files.has('manifest.json')) throw new ArtifactError('manifest.json', 'is missing.')
  const parsed = Object.fromEntries(
    [...ARTIFACT_NAMES, ['kept', RETAINED_FILE] as const].flatMap(([name, file]) =>
      files.has(file) ? [[name, parseFile(file, files.get(file)!)]] : [],
    ),
  ) as unknown as Artifacts
  const getStep = ([file]: readonly [string, Uint8Array]) => Number(file.slice(EARLIER_RESULTS.length))
  const earlier = [...files].filter(([file]) => file.startsWith(EARLIER_RESULTS)).sort((one, other) => getStep(one) - getStep(other))
  return { ...parsed, earlier_results: earlier.map(([file, packed]) => parseFile(file, packed)) }
}

/** Escaped NUL and unpaired surrogates, which the database cannot store; also matches pairs, which are kept. */
const UNSTORABLE = /\\u0000|\\u[dD][89abAB]\w\w(?:\\u[dD][c-fC-F]\w\w)?|\\u[dD][c-fC-F]\w\w/g
const SURROGATE_PAIR_LENGTH = '\\ud83d\\ude00'.length

const parseFile = (file: string, packed: Uint8Array): unknown => {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(gunzipSync(packed, { maxOutputLength: MAX_ARTIFACT_BYTES }))
  } catch (error) {
    const large = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw new ArtifactError(file, large ? `is larger than ${MAX_ARTIFACT_BYTES / 1024 / 1024} MB.` : 'is not valid UTF-8.')
  }
  try {
    return JSON.parse(text.replace(UNSTORABLE, (found) => (found.length === SURROGATE_PAIR_LENGTH ? found : '\\ufffd')))
  } catch (error) {
    // Only the position, not the content: the file may come from a URL that another user chose.
    const position = /position \d+/.exec((error as Error).message)
    throw new ArtifactError(file, position ? `is not valid JSON, see ${position[0]}.` : 'is not valid JSON.')
  }
}

type ProjectList = 'tables' | 'uses' | 'tests' | 'results' | 'readings' | 'compiled' | 'runs'

/** Messages of the thread: the project in chunks, because receiving it as a whole would block the event loop. */
export type ProjectChunk =
  | { readonly head: Omit<Project, ProjectList> }
  | { readonly [list in ProjectList]?: readonly never[] }
  | { readonly error: { readonly file: string; readonly message: string } }
  | { readonly end: true }

const readInThread = (files: CompressedFiles): Promise<Project> => {
  const { promise, resolve, reject } = Promise.withResolvers<Project>()
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), {
    workerData: files,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
  const lists: Record<ProjectList, never[]> = { tables: [], uses: [], tests: [], results: [], readings: [], compiled: [], runs: [] }
  let head: Extract<ProjectChunk, { head: unknown }>['head']
  const tooLarge = () => reject(new ArtifactError('manifest.json', 'is too large to be parsed within the time and memory limits.'))
  const timer = setTimeout(tooLarge, TIMEOUT_MS)
  worker.on('message', (part: ProjectChunk) => {
    if ('head' in part) head = part.head
    else if ('error' in part) {
      const { file, message } = part.error
      reject(new ArtifactError(file, message))
    } else if ('end' in part) resolve({ ...head, ...lists })
    else for (const [name, some] of Object.entries(part)) lists[name as keyof typeof lists].push(...(some as never[]))
  })
  worker.once('error', tooLarge).once('exit', tooLarge)
  return promise.finally(() => {
    clearTimeout(timer)
    return worker.terminate()
  })
}
