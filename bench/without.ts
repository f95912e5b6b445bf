import { registerHooks } from 'node:module'

/** Code of one file that is replaced while the file is loaded, to measure what it gains. */
export interface Replacement {
  readonly file: string
  readonly code: string
  readonly by: string
}

const VARIABLE = 'BENCH_WITHOUT'

/** The environment of a process in which this code is replaced. */
export const withoutInProcess = (replacements: readonly Replacement[]): Record<string, string> => ({
  [VARIABLE]: JSON.stringify(replacements),
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${import.meta.url}`,
})

const byKey = new Map<string, readonly Replacement[]>()

/** Imports a module of its own, with everything that it imports from `src`, in which this code is replaced. */
export const importWithout = <T>(module: string, replacements: readonly Replacement[]): Promise<T> => {
  const key = `without${byKey.size}`
  byKey.set(key, replacements)
  return import(`${module}?${key}`)
}

const KEY = /\?(without\d+)$/
const SOURCE = new URL('../src/', import.meta.url).href
const inProcess: readonly Replacement[] = JSON.parse(process.env[VARIABLE] ?? '[]')

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const resolved = nextResolve(specifier, context)
    const [key = ''] = KEY.exec(context.parentURL ?? '') ?? []
    return resolved.url.startsWith(SOURCE) ? { ...resolved, url: resolved.url + key } : resolved
  },
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    const [path] = url.split('?')
    const wanted = (byKey.get(KEY.exec(url)?.[1] ?? '') ?? inProcess).filter(({ file }) => path!.endsWith(`/${file}`))
    if (wanted.length === 0) return loaded
    let source = Buffer.from(loaded.source as Buffer).toString()
    for (const { file, code, by } of wanted) {
      if (!source.includes(code)) throw new Error(`${file} does not contain: ${code}`)
      source = source.replace(code, () => by)
    }
    return { ...loaded, source }
  },
})
