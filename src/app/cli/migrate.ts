import { parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { importFromCommand, isCatalog } from './import-from.ts'

const HELP = `Usage: tablinum migrate
       tablinum migrate openmetadata|secoda … (the same as tablinum import-from)

Applies the migrations that the database lacks, and ends. The server does the same at its start; use this
where only one process may change the schema, such as a job before an upgrade. Other processes wait.
Uses the database of the server: DATABASE_URL, or the embedded one in TABLINUM_DATA.

  --help
`

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'apply pending migrations to the database',
  help: HELP,
  run: async (args) => {
    if (isCatalog(args[0])) return importFromCommand.run(args)
    parseArgs({ args: [...args], options: {} })
    // See backup.ts.
    const [{ connect }, { prepareDatabase }, { waitForServer }, { migrateQueue }, { reportErrors, connectToDatabase }] = await Promise.all([
      import('../../platform/db/connect.ts'),
      import('../../platform/db/migrate.ts'),
      import('../../platform/db/wait-for-server.ts'),
      import('../../platform/queue/worker.ts'),
      import('./database.ts'),
    ])
    return reportErrors(async () => {
      await using database = await connectToDatabase({ shared: true, create: true })
      await waitForServer(database.url, { log: (line) => process.stderr.write(`${line}\n`) })
      const { db, close } = connect(database.url)
      try {
        const applied = await prepareDatabase(db)
        await migrateQueue(database.url)
        process.stdout.write(
          applied.length === 0 ? 'The schema is up to date.\n' : `Applied ${applied.length} migrations, up to ${applied.at(-1)}.\n`,
        )
      } finally {
        await close()
      }
    })
  },
}
