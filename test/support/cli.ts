import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findCombinedCode } from './combined-code.ts'

export interface CliOptions {
  readonly cwd?: string
  readonly input?: string
  /** The whole environment of the command besides `PATH` and the compile cache. Default: that of the tests. */
  readonly env?: Readonly<Record<string, string>>
  /** A file of this checkout to run instead of the combined code. */
  readonly entry?: string
}

const root = join(import.meta.dirname, '../..')

/** Runs `tablinum` in its own process. */
export const runCli = async (args: readonly string[], { cwd = root, input = '', env, entry }: CliOptions = {}) => {
  const file = entry ? join(root, entry) : await findCliFile()
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [file, ...args], { cwd, env: env ? { PATH, NODE_COMPILE_CACHE, ...env } : process.env })
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    err += text
  })
  child.stdin.on('error', () => {}) // a command that does not read its input
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

export const findCliFile = async (): Promise<string> => join(await findCombinedCode(), 'src/cli.js')
