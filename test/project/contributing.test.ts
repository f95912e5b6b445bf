import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FILE = /`((?:src|web|test|bench|scripts|docs|client|connector|migrations)\/[^`\s]+)`/g
/** `<name>` and `NNNN` stand for a name that the reader chooses; a folder counts like its files. */
const findFiles = (path: string): string[] => globSync(path.replaceAll(/<\w+>|NNNN_name|NNNN/g, '*').replace(/\/$/, '/*'))

test('the files that CONTRIBUTING.md and ARCHITECTURE.md name exist, and so do the names in them', () => {
  const missing: string[] = []
  for (const document of ['CONTRIBUTING.md', 'ARCHITECTURE.md'])
    for (const line of readFileSync(document, 'utf8').split('\n')) {
      const paths = [...line.matchAll(FILE)].map(([, path]) => path!)
      for (const path of paths)
        if (findFiles(path).length === 0 && path !== 'web/dist' && !path.endsWith('/shots/')) missing.push(`${document}: ${path}`)
      const [, files, task] = /^\| (`.*`) \| (.*) \|$/.exec(line) ?? []
      if (!files || !task || paths.length === 0) continue
      const text = paths
        .flatMap(findFiles)
        .filter((file) => /\.\w+$/.test(file))
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n')
      for (const [, name] of task.matchAll(/`([A-Za-z_]\w*)`/g))
        if (!new RegExp(`\\b${name}\\b`).test(text)) missing.push(`${document}: ${name} in ${files}`)
    }
  expect(missing).toEqual([])
})
