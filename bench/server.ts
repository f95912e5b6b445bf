import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A server in a separate process, so that it has its own core. */
export interface BenchServer extends AsyncDisposable {
  readonly port: number
  readonly pid: number
}

export const startBenchServer = async (entry: string, env: Record<string, string>, args: readonly string[] = []): Promise<BenchServer> => {
  const port = await freePort()
  const child = fork(entry, args, {
    env: { ...process.env, PORT: String(port), LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  child.stderr?.on('data', (text) => {
    output += text
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${entry} exited: ${output}`)
    return (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) !== undefined
  })
  return {
    port,
    pid: child.pid!,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

const until = async (done: () => Promise<boolean>): Promise<void> => {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 50))
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
