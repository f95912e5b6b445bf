import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface CliOptions {
  readonly cwd?: string
  readonly input?: string
  /** The whole environment of the command besides `PATH`. Default: that of the tests. */
  readonly env?: Readonly<Record<string, string>>
  readonly entry?: string
}

const root = join(import.meta.dirname, '..')

/** Runs `tablinum` in its own process. */
export const runCli = (args: readonly string[], { cwd = root, input = '', env, entry = 'src/cli.ts' }: CliOptions = {}) =>
  new Promise<{ code: number | null; out: string; err: string }>((done) => {
    const child = spawn(process.execPath, [join(root, entry), ...args], {
      cwd,
      env: env ? { PATH: process.env.PATH ?? '', ...env } : process.env,
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (text) => {
      out += text
    })
    child.stderr.on('data', (text) => {
      err += text
    })
    child.once('close', (code) => done({ code, out, err }))
    child.stdin.on('error', () => {}) // a command that does not read its input
    child.stdin.end(input)
  })
