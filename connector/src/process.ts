import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { MAX_LINE_BYTES, ProtocolError } from './protocol.ts'

export interface Program {
  /** The program and its arguments. `node` is the one that runs this process. */
  readonly command: readonly string[]
  /** Its environment besides PATH, HOME and LANG. */
  readonly env?: Readonly<Record<string, string>>
  readonly maxMemoryMb?: number
}

const MAX_MEMORY_MB = 1024
const MEMORY_CHECK_MS = 1_000
const MAX_STDERR = 16_384
// Libraries read settings from the home folder, and store passwords there.
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C.UTF-8' }

type Child = ChildProcess & { readonly stdin: Socket; readonly stdout: Socket; readonly stderr: Socket }

/** A connector failed, in its own words. */
export class ConnectorError extends Error {}

/** The program does not exist, or may not be run. */
export class StartError extends ConnectorError {
  readonly why: string

  constructor(why: string) {
    super(`The connector could not be started: ${why}.`)
    this.why = why
  }
}

/**
 * A running connector: lines in, lines out. It gets nothing of our environment, and ends with all its children when it is stopped, when it uses too
 * much memory, or when a line is too long.
 */
export class ProgramProcess {
  readonly #child: Child
  readonly #maxMemoryMb: number
  readonly #closed: Promise<unknown>
  readonly lines: AsyncGenerator<string, void>
  #reason?: Error
  #stderr = ''
  #cutOff = false

  constructor({ command: [name = '', ...args], env, maxMemoryMb = MAX_MEMORY_MB }: Program, maxLineBytes = MAX_LINE_BYTES) {
    const file = name === 'node' ? process.execPath : name
    // In its own process group, so that its children are killed with it. With `pipe`, its streams are sockets.
    const child = spawn(file, args, { cwd: '/', env: { ...ENVIRONMENT, ...env }, stdio: 'pipe', detached: true })
    this.#child = child as unknown as Child
    this.#maxMemoryMb = maxMemoryMb
    this.#closed = once(child, 'close').catch((error: Error) => this.stop(new StartError(error.message)))
    child.stdin.on('error', () => {}) // a program that ends without reading its command reports why on its own
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      this.#stderr = (this.#stderr + more).slice(-MAX_STDERR)
    })
    this.lines = readLines(this.#child.stdout, maxLineBytes, () => {
      this.#cutOff = true
    })
  }

  send(value: unknown): void {
    this.#child.stdin.write(`${JSON.stringify(value)}\n`)
  }

  endInput(): void {
    this.#child.stdin.end()
  }

  /** Why it was stopped, if it was. */
  get reason(): Error | undefined {
    return this.#reason
  }

  get ended(): boolean {
    return this.#reason !== undefined || this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Whether it ended in the middle of a line. */
  get cutOff(): boolean {
    return this.#cutOff
  }

  /** Kills it with all its children. A child that left the group may hold the pipes open: reading ends all the same. */
  stop(reason: Error): void {
    this.#reason ??= reason
    killGroup(this.#child)
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy()
  }

  /** Until it is disposed, too much memory stops the program. */
  watchMemory(): Disposable {
    const watch = setInterval(async () => {
      if ((await measureMemoryMb(this.#child.pid)) > this.#maxMemoryMb)
        this.stop(new ConnectorError(`The connector used more than ${this.#maxMemoryMb} MB of memory.`))
    }, MEMORY_CHECK_MS)
    return { [Symbol.dispose]: () => clearInterval(watch) }
  }

  /** Waits until it has ended, and says how: for a program that said nothing itself. */
  async findEnd(): Promise<{ readonly how: string; readonly why: string }> {
    await this.#closed
    return { how: this.#child.signalCode ?? `exit code ${this.#child.exitCode}`, why: findErrorMessage(this.#stderr) }
  }

  async waitForExit(): Promise<void> {
    this.ref()
    if (!this.#hasExited) await once(this.#child, 'exit').catch(() => {})
  }

  get #hasExited(): boolean {
    const { pid, exitCode, signalCode } = this.#child
    return pid === undefined || exitCode !== null || signalCode !== null
  }

  ref(): void {
    for (const each of [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr]) each.ref()
  }

  /** It does not keep this process alive. */
  unref(): void {
    for (const each of [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr]) each.unref()
  }
}

/** Lines of the output, read only as fast as they are taken. `onCutOff` is called before a last one that has no end. */
async function* readLines(stream: Socket, maxBytes: number, onCutOff: () => void): AsyncGenerator<string, void> {
  let rest: Buffer[] = []
  let size = 0
  let number = 1
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8')
      if (line.length > maxBytes) throw tooLong(number, maxBytes)
      rest = []
      size = 0
      start = end + 1
      number += 1
      if (line.trim() !== '') yield line
    }
    rest.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > maxBytes) throw tooLong(number, maxBytes)
  }
  const last = Buffer.concat(rest).toString('utf8')
  if (last.trim() === '') return
  onCutOff()
  yield last
}

const tooLong = (number: number, maxBytes: number): Error =>
  new ProtocolError(`Message ${number} is longer than ${maxBytes / 1024 / 1024} MB.`)

/** The error that ended it: that of Node.js without local paths, else the last line, where programs say what went wrong. */
const findErrorMessage = (stderr: string): string => {
  const error = /^(?:\w*Error(?: \[\w+\])?|node: .*?): (.*)$/m.exec(stderr)?.[1]
  return (
    error?.replace(/ imported from .*$/, '').replaceAll(/(?:file:\/\/)?\/[^\s'"]*\/node_modules\//g, '') ??
    stderr.trim().split('\n').at(-1)!
  )
}

const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const PAGE_BYTES = 4096

/** The resident memory of a process group. Zero where there is no /proc. */
const measureMemoryMb = async (group: number | undefined): Promise<number> => {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const pages = await Promise.all(
    pids.map(async (pid) => {
      // Fields after the name, which is in parentheses and may contain anything: 2 is the group, 21 the resident pages.
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).replace(/^.*\) /s, '').split(' ')
      return Number(fields[2]) === group ? Number(fields[21]) : 0
    }),
  )
  return (pages.reduce((sum, each) => sum + each, 0) * PAGE_BYTES) / 1024 / 1024
}
