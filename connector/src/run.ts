import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type Command, MAX_LINE_BYTES, type Message, ProtocolError, parseMessage, RunChecker } from './protocol.ts'

export interface Program {
  /** The program and its arguments. `node` is the one that runs this process. */
  readonly command: readonly string[]
  /** Its complete environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly maxMemoryMb?: number
}

const MAX_MEMORY_MB = 1024
const MEMORY_CHECK_MS = 1_000
const MAX_STDERR = 16_384
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C.UTF-8' }

/** A connector failed, in its own words. */
export class ConnectorError extends Error {}

/**
 * Runs a connector with one command and yields its messages, checked, up to and including `done`. It gets nothing of our environment, and ends
 * with all its children when the signal aborts, when it uses too much memory, when a message is too long, or when the caller stops reading.
 */
export async function* runProgram(program: Program, command: Command, signal: AbortSignal): AsyncGenerator<Message, void> {
  signal.throwIfAborted()
  const [name = '', ...args] = program.command
  const file = name === 'node' ? process.execPath : name
  // In its own process group, so that its children are killed with it.
  const child = spawn(file, args, { cwd: '/', env: { ...ENVIRONMENT, ...program.env }, stdio: 'pipe', detached: true })
  const stderr = captureEnd(child.stderr)
  let stopped: Error | undefined
  // A child that left the group may hold the pipes open: reading must end all the same.
  const end = () => {
    killGroup(child)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  }
  const stop = (error: Error) => {
    stopped ??= error
    end()
  }
  const onAbort = () =>
    stop(new Error(signal.reason?.name === 'TimeoutError' ? 'The connector timed out.' : 'The operation was cancelled.'))
  signal.addEventListener('abort', onAbort)
  const closed = once(child, 'close').catch((error: Error) =>
    stop(new ConnectorError(`The connector could not be started: ${error.message}.`)),
  )
  const maxMemoryMb = program.maxMemoryMb ?? MAX_MEMORY_MB
  const watch = setInterval(async () => {
    if ((await measureMemoryMb(child.pid)) > maxMemoryMb)
      stop(new ConnectorError(`The connector used more than ${maxMemoryMb} MB of memory.`))
  }, MEMORY_CHECK_MS)
  const checker = new RunChecker(command)
  let number = 0
  try {
    child.stdin.on('error', () => {}) // a program that ends without reading its command reports why on its own
    child.stdin.end(`${JSON.stringify(command)}\n`)
    for await (const line of readLines(child.stdout)) {
      if (stopped) break
      number += 1
      const message = parseMessage(line, number)
      checker.check(message, number)
      if (message.type === 'error') throw new ConnectorError(message.message)
      yield message
      if (message.type === 'done') return
    }
    await closed
    throw new ConnectorError(describeEnd(child, stderr()))
  } catch (error) {
    throw stopped ?? error
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', onAbort)
    end()
  }
}

/** Lines of the output, read only as fast as they are taken. */
async function* readLines(stream: Readable): AsyncGenerator<string, void> {
  let rest: Buffer[] = []
  let size = 0
  let number = 1
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8')
      if (line.length > MAX_LINE_BYTES) throw tooLong(number)
      rest = []
      size = 0
      start = end + 1
      number += 1
      if (line.trim() !== '') yield line
    }
    rest.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > MAX_LINE_BYTES) throw tooLong(number)
  }
  const last = Buffer.concat(rest).toString('utf8')
  if (last.trim() !== '') yield last
}

const tooLong = (number: number): Error => new ProtocolError(`Message ${number} is longer than ${MAX_LINE_BYTES / 1024 / 1024} MB.`)

const describeEnd = ({ exitCode, signalCode }: ChildProcess, stderr: string): string => {
  const why = stderr.trim().split('\n').at(-1)
  return `The connector ended without \`done\` (${signalCode ?? `exit code ${exitCode}`})${why ? `: ${why}` : '.'}`
}

/** The end of its error output, where programs say what went wrong. */
const captureEnd = (stream: Readable): (() => string) => {
  let text = ''
  stream.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-MAX_STDERR)
  })
  return () => text
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
