import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server that the tests run by themselves: as nobody, in a folder of its own, ended with us however we end. */
export interface Server {
  readonly folder: string
}

export interface Start {
  /** Makes what it needs in its folder, and says what to run. */
  readonly prepare: (folder: string) => Promise<readonly string[]>
  /** Throws until it answers. */
  readonly answers: (folder: string) => Promise<unknown>
}

/** Servers refuse to run as root. */
export const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const START_MS = 120_000

// The pipe from us ends when we do, also by kill -9: then the watcher ends the server. What it holds is thrown away: it need not take its leave.
const UNTIL_WE_END = `
exec 3<&0 </dev/null
( ( read -r _ <&3; kill -KILL $$; sleep 1; cd /; rm -rf -- "$FOLDER" ) >/dev/null 2>&1 & )
exec 3<&- "$@"`

export const startServer = async (name: string, { prepare, answers }: Start): Promise<Server> => {
  const folder = await mkdtemp(join(tmpdir(), `tablinum-${name}-`))
  if (account.uid) await chown(folder, account.uid, account.gid)
  const command = await prepare(folder).catch(async (error) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  const log = await open(join(folder, 'log'), 'a')
  const env = { ...process.env, FOLDER: folder }
  const child = spawn('/bin/sh', ['-c', UNTIL_WE_END, 'sh', ...command], { ...account, env, cwd: folder, stdio: ['pipe', log.fd, log.fd] })
  child.stdin!.on('error', () => {})
  await log.close()
  for (const giveUp = performance.now() + START_MS; ; await sleep(50)) {
    const why = await answers(folder).then(
      () => undefined,
      (error) => error,
    )
    if (!why) return { folder }
    if (child.exitCode === null && child.signalCode === null && performance.now() < giveUp) continue
    const said = await readFile(join(folder, 'log'), 'utf8')
    await end(child)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    throw new Error(`${name} did not start: ${why.message}\n${said.slice(-3000)}`)
  }
}

const end = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
