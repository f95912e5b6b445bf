import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, readlink, rm, stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type EmbeddedLocation, EmbeddedStartError, readFileIfExists } from './embedded-location.ts'

const RECOVERY_MS = 300_000 // replaying the maximum WAL takes seconds; a slow disk may need minutes
const SHUTDOWN_MS = 30_000

/** The environment of Postgres: nothing of this process, in particular no secrets and no PGPORT. */
export const POSTGRES_ENV = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

// The shell starts a watcher and then becomes Postgres. The pipe closes when this process ends, even by kill -9, and the watcher then requests
// a fast shutdown. The watcher is detached, because Postgres treats the exit of an unknown child as a crash.
const STOP_WITH_PARENT_SCRIPT = `
exec 3<&0 </dev/null
( ( read -r _ <&3; kill -INT $$ ) >/dev/null 2>&1 & )
exec 3<&- "$@"`

export interface Postmaster {
  readonly pid: number
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/** Starts Postgres and waits until it accepts connections. */
export const launchPostgres = async (
  location: EmbeddedLocation,
  settings: Readonly<Record<string, string>>,
  onLaunch: () => void = () => {},
): Promise<Postmaster> => {
  const deadline = performance.now() + SHUTDOWN_MS
  for (;;) {
    const logStart = await stat(logFile(location)).then(
      ({ size }) => size,
      () => 0,
    )
    const child = await spawnPostgres(location, settings)
    onLaunch()
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    if (await waitUntilReady(child, location)) return { pid: child.pid!, ended, stop: () => stopPostgres(child, ended) }
    const logTail = await readLogTail(logFile(location), logStart)
    // The processes of a killed Postgres take a moment to exit.
    if (!logTail.includes('pre-existing shared memory block') || performance.now() > deadline)
      throw new EmbeddedStartError(`Postgres failed to start. Last lines of ${logFile(location)}:\n${logTail}`)
    await sleep(200)
  }
}

export const logFile = (location: EmbeddedLocation) => join(location.home, 'postgres.log')

const spawnPostgres = async (location: EmbeddedLocation, settings: Readonly<Record<string, string>>): Promise<ChildProcess> => {
  await using log = await open(logFile(location), 'a', 0o600)
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn('/bin/sh', ['-c', STOP_WITH_PARENT_SCRIPT, 'sh', join(location.bin, 'postgres'), '-D', location.data, ...options], {
    ...location.account,
    env: POSTGRES_ENV,
    cwd: location.data,
    detached: true, // Ctrl-C must not reach Postgres: the server needs it until its running work is finished
    stdio: ['pipe', log.fd, log.fd],
  })
  await once(child, 'spawn')
  // Postgres must not keep this process alive.
  child.unref()
  ;(child.stdin as Socket).unref()
  child.stdin!.on('error', () => {})
  return child
}

const waitUntilReady = async (child: ChildProcess, { data }: EmbeddedLocation): Promise<boolean> => {
  const deadline = performance.now() + RECOVERY_MS
  while (child.exitCode === null && child.signalCode === null) {
    const found = await readPostmasterFile(data)
    if (found?.pid === child.pid && found?.ready) return true
    if (performance.now() > deadline) child.kill('SIGINT')
    await sleep(10)
  }
  return false
}

const stopPostgres = async (child: ChildProcess, ended: Promise<void>) => {
  child.ref()
  child.kill('SIGINT')
  const patience = setTimeout(() => child.kill('SIGQUIT'), SHUTDOWN_MS)
  await ended
  clearTimeout(patience)
}

/** Reads postmaster.pid, whose lines are documented in Postgres's pidfile.h. In single-user mode the PID is negative. */
export const readPostmasterFile = async (data: string): Promise<{ pid: number; socketFolder: string; ready: boolean } | undefined> => {
  const lines = (await readFileIfExists(join(data, 'postmaster.pid')))?.split('\n')
  const pid = Math.abs(Number(lines?.[0]))
  return lines && pid ? { pid, socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' } : undefined
}

/** Stops a Postgres left running by a killed owner and removes its stale files. Only the holder of the folder lock may call it. */
export const stopOrphanedPostgres = async ({ data }: EmbeddedLocation, log: (line: string) => void): Promise<void> => {
  const pid = (await readPostmasterFile(data))?.pid
  if (pid) await stopProcess(pid, data, log)
  // Postgres would not start if its old PID now belonged to another process of the same account, or to a zombie.
  for (const name of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock']) await rm(join(data, name), { force: true })
}

const stopProcess = async (pid: number, data: string, log: (line: string) => void): Promise<void> => {
  for (const [signal, timeoutMs] of [
    ['SIGINT', SHUTDOWN_MS],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    if (!(await isRunningIn(pid, data))) break
    if (signal === 'SIGINT') log(`Stopping a Postgres (pid ${pid}) left running by an earlier Tablinum.`)
    sendSignal(pid, signal)
    const deadline = performance.now() + timeoutMs
    while (performance.now() < deadline && (await isRunningIn(pid, data))) await sleep(20)
  }
}

const sendSignal = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch {} // it has already exited
}

/** The PID may have been reused: a postmaster runs in its data folder. */
const isRunningIn = async (pid: number, data: string): Promise<boolean> => {
  if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === data
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes(`-D ${data}`)
}

const readLogTail = async (file: string, from: number): Promise<string> => {
  const text = (await readFile(file)).subarray(from).toString()
  return text.trimEnd().split('\n').slice(-15).join('\n')
}
