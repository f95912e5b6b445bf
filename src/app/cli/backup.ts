import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../../platform/config/config.ts'
import { PRODUCT_VERSION } from '../../platform/config/product-version.ts'
import { CliError, type Command } from './command.ts'
import { createProgressLine, formatMegabytes } from './progress.ts'

const HELP = `Usage: tablinum backup <file>

Writes a consistent snapshot of the whole workspace to a new file. Tablinum may keep running.
Uses the database of the server: DATABASE_URL, or the embedded one in TABLINUM_DATA.

Secrets in the backup stay encrypted. The key is not in the file: also keep secret.key of the data
folder, or your TABLINUM_SECRET_KEY.

  --help
`

export const backupCommand: Command = {
  name: 'backup',
  summary: 'back up the whole workspace to a file',
  help: HELP,
  run: async (args) => {
    const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new CliError('Expected exactly one file to write. Run with --help for details.')
    // Loaded on demand, so that other commands do not load the database driver.
    const [{ createBackup }, { recordCommand }, { readMigrations }, { reportErrors, connectToDatabase }] = await Promise.all([
      import('../../operations/backup/create-backup.ts'),
      import('../../operations/backup/records.ts'),
      import('../../platform/db/migrate.ts'),
      import('./database.ts'),
    ])
    return reportErrors(async (signal) => {
      await using database = await connectToDatabase({ shared: true, create: false })
      const line = createProgressLine()
      const began = performance.now()
      const { header, bytes } = await createBackup({
        url: database.url,
        file,
        version: PRODUCT_VERSION,
        migrations: await readMigrations(),
        progress: (part, number, of, bytes) => line.show(() => `${part.name} (${number} of ${of}), ${formatMegabytes(bytes)} written`),
        signal,
      }).finally(line.clear)
      const rows = header.parts.reduce((sum, part) => sum + part.rows, 0)
      // The backup is complete: not being listed is no reason to fail, e.g. on a read-only replica.
      await recordCommand(database.url, { rows, bytes, started: new Date(header.created_at) }).catch(() => {})
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      process.stdout.write(
        `Created ${file}: workspace “${header.workspace.name}” as of ${header.created_at}, ${rows.toLocaleString('en')} rows, ${formatMegabytes(bytes)}, in ${seconds} s.\n`,
      )
      const key = findKeyLocation(database.config)
      if (key) process.stdout.write(`The backup does not contain the key of its secrets. Store ${key} separately.\n`)
    })
  },
}

/** Without secrets there is no key file. */
const findKeyLocation = ({ secretKeys, dataFolder }: Config): string | undefined => {
  const file = join(dataFolder, 'secret.key')
  return secretKeys.length > 0 ? 'TABLINUM_SECRET_KEY' : existsSync(file) ? file : undefined
}
