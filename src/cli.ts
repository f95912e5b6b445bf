import { backupCommand } from './app/cli/backup.ts'
import { CliError, type Command } from './app/cli/command.ts'
import { connectorCommand } from './app/cli/connector.ts'
import { ingestCommand } from './app/cli/ingest.ts'
import { lineageCommand } from './app/cli/lineage.ts'
import { mcpCommand } from './app/cli/mcp.ts'
import { restoreCommand } from './app/cli/restore.ts'

/** Entry point of the command line: `tablinum <command> …`. */
const COMMANDS: readonly Command[] = [lineageCommand, ingestCommand, connectorCommand, backupCommand, restoreCommand, mcpCommand]

const usage = (): string => {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  return [
    'Usage: tablinum <command> [options]',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Run "tablinum <command> --help" for details.',
    '',
  ].join('\n')
}

const main = async ([name, ...args]: readonly string[]): Promise<number> => {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(usage())
    return name === undefined ? 2 : 0
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
