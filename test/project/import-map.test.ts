import { globSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** The parts of the product from the lowest to the highest: a part imports only parts before it. */
const PARTS = [
  'sql',
  'platform',
  'accounts',
  'catalog',
  'lineage',
  'notifications',
  'sources',
  'observability',
  'operations',
  'mcp',
  'assistant',
  'web-api',
  'app',
]
/** Import nothing else of ours, so that they can be used alone. */
const STANDALONE = ['sql', 'observability/thresholds']
/** The entry points, which start a part of `app`. */
const ENTRY_POINTS = ['src/server.ts', 'src/cli.ts']

interface Import {
  readonly file: string
  readonly target: string
}

/** The SQL engine is one recursive parser: its folders are one module. */
const folderOf = (file: string): string => dirname(relative('src', file)).replace(/^sql\/.*/, 'sql')
const partOf = (folder: string): number => PARTS.indexOf(folder.split('/')[0]!)

const imports: Import[] = globSync('src/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts') && !ENTRY_POINTS.includes(file))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path]) => ({
      file,
      target: relative('.', resolve(dirname(file), path!)),
    })),
  )
const between = imports
  .map(({ file, target }) => ({ file, from: folderOf(file), to: folderOf(target) }))
  .filter(({ from, to }) => from !== to)

test('every folder belongs to a part', () => {
  expect([...new Set(imports.map(({ file }) => folderOf(file)))].filter((folder) => partOf(folder) < 0)).toEqual([])
})

test('a part imports only the parts before it', () => {
  const wrong = between.filter(({ from, to }) => partOf(to) > partOf(from)).map(({ file, to }) => `${file} may not import ${to}`)
  expect(wrong).toEqual([])
})

test('what can be used alone imports nothing else', () => {
  const wrong = between.filter(({ from }) => STANDALONE.includes(from)).map(({ file, to }) => `${file} may not import ${to}`)
  expect(wrong).toEqual([])
})

test('folders do not import each other in a cycle', () => {
  const next = Map.groupBy(between, ({ from }) => from)
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (folder: string, path: readonly string[]): void => {
    if (path.includes(folder)) cycles.push([...path.slice(path.indexOf(folder)), folder].join(' → '))
    if (path.includes(folder) || done.has(folder)) return
    for (const to of new Set(next.get(folder)?.map((each) => each.to))) visit(to, [...path, folder])
    done.add(folder)
  }
  for (const folder of next.keys()) visit(folder, [])
  expect(cycles).toEqual([])
})

test('a store.ts is private to its folder', () => {
  const foreign = imports.filter(({ file, target }) => target.endsWith('/store.ts') && dirname(file) !== dirname(target))
  expect(foreign.map(({ file, target }) => `${file} may not import ${target}`)).toEqual([])
})
