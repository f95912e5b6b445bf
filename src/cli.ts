import { backupCommand } from './app/cli/backup.ts'
import { CliError, type Command } from './app/cli/command.ts'
import { connectorCommand } from './app/cli/connector.ts'
import { doctorCommand } from './app/cli/doctor.ts'
import { driverCommand } from './app/cli/driver.ts'
import { importFromCommand } from './app/cli/import-from.ts'
import { ingestCommand } from './app/cli/ingest.ts'
import { lineageCommand } from './app/cli/lineage.ts'
import { mcpCommand } from './app/cli/mcp.ts'
import { migrateCommand } from './app/cli/migrate.ts'
import { queryLogCommand } from './app/cli/query-log.ts'
import { restoreCommand } from './app/cli/restore.ts'
import { selftestCommand } from './app/cli/selftest.ts'
import { startCommand } from './app/cli/start.ts'
import { PRODUCT_VERSION } from './platform/config/product-version.ts'

/** Entry point of the command line: `tablinum <command> …`. */
const COMMANDS: readonly Command[] = [
  startCommand,
  lineageCommand,
  ingestCommand,
  importFromCommand,
  queryLogCommand,
  driverCommand,
  connectorCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  doctorCommand,
  selftestCommand,
  mcpCommand,
]

const OPTION_OF_START = /^--(?!help$|version$)/

const usage = (): string => {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  return [
    'Usage: tablinum [command] [options]',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Run "tablinum <command> --help" for details.',
    '',
  ].join('\n')
}

const main = async (given: readonly string[]): Promise<number> => {
  // Without a command, the server is started: `npx tablinum`, `npx tablinum --demo`.
  const [name, ...args] = given[0] === undefined || OPTION_OF_START.test(given[0]) ? [startCommand.name, ...given] : given
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(usage())
    return 0
  }
  if (name === '--version') {
    process.stdout.write(`${PRODUCT_VERSION}\n`)
    return 0
  }
  const command = COMMANDS.find((each) => each.name === name)
  if (!command) throw new CliError(`Unknown command "${name}".\n\n${usage()}`)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(command.help)
    return 0
  }
  return command.run(args)
}

// A reader of the output may close the pipe early (`| head`): not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const { code, message } = error as Error & { code?: string }
  if (!(error instanceof CliError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error
  process.stderr.write(`${message}\n`)
  process.exitCode = 2
}
