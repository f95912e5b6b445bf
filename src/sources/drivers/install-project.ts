import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DriverProject } from './driver-project.ts'
import { findNpm, InstallError, type NpmSettings, runNpmCi } from './npm.ts'

export interface InstallOptions {
  readonly signal: AbortSignal
  /** A share of 1, every second. An error of it stops the installation. */
  readonly onProgress: (share: number) => Promise<void>
}

const STAGING = '.staging-'
const MAX_MS = 600_000
const ABANDONED_MS = 3_600_000
const PROGRESS_MS = 1_000

/**
 * Installs into a folder of its own and moves that to its place when it is complete: several processes may do it at once, and a process that is
 * killed leaves nothing that would be used.
 */
export const installProject = async (
  project: DriverProject,
  { folder, npm }: { readonly folder: string; readonly npm: NpmSettings },
  { signal, onProgress }: InstallOptions,
): Promise<void> => {
  await mkdir(folder, { recursive: true })
  await removeAbandoned(folder)
  const staging = await mkdtemp(join(folder, STAGING))
  const stop = new AbortController()
  const timeout = AbortSignal.timeout(MAX_MS)
  const limits = AbortSignal.any([signal, stop.signal, timeout])
  const endReports = reportProgress(project, staging, onProgress, stop)
  try {
    await writeFile(join(staging, 'package.json'), JSON.stringify(project.manifest))
    await writeFile(join(staging, 'package-lock.json'), JSON.stringify(project.lock))
    await runNpmCi(findNpm(npm)!, staging, npm, limits)
    await assertComplete(project, staging)
    await rm(join(staging, '.npm'), { recursive: true, force: true })
    await endReports()
    limits.throwIfAborted()
    await rename(staging, join(folder, project.folder)).catch((error: NodeJS.ErrnoException) => {
      if (!['EEXIST', 'ENOTEMPTY'].includes(error.code ?? '')) throw error // else another process was faster
    })
  } catch (error) {
    throw describeFailure(project, error as Error, limits, timeout)
  } finally {
    await endReports()
    await rm(staging, { recursive: true, force: true, maxRetries: 5 })
  }
}

const describeFailure = ({ package: name, version }: DriverProject, error: Error, limits: AbortSignal, timeout: AbortSignal): Error => {
  const late = timeout.aborted && limits.reason === timeout.reason
  if (limits.aborted && !late) return limits.reason // the error of the caller
  const failure = `${name}@${version} could not be installed`
  if (late) return new InstallError(`${failure}: it took longer than ${MAX_MS / 60_000} minutes.`)
  const message = `${failure}: ${error.message}`
  return error instanceof InstallError ? new InstallError(message) : new Error(message, { cause: error })
}

/** Returns a function that ends the reports and waits for the one under way: after it, none can follow. */
const reportProgress = (
  { lock }: DriverProject,
  staging: string,
  onProgress: InstallOptions['onProgress'],
  stop: AbortController,
): (() => Promise<void>) => {
  const folders = listNeeded(lock.packages)
  let report: Promise<void> | undefined
  const timer = setInterval(() => {
    if (report) return
    const done = folders.filter((path) => existsSync(join(staging, path, 'package.json'))).length
    report = onProgress(done / folders.length)
      .catch((error) => stop.abort(error))
      .finally(() => {
        report = undefined
      })
  }, PROGRESS_MS)
  return async () => {
    clearInterval(timer)
    await report
  }
}

const listNeeded = (packages: DriverProject['lock']['packages']): string[] =>
  Object.entries(packages).flatMap(([path, { optional }]) => (path === '' || optional ? [] : [path]))

/** Of packages that only other platforms need, npm installs nothing. */
const assertComplete = async ({ lock }: DriverProject, staging: string): Promise<void> => {
  for (const path of listNeeded(lock.packages)) {
    const { version } = JSON.parse(await readFile(join(staging, path, 'package.json'), 'utf8').catch(() => '{}'))
    if (version !== lock.packages[path]!.version) throw new InstallError(`npm did not install ${path.replace(/^.*node_modules\//, '')}.`)
  }
}

/** What processes that were killed have left. */
const removeAbandoned = async (folder: string): Promise<void> => {
  for (const name of (await readdir(folder)).filter((each) => each.startsWith(STAGING))) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(join(folder, name), { recursive: true, force: true })
  }
}
