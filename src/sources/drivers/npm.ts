import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** Runs npm, as the operator has configured it: registry, proxy, cache. */
export interface NpmSettings {
  /** Of the server, without its secrets. */
  readonly env: Readonly<Record<string, string>>
}

/** For what npm's settings of the machine must not change. Scripts of packages are never run. */
const OPTIONS = [
  ...['--ignore-scripts', '--no-global', '--omit=dev', '--include=optional', '--install-strategy=hoisted', '--package-lock'],
  ...['--no-dry-run', '--no-bin-links', '--engine-strict=false', '--prefer-offline', '--no-audit', '--no-fund', '--no-update-notifier'],
  ...['--loglevel=error', '--logs-max=0', '--no-workspaces'],
]
const MAX_OUTPUT = 16_384
const MAX_REASONS = 3

/** What a further attempt would find again: npm failed, or did not install what the lock file names. */
export class InstallError extends Error {}

/** The program, or undefined: on the path, or in the folder of the running Node. */
export const findNpm = ({ env }: NpmSettings): string | undefined =>
  [...(env.PATH ?? '').split(delimiter).filter(Boolean), dirname(process.execPath)].map((folder) => join(folder, 'npm')).find(isExecutable)

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** `npm ci` in a folder: what the lock file names, checked by its hashes. Ends with all its children when the signal aborts. */
export const runNpmCi = async (npm: string, folder: string, { env }: NpmSettings, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted()
  const cache = hasCache(env) ? [] : [`--cache=${join(folder, '.npm')}`]
  const child = spawn(npm, ['ci', '--prefix', folder, ...cache, ...OPTIONS], {
    cwd: folder,
    env: { ...env, PATH: toPath(npm, env) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group of its own, which is ended as a whole
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      output = (output + more).slice(-MAX_OUTPUT)
    })
  const stop = () => endGroup(child.pid)
  signal.addEventListener('abort', stop)
  process.once('exit', stop) // its own process group outlives this process otherwise
  try {
    const [code, killedBy] = (await once(child, 'close').catch((error: Error) => {
      throw new InstallError(`npm could not be started: ${error.message}`)
    })) as [number | null, NodeJS.Signals | null]
    signal.throwIfAborted()
    if (code !== 0) throw new InstallError(`npm failed (${killedBy ?? `exit code ${code}`})${findReasons(output)}`)
  } finally {
    signal.removeEventListener('abort', stop)
    process.off('exit', stop)
  }
}

/** npm is a script that looks for Node on the path, where a service may have none. */
const toPath = (npm: string, env: Readonly<Record<string, string>>): string =>
  [dirname(process.execPath), dirname(npm), env.PATH].filter(Boolean).join(delimiter)

/** The cache of the account that runs the server, if it has a home: services often have none. */
const hasCache = (env: Readonly<Record<string, string>>): boolean => {
  if (Object.keys(env).some((name) => name.toLowerCase() === 'npm_config_cache')) return true
  try {
    accessSync(env.HOME ?? '', constants.W_OK)
    return true
  } catch {
    return false
  }
}

const endGroup = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** The first errors that npm reports, or the last lines of what it printed. */
const findReasons = (output: string): string => {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const errors = lines.flatMap((line) => /^npm (?:error|ERR!) (.+)$/.exec(line)?.[1] ?? [])
  const shown = errors.length > 0 ? errors.slice(0, MAX_REASONS) : lines.slice(-MAX_REASONS)
  return shown.length > 0 ? `: ${shown.join(' ')}` : ' and printed nothing.'
}
