import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The throughput of Postgres alone: prepared SQL, run by pgbench; several scripts are chosen at random. NaN when pgbench is not installed. */
export const pgbench = async (url: string, scripts: string | readonly string[], { clients = 20, seconds = 6 } = {}): Promise<number> => {
  const program = findProgram()
  if (!program) return Number.NaN
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
      ...files.flatMap(([file]) => ['-f', file]),
      url,
    ])
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } finally {
    await rm(folder, { recursive: true })
  }
}

const findProgram = (): string | undefined => {
  const [found] = [...globSync('/usr/lib/postgresql/*/bin/pgbench').sort().reverse(), ...globSync('/usr/{,local/}bin/pgbench')]
  if (!found) console.error('pgbench is not installed (Debian package: postgresql), so its columns stay empty.')
  return found
}
