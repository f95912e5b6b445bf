import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Throughput {
  readonly perSecond: number
  /** Milliseconds that 95 of 100 transactions take at most. */
  readonly p95: number
}

interface PgbenchOptions {
  readonly clients?: number
  readonly seconds?: number
}

/** The throughput of Postgres alone: prepared SQL, run by pgbench; several scripts are chosen at random. NaN when pgbench is not installed. */
export const pgbench = async (url: string, scripts: string | readonly string[], options: PgbenchOptions = {}): Promise<number> =>
  (await measurePgbench(url, scripts, options)).perSecond

/** The same with the latency that a caller sees. */
export const measurePgbench = async (
  url: string,
  scripts: string | readonly string[],
  { clients = 20, seconds = 6 }: PgbenchOptions = {},
): Promise<Throughput> => {
  const program = findProgram()
  if (!program) return { perSecond: Number.NaN, p95: Number.NaN }
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-bench-'))
  try {
    const files = [scripts].flat().map((script, i) => [join(folder, `script${i}.sql`), script] as const)
    for (const [file, script] of files) await writeFile(file, script)
    const { stdout } = await run(program, [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(clients),
      '-j',
      '1',
      '-T',
      String(seconds),
      '-l',
      `--log-prefix=${join(folder, 'log')}`,
      ...files.flatMap(([file]) => ['-f', file]),
      url,
    ])
    return { perSecond: Number(/tps = ([\d.]+)/.exec(stdout)?.[1]), p95: await readP95(folder) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The third column of the log is the duration of a transaction in microseconds. */
const readP95 = async (folder: string): Promise<number> => {
  const lines = (await Promise.all(globSync(join(folder, 'log*')).map((file) => readFile(file, 'utf8')))).join('').trimEnd().split('\n')
  const sorted = lines.map((line) => Number(line.split(' ')[2])).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.95)]! / 1000
}

const findProgram = (): string | undefined => {
  const [found] = [...globSync('/usr/lib/postgresql/*/bin/pgbench').sort().reverse(), ...globSync('/usr/{,local/}bin/pgbench')]
  if (!found) console.error('pgbench is not installed (Debian package: postgresql), so its columns stay empty.')
  return found
}
