import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server started by the tests: as an unprivileged user, in its own folder, ended together with the test process or before. */
export interface ServerProcess {
  readonly folder: string
  /** Kills it; its folder is deleted. */
  stop(): Promise<void>
}

export interface ServerCommand {
  /** Prepares its folder and returns the command to run. */
  readonly prepare: (folder: string) => Promise<readonly string[]>
  /** Throws until the server responds. */
  readonly isReady: (folder: string) => Promise<unknown>
}

/** Servers refuse to run as root. */
export const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const START_MS = 120_000

// Our pipe closes when we end, even by kill -9: then the watcher kills the server. Its data is temporary, so it need not shut down cleanly.
const WATCHER_SCRIPT = `
exec 3<&0 </dev/null
( ( read -r _ <&3; kill -KILL $$; sleep 1; cd /; rm -rf -- "$FOLDER" ) >/dev/null 2>&1 & )
exec 3<&- "$@"`

export const startServer = async (name: string, { prepare, isReady }: ServerCommand): Promise<ServerProcess> => {
  const folder = await mkdtemp(join(tmpdir(), `tablinum-${name}-`))
  if (account.uid) await chown(folder, account.uid, account.gid)
  const command = await prepare(folder).catch(async (error) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  const log = await open(join(folder, 'log'), 'a')
  const env = { ...process.env, FOLDER: folder }
  const child = spawn('/bin/sh', ['-c', WATCHER_SCRIPT, 'sh', ...command], {
    ...account,
    env,
    cwd: folder,
    stdio: ['pipe', log.fd, log.fd],
  })
  child.stdin!.on('error', () => {})
  await log.close()
  for (const giveUp = performance.now() + START_MS; ; await sleep(50)) {
    const why = await isReady(folder).then(
      () => undefined,
      (error) => error,
    )
    if (!why) return { folder, stop: () => stopServer(child) }
    if (child.exitCode === null && child.signalCode === null && performance.now() < giveUp) continue
    const logText = await readFile(join(folder, 'log'), 'utf8')
    await stopServer(child)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    throw new Error(`${name} did not start: ${why.message}\n${logText.slice(-3000)}`)
  }
}

/** Closes the pipe: the watcher does the rest. */
const stopServer = async (child: ChildProcess) => {
  child.stdin!.end()
  if (child.exitCode !== null || child.signalCode !== null) return
  await once(child, 'exit')
}
