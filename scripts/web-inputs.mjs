// The files that web/dist is built from. Plain JavaScript, because setup.mjs runs it on any Node from 20 on.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The sources and the lock file, sorted. */
export const listInputs = (root) => [...listFiles(join(root, 'web')).sort(), join(root, 'package-lock.json')]

const listFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('dist')) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : []
  })

/** Names, sizes and times of the inputs, which are found without reading them. */
export const statInputs = (root) =>
  listInputs(root)
    .map((file) => {
      const { size, mtimeMs } = statSync(file)
      return `${file.slice(root.length)} ${size} ${mtimeMs}\n`
    })
    .join('')

/** What `statInputs` returned when the build was last found to be up to date. */
export const statsFile = (root) => join(root, 'web/dist/.stats')

export const isUnchanged = (root) => {
  const file = statsFile(root)
  return existsSync(file) && readFileSync(file, 'utf8') === statInputs(root)
}
