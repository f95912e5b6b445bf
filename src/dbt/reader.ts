import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { ArtifactError, type Artifacts, type Project } from './project.ts'
import { projectOf } from './read.ts'

/** Parses a project from its compressed artifacts, by file name. A large one takes seconds and is parsed in a worker thread. */
export type Packed = ReadonlyMap<string, Uint8Array>

export const MOST_BYTES = 100 * 1024 * 1024
const SHORT = 100_000 // compressed bytes; decompressed and parsed in about ten milliseconds
const LONG = 2_000_000 // decompressed bytes, because repetitive files compress well
const MEGABYTES = 2048
const LONGEST_MS = 120_000

export const readProject = (files: Packed): Promise<Project> => {
  const sum = (sizeOf: (file: Uint8Array) => number) => [...files.values()].reduce((all, file) => all + sizeOf(file), 0)
  const short = sum(({ byteLength }) => byteLength) <= SHORT && sum(unpackedSize) <= LONG
  return short ? Promise.resolve().then(() => readNow(files)) : readInThread(files)
}

/** The size stored at the end of a gzip file. */
const unpackedSize = (file: Uint8Array): number =>
  file.byteLength < 4 ? 0 : new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(file.byteLength - 4, true)

export const readNow = (files: Packed): Project => projectOf(artifactsOf(files))

const NAMES: readonly (readonly [keyof Artifacts, string])[] = [
  ['manifest', 'manifest.json'],
  ['catalog', 'catalog.json'],
  ['run_results', 'run_results.json'],
  ['sources', 'sources.json'],
]
export const ARTIFACTS: readonly string[] = NAMES.map(([, file]) => file)
/** Not uploaded: what is retained of earlier artifacts. */
export const KEPT = 'kept.json'

const artifactsOf = (files: Packed): Artifacts => {
  if (!files.has('manifest.json')) throw new ArtifactError('manifest.json', 'is missing.')
  return Object.fromEntries(
    [...NAMES, ['kept', KEPT] as const].flatMap(([name, file]) => (files.has(file) ? [[name, parse(file, files.get(file)!)]] : [])),
  ) as unknown as Artifacts
}

/** Escaped NUL and unpaired surrogates, which the database cannot store; also matches pairs, which are kept. */
const UNSTORABLE = /\\u0000|\\u[dD][89abAB]\w\w(?:\\u[dD][c-fC-F]\w\w)?|\\u[dD][c-fC-F]\w\w/g
const PAIR = '\\ud83d\\ude00'.length

const parse = (file: string, packed: Uint8Array): unknown => {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(gunzipSync(packed, { maxOutputLength: MOST_BYTES }))
  } catch (error) {
    const large = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw new ArtifactError(file, large ? `is larger than ${MOST_BYTES / 1024 / 1024} MB.` : 'is not valid UTF-8.')
  }
  try {
    return JSON.parse(text.replace(UNSTORABLE, (found) => (found.length === PAIR ? found : '\\ufffd')))
  } catch (error) {
    // Only the position, not the content: the file may come from a URL that another user chose.
    const place = /position \d+/.exec((error as Error).message)
    throw new ArtifactError(file, place ? `is not valid JSON, see ${place[0]}.` : 'is not valid JSON.')
  }
}

type List = 'tables' | 'uses' | 'tests' | 'results' | 'readings' | 'compiled'

/** Messages of the thread: the project in chunks, because receiving it as a whole would block the event loop. */
export type Part =
  | { readonly head: Omit<Project, List> }
  | { readonly [list in List]?: readonly never[] }
  | { readonly error: { readonly file: string; readonly message: string } }
  | { readonly end: true }

const readInThread = (files: Packed): Promise<Project> => {
  const { promise, resolve, reject } = Promise.withResolvers<Project>()
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), {
    workerData: files,
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  })
  const lists: Record<List, never[]> = { tables: [], uses: [], tests: [], results: [], readings: [], compiled: [] }
  let head: Extract<Part, { head: unknown }>['head']
  const tooLarge = () => reject(new ArtifactError('manifest.json', 'is too large to be parsed within the time and memory limits.'))
  const timer = setTimeout(tooLarge, LONGEST_MS)
  worker.on('message', (part: Part) => {
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
