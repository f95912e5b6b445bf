import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { FrozenRelease } from '../../scripts/freeze-release.ts'
import type { Migration } from '../../src/platform/db/migrate.ts'

export interface Release extends FrozenRelease {
  /** A backup with the data of that version. */
  readonly file: string
}

/** Every release, the oldest first. */
export const readReleases = (): Release[] =>
  globSync('test/releases/*/release.json')
    .map((path) => ({ ...(JSON.parse(readFileSync(path, 'utf8')) as FrozenRelease), file: join(dirname(path), 'database.backup') }))
    .sort((a, b) => a.last_migration.localeCompare(b.last_migration) || a.version.localeCompare(b.version))

/** The migrations that a release had; a new one sorts after them. */
export const migrationsOf = ({ last_migration }: Release, migrations: readonly Migration[]): Migration[] =>
  migrations.filter(({ name }) => name <= last_migration)

/** Why the code of this release is not available, or undefined. In CI that is an error, unless there is no repository at all. */
export const findMissingCode = ({ version, ref }: Release): string | undefined => {
  const git = (...args: string[]): boolean => {
    try {
      execFileSync('git', args, { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  if (git('cat-file', '-e', `${ref}^{commit}`)) return undefined
  const missing = `The code of ${version} (${ref}) is not in this clone. Fetch the whole history with its tags.`
  if (process.env.CI === 'true' && git('rev-parse', '--git-dir')) throw new Error(missing)
  console.warn(`Skipped: ${missing}`)
  return missing
}

/** The code of a release in its own folder, with the packages of this version. It stays there, so that Node finds it compiled the next time. */
export const checkOutRelease = async ({ ref }: Release): Promise<string> => {
  const commit = execFileSync('git', ['rev-parse', `${ref}^{commit}`], { encoding: 'utf8' }).trim()
  const folder = resolve(`dist/code-${commit}`)
  if (existsSync(folder)) return folder
  const own = `${folder}-${process.pid}`
  await mkdir(own, { recursive: true })
  const archive = execFileSync('git', ['archive', commit, 'package.json', 'src', 'connector', 'migrations'], {
    maxBuffer: 256 * 1024 * 1024,
  })
  execFileSync('tar', ['-x', '-C', own], { input: archive })
  await symlink(resolve('node_modules'), join(own, 'node_modules'))
  await rename(own, folder).catch(() => rm(own, { recursive: true })) // another process was faster
  return folder
}
