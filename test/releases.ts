import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { FrozenRelease } from '../scripts/freeze-release.ts'
import type { Migration } from '../src/platform/db/migrate.ts'

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

/** The code of a release in its own folder, with the packages of this version. */
export const checkOutRelease = async ({ ref }: Release): Promise<AsyncDisposable & { folder: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-release-'))
  const archive = execFileSync('git', ['archive', ref, 'package.json', 'src', 'connector', 'migrations'], { maxBuffer: 256 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}
