import { createHash } from 'node:crypto'
import { globSync, statSync } from 'node:fs'
import { mkdir, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { bundleServer } from '../../scripts/bundle.ts'
import { ROOT } from '../../scripts/shipped-packages.ts'

const FOLDER = join(ROOT, 'dist/combined')
const SOURCES = ['src/**/*.ts', 'connector/src/*.ts', 'scripts/bundle.ts', 'package-lock.json']
/** What the code reads at run time, as it is in this checkout. */
const FILES = ['connector', 'migrations', 'package-lock.json', 'package.json', 'schema.sql', 'src/operations/demo', 'web']
const DAY_MS = 24 * 60 * 60 * 1000

let combined: Promise<string> | undefined

/**
 * The code of the server as the package has it. A process starts with it in two thirds of the CPU time that it needs for our files one by
 * one, and the tests start a hundred. Built again after a change of the sources.
 */
export const findCombinedCode = (): Promise<string> => {
  combined ??= findOrBuild()
  return combined
}

const findOrBuild = async (): Promise<string> => {
  const folder = join(FOLDER, hashSources())
  if (await isThere(folder)) return folder
  await removeOld()
  const own = `${folder}-${process.pid}`
  await bundleServer(own)
  for (const file of FILES) {
    await mkdir(dirname(join(own, file)), { recursive: true })
    await symlink(relative(dirname(join(folder, file)), join(ROOT, file)), join(own, file))
  }
  await rename(own, folder).catch(() => rm(own, { recursive: true, force: true })) // another process was faster
  return folder
}

const hashSources = (): string => {
  const hash = createHash('sha256')
  for (const file of globSync(SOURCES, { cwd: ROOT }).toSorted()) {
    const { size, mtimeMs } = statSync(join(ROOT, file))
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Not the newer ones: another run may use them. */
const removeOld = async (): Promise<void> => {
  for (const name of globSync('*', { cwd: FOLDER })) {
    const folder = join(FOLDER, name)
    const found = await stat(folder).catch(() => undefined) // another process may remove it, too
    if (found && Date.now() - found.mtimeMs > DAY_MS) await rm(folder, { recursive: true, force: true })
  }
}
