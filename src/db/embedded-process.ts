import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, readlink, rm, stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CannotStart, type Place, readIfThere } from './embedded-place.ts'

const RECOVERY_MS = 300_000 // replaying all the WAL we allow takes seconds; a slow disk may need minutes
const SHUTDOWN_MS = 30_000

/** What Postgres inherits: nothing of ours, least of all secrets or somebody's PGPORT. */
export const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

// The shell leaves a watcher behind and becomes Postgres. The pipe from us ends when we do, however we do (kill -9 too):
// then the watcher asks for a fast shutdown. It is nobody's child, because Postgres takes a dying child it does not know for a crash.
const UNTIL_WE_END = `
exec 3<&0 </dev/null
( ( read -r _ <&3; kill -INT $$ ) >/dev/null 2>&1 & )
exec 3<&- "$@"`

export interface Postmaster {
  readonly pid: number
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/** Starts Postgres and waits until it takes connections. */
export const launch = async (place: Place, settings: Readonly<Record<string, string>>): Promise<Postmaster> => {
  const giveUp = performance.now() + SHUTDOWN_MS
  for (;;) {
    const logStart = await stat(logFile(place)).then(
      ({ size }) => size,
      () => 0,
    )
    const child = await start(place, settings)
    const ended = new Promise<void>((done) => child.once('exit', () => done()))
    if (await ready(child, place)) return { pid: child.pid!, ended, stop: () => stop(child, ended) }
    const said = await tail(logFile(place), logStart)
    // The processes of a Postgres that was killed need a moment to notice.
    if (!said.includes('pre-existing shared memory block') || performance.now() > giveUp)
      throw new CannotStart(`Postgres did not start. The end of ${logFile(place)}:\n${said}`)
    await sleep(200)
  }
}

export const logFile = (place: Place) => join(place.home, 'postgres.log')

const start = async (place: Place, settings: Readonly<Record<string, string>>): Promise<ChildProcess> => {
  await using log = await open(logFile(place), 'a', 0o600)
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn('/bin/sh', ['-c', UNTIL_WE_END, 'sh', join(place.bin, 'postgres'), '-D', place.data, ...options], {
    ...place.account,
    env: environment,
    cwd: place.data,
    detached: true, // a Ctrl-C is for us: the server still needs its database to finish what it began
    stdio: ['pipe', log.fd, log.fd],
  })
  await once(child, 'spawn')
  // Postgres ends with us; we do not stay for it.
  child.unref()
  ;(child.stdin as Socket).unref()
  child.stdin!.on('error', () => {})
  return child
}

const ready = async (child: ChildProcess, { data }: Place): Promise<boolean> => {
  const giveUp = performance.now() + RECOVERY_MS
  while (child.exitCode === null && child.signalCode === null) {
    const found = await readPostmaster(data)
    if (found?.pid === child.pid && found?.ready) return true
    if (performance.now() > giveUp) child.kill('SIGINT')
    await sleep(10)
  }
  return false
}

const stop = async (child: ChildProcess, ended: Promise<void>) => {
  child.ref()
  child.kill('SIGINT')
  const patience = setTimeout(() => child.kill('SIGQUIT'), SHUTDOWN_MS)
  await ended
  clearTimeout(patience)
}

/** What postmaster.pid says, line by line as Postgres documents it in pidfile.h. In single-user mode the number is negative. */
export const readPostmaster = async (data: string): Promise<{ pid: number; socketFolder: string; ready: boolean } | undefined> => {
  const lines = (await readIfThere(join(data, 'postmaster.pid')))?.split('\n')
  const pid = Math.abs(Number(lines?.[0]))
  return lines && pid ? { pid, socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' } : undefined
}

/** Ends the Postgres that a killed owner left running, and clears files that mean nothing any more. To be called by the holder of the folder only. */
export const endOrphan = async ({ data }: Place, log: (line: string) => void): Promise<void> => {
  const pid = (await readPostmaster(data))?.pid
  if (pid) await end(pid, data, log)
  // Postgres would refuse to start if its old number were now any other process of the same account, or one killed and not yet buried.
  for (const name of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock']) await rm(join(data, name), { force: true })
}

const end = async (pid: number, data: string, log: (line: string) => void): Promise<void> => {
  for (const [signal, patience] of [
    ['SIGINT', SHUTDOWN_MS],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    if (!(await runsIn(pid, data))) break
    if (signal === 'SIGINT') log(`Stopping the Postgres (pid ${pid}) that an earlier Tablinum left behind.`)
    send(pid, signal)
    const giveUp = performance.now() + patience
    while (performance.now() < giveUp && (await runsIn(pid, data))) await sleep(20)
  }
}

const send = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch {} // it ended meanwhile
}

/** A number in a file may belong to anybody by now: a postmaster works in its data folder. */
const runsIn = async (pid: number, data: string): Promise<boolean> => {
  if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === data
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes(`-D ${data}`)
}

const tail = async (file: string, from: number): Promise<string> => {
  const text = (await readFile(file)).subarray(from).toString()
  return text.trimEnd().split('\n').slice(-15).join('\n')
}
