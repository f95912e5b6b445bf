import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { CliError, type Command } from './command.ts'
import { inMegabytes, progressLine } from './progress.ts'

const HELP = `Usage: tablinum backup <file>

Writes the whole workspace, as it is at one moment, into a new file. Tablinum may go on running.
The database is the one the server would use: DATABASE_URL, or the embedded one in TABLINUM_DATA.

Secrets stay sealed in it. Their key is not in the file: keep secret.key of the data folder, or your
TABLINUM_SECRET_KEY, beside it.

  --help
`

export const backupCommand: Command = {
  name: 'backup',
  summary: 'the whole workspace into a file',
  help: HELP,
  run: async (args) => {
    const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new CliError('Name one file to write. --help says more.')
    // Loaded when asked for: whoever reads SQL files waits for no database driver.
    const [{ takeBackup }, { readMigrations }, { orSayWhy, reachDatabase }] = await Promise.all([
      import('../backup/take.ts'),
      import('../db/migrate.ts'),
      import('./database.ts'),
    ])
    return orSayWhy(async (signal) => {
      await using database = await reachDatabase({ shared: true, create: false })
      const line = progressLine()
      const began = performance.now()
      const { header, bytes } = await takeBackup({
        url: database.url,
        file,
        version: versionOfProduct(),
        migrations: await readMigrations(),
        progress: (part, number, of, bytes) => line.show(() => `${part.name} (${number} of ${of}), ${inMegabytes(bytes)} written`),
        signal,
      }).finally(line.clear)
      const rows = header.parts.reduce((sum, part) => sum + part.rows, 0)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      process.stdout.write(
        `${file}: the workspace “${header.workspace.name}” as of ${header.created_at}, ${rows.toLocaleString('en')} rows, ${inMegabytes(bytes)}, in ${seconds} s.\n`,
      )
      const key = keyOf(database.config)
      if (key) process.stdout.write(`The key that opens its secrets is not in it: keep ${key} as well, in another place.\n`)
    })
  },
}

/** Whoever keeps no secrets has no key file. */
const keyOf = ({ secretKeys, dataFolder }: Config): string | undefined => {
  const file = join(dataFolder, 'secret.key')
  return secretKeys.length > 0 ? 'TABLINUM_SECRET_KEY' : existsSync(file) ? file : undefined
}

const versionOfProduct = (): string => JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')).version
