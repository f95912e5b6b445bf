// Combines the code of the server into few files. Loading 3,000 small ones would take most of a start of the package.
// Why not file by file: docs/decisions/0043-combined-code.md.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { ROOT } from './shipped-packages.ts'

/** Packages of many small files that every start loads. All others stay packages: they are loaded later, or as one file. */
const COMBINED = ['@opentelemetry/api', 'kysely', 'typebox']
const EXTERNAL = new RegExp(`^(?!(?:${COMBINED.join('|')})(?:/|$))[@\\w]`)

/** The server and the command line. */
const MAIN = 'src'
/** Threads and processes of their own. Built separately, so that what they share with the server does not split its files. */
const PROCESSES = 'src/processes'

/** Writes the code to `target`, a folder like the repository. Returns the packages that it imports at run time, with paths in them. */
export const bundleServer = async (target: string): Promise<string[]> => {
  const files = findEntries()
  const imported = new Set<string>()
  for (const folder of [MAIN, PROCESSES]) {
    const input = [...files].filter(([, output]) => dirname(output) === folder)
    const chunks = await bundle(Object.fromEntries(input.map(([file, output]) => [basename(output, '.js'), file])), folder, files, target)
    for (const each of chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]))
      if (!each.startsWith('node:') && !chunks.some(({ fileName }) => fileName === each)) imported.add(each)
  }
  for (const output of files.values()) if (!existsSync(join(target, output))) throw new Error(`${output} was not written.`)
  return [...imported]
}

/** The files that are started, with the places of their code in the target. */
export const findEntries = (): Map<string, string> => {
  const files = new Map([
    ...['server', 'cli'].map((name) => [join(ROOT, `src/${name}.ts`), `${MAIN}/${name}.js`] as const),
    ...findProcesses().map((file) => [file, `${PROCESSES}/${basename(file, '.ts')}.js`] as const),
  ])
  if (new Set(files.values()).size < files.size) throw new Error('Two files of processes have the same name.')
  return files
}

export const FILE_URL = /new URL\('([^']+)', import\.meta\.url\)/g

/** The files that the code starts by name: `new URL('./parser-worker.ts', import.meta.url)`. */
const findProcesses = (): string[] => {
  const named = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(FILE_URL)].map(([, path]) => resolve(ROOT, dirname(file), path!)),
  )
  const isProcess = (path: string) => /^src\/.+\.ts$/.test(path) && path !== 'src/server.ts'
  return [...new Set(named)].filter((file) => isProcess(relative(ROOT, file))).sort()
}

const bundle = async (
  input: Record<string, string>,
  folder: string,
  files: ReadonlyMap<string, string>,
  target: string,
): Promise<OutputChunk[]> => {
  const build = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    external: EXTERNAL,
    plugins: [moveFileUrls(folder, files)],
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message)
    },
  })
  try {
    const { output } = await build.write({
      dir: join(target, folder),
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      minify: false, // stack traces show the names of functions
      comments: { legal: true, annotation: false, jsdoc: false },
      sourcemap: true, // for node --enable-source-maps
      sourcemapExcludeSources: true,
      sourcemapPathTransform: (source, map) => relative(folder, relative(ROOT, resolve(dirname(map), source))),
    })
    return output.filter((each) => each.type === 'chunk')
  } finally {
    await build.close()
  }
}

/** All files of a build are in one folder. What a module names relative to itself is named relative to that folder. */
const moveFileUrls = (folder: string, files: ReadonlyMap<string, string>): Plugin => ({
  name: 'file-urls',
  transform: {
    filter: { id: { exclude: /\/node_modules\// }, code: 'import.meta.' },
    handler: (code, id) => ({
      code: code
        .replaceAll(FILE_URL, (_, path: string) => {
          const file = resolve(dirname(id), path)
          const output = files.get(file) ?? relative(ROOT, file).replace(/\.ts$/, '.js')
          return `new URL('${toUrl(relative(folder, output))}', import.meta.url)`
        })
        .replaceAll('import.meta.dirname', `\`\${import.meta.dirname}/${relative(folder, dirname(relative(ROOT, id)))}\``),
      map: null, // lines stay the same
    }),
  },
})

const toUrl = (path: string): string => (path.startsWith('.') ? path : `./${path}`)
