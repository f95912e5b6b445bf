import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { ArtifactError, type Artifacts, type Project } from './project.ts'
import { projectOf } from './read.ts'

/** Reads a project out of its packed artifacts, by file name. A large one takes seconds: then in a thread of its own. */
export type Packed = ReadonlyMap<string, Uint8Array>

export const MOST_BYTES = 100 * 1024 * 1024
const SHORT = 100_000 // packed; unpacked and read in some ten milliseconds
const LONG = 2_000_000 // unpacked: what repeats itself packs well
const MEGABYTES = 2048
const LONGEST_MS = 120_000

export const readProject = (files: Packed): Promise<Project> => {
  const sum = (sizeOf: (file: Uint8Array) => number) => [...files.values()].reduce((all, file) => all + sizeOf(file), 0)
  const short = sum(({ byteLength }) => byteLength) <= SHORT && sum(unpackedSize) <= LONG
  return short ? Promise.resolve().then(() => readNow(files)) : readInThread(files)
}

/** As the end of a packed file says it. */
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
/** Nobody sends it: what is kept of earlier ones. */
export const KEPT = 'kept.json'

const artifactsOf = (files: Packed): Artifacts => {
  if (!files.has('manifest.json')) throw new ArtifactError('manifest.json', 'is missing.')
  return Object.fromEntries(
    [...NAMES, ['kept', KEPT] as const].flatMap(([name, file]) => (files.has(file) ? [[name, parse(file, files.get(file)!)]] : [])),
  ) as unknown as Artifacts
}

/** NUL and halves of surrogate pairs, which can only come as escapes and which no database stores; and whole pairs. */
const UNSTORABLE = /\\u0000|\\u[dD][89abAB]\w\w(?:\\u[dD][c-fC-F]\w\w)?|\\u[dD][c-fC-F]\w\w/g
const PAIR = '\\ud83d\\ude00'.length

const parse = (file: string, packed: Uint8Array): unknown => {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(gunzipSync(packed, { maxOutputLength: MOST_BYTES }))
  } catch (error) {
    const large = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw new ArtifactError(file, large ? `has more than ${MOST_BYTES / 1024 / 1024} MB.` : 'is not UTF-8.')
  }
  try {
    return JSON.parse(text.replace(UNSTORABLE, (found) => (found.length === PAIR ? found : '\\ufffd')))
  } catch (error) {
    // Where, but not what stands there: the file may come from an address that somebody else chose.
    const place = /position \d+/.exec((error as Error).message)
    throw new ArtifactError(file, place ? `is not JSON: look at ${place[0]}.` : 'is not JSON.')
  }
}

type List = 'tables' | 'uses' | 'tests' | 'results' | 'readings' | 'compiled'

/** What the thread sends: a project in parts, since to receive it all at once would keep everybody waiting. */
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
  const tooLarge = () => reject(new ArtifactError('manifest.json', 'it is too large to be read in bounded time and memory.'))
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
