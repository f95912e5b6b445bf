import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { BackupError } from '../../operations/backup/error.ts'
import type { RestorePhase } from '../../operations/backup/restore.ts'
import type { Workspace } from '../../operations/backup/target.ts'
import { CliError, type Command } from './command.ts'
import { createProgressLine } from './progress.ts'

const HELP = `Usage: tablinum restore [--replace [--yes]] <file>

Restores a backup into an empty database: DATABASE_URL, or the embedded one in TABLINUM_DATA, which is
created if missing. All or nothing. Tablinum must not be running on that database.

  --replace  replace an existing workspace; asks for its name as confirmation
  --yes      do not ask
  --help
`

const OPTIONS = { replace: { type: 'boolean', default: false }, yes: { type: 'boolean', default: false } } as const

const PHASE_LABELS: Readonly<Record<RestorePhase, string>> = { checking: 'Checking', loading: 'Loading', indexing: 'Building indexes' }

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'restore a backup into an empty database, or replace a workspace',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new CliError('Expected exactly one file to restore. Run with --help for details.')
    if (values.yes && !values.replace) throw new CliError('--yes can only be used with --replace.')
    // See backup.ts.
    const [{ restoreBackup }, { readMigrations }, { reportErrors, connectToDatabase }] = await Promise.all([
      import('../../operations/backup/restore.ts'),
      import('../../platform/db/migrate.ts'),
      import('./database.ts'),
    ])
    return reportErrors(async (signal) => {
      const size = await stat(file).then(
        (found) => found.size,
        () => {
          throw new BackupError(`File not found: ${file}.`)
        },
      )
      await using database = await connectToDatabase({ shared: false, create: true })
      const line = createProgressLine()
      const began = performance.now()
      const header = await restoreBackup({
        url: database.url,
        file,
        migrations: await readMigrations(),
        replace: values.replace ? async (found) => values.yes || confirmReplace(found, signal) : undefined,
        progress: (stage, bytes, part) =>
          line.show(() =>
            part ? `${PHASE_LABELS[stage]} ${part.name}, ${Math.floor((100 * bytes) / size)} % of the file` : `${PHASE_LABELS[stage]} …`,
          ),
        signal,
      }).finally(line.clear)
      const rows = header.parts.reduce((sum, part) => sum + part.rows, 0)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      process.stdout.write(
        `Restored workspace “${header.workspace.name}” as of ${header.created_at}: ${rows.toLocaleString('en')} rows in ${seconds} s.\n`,
      )
      process.stdout.write('Users must sign in again; tokens still work. Secrets require the key they were encrypted with.\n')
    })
  },
}

const confirmReplace = async ({ name, resources }: Workspace, signal: AbortSignal): Promise<boolean> => {
  if (!process.stdin.isTTY)
    throw new BackupError(
      'This database already contains a workspace, and there is no terminal to confirm its deletion. Use --replace --yes to delete it.',
    )
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT')) // readline would swallow Ctrl-C on a terminal
  try {
    const answer = await prompt.question(
      `This deletes the workspace “${name}” with its ${resources.toLocaleString('en')} resources. Type its name to continue: `,
      { signal },
    )
    return answer.trim() === name
  } finally {
    prompt.close()
  }
}
