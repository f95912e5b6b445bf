import { registerHooks } from 'node:module'

/** Code of one file that is replaced while the file is loaded. */
export interface Replacement {
  readonly file: string
  readonly code: string
  readonly by: string
}

export const WITHOUT = 'BENCH_WITHOUT'

/** The environment of a process in which this code is replaced. */
export const without = (replacements: readonly Replacement[]): Record<string, string> => ({
  [WITHOUT]: JSON.stringify(replacements),
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${import.meta.url}`,
})

const replacements: readonly Replacement[] = JSON.parse(process.env[WITHOUT] ?? '[]')
if (replacements.length > 0)
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      const wanted = replacements.filter(({ file }) => url.endsWith(`/${file}`))
      if (wanted.length === 0) return loaded
      let source = Buffer.from(loaded.source as Buffer).toString()
      for (const { file, code, by } of wanted) {
        if (!source.includes(code)) throw new Error(`${file} does not contain: ${code}`)
        source = source.replace(code, () => by)
      }
      return { ...loaded, source }
    },
  })
