import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { PoolSizes } from '../platform/config/connection-budget.ts'

/** A process uses one core. With several on the same port, the kernel distributes the connections among them. */
export interface SharedProcessOptions {
  readonly databaseUrl: string
  readonly pools: PoolSizes
  readonly backupsFolder?: string
  readonly host: string
  readonly port: number
}

const RESTART_DELAY_MS = 1_000

/** Starts `count` more web processes. One that exits is restarted; all of them exit with this process, however it ends. */
export const startExtraProcesses = (
  count: number,
  { databaseUrl, pools, backupsFolder, host, port }: SharedProcessOptions,
  log: (line: string) => void,
): AsyncDisposable => {
  const children = new Set<ChildProcess>()
  let stopping = false
  const startOne = () => {
    if (stopping) return
    const flags = ['--role', 'web', '--share-port', '--host', host, '--port', String(port)]
    const sizes = {
      TABLINUM_POOL: String(pools.request),
      TABLINUM_BACKGROUND_POOL: String(pools.background),
      TABLINUM_TRANSFER_POOL: String(pools.transfer),
    }
    const child = fork(new URL('../server.ts', import.meta.url), flags, {
      env: { ...process.env, ...sizes, DATABASE_URL: databaseUrl, ...(backupsFolder && { TABLINUM_BACKUPS: backupsFolder }) },
    })
    children.add(child)
    child.once('exit', (code, signal) => {
      children.delete(child)
      if (stopping) return
      log(`  A web process exited (${signal ?? code}). Restarting it.`)
      setTimeout(startOne, RESTART_DELAY_MS).unref()
    })
  }
  for (let i = 0; i < count; i += 1) startOne()
  return {
    [Symbol.asyncDispose]: async () => {
      stopping = true
      await Promise.all(
        [...children].map(async (child) => {
          const ended = once(child, 'exit')
          child.kill('SIGTERM')
          await ended
        }),
      )
    },
  }
}
