import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildPackage } from '../scripts/package.ts'
import { startEmbeddedPostgres } from '../src/platform/db/embedded/embedded.ts'
import { measureCpu } from './cpu.ts'
import { table } from './table.ts'

/** Time from the command to the first response and CPU time of the server until then, and idle memory of all processes. */
export const benchStart = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-start-'))
  try {
    const node = await timed(async () => void (await once(spawn(process.execPath, ['--version'], { stdio: 'ignore' }), 'exit')))
    const first = await measureStart(folder)
    const second = await measureStart(folder)
    const third = await measureStart(folder, 8_000)
    const demo = await measureStart(join(folder, 'demo'), 0, [...SERVER, '--demo'])
    const packaged = await measurePackage(join(folder, 'package'))
    return table(
      'Start-up and idle memory',
      ['', 'ms to the first answer', 'CPU seconds of the server', 'MB, all processes (PSS)'],
      [
        ['node --version', node, '', ''],
        ['first start (creates the database)', first.ms, first.cpu, ''],
        ['first start with --demo, all of its data there', demo.ms, demo.cpu, ''],
        ['second start', Math.min(second.ms, third.ms), Math.min(second.cpu, third.cpu), third.mb],
        ['npm package on a Postgres of its own, existing database, no compile cache', packaged.cold.ms, packaged.cold.cpu, ''],
        ['the same, with the compile cache of an earlier start', packaged.warm.ms, packaged.warm.cpu, ''],
        ['ratio of the last to node -e 0 and a start of Postgres', packaged.warm.ms / packaged.peer, '', ''],
      ],
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What an image does: the package on an external Postgres that has the database already. The peer is what no server can do without. */
const measurePackage = async (folder: string) => {
  await buildPackage()
  const dataFolder = join(folder, 'postgres')
  await (await startEmbeddedPostgres({ dataFolder, settings: {} })).stop()
  let postgres!: Awaited<ReturnType<typeof startEmbeddedPostgres>>
  const node = await timed(async () => void (await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')))
  const peer =
    node +
    (await timed(async () => {
      postgres = await startEmbeddedPostgres({ dataFolder, settings: {} })
    }))
  const start = async (cache: string) => {
    const env = { DATABASE_URL: postgres.url, NODE_COMPILE_CACHE: join(folder, cache), TABLINUM_SECRET_KEY: 'a key for benchmarks' }
    return measureStart(folder, 0, ['dist/package/bin/tablinum.mjs', 'start'], env)
  }
  try {
    await start('first') // migrates
    const cold = await start('second')
    const [warm, again] = [await start('second'), await start('second')]
    return { cold, warm: warm.ms < again.ms ? warm : again, peer }
  } finally {
    await postgres.stop()
  }
}

const SERVER = ['scripts/setup.mjs', 'src/server.ts']

const measureStart = async (folder: string, idleMs = 0, command = SERVER, env: NodeJS.ProcessEnv = { DATABASE_URL: '' }) => {
  const port = 20_000 + (process.pid % 20_000)
  let child!: ChildProcess
  const ms = await timed(async () => {
    child = spawn(process.execPath, command, {
      env: { ...process.env, TABLINUM_DATA: folder, PORT: String(port), LOG_LEVEL: 'warn', ...env },
      stdio: 'ignore',
    })
    while (
      !(await fetch(`http://127.0.0.1:${port}/readycheck`).then(
        (response) => response.ok,
        () => false,
      ))
    )
      await sleep(10)
  })
  const cpu = measureCpu(child.pid!)
  await sleep(idleMs)
  const mb = measureMemory(child.pid!, folder)
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { ms, cpu, mb }
}

const timed = async (work: () => Promise<void>): Promise<number> => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** The server and the Postgres of this folder with all its child processes. */
const measureMemory = (pid: number, folder: string): number => {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(processes.map((name) => [name, read(`/proc/${name}/stat`).split(') ')[1]?.split(' ')[1] ?? '']))
  const roots = processes.filter((name) => name === String(pid) || read(`/proc/${name}/cmdline`).includes(folder))
  const family = new Set(roots)
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const [name, parent] of parents) if (family.has(parent)) family.add(name)
  }
  return [...family].reduce((sum, name) => sum + Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${name}/smaps_rollup`))?.[1] ?? 0) / 1024, 0)
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

if (import.meta.main) console.log(await benchStart())
