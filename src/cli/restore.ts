import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { BackupError } from '../backup/error.ts'
import type { Stage } from '../backup/restore.ts'
import type { Workspace } from '../backup/target.ts'
import { CliError, type Command } from './command.ts'
import { progressLine } from './progress.ts'

const HELP = `Usage: tablinum restore [--replace [--yes]] <file>

Puts a backup into an empty database: DATABASE_URL, or the embedded one in TABLINUM_DATA, which is made
when it is not there. All of it or nothing. Tablinum must not be running on that database.

  --replace  where there is a workspace already, put the backup in its place; asks for its name
  --yes      does not ask
  --help
`

const OPTIONS = { replace: { type: 'boolean', default: false }, yes: { type: 'boolean', default: false } } as const

const STAGES: Readonly<Record<Stage, string>> = { checking: 'Checking', loading: 'Loading', indexing: 'Building indexes' }

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'a backup into an empty database, or in the place of what is there',
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new CliError('Name one file to restore. --help says more.')
    if (values.yes && !values.replace) throw new CliError('--yes is for --replace: without it nothing is asked.')
    // See backup.ts.
    const [{ restoreBackup }, { readMigrations }, { orSayWhy, reachDatabase }] = await Promise.all([
      import('../backup/restore.ts'),
      import('../db/migrate.ts'),
      import('./database.ts'),
    ])
    return orSayWhy(async (signal) => {
      const size = await stat(file).then(
        (found) => found.size,
        () => {
          throw new BackupError(`There is no file ${file}.`)
        },
      )
      await using database = await reachDatabase({ shared: false, create: true })
      const line = progressLine()
      const began = performance.now()
      const header = await restoreBackup({
        url: database.url,
        file,
        migrations: await readMigrations(),
        replace: values.replace ? async (found) => values.yes || isMeant(found, signal) : undefined,
        progress: (stage, bytes, part) =>
          line.show(() =>
            part ? `${STAGES[stage]} ${part.name}, ${Math.floor((100 * bytes) / size)} % of the file` : `${STAGES[stage]} …`,
          ),
        signal,
      }).finally(line.clear)
      const rows = header.parts.reduce((sum, part) => sum + part.rows, 0)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      process.stdout.write(
        `The workspace “${header.workspace.name}” is as it was at ${header.created_at}: ${rows.toLocaleString('en')} rows, in ${seconds} s.\n`,
      )
      process.stdout.write('Everybody signs in again; tokens work as before. Secrets open with the key they were sealed with.\n')
    })
  },
}

const isMeant = async ({ name, resources }: Workspace, signal: AbortSignal): Promise<boolean> => {
  if (!process.stdin.isTTY)
    throw new BackupError('There is a workspace in this database, and nobody to ask. Say --replace --yes if it may go.')
  const ask = createInterface({ input: process.stdin, output: process.stderr })
  ask.once('SIGINT', () => process.kill(process.pid, 'SIGINT')) // at a terminal it would keep the Ctrl-C to itself
  try {
    const answer = await ask.question(
      `This deletes the workspace “${name}” with its ${resources.toLocaleString('en')} resources. Type its name to go on: `,
      { signal },
    )
    return answer.trim() === name
  } finally {
    ask.close()
  }
}
